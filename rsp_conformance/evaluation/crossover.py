"""From which size on the library is faster than the definitions' evaluator, by query shape.

The library needs 4 µs to load a triple and 1 µs to hand over a row, the definitions' evaluator
joins where the triples are. So it wins where a query has far more solutions than triples and none
of them leaves the library: where the solutions of a product are counted. ``make bench`` measures
(part ``crossover``), and docs/evaluation.md has the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.algebra import BGP, Graph, Join, Pattern, TriplePattern, Window
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import triple_variables
from rsp_conformance.r2r.grouping import is_grouped, outer_expressions

COUNTED_PRODUCT = 300
"""Triples in the dataset. Measured: 0.5 of the definitions' time at 300 triples, 0.1 at 1,000."""


def crossover(query: Query) -> int | None:
    """The least size, in triples, of a dataset over which the library is faster for QUERY.

    None where it never is, at any size that a window has.
    """
    return COUNTED_PRODUCT if is_counted_product(query) else None


def is_counted_product(query: Query) -> bool:
    """Whether QUERY counts the solutions of triple patterns that share no variable.

    Nothing but COUNT(*) and keys that are variables, for every value that an expression looks at
    costs a call out of the library; and at least two of the parts without a term that picks a few
    triples.
    """
    if not is_grouped(query) or query.values is not None or query.having or query.order_by:
        return False
    counts = all(e == Aggregate("COUNT", None) for e in outer_expressions(query))
    plain = all(isinstance(key.expression, Variable) for key in query.group_by or ())
    triples = list(_triples(query.pattern))
    if not counts or not plain or None in triples:
        return False
    return sum(_is_open(part) for part in _parts([t for t in triples if t is not None])) > 1


def _triples(pattern: Pattern) -> Iterator[TriplePattern | None]:
    """The triple patterns that PATTERN joins; None for anything else."""
    match pattern:
        case BGP(triples):
            yield from triples
        case Join(left, right):
            yield from _triples(left)
            yield from _triples(right)
        case Graph(IRI(), inner) | Window(IRI(), inner):
            yield from _triples(inner)
        case _:
            yield None


def _parts(triples: list[TriplePattern]) -> list[list[TriplePattern]]:
    """TRIPLES in parts that share no variable."""
    parts: list[tuple[set[str], list[TriplePattern]]] = []
    for triple in triples:
        names, members = set(triple_variables(triple)), [triple]
        apart = []
        for known, others in parts:
            if known & names:
                names, members = names | known, members + others
            else:
                apart.append((known, others))
        parts = [*apart, (names, members)]
    return [members for _, members in parts]


def _is_open(part: list[TriplePattern]) -> bool:
    return all(
        isinstance(t.subject, Variable) and isinstance(t.object, Variable) and t.subject != t.object
        for t in part
    )
