"""Background data, static or time-varying (RSP-QL Definition 10; SEMANTICS 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rsp_conformance.model.terms import GraphName, Triple


@dataclass(frozen=True, slots=True)
class BackgroundEntry:
    """Triples that hold at the instants from ``since`` to ``until``, both included.

    None as an end means that there is no limit. ``graph`` is the name of the triples' graph; None
    is the default graph.
    """

    triples: tuple[Triple, ...]
    graph: GraphName | None = None
    since: int | None = None
    until: int | None = None

    def holds(self, t: int) -> bool:
        """Whether the entry holds at instant ``t``."""
        return (self.since is None or self.since <= t) and (self.until is None or t <= self.until)


@dataclass(frozen=True, slots=True)
class Background:
    """All background data of a case: at each instant, the union of the entries that hold."""

    entries: tuple[BackgroundEntry, ...] = field(default=())

    def at(self, t: int) -> tuple[frozenset[Triple], dict[GraphName, frozenset[Triple]]]:
        """The default graph and the named graphs at instant ``t``.

        All named graphs of the case are included; those without triples at ``t`` are empty.
        """
        default: set[Triple] = set()
        named: dict[GraphName, set[Triple]] = {}
        for entry in self.entries:
            target = default if entry.graph is None else named.setdefault(entry.graph, set())
            if entry.holds(t):
                target.update(entry.triples)
        return frozenset(default), {name: frozenset(graph) for name, graph in named.items()}

    def changes(self) -> tuple[int, ...]:
        """The instants at which the data may differ from the instant before, ascending."""
        instants: set[int] = set()
        for entry in self.entries:
            if entry.since is not None:
                instants.add(entry.since)
            if entry.until is not None:
                instants.add(entry.until + 1)
        return tuple(sorted(instants))

    @property
    def time_varying(self) -> bool:
        """Whether any entry is bounded."""
        return any(e.since is not None or e.until is not None for e in self.entries)

    def __iter__(self) -> Iterator[BackgroundEntry]:
        return iter(self.entries)

    def __bool__(self) -> bool:
        return bool(self.entries)

    def graph_names(self) -> frozenset[GraphName]:
        """The names of all named graphs of the case."""
        return frozenset(e.graph for e in self.entries if e.graph is not None)
