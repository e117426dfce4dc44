"""The dataset of a query at an instant (RSP-QL Definition 17; SEMANTICS 4; decisions 10 to 13).

A graph is a bag of triples. Its indexes are built when a pattern first asks for them, because a
window mostly holds a handful of triples and is read once or twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeAlias

from rsp_conformance.model.dials import EmptyGroup, GraphVariable
from rsp_conformance.model.terms import IRI, GraphName, Term, Triple

Match: TypeAlias = tuple[Any, ...]
"""Subject, predicate and object of a triple, and how often the graph holds it."""

Index: TypeAlias = dict["Term | tuple[Term, ...]", list[Match]]
"""Triples by their term at one position, or by the tuple of their terms at several."""


def _within(term: Term, path: tuple[int, ...]) -> Term | None:
    """The term at PATH within a quoted triple, None where nothing is quoted there."""
    for position in path:
        if not isinstance(term, Triple):
            return None
        term = (term.subject, term.predicate, term.object)[position]
    return term


class Graph:
    """A bag of triples; immutable by contract.

    ``triples`` is either an iterable, in which a repeated triple counts as often as it is given,
    or a mapping from triples to counts of at least 1.
    """

    __slots__ = ("_indexes", "counts", "memo")

    counts: Mapping[Triple, int]
    memo: dict[tuple[object, ...], dict[Any, Any]]
    """What the specification keeps of the graph; ``index`` keeps its own."""

    def __init__(self, triples: Iterable[Triple] | Mapping[Triple, int] = ()) -> None:
        if isinstance(triples, Mapping):
            self.counts = triples
        elif isinstance(triples, (frozenset, set)):
            self.counts = dict.fromkeys(triples, 1)
        else:
            counts: dict[Triple, int] = {}
            for triple in triples:
                counts[triple] = counts.get(triple, 0) + 1
            self.counts = counts
        self.memo = {}
        self._indexes: dict[tuple[Term | None, tuple[Any, ...]], Index] = {}

    def index(self, positions: tuple[int, ...], predicate: Term | None = None) -> Index:
        """All triples, or those with PREDICATE, by their terms at POSITIONS.

        Positions are 0 subject, 1 predicate, 2 object; without any, all stand under ``()``. Built
        at the first call and kept.
        """
        index = self._indexes.get((predicate, positions))
        if index is None:
            index = {}
            if positions:
                key = itemgetter(*positions)
                for row in self._matches(predicate):
                    index.setdefault(key(row), []).append(row)
            elif predicate is not None:
                index[()] = self.index((1,)).get(predicate, [])
            else:
                index[()] = [(t.subject, t.predicate, t.object, n) for t, n in self.counts.items()]
            self._indexes[predicate, positions] = index
        return index

    def index_within(
        self, paths: tuple[tuple[int, ...], ...], predicate: Term | None = None
    ) -> Index:
        """As ``index``, by terms within quoted triples: ``(0, 2)`` is the subject's object.

        Triples that quote nothing there are left out. There is at least one path.
        """
        index = self._indexes.get((predicate, paths))
        if index is None:
            index = self._indexes[predicate, paths] = {}
            for row in self._matches(predicate):
                found = [_within(row[path[0]], path[1:]) for path in paths]
                terms = [term for term in found if term is not None]
                if len(terms) == len(paths):
                    key = terms[0] if len(terms) == 1 else tuple(terms)
                    index.setdefault(key, []).append(row)
        return index

    def _matches(self, predicate: Term | None) -> list[Match]:
        return self.index((), predicate)[()]

    def merged(self, other: Graph, *, add: bool) -> Graph:
        """The union with OTHER: as bags if ADD (counts add up), else as sets."""
        if not add:
            return Graph(self.counts.keys() | other.counts.keys())
        if not other.counts:
            return self
        counts = dict(self.counts)
        for triple, count in other.counts.items():
            counts[triple] = counts.get(triple, 0) + count
        return Graph(counts)

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self.counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and dict(self.counts) == dict(other.counts)

    def __hash__(self) -> int:
        return hash(frozenset(self.counts.items()))

    def __repr__(self) -> str:
        return f"Graph({dict(self.counts)!r})"

    def __reduce__(self) -> tuple[type[Graph], tuple[dict[Triple, int]]]:
        return Graph, (dict(self.counts),)


EMPTY = Graph()


@dataclass(slots=True, eq=False)
class WindowDataset:
    """DS(w): what a window holds at an instant (SEMANTICS 4).

    ``default`` has the triples of unnamed elements and the timestamp triples of named ones;
    ``named`` the graphs of named elements.
    """

    default: Graph = EMPTY
    named: Mapping[GraphName, Graph] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Dataset:
    """What a query is evaluated over at an instant.

    ``default`` and ``named`` are the background data, FROM and FROM NAMED already applied, and
    ``default`` holds the windows that are merged into it. ``windows`` are the named windows.
    ``graph_variable`` is the dial: whether ``GRAPH ?g`` ranges over the named windows
    (``windows``) or not (``background``). ``bags`` says whether a window and a background graph
    of one IRI (decision 12) add their counts or unite as sets. ``empty_group`` is the dial.
    """

    default: Graph = EMPTY
    named: Mapping[GraphName, Graph] = field(default_factory=dict)
    windows: Mapping[IRI, WindowDataset] = field(default_factory=dict)
    graph_variable: GraphVariable = "windows"
    bags: bool = False
    empty_group: EmptyGroup = "row"
