"""Prints CQELS-QL, as CQELS 1 reads it (Le-Phuoc et al. 2011): SPARQL with STREAM patterns."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.algebra import Graph, Pattern, Values, Window
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.text.printer.continuous import LATER_FUNCTIONS, ContinuousQueryPrinter


def print_query(query: Query, *, unit: int = 1) -> str:
    """QUERY as CQELS-QL; ``unit`` is the milliseconds of an instant.

    A window is written where a pattern reads it. ISTREAM is what every query means (CSRBench, Table
    1), and is not written. NotExpressible says what the language has not.
    """
    printer = CqelsQlPrinter(unit=unit, windows=query.windows)
    return "\n".join(printer.query_lines(query)) + "\n"


@dataclass(frozen=True)
class CqelsQlPrinter(ContinuousQueryPrinter):
    """Writes CQELS-QL; WINDOW is ``STREAM <s> [RANGE 5s SLIDE 1s]``."""

    language = "CQELS-QL"
    operators = "I"
    without = LATER_FUNCTIONS
    windows: tuple[WindowDeclaration, ...] = ()

    def check(self, query: Query) -> None:
        """Refuse ASK and DESCRIBE, VALUES, and windows where no STREAM can say them."""
        super().check(query)
        if query.operator is None:
            self.refuse("answers but new ones: the query has to be one with ISTREAM")
        if query.form not in (Form.SELECT, Form.CONSTRUCT):
            self.refuse(query.form.value)
        if query.values is not None:
            self.refuse("VALUES")
        if any(not window.named for window in query.windows):
            self.refuse("windows in the default graph")
        read = {part.name for part in within(query.pattern) if isinstance(part, Window)}
        if not read.issuperset(window.name for window in query.windows):
            self.refuse("windows that no pattern reads")
        said = [(window.stream, window.width, self.slide(window)) for window in query.windows]
        if len(set(said)) < len(said):
            self.refuse("two windows of one size over one stream")

    def _rest(self, query: Query, with_pattern: bool) -> list[str]:
        return [line for line in super()._rest(query, with_pattern) if line]

    def _window(self, window: WindowDeclaration) -> str:
        return ""

    def _element(self, pattern: Pattern) -> list[str]:
        match pattern:
            case Window(name, inner):
                if any(isinstance(part, Window) for part in within(inner)):
                    self.refuse("STREAM within STREAM")
                return self.group(f"STREAM {self._stream(name)}", inner)
            case Graph(name) if any(window.name == name for window in self.windows):
                self.refuse("GRAPH of a window")
            case Values():
                self.refuse("VALUES")
        return super()._element(pattern)

    def _stream(self, name: IRI | Variable) -> str:
        """The stream of a window, and its size."""
        window = next((window for window in self.windows if window.name == name), None)
        if window is None:
            self.refuse("WINDOW ?x" if isinstance(name, Variable) else "undeclared windows")
        size = f"RANGE {self.length(window.width)}"
        if window.slide is not None:
            size += f" SLIDE {self.length(window.slide)}"
        return f"{self.iri(window.stream.value)} [{size}]"
