"""Whether an answer is the result that a test expects, by the suites' own criterion.

The suites say (README of ``sparql11``, Query Evaluation Tests): result sets agree row by row up to
isomorphism, IRIs identical and literals compared by value; order counts where ``rs:index`` tells
it; REDUCED may keep each solution once up to as often as it is without REDUCED. This is stricter
in one point: values count as equal only under one and the same datatype.

Nine tests need the comparison by value, for lexical forms such as ``2.0`` against ``2`` and
``3.21E4`` against ``32100``: agg-sum-02, agg-avg-02, agg-min-02, agg-err-02, cast-float,
cast-double, cast-decimal, plus-1-corrected, coalesce01.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from dataclasses import replace
from fractions import Fraction

from rsp_conformance.corpora.w3c.results import Expected
from rsp_conformance.model.answers import Content, Rows, Triples
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import (
    XSD_DOUBLE,
    XSD_FLOAT,
    BlankNode,
    Literal,
    Term,
    Triple,
    is_numeric,
)
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.compare.numbers import number


def agrees(expected: Expected, answer: Content, *, lax: bool) -> bool:
    """Whether ANSWER is the result EXPECTED; LAX is the manifest's ``mf:LaxCardinality``.

    ANSWER says which rows ORDER BY leaves tied; those may come in any order.
    """
    wanted, given = _by_value(expected.content), _by_value(answer)
    if isinstance(wanted, Rows) and isinstance(given, Rows):
        if set(wanted.variables) != set(given.variables):
            return False
        if lax:
            return _agree_laxly(wanted, given)
        if expected.ordered and given.ties is None:
            return False
        given = given if expected.ordered else replace(given, ties=None)
    # Ties are the answer's, so the answer is what the expected order is measured by.
    return difference(given, wanted, "term") is None


def _agree_laxly(expected: Rows, answer: Rows) -> bool:
    """Each expected solution at least once, and at most as often as expected."""
    wanted, given = (Counter(map(_cells, rows.solutions())) for rows in (expected, answer))
    for row in (*wanted, *given):
        if any(isinstance(part, BlankNode) for _, term in row for part in within(term)):
            raise Unsupported("lax cardinality of rows with blank nodes")
    return wanted.keys() == given.keys() and all(n <= wanted[row] for row, n in given.items())


def _cells(solution: dict[str, Term]) -> frozenset[tuple[str, Term]]:
    return frozenset(solution.items())


def _by_value(content: Content) -> Content:
    """CONTENT with every number in one lexical form of its datatype."""
    match content:
        case Rows(variables, rows, ties):
            written = tuple(tuple(None if t is None else _value(t) for t in row) for row in rows)
            return Rows(variables, written, ties)
        case Triples(graph):
            return Triples(
                frozenset(Triple(t.subject, t.predicate, _value(t.object)) for t in graph)
            )
    return content


def _value(term: Term) -> Term:
    if not isinstance(term, Literal) or not is_numeric(term):
        return term
    value = number(term)
    if value is None:
        return term
    if term.datatype in {XSD_DOUBLE, XSD_FLOAT}:
        value = _nearest(value, single=term.datatype == XSD_FLOAT)
    return Literal(str(value), term.datatype)


def _nearest(value: Fraction | float, *, single: bool) -> float:
    """The double, or float, that VALUE stands for."""
    try:
        double = float(value)
        return struct.unpack("f", struct.pack("f", double))[0] if single else double
    except OverflowError:
        return math.inf if value > 0 else -math.inf
