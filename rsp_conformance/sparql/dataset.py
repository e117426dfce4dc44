"""The dataset of a query at an instant (RSP-QL Definition 17; SEMANTICS 4; decisions 10 to 13).

A graph is a bag of triples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rsp_conformance.model.dials import EmptyGroup, GraphVariable
from rsp_conformance.model.terms import IRI, GraphName, Triple


class GraphBag:
    """A bag of triples; immutable by contract.

    ``triples`` is either an iterable, in which every repetition of a triple counts, or a mapping
    from triples to counts of at least 1.
    """

    __slots__ = ("counts", "memo")

    counts: Mapping[Triple, int]
    memo: dict[tuple[object, ...], dict[Any, Any]]
    """Room for evaluators to store data about the graph, such as indexes."""

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

    def merged(self, other: GraphBag, *, add: bool) -> GraphBag:
        """The union with another graph: as bags if `add` is true (counts add up), else as sets."""
        if not add:
            return GraphBag(self.counts.keys() | other.counts.keys())
        if not other.counts:
            return self
        counts = dict(self.counts)
        for triple, count in other.counts.items():
            counts[triple] = counts.get(triple, 0) + count
        return GraphBag(counts)

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self.counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphBag) and dict(self.counts) == dict(other.counts)

    def __hash__(self) -> int:
        return hash(frozenset(self.counts.items()))

    def __repr__(self) -> str:
        return f"GraphBag({dict(self.counts)!r})"

    def __reduce__(self) -> tuple[type[GraphBag], tuple[dict[Triple, int]]]:
        return GraphBag, (dict(self.counts),)


EMPTY = GraphBag()
"""The graph without triples."""


@dataclass(slots=True, eq=False)
class WindowDataset:
    """DS(w): the dataset that the content of a window forms (SEMANTICS 4).

    ``default`` has the triples of unnamed elements and the timestamp triples of named elements;
    ``named`` has the graphs of named elements.
    """

    default: GraphBag = EMPTY
    named: Mapping[GraphName, GraphBag] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Dataset:
    """The data that a query is evaluated over at an instant.

    Attributes:
        default: The default graph: background data after FROM, and the windows merged into it.
        named: The named graphs of the background data after FROM NAMED.
        windows: The named windows.
        graph_variable: The dial: whether ``GRAPH ?g`` ranges over the named windows (``windows``)
            or not (``background``).
        bags: Whether a window and a background graph with the same IRI (decision 12) add their
            counts; if not, they unite as sets.
        empty_group: The dial: whether aggregates without GROUP BY over no solutions give a row.
    """

    default: GraphBag = EMPTY
    named: Mapping[GraphName, GraphBag] = field(default_factory=dict)
    windows: Mapping[IRI, WindowDataset] = field(default_factory=dict)
    graph_variable: GraphVariable = "windows"
    bags: bool = False
    empty_group: EmptyGroup = "row"
