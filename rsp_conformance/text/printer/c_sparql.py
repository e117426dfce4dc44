"""Print C-SPARQL, as its engine reads it (Barbieri et al. 2010; C-SPARQL 0.9).

The whole query is one line, since the engine's lexer reads keywords together with the blanks around
them. The text uses only what that lexer can tell apart. Names and strings that end in one of its
keywords do not occur, because of the restriction ``without-keyword-names``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rsp_conformance.model.algebra import Graph, Pattern
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.text.printer.continuous import MergedWindowsPrinter, bare_name

_NAME = re.compile(
    r"(?i)(?!.*(prefix|base|select|describe|add|ask|construct|from|stream|as|named|step|tumbling"
    r"|triples)\Z)[a-z][a-z0-9]*"
)
"""Matches the names of queries that the engine accepts: no keyword at the end."""


def print_query(query: Query, *, unit: int = 1, static_graph: str | None = None) -> str:
    """Return a query as C-SPARQL, on one line.

    Args:
        query: the query.
        unit: milliseconds per instant.
        static_graph: the IRI under which the engine knows the default graph of the background
            data, because C-SPARQL reads none without FROM.

    Raises:
        NotExpressible: the language cannot express the query.
    """
    if static_graph is not None:
        query = replace(query, default_graphs=(IRI(static_graph), *query.default_graphs))
    lines = CSparqlPrinter(unit=unit).query_lines(query)
    return " ".join(line.strip() for line in lines)


class CSparqlPrinter(MergedWindowsPrinter):
    """Writes C-SPARQL; RSTREAM is ``REGISTER STREAM``."""

    __slots__ = ()
    language = "C-SPARQL"
    units = ((1000, "s"),)
    operators = "R"

    def check(self, query: Query) -> None:
        """Refuse DESCRIBE, FROM NAMED and queries that read no stream."""
        super().check(query)
        if query.form is Form.DESCRIBE:
            self.refuse("DESCRIBE")
        if query.named_graphs:
            self.refuse("FROM NAMED")
        if not query.windows:
            self.refuse("queries without a stream")

    def _registration(self, query: Query) -> list[str]:
        name = bare_name(query.name) if query.name else None
        kind = "QUERY" if query.operator is None else "STREAM"
        return [f"REGISTER {kind} {name if name and _NAME.fullmatch(name) else 'q'} AS"]

    def _element(self, pattern: Pattern) -> list[str]:
        if isinstance(pattern, Graph):
            self.refuse("named graphs")
        return super()._element(pattern)

    def stream_clause(self, window: WindowDeclaration) -> str:
        """Return ``FROM STREAM <s> [RANGE 5s STEP 1s]``, or ``[RANGE TRIPLES 3]``."""
        if isinstance(window.width, Count | Reach):
            size = f"RANGE {self.unmeasured(window)}"
        else:
            size = f"RANGE {self.length(window.width)} STEP {self.length(self.slide(window))}"
        return f"FROM STREAM {self.iri(window.stream.value)} [{size}]"
