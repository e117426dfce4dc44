"""Background data of a case, as it is at an instant (SEMANTICS 1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from pyoxigraph import DefaultGraph, Quad, Triple

from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.oxigraph.names import GraphTerm


class Entry(NamedTuple):
    """Quads that hold on an inclusive interval of instants; None is unbounded."""

    quads: tuple[Quad, ...]
    since: int | None = None
    until: int | None = None


class BackgroundData:
    """Time-varying data as a sequence of versions, each made when it is first asked for."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        changes = {e.since for e in entries if e.since is not None}
        changes |= {e.until + 1 for e in entries if e.until is not None}
        self._changes = sorted(changes)
        self._versions: dict[int, Background] = {}

    def at(self, t: int | None) -> Background:
        """The data at instant T. A graph that holds nothing then is there, empty.

        None is the data of an engine that has lost it: every graph is empty.
        """
        version = -1 if t is None else bisect_right(self._changes, t)
        if version not in self._versions:
            self._versions[version] = self._make(version, t)
        return self._versions[version]

    def _make(self, version: int, t: int | None) -> Background:
        default: set[Triple] = set()
        named: dict[GraphTerm, set[Triple]] = {}
        for entry in self._entries:
            holds = (
                t is not None
                and (entry.since is None or entry.since <= t)
                and (entry.until is None or t <= entry.until)
            )
            for quad in entry.quads:
                name = quad.graph_name
                graph = default if isinstance(name, DefaultGraph) else named.setdefault(name, set())
                if holds:
                    graph.add(quad.triple)
        return Background(
            version, frozenset(default), {name: frozenset(graph) for name, graph in named.items()}
        )
