"""Triples by what is known of them. Indexes are built when they are first asked for.

A window mostly holds a handful of triples and is looked at once or twice; to look through these
costs less than an index of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.sparql.dataset import Graph

Match: TypeAlias = tuple[Any, ...]
"""Subject, predicate and object of a triple, and how often the graph holds it."""

Index: TypeAlias = dict["Term | tuple[Term, ...]", list[Match]]
"""Triples by their term at one position, or by the tuple of their terms at several."""

FEW = 8
"""So many triples are looked through rather than indexed, if it is for one row."""


def lookup(
    graph: Graph,
    positions: tuple[int, ...],
    predicate: Term | None,
    rows: Sequence[object],
    paths: tuple[tuple[int, ...], ...] = (),
) -> Callable[[Any], Sequence[Match]]:
    """The triples of GRAPH, or those with PREDICATE, by their terms at POSITIONS, for ROWS.

    With PATHS by those instead, as ``index_within`` does.
    """
    if paths or len(rows) > 1 or len(graph.counts) > FEW:
        found = (
            index_within(graph, paths, predicate) if paths else index(graph, positions, predicate)
        )
        return lambda key: found.get(key, ())
    matches = _matches(graph, None)
    if predicate is not None:
        matches = [match for match in matches if match[1] == predicate]
    if not positions:
        return lambda key: matches
    terms = itemgetter(*positions)
    return lambda key: [match for match in matches if terms(match) == key]


def index(graph: Graph, positions: tuple[int, ...], predicate: Term | None = None) -> Index:
    """All triples of GRAPH, or those with PREDICATE, by their terms at POSITIONS.

    Positions are 0 subject, 1 predicate, 2 object; without any, all stand under ``()``.
    """
    found: Index | None = graph.memo.get((predicate, positions))
    if found is None:
        found = graph.memo[predicate, positions] = {}
        if positions:
            key = itemgetter(*positions)
            for row in _matches(graph, predicate):
                found.setdefault(key(row), []).append(row)
        elif predicate is not None:
            found[()] = index(graph, (1,)).get(predicate, [])
        else:
            triples = graph.counts.items()
            found[()] = [(t.subject, t.predicate, t.object, n) for t, n in triples]
    return found


def index_within(
    graph: Graph, paths: tuple[tuple[int, ...], ...], predicate: Term | None = None
) -> Index:
    """As ``index``, by terms within quoted triples: ``(0, 2)`` is the subject's object.

    Triples that quote nothing there are left out. There is at least one path.
    """
    found: Index | None = graph.memo.get((predicate, paths))
    if found is None:
        found = graph.memo[predicate, paths] = {}
        for row in _matches(graph, predicate):
            inner = [_within(row[path[0]], path[1:]) for path in paths]
            terms = [term for term in inner if term is not None]
            if len(terms) == len(paths):
                key = terms[0] if len(terms) == 1 else tuple(terms)
                found.setdefault(key, []).append(row)
    return found


def _matches(graph: Graph, predicate: Term | None) -> list[Match]:
    return index(graph, (), predicate)[()]


def _within(term: Term, path: tuple[int, ...]) -> Term | None:
    """The term at PATH within a quoted triple, None where nothing is quoted there."""
    for position in path:
        if not isinstance(term, Triple):
            return None
        term = (term.subject, term.predicate, term.object)[position]
    return term
