"""Find the instants at which a query may be evaluated, so that all others are skipped.

By RSP-QL Definition 23 the report policy is tested at every instant, and at most instants it cannot
hold: WC holds only at closes, P(n) every n instants, CC when an element arrives or another instance
comes into view. With windows of 180,000 instants that slide by 30,000, six of a stream's 180,000
instants matter. Arithmetic finds them as ranges, and only these are walked.

``CC`` compares with the instant before, which need not be walked for that: no content changes
between two walked instants, so the contents of the last walked instant are those of the instant
before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import chain, groupby
from math import lcm
from typing import Final, TypeAlias

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, mentions, strategies
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import AnyWindow, CountWindow, NowWindow, SlidingWindow, by_time
from rsp_conformance.spec.policies import asks_for, closes_by_count, policy_of, window_named

MOST_INSTANTS: Final = 10_000_000
"""The most instants that are walked for one z. At 10 µs each they take 100 s, longer than an
evaluation may (`limits.SECONDS`)."""
FAR: Final = 100_000
"""If windows start more instants than this before the registration, the walk does not begin at
their start (decision 51).

The value is not tuned, because no answer is given before the registration. A small number would
leave out evaluations that tests of the whole trace show.
"""

Ranges: TypeAlias = "list[Sequence[int]]"
"""Instants, ascending in each member."""


class Walk:
    """The instants at which Q_z may be evaluated, for z = `starts`."""

    def __init__(self, case: Case, dials: Dials, starts: Vector) -> None:
        self._case, self._dials, self._starts = case, dials, starts
        self._windows = case.query.resolved_windows(dials)
        self._timed = by_time(self._windows)
        self._policy = policy_of(case.query, dials)
        self.first = self._first()
        """The instant min(a, every defined t0) + 1; no strategy can hold earlier (decision 1).

        It is a if an element comes then that a window without a t0 holds.
        """
        self._begin = max(self.first, self._near_registration())

    def _first(self) -> int:
        a = self._case.registered
        starts = [
            t0
            for window, t0 in zip(self._windows, self._starts, strict=True)
            if t0 is not None and isinstance(window, SlidingWindow)
        ]
        counted = {w.stream for w in self._windows if not isinstance(w, SlidingWindow)}
        at_once = any(e.stream in counted for e in self._case.elements if e.t == a)
        return min([a - at_once, *starts]) + 1

    def _near_registration(self) -> int:
        """The instant at which the walk begins, later than `first` if windows start long ago.

        No element is earlier than the registration a, so until then evaluations repeat with the
        period of the windows (Theorem 1). The last period before a contains the evaluation that
        Istream and Dstream compare with.
        """
        a = self._case.registered
        if a - self.first <= FAR:
            return self.first
        every = [s.period for s in strategies(self._policy) if s.period is not None]
        slides = [window.slide for window in self._timed]
        reach = max([window.reach for window in self._timed], default=0)
        return a - lcm(*every, *slides) - reach - 1

    def instants(self) -> Iterator[int]:
        """Return an iterator over these instants, ascending, each once.

        Raises:
            Unsupported: There are more than `MOST_INSTANTS`.
        """
        ranges = self._ranges()
        if _size(ranges) > MOST_INSTANTS:
            raise Unsupported(
                f"more than {MOST_INSTANTS:,} instants at which the query may be evaluated, from "
                f"{self._begin} to {self._case.until}"
            )
        if len(ranges) == 1:
            return iter(ranges[0])
        return (t for t, _ in groupby(merge(*ranges)))

    def count(self) -> int:
        """The number of instants; an instant that several strategies find counts several times."""
        return _size(self._ranges())

    def _ranges(self) -> Ranges:
        whole = range(self._begin, self._case.until + 1)
        found = self._of(self._policy)
        compares = mentions(self._policy, "CC") or closes_by_count(
            self._case.query, self._policy, self._dials
        )
        if found is not None and compares:
            found = [*found, *self._changes(None)]
        if found is None:
            found = [whole]
        if not asks_for(self._policy, "NC", "CC"):
            return [_within(own, whole) for own in found]
        return [_within(own, span) for span in self._near_elements() for own in found]

    def _of(self, policy: Policy) -> Ranges | None:
        """The instants at which a policy may hold; None if it may hold at any instant."""
        match policy:
            case And(left, right):
                one, other = self._of(left), self._of(right)
                if one is None or other is None:
                    return other if one is None else one
                return min(one, other, key=_size)
            case Or(left, right):
                one, other = self._of(left), self._of(right)
                return None if one is None or other is None else [*one, *other]
            case Not():
                return None
            case Strategy("NC"):
                return [*self._near_elements()]
            case Strategy("CC", _, named):
                return self._changes(named)
            case Strategy("COMPUTED EVERY", int(period)):
                return [self._every(self._case.registered, period, period)]
            case Strategy("P", int(period), named):
                starts = [t0 + window.lag for window, t0 in self._started(named)]
                if self._without_start(named):
                    starts.append(self._case.registered)
                return [self._every(start, period, period) for start in starts]
            case Strategy("WC", _, named):
                late = self._dials.window == "last-closed"
                return [
                    *(
                        self._every(t0 + window.lag, window.width + late, window.slide)
                        for window, t0 in self._started(named)
                    ),
                    *chain(*map(self._closes, self._without_start(named))),
                ]
        raise ValueError(f"report policy {policy} has no period")

    def _changes(self, named: str | None) -> Ranges:
        """The instants at which a content may change.

        An element enters there, as it arrives or a lag later, or another instance comes into view.
        """
        found: Ranges = []
        for other in self._without_start(named):
            found.append(self._arrivals(other))
            if isinstance(other, NowWindow):
                found.append([t + 1 for t in found[-1]])
        for window, t0 in self._started(named):
            entered = [t + window.lag for t in self._arrivals(window)]
            found.append([t for t in entered if t <= self._case.until])
            start = t0 + window.lag
            late = self._dials.window != "last-closed-inclusive"
            found.append(self._every(start, window.width + late, window.slide))
            if self._dials.window == "active":
                found.append(self._every(start, 1, window.slide))
        return found

    def _started(self, named: str | None) -> Iterator[tuple[SlidingWindow, int]]:
        """The windows by time of a strategy, with their t0, without those never defined."""
        for window, t0 in self._looked_at(named):
            if t0 is not None and isinstance(window, SlidingWindow):
                yield window, t0

    def _without_start(self, named: str | None) -> list[AnyWindow]:
        """The windows by count, NOW and UNBOUNDED that a strategy looks at."""
        return [own for own, _ in self._looked_at(named) if not isinstance(own, SlidingWindow)]

    def _closes(self, window: AnyWindow) -> Iterator[Sequence[int]]:
        """The instants at which a window without a start may close."""
        if isinstance(window, NowWindow):
            yield range(self._begin, self._case.until + 1)
        elif isinstance(window, CountWindow):
            yield self._arrivals(window)

    def _looked_at(self, named: str | None) -> Iterator[tuple[AnyWindow, int | None]]:
        """The windows that a strategy looks at, with their starts."""
        only = None if named is None else window_named(self._case.query, named)
        for position, own in enumerate(zip(self._windows, self._starts, strict=True)):
            if only in (None, position):
                yield own

    def _arrivals(self, window: AnyWindow) -> Sequence[int]:
        """The instants at which an element of the window's stream arrives."""
        return [e.t for e in self._case.elements if e.stream == window.stream]

    def _every(self, base: int, offset: int, period: int) -> range:
        """The instants base + offset + i·period, i ≥ 0, within the walk."""
        first = base + offset
        if first < self._begin:
            first = self._begin + (first - self._begin) % period
        return range(first, self._case.until + 1, period)

    def _near_elements(self) -> Iterator[range]:
        """The instants without the long silences, as ranges.

        An element is in no content later than α + β, and the window's lag, after its instant,
        whichever instance the dial ``window`` chooses. In NOW it stays for its instant, or as the
        dial ``now`` says; in windows by count and in UNBOUNDED it stays through any silence.
        """
        reach: dict[object, int] = {}
        for window in self._windows:
            own = self._case.until
            if isinstance(window, SlidingWindow):
                own = window.reach + 1
            elif isinstance(window, NowWindow) and self._dials.now != "last":
                own = 1
            reach[window.stream] = max(own, reach.get(window.stream, 0))
        following = self._begin
        span = range(following, following)
        for element in self._case.elements:
            if element.stream not in reach:
                continue
            start = max(following, element.t)
            stop = max(start, min(element.t + reach[element.stream], self._case.until) + 1)
            if start > span.stop:
                yield span
                span = range(start, stop)
            span, following = range(span.start, stop), stop
        yield span


def _within(instants: Sequence[int], span: range) -> Sequence[int]:
    """The instants that lie in `span`."""
    if not isinstance(instants, range):
        return instants[bisect_left(instants, span.start) : bisect_left(instants, span.stop)]
    first, step = instants.start, instants.step
    if first < span.start:
        first = span.start + (first - span.start) % step
    return range(first, min(instants.stop, span.stop), step)


def _size(ranges: Ranges) -> int:
    """How many members the ranges have; ``len`` fails beyond the size of an index in C."""
    return sum(
        max(0, (own.stop - own.start - 1) // own.step + 1) if isinstance(own, range) else len(own)
        for own in ranges
    )
