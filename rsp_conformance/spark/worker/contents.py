"""What windows hold, and what the query finds there: every content is evaluated once.

Elements of which the query can use nothing (``prefilter``) are passed over, so that windows which
differ in these alone hold the same. Cases of one query share what it finds over equal contents.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.worker.registered import Arrival, RegisteredQuery, Registration
from rsp_conformance.spark.worker.windows import State
from rsp_conformance.sparql.dataset import WindowDataset
from rsp_conformance.sparql.relation import Relation

_Runs: TypeAlias = "tuple[int, ...]"
"""The version of the background, and of every window where its run starts and ends."""


class Shared:
    """What the cases of one share of a batch have in common."""

    def __init__(self) -> None:
        self.found: dict[Hashable, Relation | Unsupported] = {}
        """What queries find, by query and content."""
        self.numbers: dict[Hashable, int] = {}
        """Numbers of what elements say."""
        self._registered: dict[Hashable, RegisteredQuery] = {}

    def registered(self, registration: Registration) -> RegisteredQuery:
        """The query of REGISTRATION, one for all cases that have it; raises as it does."""
        # By identity: the objects of a share live as long as it does.
        key = tuple(map(id, registration[:3])) + registration[3:]
        if key not in self._registered:
            self._registered[key] = RegisteredQuery(registration)
        return self._registered[key]


class Contents:
    """The contents of the windows of QUERY over ARRIVALS."""

    def __init__(self, query: RegisteredQuery, arrivals: Sequence[Arrival], shared: Shared) -> None:
        self._query, self._shared = query, shared
        streams = {
            stream: _Elements(stream, arrivals, shared.numbers) for stream in query.query.streams()
        }
        self._windows = [streams[window.stream] for window in query.windows]
        self._by_runs: dict[_Runs, Relation | Unsupported] = {}
        self._datasets: dict[tuple[int, int, int], WindowDataset] = {}
        self._evaluated: set[int] = set()

    @property
    def distinct(self) -> int:
        """How many contents there were that differ."""
        return len(self._evaluated)

    def found(self, version: int, states: Sequence[State]) -> Relation | Unsupported:
        """What the query finds where the windows have STATES, over a VERSION of the background."""
        runs = (version, *[edge for _, lo, hi in states for edge in (lo, hi)])
        relation = self._by_runs.get(runs)
        if relation is None:
            relation = self._by_runs[runs] = self._of_runs(version, states)
        return relation

    def _of_runs(self, version: int, states: Sequence[State]) -> Relation | Unsupported:
        bags = self._query.dials.window_content == "bag"
        runs = [w.said(s.lo, s.hi) for w, s in zip(self._windows, states, strict=True)]
        said = [w.content(run, bags=bags) for w, run in zip(self._windows, runs, strict=True)]
        content = (self._query, version, *said)
        relation = self._shared.found.get(content)
        if relation is None:
            windows = [self._window(number, *run) for number, run in enumerate(runs)]
            relation = self._shared.found[content] = self._evaluate(version, windows)
        self._evaluated.add(id(relation))
        return relation

    def _evaluate(self, version: int, windows: Sequence[WindowDataset]) -> Relation | Unsupported:
        try:
            return self._query.plan.solutions(self._query.dataset(version, windows))
        except Unsupported as refusal:
            return refusal

    def _window(self, number: int, lo: int, hi: int) -> WindowDataset:
        run = (number, lo, hi)
        if run not in self._datasets:
            held = self._windows[number].elements[lo:hi]
            self._datasets[run] = self._query.window_dataset(held)
        return self._datasets[run]


class _Elements:
    """Those elements of a window's stream that say something, and numbers for what they say."""

    def __init__(
        self, stream: IRI, arrivals: Sequence[Arrival], numbers: dict[Hashable, int]
    ) -> None:
        own = [arrival for arrival in arrivals if arrival.stream == stream]
        self.elements = [a for a in own if a.graph or a.name is not None]
        self._before: list[int] | None = None
        if len(self.elements) < len(own):
            says = [bool(a.graph) or a.name is not None for a in own]
            self._before = [*accumulate(says, initial=0)]
        self._numbers = [
            # A named element says its instant too, in its timestamp triple.
            numbers.setdefault((graph, name and (name, t)), len(numbers))
            for _, t, graph, name in self.elements
        ]

    def said(self, lo: int, hi: int) -> tuple[int, int]:
        """The run of those that say something within the run [LO, HI) of all elements."""
        start, end = (lo, hi) if self._before is None else (self._before[lo], self._before[hi])
        return (start, end) if start < end else (0, 0)

    def content(self, run: tuple[int, int], *, bags: bool) -> Hashable:
        """What stands for the content of RUN: equal where the elements say the same."""
        numbers = self._numbers[slice(*run)]
        return tuple(sorted(numbers)) if bags else frozenset(numbers)
