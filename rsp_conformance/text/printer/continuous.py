"""The common part of the printers of all languages but RSP-QL: SPARQL, with IRIs in full."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NoReturn

from rsp_conformance.model.algebra import Pattern, PatternTerm, TriplePattern, Window
from rsp_conformance.model.expressions import Expression, Operation
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Term, Triple
from rsp_conformance.model.windows import Count, Duration, Reach, Span, WindowDeclaration
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.printer.rspql import QueryPrinter

LATER_FUNCTIONS = frozenset({"REPLACE", "STRBEFORE", "STRAFTER", "UUID", "STRUUID"})
"""Functions of SPARQL 1.1 that grammars based on its earlier drafts do not have."""
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def bare_name(iri: IRI) -> str | None:
    """Return the name of an IRI in languages without IRIs as names: its last word, or None.

    ``http://ex.org/s1`` and ``urn:stream:s1`` are ``s1``.
    """
    match = _LAST_WORD.search(iri.value)
    return match[0] if match else None


class ContinuousQueryPrinter(QueryPrinter):
    """Writes a language that extends SPARQL by windows; refusals name the language."""

    __slots__ = ()
    language: ClassVar[str]
    units: ClassVar[tuple[tuple[int, str], ...]] = ((1000, "s"), (1, "ms"))
    """How lengths of time are written: the milliseconds of each unit, the greatest first."""
    operators: ClassVar[str] = ""
    """The letters of the streaming operators that it can write."""
    reaches: ClassVar[Mapping[Reach, str]] = {}
    """The sizes of windows without a number that it has."""
    has_past: ClassVar[bool] = False
    """Whether it has windows in the past, as SPARQLstream has."""
    without: ClassVar[frozenset[str]] = frozenset()
    """The functions that it does not have."""

    def refuse(self, what: str) -> NoReturn:
        """Refuse a query with `what`, which the language does not have.

        Raises:
            NotExpressible: always.
        """
        raise NotExpressible(f"{self.language} has no {what}")

    def length(self, span: Span) -> str:
        """Return a span with its unit of time, such as ``5s``."""
        whole = span if isinstance(span, Duration) else Duration(span * self.unit)
        for milliseconds, name in self.units:
            if whole.milliseconds % milliseconds == 0:
                return f"{whole.milliseconds // milliseconds}{name}"
        self.refuse(f"lengths of {whole.milliseconds} ms")

    def unmeasured(self, window: WindowDeclaration) -> str:
        """Return the size of a window that is not by time, such as ``TRIPLES 3``."""
        size = window.width
        if isinstance(size, Reach):
            if size not in self.reaches:
                self.refuse(f"{size.value} windows")
            return self.reaches[size]
        assert isinstance(size, Count)
        if window.slide is not None:
            self.refuse("slides of windows by count")
        if size.unit != "triples":
            self.refuse(f"windows by count of {size.unit}")
        return str(size)

    def slide(self, window: WindowDeclaration) -> Span:
        """Return the slide of a window: one instant if the query has no STEP."""
        return 1 if window.slide is None else window.slide

    def term(self, term: PatternTerm | Term) -> str:
        """Return a term or a variable as text."""
        if isinstance(term, (TriplePattern, Triple)):
            self.refuse("quoted triples")
        return super().term(term)

    def _expression(self, expression: Expression) -> tuple[str, int]:
        if isinstance(expression, Operation) and expression.name in self.without:
            self.refuse(expression.name)
        return super()._expression(expression)

    def query_lines(self, query: Query) -> list[str]:
        """Return the lines of a query.

        Raises:
            NotExpressible: the language cannot express the query; the message says why.
        """
        self.check(query)
        base = [] if query.base is None else [f"BASE <{query.base}>"]
        return [*self._registration(query), *base, *self._form_lines(query)]

    def check(self, query: Query) -> None:
        """Refuse what the language lacks for a query as a whole; parts are refused later."""
        if query.computed_every is not None:
            self.refuse("COMPUTED EVERY")
        if query.operator is not None and query.operator.letter not in self.operators:
            self.refuse(query.operator.value)
        if not self.has_past and any(window.lag is not None for window in query.windows):
            self.refuse("windows in the past: all of its windows end at the present instant")

    def _registration(self, query: Query) -> list[str]:
        """Return the line that registers a query, if the language has one."""
        return []


class MergedWindowsPrinter(ContinuousQueryPrinter, ABC):
    """Writes a language in which all windows are merged into the default graph."""

    __slots__ = ()

    def _element(self, pattern: Pattern) -> list[str]:
        if isinstance(pattern, Window):
            self.refuse("WINDOW: it merges all windows into the default graph")
        return super()._element(pattern)

    def _window(self, window: WindowDeclaration) -> str:
        if window.named:
            self.refuse("named windows: it merges all windows into the default graph")
        return self.stream_clause(window)

    @abstractmethod
    def stream_clause(self, window: WindowDeclaration) -> str:
        """Return the FROM clause of a window."""
