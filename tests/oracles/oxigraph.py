"""Solutions by pyoxigraph, through the reference engine's translation: an evaluator of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.callbacks import Callbacks
from rsp_conformance.adapters.reference.oxigraph.functions import FUNCTIONS
from rsp_conformance.adapters.reference.oxigraph.names import (
    GRAPH_TERMS,
    KNOWN_AS,
    GraphTerm,
    Names,
    StoredGraph,
)
from rsp_conformance.adapters.reference.oxigraph.terms import from_model, to_model
from rsp_conformance.adapters.reference.oxigraph.translate import Translation
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import GraphName, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.text.printer.rspql import print_query


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, with its modifiers; ``Unsupported`` as the reference engine has it.

    Of what SPARQL leaves open the relation says nothing.
    """
    stored = _Stored(dataset)
    translation = Translation(query, stored.names)
    store = ox.Store()
    store.extend(stored.quads())
    callbacks = Callbacks()
    with callbacks.raising():
        results = store.query(
            print_query(translation.query),
            custom_functions={n: callbacks.function(f) for n, f in FUNCTIONS.items()},
            custom_aggregate_functions={
                n: callbacks.aggregate(make) for n, make in translation.aggregates.items()
            },
        )
        assert isinstance(results, ox.QuerySolutions)
        places = range(len(translation.columns))
        found = [tuple([row[place] for place in places]) for row in results]
    rows = [tuple([None if t is None else to_model(t) for t in row]) for row in found]
    return Relation(translation.columns, rows)


class _Stored:
    """A dataset as graphs of a store, one for each layer of a bag (``names.StoredGraph``)."""

    def __init__(self, dataset: Dataset) -> None:
        self._layers: dict[str, Iterable[Triple]] = {}
        self._called: list[tuple[str, GraphName]] = []
        outside: dict[GraphName, GraphBag] = dict(dataset.named)
        windows = []
        for number, (name, window) in enumerate(dataset.windows.items()):
            # A window and a background graph of one name are one graph (decision 12).
            known = outside.get(name, GraphBag())
            outside[name] = known.merged(window.default, add=dataset.bags)
            graphs = self._graphs(f"window{number}", window.named)
            inside = Names(
                self._graph(f"window{number}", window.default), graphs, tuple(n for n, _ in graphs)
            )
            windows.append((name.value, inside))
        ranged = outside if dataset.graph_variable == "windows" else dataset.named
        self.names = Names(
            self._graph("default", dataset.default),
            self._graphs("graph", outside),
            tuple(map(_name, ranged)),
            tuple(windows),
        )

    def quads(self) -> Iterator[ox.Quad]:
        for name, triples in self._layers.items():
            for t in triples:
                s, p, o = map(from_model, t)
                yield ox.Quad(s, p, o, ox.NamedNode(name))  # type: ignore[arg-type]
        for layer, called in self._called:
            yield ox.Quad(
                ox.NamedNode(layer),
                ox.NamedNode(KNOWN_AS),
                _name(called),
                ox.NamedNode(GRAPH_TERMS),
            )

    def _graph(self, key: str, graph: GraphBag) -> StoredGraph:
        stored = StoredGraph(key, max(graph.counts.values(), default=1))
        for least, name in enumerate(stored.names(), 1):
            self._layers[name] = [t for t, count in graph.counts.items() if count >= least]
        return stored

    def _graphs(
        self, key: str, graphs: Mapping[GraphName, GraphBag]
    ) -> tuple[tuple[GraphTerm, StoredGraph], ...]:
        found = []
        for number, (name, graph) in enumerate(graphs.items()):
            stored = self._graph(f"{key}.{number}", graph)
            if isinstance(_name(name), ox.BlankNode):
                self._called.append((stored.names()[0], name))
            found.append((_name(name), stored))
        return tuple(found)


def _name(name: GraphName) -> GraphTerm:
    term = from_model(name)
    assert isinstance(term, (ox.NamedNode, ox.BlankNode))
    return term
