"""The triples of a graph that a triple pattern asks for.

By means of the specification's own: Spark's evaluator has `spark.worker.index`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter

from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.sparql.dataset import GraphBag

FEW = 4
"""Up to so many triples are looked through one by one; sorting them costs more."""

_PARTS = attrgetter("predicate"), attrgetter("subject"), attrgetter("object")


def matching(
    graph: GraphBag, subject: Term | None, predicate: Term | None, object_: Term | None
) -> Collection[tuple[Triple, int]]:
    """The triples of GRAPH with these terms, of which None may be any; each with its count.

    Many triples are sorted by the first term that is given, those that have it by the next. The
    graph remembers what has been sorted, by the terms before it and the part that it goes by.
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
    """TRIPLES by their PART."""
    sort: dict[Term, list[tuple[Triple, int]]] = {}
    for pair in triples:
        sort.setdefault(part(pair[0]), []).append(pair)
    return sort
