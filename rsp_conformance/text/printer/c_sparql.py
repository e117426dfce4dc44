"""Prints C-SPARQL, as its engine reads it (Barbieri et al. 2010; C-SPARQL 0.9).

All stands on one line, since the engine's lexer takes keywords with the blanks around them. The
text keeps to what that lexer can tell apart; names and strings that end in one of its keywords are
kept from it by the restriction ``without-keyword-names``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rsp_conformance.model.algebra import Graph, Pattern
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.text.printer.continuous import MergedWindowsPrinter, bare_name

_NAME = re.compile(
    r"(?i)(?!.*(prefix|base|select|describe|add|ask|construct|from|stream|as|named|step|tumbling"
    r"|triples)\Z)[a-z][a-z0-9]*"
)
"""What the engine takes as the name of a query: no keyword at its end."""


def print_query(query: Query, *, unit: int = 1, static_graph: str | None = None) -> str:
    """QUERY as C-SPARQL, on one line.

    ``unit`` is the milliseconds of an instant. ``static_graph`` is the IRI by which the engine
    knows the default graph of the background data, for C-SPARQL reads none without FROM.
    NotExpressible says what the language has not.
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
        """``FROM STREAM <s> [RANGE 5s STEP 1s]``."""
        size = f"RANGE {self.length(window.width)} STEP {self.length(self.slide(window))}"
        return f"FROM STREAM {self.iri(window.stream.value)} [{size}]"
