"""Prints RSP-QL: queries, and for messages their parts.

``parse_query(print_query(query)) == query`` for every query that ``parse_query`` can yield. A tree
that no text can yield (a join with the empty pattern, a blank node shared by two basic graph
patterns, ``&&`` of three) is printed as the text that means the same, where there is one.
"""

from __future__ import annotations

from rsp_conformance.model.algebra import Pattern, PatternTerm
from rsp_conformance.model.expressions import Expression
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.text.printer.expressions import expression_text
from rsp_conformance.text.printer.patterns import group_lines
from rsp_conformance.text.printer.queries import query_lines
from rsp_conformance.text.printer.style import Style
from rsp_conformance.text.printer.terms import term_text

Prefixes = tuple[tuple[str, str], ...]


def print_query(
    query: Query,
    *,
    duration: str | None = None,
    unit: int = 1,
    one_clause_a_line: bool = True,
    explicit_step: bool = False,
    triple_terms: bool = False,
    star: bool = False,
) -> str:
    """QUERY as RSP-QL, with its own prefixes and IRIs in full where none fits.

    ``duration`` says how RANGE, STEP and COMPUTED EVERY are written: ``instants`` (of ``unit``
    milliseconds), ``iso`` (PT5S), ``ms`` or ``s`` (plain numbers), None as the query has them.
    ``explicit_step`` writes the STEP of one instant that a RANGE without STEP means;
    ``triple_terms`` writes quoted triples as ``<<( s p o )>>``; ``star`` keeps to the grammar of
    RSP-QL* (its prototype's): every query is registered as a stream, ``ON`` takes the stream's IRI
    alone, and every window has its STEP.
    ValueError where a length does not fit the unit, or a term cannot be written in a query.
    """
    style = Style(query.prefixes, duration, unit, explicit_step, triple_terms, star)
    lines = query_lines(query, style)
    if one_clause_a_line:
        return "\n".join(lines) + "\n"
    return " ".join(line.strip() for line in lines)


def print_pattern(pattern: Pattern, prefixes: Prefixes = ()) -> str:
    """The inside of the group that PATTERN is, one pattern a line."""
    return "\n".join(group_lines(pattern, Style(prefixes)))


def print_expression(expression: Expression, prefixes: Prefixes = ()) -> str:
    """An expression."""
    return expression_text(expression, Style(prefixes))


def print_term(term: PatternTerm | Term, prefixes: Prefixes = ()) -> str:
    """A term as queries write it."""
    return term_text(term, Style(prefixes))
