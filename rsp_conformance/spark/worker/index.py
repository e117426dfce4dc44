"""Indexes of triples by their known terms, built when they are first asked for.

A window mostly holds a handful of triples and is looked at once or twice; to look through these
costs less than an index of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.sparql.dataset import GraphBag

Match: TypeAlias = tuple[Any, ...]
"""Subject, predicate and object of a triple, and how often the graph holds it."""

Index: TypeAlias = dict["Term | tuple[Term, ...]", list[Match]]
"""Triples by their term at one position, or by the tuple of their terms at several."""

TermPlaces: TypeAlias = "tuple[int | tuple[int, ...], ...]"
"""The places of terms: 0 subject, 1 predicate, 2 object, (0, 2) the object of a quoted subject."""

FEW = 8
"""So many triples are looked through rather than indexed, if it is for one row."""


def lookup(
    graph: GraphBag, places: TermPlaces, predicate: Term | None, rows: Sequence[object]
) -> Callable[[Any], Sequence[Match]]:
    """A function that gives the triples of a graph by their terms at some places.

    Args:
        graph: the graph.
        places: the places.
        predicate: the predicate of the triples; None for any.
        rows: the rows for which it is asked; for one row a small graph gets no index.
    """
    if len(rows) > 1 or len(graph.counts) > FEW:
        found = index(graph, places, predicate)
        return lambda key: found.get(key, ())
    matches = _matches(graph, None)
    if predicate is not None:
        matches = [match for match in matches if match[1] == predicate]
    if not places:
        return lambda key: matches
    terms = _terms(places)
    return lambda key: [match for match in matches if terms(match) == key]


def index(graph: GraphBag, places: TermPlaces, predicate: Term | None = None) -> Index:
    """The triples of a graph by their terms at some places.

    Without places, all stand under ``()``. If a place is within a quoted triple, triples that quote
    nothing there are left out.

    Args:
        graph: the graph.
        places: the places.
        predicate: the predicate of the triples; None for any.
    """
    known: Index | None = graph.memo.get((predicate, places))
    if known is not None:
        return known
    found: Index = {}
    if places:
        terms = _terms(places)
        for row in _matches(graph, predicate):
            key = terms(row)
            if key is not None:
                found.setdefault(key, []).append(row)
    elif predicate is not None:
        found[()] = index(graph, (1,)).get(predicate, [])
    else:
        found[()] = [(t.subject, t.predicate, t.object, n) for t, n in graph.counts.items()]
    # Whole or not at all: a limit of time may end the building anywhere.
    graph.memo[predicate, places] = found
    return found


def _matches(graph: GraphBag, predicate: Term | None) -> list[Match]:
    return index(graph, (), predicate)[()]


def _terms(places: TermPlaces) -> Callable[[Match], Any]:
    """A function that gives the terms at some places, one alone or several as a tuple.

    It gives None if nothing is quoted there.
    """
    if all(isinstance(place, int) for place in places):
        return itemgetter(*places)

    def terms(match: Match) -> Any:
        found = [_within(match, (p,) if isinstance(p, int) else p) for p in places]
        if any(term is None for term in found):
            return None
        return found[0] if len(found) == 1 else tuple(found)

    return terms


def _within(match: Match, path: tuple[int, ...]) -> Term | None:
    """The term at a path within a quoted triple; None if nothing is quoted there."""
    term: Term = match[path[0]]
    for position in path[1:]:
        if not isinstance(term, Triple):
            return None
        term = (term.subject, term.predicate, term.object)[position]
    return term
