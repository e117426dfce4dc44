"""Defects that show only in the long run: for burn-ins."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Sequence
from typing import Any

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.query import Query


class Counted(Behaviour):
    """Goes wrong when it has counted to ``count``."""

    count = 1

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self.seen = 0


class LostLate(Counted):
    """Every 10,000th answer is lost."""

    count = 10_000

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Count the answers, and leave out the one that fills the count."""
        kept = []
        for answer in answers:
            self.seen += 1
            if self.seen % self.count:
                kept.append(answer)
        return kept


class MisalignedAfterPause(Behaviour):
    """After a pause longer than its width a window opens one instant later than it should."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._came: dict[str, int] = {}
        self._pause = 0
        self._stream = ""

    def element(self, arrival: Arrival) -> Arrival:
        """Measure the pause before the element."""
        self._stream = arrival.stream
        self._pause = arrival.t - self._came.get(arrival.stream, arrival.t)
        self._came[arrival.stream] = arrival.t
        return arrival

    def reads(self, window: WindowState, windows: Sequence[WindowState]) -> bool:
        """Shift the window: the clock stands at the element's instant, the pause is over."""
        if self._pause > window.window.width and window.t0 is not None:
            window.start(window.t0 + 1)
        return True


class Leaking(Behaviour):
    """Every element is kept for ever, with a kilobyte beside it."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._kept: list[tuple[Arrival, bytes]] = []

    def element(self, arrival: Arrival) -> Arrival:
        """Keep the element."""
        self._kept.append((arrival, bytes([arrival.position % 256]) * 1000))
        return arrival


class Slowing(Behaviour):
    """Every evaluation looks through all elements that ever came."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._instants = array("q")

    def element(self, arrival: Arrival) -> Arrival:
        """Remember the element's instant."""
        self._instants.append(arrival.t)
        return arrival

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """The right contents, after a look at which of all elements are in them."""
        for window in windows:
            if window.instance is not None:
                opens, closes = window.instance
                sum(1 for t in self._instants if opens <= t <= closes)
        return super().contents(windows, background)


class DiesLate(Counted):
    """After 50,000 elements the engine's process ends."""

    count = 50_000

    def element(self, arrival: Arrival) -> Arrival:
        """Count the elements, and end the process when another comes."""
        if self.seen == self.count:
            print(f"reference: the end, after {self.seen} elements", file=sys.stderr, flush=True)
            os._exit(3)
        self.seen += 1
        return arrival
