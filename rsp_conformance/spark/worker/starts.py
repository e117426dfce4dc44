"""Which members of Z are worth a trace: one of each kind, and those first that fit the stamps.

With slides in milliseconds Z has thousands of members, and millions with two windows. Two starts
between which no comparison of instants turns give the same contents in the same order, so of those
the first is traced. What is compared are differences: of a start with an instant of the case, or
of two starts. The first start of a kind is a bound of its own, or the bound of another window and
a difference to it; so bounds are closed under differences, once for each further window, and a
vector is one bound after the other. That may list some kinds twice, which costs a trace.

Where stamps are instants of evaluations, those that no window can be evaluated at are counted
against a vector before it is traced. That is the least that can set it apart, so the nearest start
is found among the first vectors of this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor, gcd, prod
from typing import Final

from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, mentions, strategies
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import NowWindow, SlidingWindow
from rsp_conformance.spark.wire import ArrivedElement
from rsp_conformance.spark.worker.alignment import ReceivedAnswer
from rsp_conformance.spark.worker.registered import RegisteredQuery, Starts, window_number

LISTED: Final = 64
"""A Z of so many members is traced as it is, which takes no longer than to see what is alike."""

MOST_WINDOWS: Final = 3
"""The starts of more windows than these are not worth comparing with each other."""

Stamp = int | Fraction


def are_few(starts: Sequence[Starts]) -> bool:
    """Whether Z, the product of the windows' starts, has so few members that each is traced."""
    return prod(map(_size, starts)) <= LISTED


def likely(
    query: RegisteredQuery,
    arrivals: Sequence[ArrivedElement],
    starts: Sequence[Starts],
    given: Sequence[ReceivedAnswer],
    last: int | None = None,
) -> Iterator[tuple[int, Vector]]:
    """The vectors to be traced, each with the number of stamps that it must miss.

    Args:
        query: the query.
        arrivals: the elements; if what is due after ``until`` is compared, too, also those that the
            kit appends.
        starts: the starts that each window may have.
        given: the engine's answers.
        last: the last instant that is compared, if that is after ``until``.

    Returns:
        The vectors that miss fewest first, of these the least.
    """
    waits = _waits(query.policy) and not query.closes_always
    several = sum(_size(options) > 1 for options in starts) > MOST_WINDOWS
    started = query.dials.t0 != "any" and any(
        isinstance(own, SlidingWindow) for own in query.windows
    )
    if are_few(starts) or several or started or not waits:
        return ((0, z) for z in product(*starts))
    stamped = query.dials.answer_time == "evaluation"
    stamps = [g.stamp for g in given if g.stamp is not None]
    bounds = _Bounds(query, arrivals, stamps, last)
    required = {g.stamp for g in given if g.required and g.stamp is not None} if stamped else set()
    if not required:
        return ((0, z) for z in bounds.vectors())
    return iter(sorted(bounds.missing(sorted(required))))


def _size(options: Starts) -> int:
    """The number of options; ``len`` ends where an index of C does."""
    return options.stop - options.start if isinstance(options, range) else len(options)


def _waits(policy: Policy) -> bool:
    """Whether a policy holds only if something happens: a close, a change, a period's end."""
    match policy:
        case Not():
            return False
        case And(left, right):
            return _waits(left) or _waits(right)
        case Or(left, right):
            return _waits(left) and _waits(right)
        case _:
            return policy.kind != "NC"


