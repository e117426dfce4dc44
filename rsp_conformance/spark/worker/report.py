"""Report: at which moments the policy holds (RSP-QL Definition 23; SEMANTICS 3).

A policy is compiled to a test, and to the instants outside of which it cannot hold: so most
instants of a stream are never looked at. They stay ranges as long as they can: the closes of a
window in milliseconds are three numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, strategies
from rsp_conformance.spark.worker.registered import RegisteredQuery, window_number
from rsp_conformance.spark.worker.windows import (
    AnyStarted,
    CountingWindow,
    Moment,
    PresentWindow,
    StartedWindow,
    StreamIndex,
)

Holds: TypeAlias = Callable[[Moment, Moment], bool]
"""Whether something holds at a moment, after the moment before it."""


TriggerPlace: TypeAlias = Callable[[Moment, Moment], int]
"""The place among the arrivals of the one by which something is seen to hold at a moment."""


MOST_INSTANTS: Final = 10_000_000
"""With more candidates a z is not walked: that would take longer than a case may."""


@dataclass(frozen=True, slots=True)
class Instants:
    """Instants: the members of ``ranges``, and ``single`` ones."""

    ranges: tuple[range, ...] = ()
    single: frozenset[int] = frozenset()

    def __contains__(self, t: object) -> bool:
        return t in self.single or any(t in own for own in self.ranges)

    def size(self) -> int:
        """The greatest number of them that there can be."""
        counts = (-((own.start - own.stop) // own.step) for own in self.ranges if own)
        return sum(counts) + len(self.single)

    def ascending(self) -> Sequence[int]:
        """Each once, in order.

        Raises:
            Unsupported: there are too many.
        """
        if self.size() > MOST_INSTANTS:
            raise Unsupported(
                f"more than {MOST_INSTANTS:,} instants at which to evaluate the query"
            )
        if len(self.ranges) == 1 and not self.single:
            return self.ranges[0]
        return sorted({*chain(*self.ranges), *self.single})

    def and_also(self, other: Instants) -> Instants:
        """These instants and others."""
        return Instants(self.ranges + other.ranges, self.single | other.single)


class CompiledPolicy(NamedTuple):
    """A policy, compiled.

    Attributes:
        holds: the test; None if the policy holds at its instants and at no others.
        seen: says by which arrival it is seen to hold, if windows have their own clocks.
        instants: those at which it may hold; None for any.
    """

    holds: Holds | None
    seen: TriggerPlace
    instants: Instants | None = None

    def test(self) -> Holds:
        """A test that may be asked at any instant."""
        holds, _, instants = self
        if holds is not None:
            return holds
        assert instants is not None, "what holds at any instant is no condition"
        return lambda now, before: now[0] in instants


class Report:
    """The report policy of a query whose windows have started.

    Args:
        query: the query.
        windows: its windows.
        span: the instants that are looked at.
        came: the instants of all arrivals, in order.
        read: the elements that the windows read.
    """

    def __init__(
        self,
        query: RegisteredQuery,
        windows: Sequence[AnyStarted],
        span: range,
        came: Sequence[int],
        read: StreamIndex,
    ) -> None:
        self._query, self._windows, self._span, self._came = query, windows, span, came
        self._read = read
        self._condition = self._whole(query.policy)

    def moments(self) -> Iterator[tuple[Moment, Moment]]:
        """The moments at which the policy holds, in order, each with the one before it."""
        holds, _, candidates = self._condition
        read = self._read
        candidates = Instants((self._span,)) if candidates is None else candidates
        for t in candidates.ascending():
            before: Moment = (t - 1, None)
            tests: list[Moment] = [(t, None)]
            if self._query.stepwise:
                come = read.places[bisect_left(read.instants, t) : bisect_right(read.instants, t)]
                tests = [(t, place + 1) for place in come] or tests
            for moment in tests:
                if holds is None or holds(moment, before):
                    yield moment, before
                before = moment

    def seen(self, moment: Moment, before: Moment) -> int:
        """The place of the arrival by which the policy is seen to hold.

        Args:
            moment: the moment at which it holds.
            before: the moment before.
        """
        return self._condition.seen(moment, before)

    def _whole(self, policy: Policy) -> CompiledPolicy:
        """A policy over the windows; an unbound one is asked whole, one window at a time."""
        if self._query.asked_once:
            return self._compiled(policy, None)
        each = [self._compiled(policy, window) for window in self._windows]
        match self._query.dials.report_windows:
            case "first" if each:
                return each[0]
            case "all" if each:
                return _both(each)
            case _:
                return _either(each)

    def _compiled(self, policy: Policy, own: AnyStarted | None) -> CompiledPolicy:
        """A policy whose unbound strategies look at one window, ``own``."""
        match policy:
            case Not(operand):
                denied = self._compiled(operand, own).test()
                all_seen = [self._compiled(one, own).seen for one in strategies(operand)]
                return CompiledPolicy(
                    lambda now, before: not denied(now, before),
                    lambda now, before: max(seen(now, before) for seen in all_seen),
                )
            case And(left, right):
                return _both([self._compiled(left, own), self._compiled(right, own)])
            case Or(left, right):
                return _either([self._compiled(left, own), self._compiled(right, own)])
            case Strategy("COMPUTED EVERY", None):
                raise ValueError(
                    "report policy COMPUTED EVERY: give it a period, or write the clause "
                    "COMPUTED EVERY into the query"
                )
            case Strategy("COMPUTED EVERY", int(period)):
                registered = self._query.registration.registered
                return self._every(registered, period, period, self._arrival)
            case Strategy(kind, period, name):
                window = (
                    own if name is None else self._windows[window_number(name, self._query.query)]
                )
                assert window is not None
                seen = partial(self._own_arrival, window)
                if kind == "P":
                    assert period is not None
                    since: int | None = self._query.registration.registered
                    if isinstance(window, StartedWindow):
                        since = window.t0
                    return self._every(since, period, period, seen)
                if isinstance(window, CountingWindow):
                    return self._of_count(kind, window, seen)
                if isinstance(window, PresentWindow):
                    return self._of_now(kind, window, seen)
                match kind:
                    case "WC":
                        return self._closing(window, seen)
                    case "NC":
                        return CompiledPolicy(
                            lambda now, _: window.holds_any(now), seen, self._shown(window)
                        )
                    case _:
                        return self._content_change(window, seen)

    def _closing(self, window: StartedWindow, seen: TriggerPlace) -> CompiledPolicy:
        """WC: at the last moment of the instant at which the window closes."""
        closing = self._every(window.t0, window.closing, window.slide, seen)
        if not self._query.stepwise:
            return closing
        closes = closing.test()
        return closing._replace(
            holds=lambda now, before: closes(now, before) and self._is_last(now)
        )

    def _is_last(self, moment: Moment) -> bool:
        """Whether no element that the windows read comes later at the instant of a moment."""
        t, come = moment
        end = bisect_right(self._read.instants, t)
        return come is None or not end or self._read.places[end - 1] < come

    def _of_count(self, kind: str, window: CountingWindow, seen: TriggerPlace) -> CompiledPolicy:
        """WC, NC or CC of such a window: only an arrival changes what it holds."""
        start, stop = self._span.start, self._span.stop
        come = [t for t in window.stream.instants if start <= t < stop]
        arrivals = Instants(single=frozenset(come))
        if kind == "WC":
            return CompiledPolicy(window.closes, seen, arrivals)
        if kind == "NC":
            since = self._since_the_first(window)
            return CompiledPolicy(lambda now, _: window.holds_any(now), seen, since)
        return CompiledPolicy(self._changed(window), seen, arrivals)

    def _since_the_first(self, window: CountingWindow | PresentWindow) -> Instants:
        """The instants from the first on at which anything has come that the window reads."""
        first = [max(t, self._span.start) for t in window.stream.instants[:1]]
        return Instants(tuple([range(t, self._span.stop) for t in first]))

    def _arrival(self, now: Moment, before: Moment) -> int:
        """The place of the first arrival that triggers an evaluation at a moment."""
        return bisect_left(self._came, now[0] + self._query.delay)

    def _of_now(self, kind: str, window: PresentWindow, seen: TriggerPlace) -> CompiledPolicy:
        """WC, NC or CC of such a window: each instant has an instance of its own."""
        start, stop = self._span.start, self._span.stop
        come = frozenset(t for t in window.stream.instants if start <= t < stop)
        if kind == "WC":
            return CompiledPolicy(lambda now, _: self._is_last(now), seen, Instants((self._span,)))
        if kind == "NC":
            shown = self._since_the_first(window) if window.stays else Instants(single=come)
            return CompiledPolicy(lambda now, _: window.holds_any(now), seen, shown)
        gone = frozenset(t + 1 for t in come if t + 1 < stop)
        # What came at the instant before the span is gone at its first.
        gone |= {start} & {t + 1 for t in window.stream.instants}
        return CompiledPolicy(self._changed(window), seen, Instants(single=come | gone))

    def _own_arrival(self, window: AnyStarted, now: Moment, before: Moment) -> int:
        """The same on the window's stream; an element that is appended to it comes after all."""
        stream = window.stream
        own = bisect_left(stream.instants, now[0] + self._query.delay)
        if own < len(stream.places):
            return stream.places[own]
        return len(self._came) + self._query.registration.streams.index(window.name)

    def _every(
        self, base: int | None, offset: int, period: int, seen: TriggerPlace
    ) -> CompiledPolicy:
        """The instants ``base + offset + i·period``, i ≥ 0; none without a base."""
        if base is None:
            return CompiledPolicy(None, seen, Instants())
        first = base + offset
        if first < self._span.start:
            first = self._span.start + (first - self._span.start) % period
        return CompiledPolicy(None, seen, Instants((range(first, self._span.stop, period),)))

    def _shown(self, window: StartedWindow) -> Instants:
        """The instants at which a window can hold something at all."""
        start, stop = self._span.start, self._span.stop
        near = window.stream.near(window.reach + 1)
        cut = (range(max(own.start, start), min(own.stop, stop)) for own in near)
        return Instants(tuple([own for own in cut if own]))

    def _changed(self, window: AnyStarted) -> Holds:
        """CC: a window's content is a run, so it changes where the ends of the run do."""
        insertions = self._query.dials.content_change == "insertions"

        def changed(now: Moment, before: Moment) -> bool:
            new, old = window.run(now), window.run(before) or (0, 0)
            if new is None:
                return False
            held, holds = old[0] < old[1], new[0] < new[1]
            if insertions:
                return holds and (new[0] < old[0] or new[1] > old[1] or not held)
            return new != old and (holds or held)

        return changed

    def _content_change(self, window: StartedWindow, seen: TriggerPlace) -> CompiledPolicy:
        """CC of a window by time."""
        insertions = self._query.dials.content_change == "insertions"
        changed = self._changed(window)
        late = window.width + 1 if window.active else window.closing
        moves = self._every(window.t0, late, window.slide, seen).instants or Instants()
        if not window.active:
            return CompiledPolicy(changed, seen, moves)
        # An element that comes as a window opens is seen in the instant after.
        come = {t + window.lag + late for t in window.stream.instants for late in (0, 1)}
        shown = Instants(single=frozenset(t for t in come if t in self._span))
        return CompiledPolicy(changed, seen, shown if insertions else shown.and_also(moves))


def _both(conditions: Sequence[CompiledPolicy]) -> CompiledPolicy:
    tests = [condition.test() for condition in conditions]
    known = [c.instants for c in conditions if c.instants is not None]
    return CompiledPolicy(
        lambda now, before: all(holds(now, before) for holds in tests),
        lambda now, before: max(c.seen(now, before) for c in conditions),
        min(known, key=Instants.size, default=None),
    )


def _either(conditions: Sequence[CompiledPolicy]) -> CompiledPolicy:
    if len(conditions) == 1:
        return conditions[0]
    tests = [(condition.test(), condition.seen) for condition in conditions]
    known = [c.instants for c in conditions if c.instants is not None]
    instants = None
    if len(known) == len(conditions):
        instants = reduce(Instants.and_also, known, Instants())
    return CompiledPolicy(
        lambda now, before: any(holds(now, before) for holds, _ in tests),
        lambda now, before: min(seen(now, before) for holds, seen in tests if holds(now, before)),
        instants,
    )
