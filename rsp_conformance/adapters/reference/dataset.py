"""The dataset at an instant, as graphs for the store (SEMANTICS 4; decisions 10 to 13)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pyoxigraph import DefaultGraph, NamedNode, Quad, Triple

from rsp_conformance.adapters.reference.oxigraph.iris import node
from rsp_conformance.adapters.reference.oxigraph.names import (
    GRAPH_TERMS,
    KNOWN_AS,
    GraphTerm,
    Names,
    StoredGraph,
    is_written,
)
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.dials import ContentKind, Dials, GraphVariable, WindowsIn
from rsp_conformance.model.query import Query

Bag: TypeAlias = "Counter[Triple]"


class BackgroundVersion(NamedTuple):
    """Background data at an instant; ``version`` numbers the stretch of time it holds for.

    A graph has its triples in the order of the data, each once.
    """

    version: int
    default: tuple[Triple, ...]
    named: Mapping[GraphTerm, tuple[Triple, ...]]


class Entry(NamedTuple):
    """Quads that hold on an inclusive interval of instants; None is unbounded."""

    quads: tuple[Quad, ...]
    since: int | None = None
    until: int | None = None


class BackgroundData:
    """Time-varying data as a sequence of versions, each made when it is first asked for."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        changes = {e.since for e in entries if e.since is not None}
        changes |= {e.until + 1 for e in entries if e.until is not None}
        self._changes = sorted(changes)
        self._versions: dict[int, BackgroundVersion] = {}

    def at(self, t: int | None) -> BackgroundVersion:
        """Return the data at instant t. A graph that holds nothing then is there, empty.

        None is the data of an engine that has lost it: every graph is empty.
        """
        version = -1 if t is None else bisect_right(self._changes, t)
        if version not in self._versions:
            self._versions[version] = self._make(version, t)
        return self._versions[version]

    def _make(self, version: int, t: int | None) -> BackgroundVersion:
        default: dict[Triple, None] = {}
        named: dict[GraphTerm, dict[Triple, None]] = {}
        for entry in self.entries:
            holds = (
                t is not None
                and (entry.since is None or entry.since <= t)
                and (entry.until is None or t <= entry.until)
            )
            for quad in entry.quads:
                name = quad.graph_name
                graph = default if isinstance(name, DefaultGraph) else named.setdefault(name, {})
                if holds:
                    graph[quad.triple] = None
        return BackgroundVersion(
            version, tuple(default), {name: tuple(graph) for name, graph in named.items()}
        )


class Layout(NamedTuple):
    """How datasets are put together: the dials that say so."""

    window_content: ContentKind
    windows_in: WindowsIn
    graph_variable: GraphVariable

    @classmethod
    def of(cls, dials: Dials) -> Layout:
        """Return the reading that the dials set."""
        return cls(dials.window_content, dials.windows_in, dials.graph_variable)


class StoredDataset:
    """The dataset of a query at one instant.

    ``names`` say what names mean; ``quads`` are the triples of every layer of every graph.

    Args:
        query: the query; its FROM clauses choose graphs of the background data.
        layout: how the dials put windows and background data together.
        background: the background data at the instant.
        contents: the elements in each window, in the order of the declarations.
    """

    def __init__(
        self,
        query: Query,
        layout: Layout,
        background: BackgroundVersion,
        contents: Sequence[Sequence[Arrival]],
    ) -> None:
        self.quads: list[Quad] = []
        self._bags = layout.window_content == "bag"
        default, named = _chosen(query, background)
        merged: list[Iterable[Triple]] = [default]
        windows: list[tuple[str, Names]] = []
        outside: dict[GraphTerm, Bag] = {}
        for index, (declaration, content) in enumerate(zip(query.windows, contents, strict=True)):
            triples = self._bag(triple for arrival in content for triple in arrival.triples)
            if layout.windows_in == "default" or not declaration.named:
                merged.append(triples.elements())
                continue
            called = node(declaration.name.value)
            inside = self._window(index, triples, content)
            self._known_as(inside.default, called)
            windows.append((called.value, inside))
            outside[called] = triples
        ranged = dict.fromkeys(named)
        if layout.graph_variable == "windows":
            ranged.update(dict.fromkeys(outside))
        for name, graph in named.items():
            # A window and a background graph of one name are one graph (decision 12).
            outside[name] = self._bag([*graph, *outside.get(name, Counter()).elements()])
        self.names = Names(
            default=self._store("default", self._bag(t for part in merged for t in part)),
            graphs=self._graphs("graph", outside.items()),
            ranged=tuple(ranged),
            windows=tuple(windows),
        )

    def _window(self, index: int, triples: Bag, content: Sequence[Arrival]) -> Names:
        """DS(w): the triples of its default graph, and the graphs of its named elements."""
        named = [(a.name, Counter(a.graph)) for a in content if a.name is not None]
        return Names(
            default=self._store(f"window{index}", triples),
            graphs=self._graphs(f"window{index}", named),
            ranged=tuple(name for name, _ in named),
        )

    def _bag(self, triples: Iterable[Triple]) -> Bag:
        return Counter(triples) if self._bags else Counter(dict.fromkeys(triples, 1))

    def _graphs(
        self, key: str, graphs: Iterable[tuple[GraphTerm, Bag]]
    ) -> tuple[tuple[GraphTerm, StoredGraph], ...]:
        found = []
        for number, (name, triples) in enumerate(graphs):
            graph = self._store(f"{key}.{number}", triples)
            found.append((name, graph))
            self._known_as(graph, name)
        return tuple(found)

    def _known_as(self, graph: StoredGraph, name: GraphTerm) -> None:
        """Store that the query knows a graph by a name, if no query can write the name."""
        if not is_written(name):
            layer = NamedNode(graph.names()[0])
            self.quads.append(Quad(layer, NamedNode(KNOWN_AS), name, NamedNode(GRAPH_TERMS)))

    def _store(self, key: str, triples: Bag) -> StoredGraph:
        graph = StoredGraph(key, max(triples.values(), default=1))
        for depth, name in enumerate(graph.names(), 1):
            layer = NamedNode(name)
            self.quads += [
                Quad(triple.subject, triple.predicate, triple.object, layer)
                for triple, times in triples.items()
                if times >= depth
            ]
        return graph


def _chosen(
    query: Query, background: BackgroundVersion
) -> tuple[tuple[Triple, ...], Mapping[GraphTerm, tuple[Triple, ...]]]:
    """FROM and FROM NAMED choose among the background's named graphs (decision 11)."""
    if not query.default_graphs and not query.named_graphs:
        return background.default, background.named
    graphs = (background.named.get(node(g.value), ()) for g in query.default_graphs)
    default = dict.fromkeys(triple for graph in graphs for triple in graph)
    named = [node(graph.value) for graph in query.named_graphs]
    return tuple(default), {g: background.named.get(g, ()) for g in named}
