"""Print SPARQLstream, as morph-streams reads it (Calbimonte et al., 2010 and 2012)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rsp_conformance.model.algebra import Pattern, Values
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.text.printer.continuous import LATER_FUNCTIONS, MergedWindowsPrinter


def print_query(query: Query, *, unit: int = 1) -> str:
    """Return a query as SPARQLstream, with a streaming operator after SELECT.

    Args:
        query: the query.
        unit: milliseconds per instant.

    Raises:
        NotExpressible: the language cannot express the query.
    """
    return "\n".join(SparqlStreamPrinter(unit=unit).query_lines(query)) + "\n"


class SparqlStreamPrinter(MergedWindowsPrinter):
    """Writes SPARQLstream."""

    __slots__ = ()
    language = "SPARQLstream"
    units = ((1000, " S"), (1, " MS"))
    operators = "RID"
    reaches: ClassVar[Mapping[Reach, str]] = {Reach.NOW: "NOW"}
    has_past = True
    without = LATER_FUNCTIONS

    def check(self, query: Query) -> None:
        """Refuse streaming operators without SELECT."""
        super().check(query)
        if query.operator is not None and query.form is not Form.SELECT:
            self.refuse(f"{query.operator.value} of {query.form.value}")

    def _element(self, pattern: Pattern) -> list[str]:
        if isinstance(pattern, Values):
            self.refuse("VALUES but for those behind a query")
        return super()._element(pattern)

    def _select(self, query: Query) -> str:
        text = super()._select(query)
        operator = query.operator
        return text if operator is None else text.replace("SELECT", f"SELECT {operator.value}", 1)

    def stream_clause(self, window: WindowDeclaration) -> str:
        """Return ``FROM NAMED STREAM <s> [NOW - 5 S SLIDE 1 S]``, or one that ends before now."""
        if isinstance(window.width, Count | Reach):
            size = self.unmeasured(window)
        else:
            until = "" if window.lag is None else f" TO NOW - {self.length(window.lag)}"
            slide = self.length(self.slide(window))
            size = f"NOW - {self.length(window.back)}{until} SLIDE {slide}"
        return f"FROM NAMED STREAM {self.iri(window.stream.value)} [{size}]"
