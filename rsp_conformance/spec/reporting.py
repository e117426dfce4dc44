"""When the query is evaluated: ET (RSP-QL Definition 23; SEMANTICS 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    StrategyKind,
    is_bound,
    mentions,
    strategies,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec import report_strategies as report
from rsp_conformance.spec.content import UNDEFINED, Moment, WindowContent, arrivals, content


def policy_of(query: Query, dials: Dials) -> Policy:
    """The policy in force: the query's COMPUTED EVERY, else the profile's (decision 8).

    ValueError where the profile says COMPUTED EVERY and neither names a period, and where a
    strategy names a window that the query does not declare.
    """
    period = query.period(dials.unit)
    if period is not None:
        return Strategy("COMPUTED EVERY", period)
    for strategy in strategies(dials.report):
        if strategy.kind == "COMPUTED EVERY" and strategy.period is None:
            raise ValueError(
                "the profile reports on COMPUTED EVERY, and the query has no such clause"
            )
        if strategy.window is not None:
            window_named(query, strategy.window)
    return dials.report


def window_named(query: Query, written: str) -> int:
    """The position of the window that a strategy names: full IRI, prefixed or local name."""
    iri = query.expand(written)
    for position, declaration in enumerate(query.windows):
        value = declaration.name.value
        if iri == declaration.name or value.endswith((f"#{written}", f"/{written}", f":{written}")):
            return position
    declared = ", ".join(query.shorten(w.name) for w in query.windows) or "none"
    raise ValueError(f"the report policy names window {written!r}; the query declares {declared}")


def asks_for(policy: Policy, *kinds: StrategyKind) -> bool:
    """Whether POLICY can hold only where a strategy of KINDS holds for some window."""
    match policy:
        case Strategy(kind):
            return kind in kinds
        case And(left, right):
            return asks_for(left, *kinds) or asks_for(right, *kinds)
        case Or(left, right):
            return asks_for(left, *kinds) and asks_for(right, *kinds)
        case Not():
            return False


def instants(case: Case, policy: Policy, dials: Dials, start: int) -> Iterator[int]:
    """The instants from START to ``until``, ascending.

    Where the policy asks for content, long silences are left out: an element is in no content
    later than α + β after its instant, whichever window is chosen.
    """
    if not asks_for(policy, "NC", "CC"):
        yield from range(start, case.until + 1)
        return
    windows = case.query.sliding_windows(dials.unit)
    reach = {
        stream: max(w.width + w.slide for w in windows if w.stream == stream) + 1
        for stream in case.query.streams()
    }
    following = start
    for element in case.elements:
        if element.stream in reach:
            last = min(element.t + reach[element.stream], case.until)
            yield from range(max(following, element.t), last + 1)
            following = max(following, last + 1)


def tested_once(policy: Policy, dials: Dials) -> bool:
    """Whether an instant has one test point, after its last element."""
    return dials.tick == "time" or mentions(policy, "WC", "P", "COMPUTED EVERY")


def test_points_before(t: int, case: Case, dials: Dials) -> int:
    """How often the policy is tested from the registration on and before T."""
    instants = t - case.registered
    if tested_once(policy_of(case.query, dials), dials):
        return instants
    streams = set(case.query.streams())
    busy = [e.t for e in case.elements if e.stream in streams and e.t < t]
    return instants - len(set(busy)) + len(busy)


def moments(
    case: Case,
    policy: Policy,
    dials: Dials,
    start: int,
    counts: Callable[[int], bool] | None = None,
) -> Iterator[Moment]:
    """All test points from START to ``until`` (tick; decision 3), at instants that COUNT."""
    streams = set(case.query.streams())
    once = tested_once(policy, dials)
    arrived = 0
    for t in instants(case, policy, dials, start):
        if counts is not None and not counts(t):
            continue
        before = arrived
        while arrived < len(case.elements) and case.elements[arrived].t <= t:
            arrived += 1
            element = case.elements[arrived - 1]
            if not once and element.t == t and element.stream in streams:
                yield Moment(t, arrived)
        if once or not any(e.stream in streams and e.t == t for e in case.elements[before:arrived]):
            yield Moment(t, arrived)


class TestPoint(NamedTuple):
    """A moment with what every window holds then, and at the preceding one."""

    moment: Moment
    now: tuple[WindowContent, ...]
    before: tuple[WindowContent, ...]


class Reporter:
    """Decides, test point by test point, whether the policy holds."""

    def __init__(self, case: Case, dials: Dials, starts: Vector) -> None:
        self.case = case
        self.dials = dials
        self.starts = starts
        self.windows: Sequence[SlidingWindow] = case.query.sliding_windows(dials.unit)
        self.policy = policy_of(case.query, dials)
        self.whole = is_bound(self.policy) or not mentions(self.policy, "WC", "CC", "NC", "P")
        """Whether the policy is asked once, not one window at a time."""
        self.first = min([case.registered, *(t for t in starts if t is not None)]) + 1
        """The instant min(a, every defined t0) + 1; before, no strategy can hold (decision 1)."""
        self._streams = [arrivals(window.stream, case.elements) for window in self.windows]

    def evaluations(self) -> Iterator[TestPoint]:
        """ET, in order."""
        before = self.contents(None)
        # Z may have many members; each walks past the instants at which none of its windows closes.
        # Whether a content has changed depends on the instant before, which then is not passed.
        passing = asks_for(self.policy, "WC") and not mentions(self.policy, "CC")
        counts = self.may_close if passing else None
        for moment in moments(self.case, self.policy, self.dials, self.first, counts):
            now = self.contents(moment)
            point = TestPoint(moment, now, before)
            if self.reports(point):
                yield point
            before = now

    def may_close(self, t: int) -> bool:
        """Whether WC can hold at T for some window: at a close, or right after it."""
        late = self.dials.window == "last-closed"
        return any(
            t0 is not None and (t - t0 - window.width - late) % window.slide == 0
            for window, t0 in zip(self.windows, self.starts, strict=True)
        )

    def contents(self, moment: Moment | None) -> tuple[WindowContent, ...]:
        """What every window holds at MOMENT; nothing before the first."""
        if moment is None:
            return (UNDEFINED,) * len(self.windows)
        return tuple(
            content(window, t0, moment, stream, self.dials)
            for window, t0, stream in zip(self.windows, self.starts, self._streams, strict=True)
        )

    def reports(self, point: TestPoint) -> bool:
        """Whether the query is evaluated at POINT."""
        if self.whole:
            return self.holds(self.policy, point)
        verdicts = (self.holds(self.policy, point, at) for at in range(len(self.windows)))
        if not self.windows:
            return False
        match self.dials.report_windows:
            case "any":
                return any(verdicts)
            case "all":
                return all(verdicts)
            case _:
                return next(verdicts)

    def holds(self, policy: Policy, point: TestPoint, at: int | None = None) -> bool:
        """Whether POLICY holds at POINT; AT is the window that unbound strategies look at."""
        match policy:
            case And(left, right):
                return self.holds(left, point, at) and self.holds(right, point, at)
            case Or(left, right):
                return self.holds(left, point, at) or self.holds(right, point, at)
            case Not(operand):
                return not self.holds(operand, point, at)
            case Strategy("COMPUTED EVERY", period):
                assert period is not None
                return report.periodic(self.case.registered, point.moment.t, period)
            case Strategy(kind, period):
                own, t = self.position(policy, at), point.moment.t
                t0, now, before = self.starts[own], point.now[own], point.before[own]
                match kind:
                    case "WC":
                        return report.window_close(self.windows[own], t0, t, now, self.dials)
                    case "NC":
                        return report.non_empty(now)
                    case "CC":
                        return report.content_change(now, before, self.dials)
                    case _:
                        assert period is not None
                        return report.periodic(t0, t, period)

    def position(self, strategy: Strategy, at: int | None) -> int:
        """The position of the window that STRATEGY names, else AT."""
        named = strategy.window
        position = at if named is None else window_named(self.case.query, named)
        assert position is not None
        return position