class _Bounds:
    """The starts at which comparisons turn, for a query over arrivals with answers at stamps.

    Starts are compared up to an instant: ``until``, or the last one that is given.
    """

    def __init__(
        self,
        query: RegisteredQuery,
        arrivals: Sequence[ArrivedElement],
        stamps: Iterable[Stamp],
        last: int | None,
    ) -> None:
        self._query, self._arrivals = query, arrivals
        self._a = query.registration.registered
        self._until = query.registration.until if last is None else last
        self._changes = mentions(query.policy, "CC")
        self._fixed = [not isinstance(window, SlidingWindow) for window in query.windows]
        """Of each window, whether it is not by time: no instant turns its start."""
        self._seen = int(query.dials.window != "last-closed-inclusive")
        """How long after its close an instance gives way to another, or comes into view."""
        numbers = range(len(query.windows))
        self._evaluated = [self._evaluations(number) for number in numbers]
        before = {0, -1} if self._changes else {0}
        self._looked = [
            {(offset + one, period) for offset, period in own for one in before}
            for own in self._evaluated
        ]
        self._passed = self._instants_passed(stamps)
        own = [self._own(number) for number in numbers]
        self._between = {
            (i, j): self._differences(i, j) for i in numbers for j in numbers if i != j
        }
        for _ in numbers[1:]:
            own = [
                own[i].union(
                    *(self._moved(i, own[j], self._between[i, j]) for j in numbers if j != i)
                )
                for i in numbers
            ]
        self._starts = own

    def vectors(self, chosen: Vector = ()) -> Iterator[Vector]:
        """At least one z of each kind, ascending; each begins with the starts that were chosen."""
        number = len(chosen)
        if number == len(self._starts):
            yield chosen
            return
        options = set(self._starts[number])
        for other, t0 in enumerate(chosen):
            assert t0 is not None
            options |= self._moved(number, {t0}, self._between[number, other])
        for t0 in sorted(options):
            yield from self.vectors((*chosen, t0))

    def missing(self, stamps: Sequence[Stamp]) -> Iterator[tuple[int, Vector]]:
        """The vectors, each with the number of stamps that no evaluation of it can have."""
        near: dict[int, set[int]] = {}
        tolerance = self._query.dials.time_tolerance
        for place, stamp in enumerate(stamps):
            for t in range(ceil(stamp - tolerance), floor(stamp + tolerance) + 1):
                near.setdefault(t, set()).add(place)
        fixed = frozenset[int]().union(*(near.get(t, ()) for t in self._always(self._until + 1)))
        met: list[dict[int, frozenset[int]]] = [{} for _ in self._starts]
        for z in self.vectors():
            found = set(fixed)
            for number, t0 in enumerate(z):
                assert t0 is not None
                if t0 not in met[number]:
                    met[number][t0] = self._meets(number, t0, near)
                found |= met[number][t0]
            yield len(stamps) - len(found), z

    def _meets(self, number: int, t0: int, near: dict[int, set[int]]) -> frozenset[int]:
        """The places of the stamps that are near evaluations of a window with this start."""
        found: set[int] = set()
        for offset, period in self._evaluated[number]:
            first = t0 + offset
            if (self._until - first) // period < len(near):
                hits: Iterable[int] = range(first, self._until + 1, period)
            else:
                hits = [t for t in near if t >= first and (t - first) % period == 0]
            found.update(*(near.get(t, ()) for t in hits))
        return frozenset(found)

    def _timed(self, number: int) -> SlidingWindow:
        """The window of this number, which is by time."""
        window = self._query.windows[number]
        assert isinstance(window, SlidingWindow)
        return window

    # When the query may be evaluated

    def _evaluations(self, number: int) -> set[tuple[int, int]]:
        """The (offset, period) of the evaluations that a window makes, counted from its t0."""
        found = set[tuple[int, int]]()
        if self._fixed[number]:
            return found
        window = self._timed(number)
        late = self._query.dials.window == "last-closed"
        for one in strategies(self._query.policy):
            if one.window is not None and window_number(one.window, self._query.query) != number:
                continue
            if one.kind == "WC":
                found.add((window.width + late, window.slide))
            elif one.kind == "CC":
                found |= {(window.width + self._seen, window.slide), (1, window.slide)}
            elif one.kind == "P" and one.period is not None:
                found.add((one.period, one.period))
        return {(offset + window.lag, period) for offset, period in found}

    def _always(self, modulo: int) -> Iterator[int]:
        """The instants at which it may be evaluated whatever z is, up to a modulus."""
        for one in strategies(self._query.policy):
            if one.period is not None and (
                one.kind == "COMPUTED EVERY" or self._since_registration(one)
            ):
                first, terms = self._a + one.period, modulo // gcd(modulo, one.period)
                yield from range(
                    first, min(self._until + 1, first + terms * one.period), one.period
                )
        if self._changes or self._query.closes_by_count:
            yield from self._entries()
        if self._changes:
            now = {own.stream for own in self._query.windows if isinstance(own, NowWindow)}
            yield from (arrival.t + 1 for arrival in self._arrivals if arrival.stream in now)

    def _since_registration(self, strategy: Strategy) -> bool:
        """Whether P is asked of a window without a t0, whose periods begin at the registration."""
        if strategy.window is None:
            return any(self._fixed)
        return self._fixed[window_number(strategy.window, self._query.query)]

    def _entries(self) -> Iterator[int]:
        """When elements come into windows, which those in the past let wait."""
        for window in self._query.windows:
            arrivals = (own for own in self._arrivals if own.stream == window.stream)
            yield from (own.t + window.lag for own in arrivals)

    def _instants_passed(self, stamps: Iterable[Stamp]) -> set[int]:
        """The instants that an evaluation may come before or not."""
        query, dials = self._query, self._query.dials
        starts = query.starts({}, 0)
        ends = query.registration.until + 1, self._until + 1
        found = {query.compared_from(starts), *ends, *self._entries()}
        found.update(query.registration.background.changes())
        if dials.answer_time == "arrival":
            found.update(arrival.t + late for arrival in self._arrivals for late in range(3))
        if dials.answer_time == "evaluation":
            for stamp in stamps:
                found.add(ceil(stamp - dials.time_tolerance))
                found.add(floor(stamp + dials.time_tolerance) + 1)
        return found

    # What a start is compared with

    def _own(self, number: int) -> set[int]:
        """The starts of a window at which a comparison with an instant of the case turns."""
        if self._fixed[number]:
            return self._first_units(number)
        window, bounds = self._timed(number), self._query.dials.bounds
        slide, width = window.slide, window.width
        found = {self._a}
        for t in {arrival.t for arrival in self._arrivals if arrival.stream == window.stream}:
            found |= self._within(number, t + (bounds[0] == "["), slide)
            found |= self._within(number, t - width + (bounds[-1] == ")"), slide)
        before = (0, 1) if self._changes else (0,)
        for t, one in product({*self._always(slide)}, before):
            seen = t - one - window.lag
            found |= self._within(number, seen, slide)
            found |= self._within(number, seen - width + 1 - self._seen, slide)
        for offset, period in self._looked[number]:
            always = {t + late for t in self._always(period) for late in (0, 1)}
            for t in self._passed | always:
                found |= self._within(number, t - offset, period)
        return found

    def _first_units(self, number: int) -> set[int]:
        """The starts of a window that is not by time: of those that no unit reaches, one."""
        stream = self._query.windows[number].stream
        units = sum(arrival.stream == stream for arrival in self._arrivals)
        starts = self._query.starts({})[number][: units + 1]
        return {start for start in starts if start is not None}

    def _within(self, number: int, t: int, period: int) -> set[int]:
        """The starts of a window that equal an instant modulo a period."""
        slide = self._timed(number).slide
        return {*range(self._a + (t - self._a) % period, self._a + slide, period)}

    def _differences(self, i: int, j: int) -> set[int]:
        """By how much one window may start after another where a comparison of the two turns."""
        if self._fixed[i] or self._fixed[j]:
            return set()
        own, other = self._timed(i), self._timed(j)
        steps: set[tuple[int, int, int]] = set()
        for offset, period in self._looked[j]:
            ends = own.lag, own.lag + own.width - 1 + self._seen
            steps |= {(offset - end, period, own.slide) for end in ends}
            for mine, each in self._looked[i]:
                steps |= {(offset - mine + late, period, each) for late in (0, 1)}
        for mine, each in self._looked[i]:
            ends = other.lag + 1, other.lag + other.width + self._seen
            steps |= {(end - mine, other.slide, each) for end in ends}
        found: set[int] = set()
        for base, theirs, each in steps:
            times = min((self._until - self._a) // theirs + 1, each // gcd(each, theirs) - 1)
            for past in range(base, base + times * theirs + 1, theirs):
                least = -other.slide + 1
                found.update(range(least + (past - least) % each, own.slide, each))
        return found

    def _moved(self, number: int, starts: set[int], by: set[int]) -> set[int]:
        """The starts of a window that are some starts moved by one of the differences."""
        if self._fixed[number]:
            return set()
        slide, a = self._timed(number).slide, self._a
        found: set[int] = set()
        for t0 in starts:
            found.update(t0 + one for one in by if a <= t0 + one < a + slide)
            if len(found) == slide:
                break
        return found
