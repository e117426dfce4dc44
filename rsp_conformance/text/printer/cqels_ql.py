"""Print CQELS-QL, as CQELS 1 reads it (Le-Phuoc et al. 2011): SPARQL with STREAM patterns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rsp_conformance.model.algebra import BGP, Extend, Filter, Graph, Join, Pattern, Values, Window
from rsp_conformance.model.expressions import Exists, Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import mentioned, within
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.text.printer.continuous import LATER_FUNCTIONS, ContinuousQueryPrinter


def print_query(query: Query, *, unit: int = 1, triples_only: bool = False) -> str:
    """Return a query as CQELS-QL.

    A window is written with the pattern that reads it. Every query means ISTREAM (CSRBench,
    Table 1), which is not written.

    Args:
        query: the query.
        unit: milliseconds per instant.
        triples_only: writes only triple patterns within STREAM, as in the grammar of 2011, and
            FILTER and BIND after it.

    Raises:
        NotExpressible: the language cannot express the query.
    """
    if triples_only:
        query = replace(query, pattern=_lifted(query.pattern))
    printer = CqelsQlPrinter(unit=unit, windows=query.windows, triples_only=triples_only)
    return "\n".join(printer.query_lines(query)) + "\n"


def _lifted(pattern: Pattern) -> Pattern:
    """Return `pattern` with the FILTER and BIND of its windows after the rest of their group."""
    found, behind = _parted(pattern)
    for part in behind:
        found = replace(part, pattern=found)
    return found


def _parted(pattern: Pattern) -> tuple[Pattern, list[Filter | Extend]]:
    """Split `pattern` into the rest and the FILTER and BIND that mean the same after the rest."""
    match pattern:
        case Filter(_, inner) | Extend(inner):
            found, behind = _parted(inner)
            return found, [*behind, pattern]
        case Window(name, inner):
            found, behind = _parted(inner)
            if all(_movable(part, BGP()) for part in behind):
                return _in_window(name, found), behind
        case Join(left, right):
            (one, behind), (other, further) = _parted(left), _parted(right)
            apart = [_movable(part, right) for part in behind]
            if all(apart) and all(_movable(part, left) for part in further):
                return Join(one, other), behind + further
    return pattern, []


def _in_window(name: IRI | Variable, pattern: Pattern) -> Pattern:
    """Return `pattern` within the window `name`; a group becomes a group of several STREAM."""
    if isinstance(pattern, Join):
        return Join(_in_window(name, pattern.left), _in_window(name, pattern.right))
    return Window(name, pattern)


def _movable(part: Filter | Extend, other: Pattern) -> bool:
    """Return whether `part` means the same for its pattern joined with `other`."""
    said = part.condition if isinstance(part, Filter) else part.expression
    if any(isinstance(inner, Exists) for inner in within(said)):
        return False
    open_ = {*mentioned(said)}.difference(certain(part.pattern))
    if isinstance(part, Extend):
        open_.add(part.variable.name)
    return open_.isdisjoint(in_scope(other))


@dataclass(frozen=True)
class CqelsQlPrinter(ContinuousQueryPrinter):
    """Writes CQELS-QL; WINDOW is ``STREAM <s> [RANGE 5s SLIDE 1s]``."""

    language = "CQELS-QL"
    operators = "I"
    reaches: ClassVar[Mapping[Reach, str]] = {Reach.NOW: "NOW", Reach.UNBOUNDED: "ALL"}
    without = LATER_FUNCTIONS
    windows: tuple[WindowDeclaration, ...] = ()
    triples_only: bool = False

    def check(self, query: Query) -> None:
        """Refuse ASK and DESCRIBE, VALUES, and windows that no STREAM can express."""
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
                if self.triples_only and not isinstance(inner, BGP):
                    self.refuse("STREAM of anything but triple patterns")
                return self.group(f"STREAM {self._stream(name)}", inner)
            case Graph(name) if any(window.name == name for window in self.windows):
                self.refuse("GRAPH of a window")
            case Values():
                self.refuse("VALUES")
        return super()._element(pattern)

    def _stream(self, name: IRI | Variable) -> str:
        """Return the stream of a window, and its size."""
        window = next((window for window in self.windows if window.name == name), None)
        if window is None:
            self.refuse("WINDOW ?x" if isinstance(name, Variable) else "undeclared windows")
        if isinstance(window.width, Count | Reach):
            return f"{self.iri(window.stream.value)} [{self.unmeasured(window)}]"
        size = f"RANGE {self.length(window.width)}"
        if window.slide is not None:
            size += f" SLIDE {self.length(window.slide)}"
        return f"{self.iri(window.stream.value)} [{size}]"
