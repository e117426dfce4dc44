"""Windows: buffers, the instance in view, and expiry (SEMANTICS 2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from math import inf
from typing import NamedTuple, TypeAlias

from pyoxigraph import BlankNode, NamedNode, Triple

from rsp_conformance.model.dials import (
    N0,
    Bounds,
    Dials,
    Now,
    WindowChoice,
)
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.windows import (
    AnyWindow,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
)

Kept: TypeAlias = SlidingWindow | CountWindow
"""A window as the engine has it: NOW is one of an instant, UNBOUNDED one of endless many units."""
Instance: TypeAlias = tuple[int, int]
"""When an instance of a window opens and when it closes."""


class Arrival(NamedTuple):
    """A stream element that came in; ``position`` is its index in the input.

    ``triples`` are its default graph's: its own, or for a named element the timestamp triple.
    ``graph`` are the triples of a named element under its ``name``, nothing for a plain one.
    ``part`` numbers the parts of an element that enters triple by triple.
    """

    position: int
    stream: str
    t: int
    triples: tuple[Triple, ...]
    name: NamedNode | BlankNode | None = None
    graph: tuple[Triple, ...] = ()
    part: int = 0


Span: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last of what is in view, each in the order in which everything came."""


class WindowState:
    """One window by time as time passes: ``advance`` moves the clock, ``add`` takes an element.

    Elements come in order of time, so what an instance holds is a run of the buffer: everything
    before the run has expired and is dropped, everything after it waits for a later instance.
    """

    window: Kept
    declared: Kept

    def __init__(self, window: Kept, bounds: Bounds, choice: WindowChoice) -> None:
        self.window = self.declared = window
        self.first_index = 0
        self.keeps_expired = False
        self.one_an_instant = False
        self.by_arrivals = False
        self.drift = 0
        self.latest: int | None = None
        self.t0: int | None = None
        self.t: int | None = None
        self.instance: Instance | None = None
        self.moved = False
        self._opens_inside = bounds[0] == "["
        self._closes_inside = bounds[-1] == "]"
        self._choice: WindowChoice = choice
        self._buffer: deque[Arrival] = deque()
        self._visible = 0
        self._before: Span | None = None

    def start(self, t0: int) -> None:
        """Let the window's first instance open at `t0`, from now on."""
        self.t0 = t0
        self._visible = 0
        if self.t is not None:
            self._look(self.t)
            self._reveal()

    def advance(self, t: int) -> None:
        """Set the clock to `t`: choose the instance in view, and expire the elements before it."""
        self._look(t)

    def _look(self, t: int) -> None:
        before = self.instance
        self.t = t
        self.instance = None if self.t0 is None else self.instance_at(t, self.t0)
        self.moved = self.instance is not None and self.instance != before
        if self.moved or self.instance is None:
            self._expire()
            self._reveal()

    def add(self, arrival: Arrival) -> None:
        """Take an element that arrives at the clock's instant."""
        if self.one_an_instant and self._buffer and self._buffer[-1].t == arrival.t:
            self._buffer.pop()
            self._visible = min(self._visible, len(self._buffer))
        self._buffer.append(arrival)
        self.latest = arrival.t
        self._reveal()

    def pass_over(self, arrival: Arrival) -> bool:
        """Take notice of an element of any stream, and return whether that may close the window.

        What a window reads it takes besides.
        """
        return False

    def settle(self) -> None:
        """End a test point: from now on the content is the one before."""
        self._before = self.span

    @property
    def span(self) -> Span | None:
        """The first and the last in view, None for an empty or undefined content.

        Everything between them is in view.
        """
        if not self._visible:
            return None
        first, last = self._buffer[0], self._buffer[self._visible - 1]
        return (first.position, first.part), (last.position, last.part)

    @property
    def content(self) -> tuple[Arrival, ...]:
        """The elements in view, in order of arrival."""
        return tuple(islice(self._buffer, self._visible))

    def closes(self) -> bool:
        """WC: an instance closes now, or, of those that have closed, another one came in view."""
        if self.by_arrivals and not self._opened():
            return False
        if self._choice == "active":
            return self.instance is not None and self.instance[1] == self.t
        return self.moved

    def non_empty(self) -> bool:
        """NC: the content is not empty."""
        return self._visible > 0 or (self.by_arrivals and self._opened())

    def inserted(self) -> bool:
        """CC, insertions: an element is in view that was not at the test point before."""
        now, before = self.span, self._before
        if now is None:
            return False
        return before is None or now[0] < before[0] or now[1] > before[1]

    def changed(self) -> bool:
        """CC, any: the collections differ. An undefined content changes nothing (decision 5)."""
        return self.instance is not None and self.span != self._before

    def periodic(self, period: int) -> bool:
        """P(n): a whole number of periods after t0, and later than it."""
        if self.t is None or self.t0 is None or self.t <= self.t0:
            return False
        return (self.t - self.t0) % period == 0

    def next_change(self, t: int) -> float:
        """Return the next instant after t at which another instance is in view.

        Infinity for none.
        """
        return self._next_instance(t)

    def _next_instance(self, t: int) -> float:
        if self.t0 is None:
            return inf
        if self._choice == "last-closed-inclusive":
            return self._next_close(t)
        if self._choice == "last-closed":
            return self._next_close(t - 1) + 1
        instance = self.instance_at(t, self.t0)
        if instance is not None:
            return instance[1] + 1
        first, slide = self.t0 + self.first_index * self.window.slide, self.window.slide
        return first + 1 if t <= first else t + slide - (t - first - 1) % slide

    def next_closing(self, t: int) -> float:
        """Return the next instant after t at which WC can hold; infinity for none."""
        if self.t0 is None:
            return inf
        return self._next_close(t) if self._choice == "active" else self._next_instance(t)

    def next_period(self, t: int, period: int) -> float:
        """Return the next instant after t at which P(n) can hold; infinity for none."""
        if self.t0 is None:
            return inf
        return max(t, self.t0) + period - (max(t, self.t0) - self.t0) % period

    def _next_close(self, t: int) -> int:
        """Return the first close after t."""
        assert self.t0 is not None
        first = self.t0 + self.first_index * self.window.slide + self.window.width
        return first if t < first else t + self.window.slide - (t - first) % self.window.slide

    def holds(self, t: int, instance: Instance) -> bool:
        """Return whether an element at t is in `instance`."""
        return self._after_opening(t, instance[0]) and self._before_closing(t, instance[1])

    def opened_by(self, t: int, t0: int | None = None) -> set[int]:
        """When those instances close that hold t, and the next one that closes.

        The first one opens at `t0`, or as the window has started. Engines whose start has drifted
        look for the next one from there, in either direction.
        """
        start = self.t0 if t0 is None else t0
        if start is None:
            return set()
        width, slide = self.window.width, self.window.slide
        first = t + (start + width - t) % slide
        if self.drift:
            origin = (start + width) % slide
            first = origin - abs(t - origin - self.drift) // -slide * slide
        return {first, *range(first, t + width + 1, slide)}

    def _opened(self) -> bool:
        """Return whether an element came during the instance in view, or in the gap before it."""
        if self.instance is None or self.latest is None:
            return False
        opens, closes = self.instance
        return self.latest >= min(opens, closes - self.window.slide + 1)

    def instance_at(self, t: int, t0: int) -> Instance | None:
        """Return the instance in view at t, where the first one opens at `t0`."""
        match self._choice:
            case "active":
                return self._active(t, t0)
            case "last-closed":
                return self._closed_by(t - 1, t0)
            case "last-closed-inclusive":
                return self._closed_by(t, t0)

    def _active(self, t: int, t0: int) -> Instance | None:
        """SECRET's active window: the earliest-opened instance with o < t ≤ c."""
        missing = t - (t0 + self.window.width)
        index = max(self.first_index, -(-missing // self.window.slide))
        opens = t0 + index * self.window.slide
        return (opens, opens + self.window.width) if opens < t else None

    def _closed_by(self, t: int, t0: int) -> Instance | None:
        """Return the instance that closed last, at t or earlier: RSP-QL*'s of an instant later."""
        index = (t - (t0 + self.window.width)) // self.window.slide
        opens = t0 + index * self.window.slide
        return (opens, opens + self.window.width) if index >= self.first_index else None

    def _expire(self) -> None:
        if self.instance is None or self.keeps_expired:
            return
        opens = self.instance[0]
        while self._buffer and not self._after_opening(self._buffer[0].t, opens):
            self._buffer.popleft()
            self._visible = max(0, self._visible - 1)

    def _reveal(self) -> None:
        if self.instance is None:
            self._visible = 0
            return
        closes = self.instance[1]
        while self._visible < len(self._buffer) and self._before_closing(
            self._buffer[self._visible].t, closes
        ):
            self._visible += 1

    def _after_opening(self, t: int, opens: int) -> bool:
        return t >= opens if self._opens_inside else t > opens

    def _before_closing(self, t: int, closes: int) -> bool:
        return t <= closes if self._closes_inside else t < closes


class PastState(WindowState):
    """A window in the past: its clock is a lag late, and elements wait for it.

    All but its clock is that of a window of the present. Its instances are those of its own clock.
    """

    def __init__(self, window: SlidingWindow, bounds: Bounds, choice: WindowChoice) -> None:
        super().__init__(window, bounds, choice)
        self.lag = window.lag
        self._waiting: deque[Arrival] = deque()

    def advance(self, t: int) -> None:
        """Set the clock to what was a lag before `t`, and let in what has come by then."""
        now = t - self.lag
        while self._waiting and self._waiting[0].t < now:
            self._look(self._waiting[0].t)
            super().add(self._waiting.popleft())
        self._look(now)
        while self._waiting and self._waiting[0].t == now:
            super().add(self._waiting.popleft())

    def add(self, arrival: Arrival) -> None:
        """Let an element wait until the clock shows its instant."""
        self._waiting.append(arrival)

    def next_change(self, t: int) -> float:
        """Return the next instant after `t` at which an element enters, or an instance changes."""
        entry = self._waiting[0].t + self.lag if self._waiting else inf
        return min(entry, self._next_instance(t - self.lag) + self.lag)

    def next_closing(self, t: int) -> float:
        """Return the next instant after `t` at which WC can hold; infinity for none."""
        return super().next_closing(t - self.lag) + self.lag

    def next_period(self, t: int, period: int) -> float:
        """Return the next instant after `t` at which P(n) can hold; infinity for none."""
        return super().next_period(t - self.lag, period) + self.lag


class NowState(WindowState):
    """NOW: the instances are of one instant each, the present one is always in view.

    By the dial ``now`` it holds the last element of the instant alone, or until the next comes.
    """

    def __init__(self, window: NowWindow, holds: Now = "instant") -> None:
        instant = SlidingWindow(window.name, window.stream, 1, 1, window.named)
        super().__init__(instant, "(o,c]", "active")
        self._holds: Now = holds
        self._registered = 0

    def add(self, arrival: Arrival) -> None:
        """Take an element that arrives at the clock's instant."""
        if self._holds != "instant" and not self.keeps_expired:
            self._buffer.clear()
            self._visible = 0
        super().add(arrival)

    def _expire(self) -> None:
        if self._holds != "last":
            super()._expire()

    def start(self, t0: int) -> None:
        """Let periods count from `t0`; the first instance is that of `t0` itself."""
        self._registered = t0
        super().start(t0 - 1)

    def periodic(self, period: int) -> bool:
        """P(n): a whole number of periods after the registration, and later than it."""
        assert self.t is not None
        past = self.t - self._registered
        return past > 0 and past % period == 0

    def next_period(self, t: int, period: int) -> float:
        """Return the next instant after `t` at which P(n) can hold."""
        past = max(0, t - self._registered)
        return self._registered + past + period - past % period


class CountState(WindowState):
    """One window by count, as the units of its stream come.

    Its instances are numbers of units: (3, 6) has the fourth to the sixth. What no later instance
    holds is dropped. Time alone changes nothing; periods count from the registration, ``t0``.
    ``first`` units come before the first instance; it is negative if that reaches further back.
    """

    def __init__(
        self, window: CountWindow, bounds: Bounds, choice: WindowChoice, first: int = 0
    ) -> None:
        super().__init__(window, bounds, choice)
        self.first = first
        self.come = 0
        """How many units have come."""
        self._dropped = 0
        self._settled: tuple[int, Instance | None] = (0, None)

    def start(self, t0: int) -> None:
        """Let periods count from `t0`."""
        self.t0 = t0

    def advance(self, t: int) -> None:
        """Set the clock to `t`."""
        self.t = t

    def add(self, arrival: Arrival) -> None:
        """Take a unit."""
        self.come += 1
        self._buffer.append(arrival)
        self.instance = self._in_view()
        if self.instance is None:
            self._visible = 0
            return
        opens, closes = self.instance
        while self._dropped < opens and not self.keeps_expired:
            self._buffer.popleft()
            self._dropped += 1
        self._visible = min(closes, self.come) - self._dropped

    def _in_view(self) -> Instance | None:
        """The earliest-opened instance that the last unit is in, or the last that is full."""
        width, slide = self.window.width, self.window.slide
        full = self.come - self.first - width
        number = full // slide  # of the last instance that is full
        if self._choice == "active":
            number = max(0, number + (full % slide > 0))
        opens = self.first + number * slide
        return (opens, opens + width) if number >= 0 and opens < self.come else None

    def settle(self) -> None:
        """End a test point."""
        super().settle()
        self._settled = self.come, self.instance

    def closes(self) -> bool:
        """WC: the last unit of an instance has come since the test point before."""
        come, instance = self._settled
        if self.instance is None:
            return False
        if self._choice == "active":
            return self.come > come and self.instance[1] == self.come
        return self.instance != instance

    def next_change(self, t: int) -> float:
        """Return infinity: no instant changes the content."""
        return inf

    def next_closing(self, t: int) -> float:
        """Return infinity: no instant closes an instance."""
        return inf


def window_state(window: AnyWindow, dials: Dials, chosen: int) -> WindowState:
    """Return a window at work, before anything has come.

    Args:
        window: the window.
        dials: the dials that the engine obeys.
        chosen: how many units come before a window by count opens, if the dial ``n0`` leaves that
            open.
    """
    bounds, choice = dials.bounds, dials.window
    match window:
        case CountWindow():
            return CountState(window, bounds, choice, first_units(dials.n0, window, chosen))
        case NowWindow():
            return NowState(window, dials.now)
        case UnboundedWindow(name, stream, named):
            # It fills, and is never full.
            endless = CountWindow(name, stream, LATEST, 1, "elements", named)
            return CountState(endless, bounds, "active")
        case SlidingWindow(lag=0):
            return WindowState(window, bounds, choice)
        case SlidingWindow():
            return PastState(window, bounds, choice)


def counting(states: Iterable[WindowState]) -> list[CountWindow]:
    """Return the windows that are by count, and not UNBOUNDED."""
    windows = [state.window for state in states]
    return [own for own in windows if isinstance(own, CountWindow) and own.width < LATEST]


def first_units(dial: N0, window: CountWindow, chosen: int) -> int:
    """Return how many units come before the first instance of a window by count.

    Args:
        dial: the dial ``n0``.
        window: the window.
        chosen: the number, if the dial leaves it open.
    """
    match dial:
        case "any":
            return chosen
        case "fill":
            return window.slide - window.width
        case number:
            return number
