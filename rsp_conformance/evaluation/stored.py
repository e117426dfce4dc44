"""A dataset as plain graphs with names, which is all that a SPARQL library knows (SEMANTICS 4).

A window becomes graphs of its own: its default graph and one for each named element. A bag becomes
layers (``library.names``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from rsp_conformance.library.names import GraphTerm, Names, StoredGraph
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.r2r.scope import outermost
from rsp_conformance.sparql.dataset import Dataset, Graph


@dataclass(slots=True)
class Stored:
    """What names mean, and the triples of every layer by its IRI.

    ``called`` are the graphs that blank nodes name, each with the IRI of its first layer.
    """

    names: Names
    layers: dict[str, Iterable[Triple]] = field(default_factory=dict)
    called: list[tuple[str, GraphName]] = field(default_factory=list)


class _Storing:
    """Gives every graph a name, one and the same graph one and the same."""

    def __init__(self) -> None:
        self.layers: dict[str, Iterable[Triple]] = {}
        self.called: list[tuple[str, GraphName]] = []
        self._known: dict[int, StoredGraph] = {}

    def graph(self, key: str, graph: Graph) -> StoredGraph:
        known = self._known.get(id(graph))
        if known is not None:
            return known
        stored = StoredGraph(key, max(graph.counts.values(), default=1))
        self._known[id(graph)] = stored
        first, *others = stored.names()
        self.layers[first] = graph.counts
        for least, name in enumerate(others, 2):
            self.layers[name] = [t for t, count in graph.counts.items() if count >= least]
        return stored

    def graphs(
        self, key: str, graphs: Mapping[GraphName, Graph]
    ) -> tuple[tuple[GraphTerm, StoredGraph], ...]:
        found = []
        for number, (name, graph) in enumerate(graphs.items()):
            stored = self.graph(f"{key}.{number}", graph)
            if not isinstance(name, IRI):
                self.called.append((stored.names()[0], name))
            found.append((graph_term(name), stored))
        return tuple(found)


def graph_term(name: GraphName) -> GraphTerm:
    """The name of a graph, as ``library.names`` has it."""
    return ox.NamedNode(name.value) if isinstance(name, IRI) else ox.BlankNode(name.label)


def stored(dataset: Dataset) -> Stored:
    """DATASET for a library; ValueError for a name that is no IRI."""
    storing = _Storing()
    around = outermost(dataset).around
    windows = []
    for number, (name, window) in enumerate(dataset.windows.items()):
        graphs = storing.graphs(f"window{number}", window.named)
        inside = Names(
            default=storing.graph(f"window{number}", window.default),
            graphs=graphs,
            ranged=tuple(term for term, _ in graphs),
        )
        windows.append((name.value, inside))
    names = Names(
        default=storing.graph("default", dataset.default),
        graphs=storing.graphs("graph", around.graphs),
        ranged=tuple(graph_term(name) for name in around.ranged),
        windows=tuple(windows),
    )
    return Stored(names, storing.layers, storing.called)
