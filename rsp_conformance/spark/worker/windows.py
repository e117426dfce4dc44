"""S2R: which part of a stream a window holds at a test point (RSP-QL Definition 13; SEMANTICS 2).

Timestamps never decrease, so what a window holds is a run [lo, hi) of its stream's elements in
arrival order: found by arithmetic on the window's parameters and by counting the elements up to
its ends. No element is copied into the windows that hold it, however many overlap. A window by
count needs no more than how many elements have come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import accumulate
from operator import ne
from typing import TypeAlias

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import CountWindow, NowWindow, SlidingWindow, UnboundedWindow
from rsp_conformance.spark.wire import ArrivedElement, PackedElement

Moment: TypeAlias = "tuple[int, int | None]"
"""A test point: an instant, and how many elements have come by then, None for all up to it.

Only a policy that is tested after every element tells moments of one instant apart (decision 3).
"""

ElementRun: TypeAlias = "tuple[int, int] | None"
"""What a window holds: a run [lo, hi) of its stream's elements. None if it is undefined."""


class StreamIndex:
    """The elements of some streams: their places among all arrivals, and when they came.

    Args:
        arrivals: the elements of all streams, in order.
        named: the streams.
        units: the elements whole, if it is asked which of them differ.
    """

    def __init__(
        self,
        arrivals: Sequence[ArrivedElement],
        named: Collection[IRI],
        units: Sequence[PackedElement] = (),
    ) -> None:
        places = [place for place, arrival in enumerate(arrivals) if arrival.stream in named]
        self.places = places
        self._units = units
        self.elements = [arrivals[place] for place in places]
        self.instants = [element.t for element in self.elements]
        self._near: dict[int, tuple[range, ...]] = {}

    @cached_property
    def _changes(self) -> list[int]:
        """How many of the first elements, from none to all, say something else than the last."""
        said = [(frozenset(self._units[at][2]), self._units[at][3]) for at in self.places]
        return [0, *accumulate(map(ne, said, [*said[:1], *said]))]

    def splits(self, edge: int, come: int) -> bool:
        """Whether an edge parts elements of one instant that do not all say the same.

        Args:
            edge: how many elements are before it.
            come: how many have come.
        """
        instants = self.instants
        if not 0 < edge < come or instants[edge - 1] < instants[edge]:
            return False
        first = bisect_left(instants, instants[edge], 0, edge)
        last = bisect_right(instants, instants[edge], edge, come)
        return self._changes[first + 1] < self._changes[last]

    def near(self, reach: int) -> tuple[range, ...]:
        """The instants from each element's own on to some later one, without the silences.

        Args:
            reach: how long after an element they go on.
        """
        if reach not in self._near:
            found: list[range] = []
            for t in self.instants:
                first = found.pop().start if found and t <= found[-1].stop else t
                found.append(range(first, t + reach + 1))
            self._near[reach] = tuple(found)
        return self._near[reach]


class StartedWindow:
    """A window by time with its start, over its stream. With ``t0`` None it is never defined.

    One in the past is one of the present that starts a lag later, over elements that come a lag
    later: so ``t0`` and all that counts from it are in the time of the query.
    """

    def __init__(
        self, window: SlidingWindow, t0: int | None, stream: StreamIndex, dials: Dials
    ) -> None:
        self.name, self.lag = window.stream, window.lag
        self.t0 = None if t0 is None else t0 + window.lag
        self.width, self.slide, self.reach = window.width, window.slide, window.reach
        self.active = dials.window == "active"
        self._late = int(dials.window == "last-closed")
        self.closing = self.width + self._late
        """How long after its opening WC sees the window close."""
        self.stream = stream
        self._from = bisect_left if dials.bounds[0] == "[" else bisect_right
        self._last = self.width if dials.bounds[-1] == "]" else self.width - 1
        self._runs: dict[Moment, ElementRun] = {}

    def opening(self, t: int) -> int | None:
        """When the window that is evaluated at an instant opened; None if it is undefined.

        ``active``: the earliest-opened with o < t ≤ c. ``last-closed``: that with the greatest
        c < t, and ``last-closed-inclusive`` with the greatest c ≤ t. All as t0 + iβ with the i ≥ 0
        that arithmetic gives.
        """
        if self.t0 is None:
            return None
        since_close = t - self.t0 - self.width
        if self.active:
            opened = self.t0 + max(0, since_close + -since_close % self.slide)
            return opened if opened < t else None
        since_close -= self._late
        return self.t0 + since_close - since_close % self.slide if since_close >= 0 else None

    def run(self, moment: Moment) -> ElementRun:
        """What the window holds at a moment."""
        if moment not in self._runs:
            self._runs[moment] = self._run(*moment)
        return self._runs[moment]

    def _run(self, t: int, come: int | None) -> ElementRun:
        opened = self.opening(t)
        if opened is None:
            return None
        instants = self.stream.instants
        lo = self._from(instants, opened - self.lag)
        hi = bisect_right(instants, min(t, opened + self._last) - self.lag, lo)
        if come is not None:
            hi = max(lo, min(hi, bisect_left(self.stream.places, come)))
        return lo, hi

    def holds_any(self, moment: Moment) -> bool:
        """NC: whether the window is defined at a moment and holds an element."""
        run = self.run(moment)
        return run is not None and run[0] < run[1]


