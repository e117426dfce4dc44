"""The dataset at an instant, as graphs for the store (SEMANTICS 4; decisions 10 to 13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from pyoxigraph import NamedNode, Triple

from rsp_conformance.adapters.reference.oxigraph.names import GraphTerm, Names, StoredGraph
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query

Bag: TypeAlias = "Counter[Triple]"


class Background(NamedTuple):
    """Background data at an instant; ``version`` numbers the stretch of time it holds for."""

    version: int
    default: frozenset[Triple]
    named: Mapping[GraphTerm, frozenset[Triple]]


@dataclass(slots=True)
class StoredDataset:
    """What names mean, and the triples of every layer of every graph by the layer's IRI."""

    names: Names
    layers: dict[str, frozenset[Triple]] = field(default_factory=dict)


class DatasetMaker:
    """Puts background data and window contents together as a query and its dials ask."""

    def __init__(self, query: Query, dials: Dials) -> None:
        self._windows = query.windows
        self._merges_all = dials.windows_in == "default"
        self._bags = dials.window_content == "bag"
        self._windows_ranged = dials.graph_variable == "windows"
        self._default = [NamedNode(name.value) for name in query.default_graphs]
        self._named = [NamedNode(name.value) for name in query.named_graphs]
        self._keys: dict[object, str] = {}

    def forget(self) -> None:
        """Let go of the names met so far: from now on the store's graphs are other ones."""
        self._keys.clear()

    def make(self, background: Background, contents: Sequence[Sequence[Arrival]]) -> StoredDataset:
        """The dataset of BACKGROUND and one content a window, in order of declaration."""
        layers: dict[str, frozenset[Triple]] = {}
        default, named = self._chosen(background)
        merged: list[Iterable[Triple]] = [default]
        windows: list[tuple[str, Names]] = []
        outside: dict[GraphTerm, StoredGraph] = {}
        held: dict[GraphTerm, Bag] = {}
        for index, (declaration, content) in enumerate(zip(self._windows, contents, strict=True)):
            triples = self._bag(triple for arrival in content for triple in arrival.triples)
            if self._merges_all or not declaration.named:
                merged.append(triples.elements())
                continue
            names = self._window(index, triples, content, layers)
            windows.append((declaration.name.value, names))
            window = NamedNode(declaration.name.value)
            outside[window] = names.default
            held[window] = triples
        ranged = dict.fromkeys(named)
        if self._windows_ranged:
            ranged.update(dict.fromkeys(outside))
        for name, graph in named.items():
            # A window and a background graph of one name are one graph (decision 12).
            both = self._bag([*graph, *held.get(name, Counter()).elements()])
            outside[name] = self._store(self._key("graph", name), both, layers)
        return StoredDataset(
            Names(
                default=self._store(
                    "default", self._bag(t for part in merged for t in part), layers
                ),
                graphs=tuple(outside.items()),
                ranged=tuple(ranged),
                windows=tuple(windows),
            ),
            layers,
        )

    def _chosen(
        self, background: Background
    ) -> tuple[frozenset[Triple], Mapping[GraphTerm, frozenset[Triple]]]:
        """FROM and FROM NAMED choose among the background's named graphs (decision 11)."""
        if not self._default and not self._named:
            return background.default, background.named
        nothing: frozenset[Triple] = frozenset()
        default = nothing.union(*(background.named.get(name, nothing) for name in self._default))
        return default, {name: background.named.get(name, nothing) for name in self._named}

    def _window(
        self,
        index: int,
        triples: Bag,
        content: Sequence[Arrival],
        layers: dict[str, frozenset[Triple]],
    ) -> Names:
        """DS(w): the triples of its default graph, and the graphs of its named elements."""
        graphs = tuple(
            (
                arrival.name,
                self._store(
                    self._key(f"window{index}", arrival.name), Counter(arrival.graph), layers
                ),
            )
            for arrival in content
            if arrival.name is not None
        )
        return Names(
            default=self._store(f"window{index}", triples, layers),
            graphs=graphs,
            ranged=tuple(name for name, _ in graphs),
        )

    def _bag(self, triples: Iterable[Triple]) -> Bag:
        return Counter(triples) if self._bags else Counter(dict.fromkeys(triples, 1))

    def _store(self, key: str, triples: Bag, layers: dict[str, frozenset[Triple]]) -> StoredGraph:
        graph = StoredGraph(key, max(triples.values(), default=1))
        names = graph.names()
        layers[names[0]] = frozenset(triples)
        for depth, name in enumerate(names[1:], 2):
            layers[name] = frozenset(t for t, times in triples.items() if times >= depth)
        return graph

    def _key(self, part: str, name: GraphTerm) -> str:
        """One key for a name in a part of the dataset, however often it is stored."""
        return self._keys.setdefault((part, name), f"{part}.{len(self._keys)}")
