"""S2R: which part of a stream a window holds at a test point (RSP-QL Definition 13; SEMANTICS 2).

Timestamps never decrease, so what a window holds is a run [lo, hi) of its stream's elements in
arrival order: found by arithmetic on the window's parameters and by counting the elements up to
its ends. No element is copied into the windows that hold it, however many overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spark.worker.registered import Arrival


class Moment(NamedTuple):
    """A test point: an instant, and how many elements have ``come`` by then, None for all up to it.

    Only a policy that is tested after every element tells moments of one instant apart
    (decision 3).
    """

    t: int
    come: int | None = None


class State(NamedTuple):
    """A window at a test point: when it opened, None where undefined, and its run [lo, hi)."""

    opened: int | None
    lo: int
    hi: int

    def holds_any(self) -> bool:
        """NC: whether the window is defined and holds an element."""
        return self.opened is not None and self.hi > self.lo


UNDEFINED = State(None, 0, 0)


class Stream:
    """A stream among ARRIVALS: the places of its elements there, and their instants."""

    def __init__(self, window: SlidingWindow, arrivals: Sequence[Arrival]) -> None:
        self.name = window.stream
        self.places = [n for n, arrival in enumerate(arrivals) if arrival[0] == window.stream]
        self.instants = [arrivals[place][1] for place in self.places]


class StartedWindow:
    """WINDOW with its start T0, over its STREAM. ``t0`` None is never defined."""

    def __init__(self, window: SlidingWindow, t0: int | None, stream: Stream, dials: Dials) -> None:
        self.t0 = t0
        self.width, self.slide = window.width, window.slide
        self.active = dials.window == "active"
        self.closing = self.width if self.active else self.width + 1
        """How long after its opening WC sees the window close."""
        self.stream = stream
        self._left = dials.bounds[0] == "["
        self._right = dials.bounds[-1] == "]"
        self._states: dict[Moment, State] = {}

    def opening(self, t: int) -> int | None:
        """When the window evaluated at instant T opened, None where it is undefined.

        ``active``: the earliest-opened with o < t ≤ c. ``last-closed``: that with the greatest
        c < t. Both as t0 + iβ with the i ≥ 0 that arithmetic gives.
        """
        if self.t0 is None:
            return None
        since_close = t - self.t0 - self.width
        if self.active:
            opened = self.t0 + max(0, since_close + -since_close % self.slide)
            return opened if opened < t else None
        since_close -= 1
        return self.t0 + since_close - since_close % self.slide if since_close >= 0 else None

    def closes_at(self, t: int) -> bool:
        """WC: whether the window evaluated at instant T has just closed."""
        opened = self.opening(t)
        return opened is not None and t == opened + self.closing

    def state(self, moment: Moment) -> State:
        """The window at MOMENT."""
        known = self._states.get(moment)
        if known is None:
            known = self._states[moment] = self._state(*moment)
        return known

    def _state(self, t: int, come: int | None) -> State:
        opened = self.opening(t)
        if opened is None:
            return UNDEFINED
        instants = self.stream.instants
        lo = (bisect_left if self._left else bisect_right)(instants, opened)
        closed = opened + self.width
        hi = bisect_right(instants, min(t, closed if self._right else closed - 1), lo)
        if come is not None:
            hi = max(lo, min(hi, bisect_left(self.stream.places, come)))
        return State(opened, lo, hi)
