"""A query over given contents: what the evaluation of patterns is asked, and how it answers."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, GraphVariable
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.sparql.dataset import Dataset, Graph, WindowDataset

Element = tuple[int, GraphName | None, tuple[Triple, ...]]
"""Instant, name and triples of a stream element."""


@dataclass(frozen=True)
class Version:
    """The background data between two of its changes, FROM and FROM NAMED applied."""

    default: frozenset[Triple]
    named: frozenset[tuple[GraphName, frozenset[Triple]]]


@dataclass(frozen=True)
class Question:
    """A query with everything but the contents of its windows."""

    query: Query
    windows: tuple[tuple[IRI, bool], ...]
    """Name, and whether the window stays apart (named) or goes into the default graph."""
    bags: bool
    graph_variable: GraphVariable
    stamp: Stamp
    unit: int
    versions: tuple[Version, ...] = field(default=())

    @staticmethod
    def of(case: Case, dials: Dials, versions: Sequence[Version]) -> Question:
        """The question of CASE under DIALS."""
        apart = dials.windows_in == "named"
        windows = tuple((w.name, w.named and apart) for w in case.query.windows)
        # A query of a subclass would make every worker import the module that it comes from.
        query = Query(**{part.name: getattr(case.query, part.name) for part in fields(Query)})
        return Question(
            query,
            windows,
            dials.window_content == "bag",
            dials.graph_variable,
            case.stamp,
            dials.unit,
            tuple(versions),
        )

    def asked(self) -> Hashable:
        """The question without its background: equal for equal questions."""
        what = (self.query, self.query.base, self.windows)
        return (*what, self.bags, self.graph_variable, self.stamp, self.unit)

    def dataset(self, version: int, contents: Sequence[WindowDataset]) -> Dataset:
        """The query's dataset over version VERSION of the background (SEMANTICS 4)."""
        background = self.versions[version]
        default = Graph(background.default)
        windows: dict[IRI, WindowDataset] = {}
        for (name, apart), content in zip(self.windows, contents, strict=True):
            if apart:
                windows[name] = content
            else:
                empty = not default.counts
                default = (
                    content.default if empty else default.merged(content.default, add=self.bags)
                )
        named = {name: Graph(graph) for name, graph in background.named}
        return Dataset(default, named, windows, self.graph_variable, self.bags)

    def window_dataset(self, elements: Sequence[Element]) -> WindowDataset:
        """DS(w) of a window that holds ELEMENTS (SEMANTICS 4; RSP-QL* Definition 6)."""
        default: list[Triple] = []
        named: dict[GraphName, list[Triple]] = {}
        for t, name, triples in elements:
            if name is None:
                default.extend(triples)
            else:
                default.append(self.stamp.triple(name, t, self.unit))
                named.setdefault(name, []).extend(triples)
        return WindowDataset(
            self._graph(default), {name: self._graph(graph) for name, graph in named.items()}
        )

    def _graph(self, triples: list[Triple]) -> Graph:
        return Graph(triples) if self.bags else Graph(dict.fromkeys(triples, 1))


def pickled(question: Question) -> bytes:
    """QUESTION for the workers."""
    return pickle.dumps(question, protocol=5)


def background_versions(
    query: Query, background: Background, changes: Sequence[int]
) -> tuple[Version, ...]:
    """The background before its first change and after each (decision 11)."""
    instants = [changes[0] - 1, *changes] if changes else [0]
    return tuple(_version(query, *background.at(t)) for t in instants)


def _version(
    query: Query,
    default: frozenset[Triple],
    named: Mapping[GraphName, frozenset[Triple]],
) -> Version:
    if query.default_graphs or query.named_graphs:
        chosen = [named.get(name, frozenset()) for name in query.default_graphs]
        default = frozenset().union(*chosen)
        named = {name: named.get(name, frozenset()) for name in query.named_graphs}
    return Version(default, frozenset(named.items()))