class CountingWindow:
    """A window by count over its stream, whose elements are its units (`Shared.units`)."""

    def __init__(self, window: CountWindow, n0: int, stream: StreamIndex, dials: Dials) -> None:
        self.name, self.width, self.slide = window.stream, window.width, window.slide
        self._first = n0
        self.active = dials.window == "active"
        self.stream = stream

    def come(self, moment: Moment) -> int:
        """The number of units that have come by a moment."""
        t, come = moment
        if come is not None:
            return bisect_left(self.stream.places, come)
        return bisect_right(self.stream.instants, t)

    def opening(self, come: int) -> int | None:
        """After how many units the window in view opened; None if there is no such window.

        It is the earliest-opened that is open or full just now, or the last that is full.

        Args:
            come: the number of units that have come.
        """
        past, slide = come - self.width - self._first, self.slide
        if self.active:
            opened = self._first - (-max(0, past) // slide) * slide
            return opened if opened < come else None
        return self._first + past // slide * slide if past >= 0 else None

    def run(self, moment: Moment) -> ElementRun:
        """What the window holds at a moment."""
        come = self.come(moment)
        opened = self.opening(come)
        return None if opened is None else (max(0, opened), min(come, opened + self.width))

    def cuts(self, moment: Moment) -> bool:
        """Whether the window holds some of the units of an instant and others not."""
        run = self.run(moment)
        if run is None or run[0] == run[1]:
            return False
        return any(self.stream.splits(edge, self.come(moment)) for edge in run)

    def holds_any(self, moment: Moment) -> bool:
        """NC: whether the window holds an element at a moment."""
        run = self.run(moment)
        return run is not None and run[0] < run[1]

    def closes(self, moment: Moment, before: Moment) -> bool:
        """WC: whether the unit that fills the window in view came after the moment before."""
        come, had = self.come(moment), self.come(before)
        opened = self.opening(come)
        if opened is None:
            return False
        if self.active:
            return come == opened + self.width and come > had
        return opened != self.opening(had)


class PresentWindow:
    """NOW over its stream: the run of the elements that have the moment's instant, or the last."""

    def __init__(self, window: NowWindow, stream: StreamIndex, dials: Dials) -> None:
        self.name, self.stream = window.stream, stream
        self._one = dials.now != "instant"
        self.stays = dials.now == "last"
        """Whether what came last stays until the next element."""

    def run(self, moment: Moment) -> ElementRun:
        """What the window holds at a moment."""
        t, come = moment
        lo = bisect_left(self.stream.instants, t)
        hi = bisect_right(self.stream.instants, t, lo)
        if come is not None:
            hi = max(lo, min(hi, bisect_left(self.stream.places, come)))
        if self.stays:
            lo = 0
        return (max(lo, hi - 1) if self._one else lo), hi

    def holds_any(self, moment: Moment) -> bool:
        """NC: whether an element has come at the instant of a moment."""
        lo, hi = self.run(moment) or (0, 0)
        return lo < hi


class GrowingWindow(CountingWindow):
    """UNBOUNDED over its stream: a run from its beginning on, which never closes."""

    def __init__(self, window: UnboundedWindow, stream: StreamIndex) -> None:
        self.name, self.stream = window.stream, stream

    def run(self, moment: Moment) -> ElementRun:
        """What the window holds at a moment."""
        return 0, self.come(moment)

    def holds_any(self, moment: Moment) -> bool:
        """NC: whether anything has come by a moment."""
        return self.come(moment) > 0

    def closes(self, moment: Moment, before: Moment) -> bool:
        """WC: never."""
        return False


AnyStarted: TypeAlias = StartedWindow | CountingWindow | PresentWindow
"""A window of any kind, at work."""
