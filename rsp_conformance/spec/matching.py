"""Find the triples of a graph that match a triple pattern.

This index belongs to the reference model alone: the compiled implementation has its own,
`spark.worker.index`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter

from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.sparql.dataset import GraphBag

FEW = 4
"""Up to this number, triples are compared one by one, because sorting them costs more."""

_PARTS = attrgetter("predicate"), attrgetter("subject"), attrgetter("object")


def matching(
    graph: GraphBag, subject: Term | None, predicate: Term | None, object_: Term | None
) -> Collection[tuple[Triple, int]]:
    """The triples of a graph with these terms, each with its count; None matches any term.

    More than `FEW` triples are sorted into groups by the predicate, if it is given; the group with
    that predicate by the subject, and so on. The graph stores the groups for later calls, under the
    terms and parts that led to them.

    Args:
        graph: the graph, which stores the groups.
        subject: the subject; None for any.
        predicate: the predicate; None for any.
        object_: the object; None for any.
    """
    found: Collection[tuple[Triple, int]] = graph.counts.items()
    way: tuple[object, ...] = ()
    for part, term in zip(_PARTS, (predicate, subject, object_), strict=True):
        if term is None:
            continue
        if len(found) <= FEW:
            found = [pair for pair in found if part(pair[0]) == term]
            continue
        way = (*way, part)
        if way not in graph.memo:
            graph.memo[way] = _sorted(found, part)
        found = graph.memo[way].get(term, ())
        way = (*way, term)
    return found


def _sorted(
    triples: Collection[tuple[Triple, int]], part: Callable[[Triple], Term]
) -> dict[Term, list[tuple[Triple, int]]]:
    """The triples grouped by one of their parts."""
    sort: dict[Term, list[tuple[Triple, int]]] = {}
    for pair in triples:
        sort.setdefault(part(pair[0]), []).append(pair)
    return sort
