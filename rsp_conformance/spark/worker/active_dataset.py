"""The dataset over which a pattern is evaluated: D(G) of 18.6, with windows (SEMANTICS 4).

Inside EXISTS it also has the solution that is being tested, whose terms stand for its variables
(SPARQL 1.1, 18.6; docs/semantics.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rsp_conformance.model.terms import IRI, GraphName
from rsp_conformance.sparql.dataset import EMPTY, Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.relation import Row


class ActiveDataset(NamedTuple):
    """A dataset with its active graph.

    Attributes:
        graph: the active graph.
        graphs: the graphs that GRAPH finds by IRI.
        ranged: the graphs over which ``GRAPH ?g`` ranges.
        windows: the windows by name.
        given: inside EXISTS the solution that is being tested, as a row; else None.
        aside: whether another reading of an EXISTS is tried.
        loose: whether a given blank node may be any node.
    """

    graph: GraphBag
    graphs: Mapping[GraphName, GraphBag]
    ranged: Mapping[GraphName, GraphBag]
    windows: Mapping[IRI, WindowDataset]
    given: Row | None = None
    aside: bool = False
    loose: bool = False

    def correlated(self, given: Row | None) -> ActiveDataset:
        """The same for the pattern of an EXISTS that tests a row."""
        return self._replace(given=given)

    def read_otherwise(self, *, loose: bool) -> ActiveDataset:
        """The same for another reading of an EXISTS."""
        return self._replace(aside=True, loose=loose)

    def in_graph(self, name: GraphName) -> ActiveDataset:
        """The dataset inside ``GRAPH name``; an unknown name is an empty graph."""
        return ActiveDataset(self.graphs.get(name, EMPTY), *self[1:])

    def in_window(self, name: IRI) -> ActiveDataset | None:
        """The dataset inside ``WINDOW name``, which has no windows; None if the name is unknown."""
        held = self.windows.get(name)
        if held is None:
            return None
        return ActiveDataset(held.default, held.named, held.named, {}, *self[4:])


def outermost(dataset: Dataset) -> ActiveDataset:
    """The dataset for the pattern of a query, outside GRAPH and WINDOW.

    A window and a background graph of one name are one graph (decision 12), which ``GRAPH ?g``
    reaches if the background has the name or the dial lets it range over windows.
    """
    graphs = dict(dataset.named)
    for name, window in dataset.windows.items():
        background = graphs.get(name, EMPTY)
        graphs[name] = window.default
        if background.counts:
            graphs[name] = background.merged(window.default, add=dataset.bags)
    ranged = graphs
    if dataset.graph_variable != "windows":
        ranged = {name: graphs[name] for name in dataset.named}
    return ActiveDataset(dataset.default, graphs, ranged, dataset.windows)
