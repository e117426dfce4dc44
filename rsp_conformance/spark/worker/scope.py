"""What a pattern is evaluated over: active graph, named graphs, windows (SEMANTICS 4).

Inside EXISTS also the solution that is being tested, whose terms stand for its variables (SPARQL
1.1, 18.6; docs/sparql.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.model.terms import IRI, GraphName
from rsp_conformance.sparql.dataset import EMPTY, Dataset, Graph, WindowDataset
from rsp_conformance.sparql.relation import Row


class Surroundings:
    """The graphs and windows that GRAPH and WINDOW reach.

    ``graphs`` are those that GRAPH finds by IRI, ``ranged`` those that ``GRAPH ?g`` ranges over.
    ``notes`` collects, for the whole evaluation, why SPARQL leaves its solutions open.
    """

    __slots__ = ("graphs", "notes", "ranged", "windows")

    def __init__(
        self,
        graphs: Mapping[GraphName, Graph],
        ranged: Mapping[GraphName, Graph],
        windows: Mapping[IRI, WindowDataset],
        notes: list[str],
    ) -> None:
        self.graphs = graphs
        self.ranged = ranged
        self.windows = windows
        self.notes = notes


class Scope:
    """An active graph in its surroundings.

    ``given`` is, inside EXISTS, the solution that is being tested, as a row; else None.
    """

    __slots__ = ("active", "around", "given")

    def __init__(self, active: Graph, around: Surroundings, given: Row | None = None) -> None:
        self.active = active
        self.around = around
        self.given = given

    def correlated(self, given: Row | None) -> Scope:
        """The same scope for the pattern of an EXISTS that GIVEN is tested by."""
        return Scope(self.active, self.around, given)

    def note(self, reason: str) -> None:
        """Take down why SPARQL leaves the solutions open."""
        if reason not in self.around.notes:
            self.around.notes.append(reason)

    def in_graph(self, name: GraphName) -> Scope:
        """The scope inside ``GRAPH name``; an unknown name is an empty graph."""
        return Scope(self.around.graphs.get(name, EMPTY), self.around, self.given)

    def knows_graph(self, name: GraphName) -> bool:
        """Whether GRAPH finds a graph of this name."""
        return name in self.around.graphs

    def in_window(self, name: IRI) -> Scope | None:
        """The scope inside ``WINDOW name``, from which no window can be seen; None if unknown."""
        dataset = self.around.windows.get(name)
        if dataset is None:
            return None
        around = Surroundings(dataset.named, dataset.named, {}, self.around.notes)
        return Scope(dataset.default, around, self.given)


def outermost(dataset: Dataset) -> Scope:
    """The scope of a query's pattern, outside GRAPH and WINDOW.

    A window and a background graph of one name are one graph (decision 12), which ``GRAPH ?g``
    reaches if the background has the name or the dial lets it range over windows.
    """
    graphs: Mapping[GraphName, Graph] = dataset.named
    ranged = graphs
    if dataset.windows:
        merged = dict(dataset.named)
        for name, window in dataset.windows.items():
            background = merged.get(name)
            merged[name] = (
                window.default
                if background is None
                else background.merged(window.default, add=dataset.bags)
            )
        graphs = merged
        ranged = (
            merged
            if dataset.graph_variable == "windows"
            else {name: merged[name] for name in dataset.named}
        )
    return Scope(dataset.default, Surroundings(graphs, ranged, dataset.windows, []))
