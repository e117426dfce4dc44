"""When the query is evaluated: ET (RSP-QL Definition 23; SEMANTICS 3).

The report policy is tested at moments: once per instant, or after each element that arrives (dial
``tick``). ET has the moments at which it holds. `walk` finds the instants at which it can hold at
all, so most instants are never tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    is_bound,
    mentions,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import (
    AnyWindow,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
)
from rsp_conformance.spec import report_strategies as report
from rsp_conformance.spec.content import (
    UNDEFINED,
    Moment,
    WindowContent,
    arrivals,
    content,
    cuts_an_instant,
)
from rsp_conformance.spec.policies import (
    closes_by_count,
    policy_of,
    waits_for_unbounded,
    window_named,
)
from rsp_conformance.spec.units import in_units
from rsp_conformance.spec.walk import Walk


def tested_once(query: Query, policy: Policy, dials: Dials) -> bool:
    """Whether an instant has a single test point, after its last element (decision 3).

    Args:
        query: the query, whose windows decide when they close.
        policy: its report policy.
        dials: the setting of the dials.
    """
    if dials.tick == "time" or mentions(policy, "P", "COMPUTED EVERY"):
        return True
    return mentions(policy, "WC") and not closes_by_count(query, policy, dials)


def test_points_before(t: int, case: Case, dials: Dials) -> int:
    """How often the policy is tested from the registration on and before `t`.

    Args:
        t: the instant at which the count ends, itself not counted.
        case: the query and its data.
        dials: the setting of the dials; ``tick`` says whether an instant with arrivals has several
            test points.
    """
    instants = t - case.registered
    if tested_once(case.query, policy_of(case.query, dials), dials):
        return instants
    streams = set(case.query.streams())
    busy = [e.t for e in in_units(case).elements if e.stream in streams and e.t < t]
    return instants - len(set(busy)) + len(busy)


def moments(case: Case, policy: Policy, dials: Dials, instants: Iterable[int]) -> Iterator[Moment]:
    """Yield all test points at `instants`, which ascend (dial ``tick``; decision 3).

    Args:
        case: the query and its data.
        policy: the report policy of the query.
        dials: the setting of the dials.
        instants: the instants at which the policy is tested, ascending.
    """
    streams = set(case.query.streams())
    once = tested_once(case.query, policy, dials)
    arrived = 0
    for t in instants:
        after_elements = []
        while arrived < len(case.elements) and case.elements[arrived].t <= t:
            arrived += 1
            element = case.elements[arrived - 1]
            if not once and element.t == t and element.stream in streams:
                after_elements.append(arrived)
        points = after_elements or [arrived]
        for point in points:
            yield Moment(t, point, last=point == points[-1])


class TestPoint(NamedTuple):
    """A moment, with the contents of all windows then (``now``) and at the one before."""

    moment: Moment
    now: tuple[WindowContent, ...]
    before: tuple[WindowContent, ...]


class Reporter:
    """Decides, test point by test point, whether the policy holds."""

    def __init__(self, case: Case, dials: Dials, starts: Vector) -> None:
        self.case = case
        self.dials = dials
        self.starts = starts
        self.windows: Sequence[AnyWindow] = case.query.resolved_windows(dials)
        self.policy = policy_of(case.query, dials)
        if waits_for_unbounded(case.query, self.policy, dials):
            raise Unsupported("a report policy that waits for the close of UNBOUNDED windows")
        self.whole = is_bound(self.policy) or not mentions(self.policy, "WC", "CC", "NC", "P")
        """Whether the policy is tested once per moment, not once for each window."""
        self.walk = Walk(case, dials, starts)
        self._streams = [arrivals(window.stream, case.elements) for window in self.windows]

    def evaluations(self) -> Iterator[TestPoint]:
        """Yield ET in order: the test points at which the policy holds."""
        before = self.contents(None)
        for moment in moments(self.case, self.policy, self.dials, self.walk.instants()):
            now = self.contents(moment)
            point = TestPoint(moment, now, before)
            if self.reports(point):
                yield point
            before = now

    def contents(self, moment: Moment | None) -> tuple[WindowContent, ...]:
        """The content of every window at a moment; None is the time before the first moment."""
        if moment is None:
            return (UNDEFINED,) * len(self.windows)
        return tuple(
            content(window, t0, moment, stream, self.dials)
            for window, t0, stream in zip(self.windows, self.starts, self._streams, strict=True)
        )

    def is_cut(self, point: TestPoint) -> bool:
        """Whether a window by count cuts an instant at a test point (decision 62)."""
        parts = zip(self.windows, point.now, self._streams, strict=True)
        return any(
            isinstance(window, CountWindow)
            and cuts_an_instant(held, point.moment, stream, self.case.elements)
            for window, held, stream in parts
        )

    def reports(self, point: TestPoint) -> bool:
        """Whether the query is evaluated at a test point."""
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
        """Whether a policy holds at a test point.

        Args:
            policy: The policy or a part of it.
            point: The test point.
            at: The position of the window for strategies that name no window.
        """
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
                window = self.windows[own]
                match kind:
                    case "WC" if isinstance(window, SlidingWindow):
                        # It closes at an instant, whose last test point has all its elements.
                        closes = report.window_close(window, t0, t, now, self.dials)
                        return closes and point.moment.last
                    case "WC" if isinstance(window, NowWindow):
                        return point.moment.last
                    case "WC" if isinstance(window, UnboundedWindow):
                        return False
                    case "WC":
                        return report.window_close_by_count(now, before, self.dials)
                    case "NC":
                        return report.non_empty(now)
                    case "CC":
                        return report.content_change(now, before, self.dials)
                    case _:
                        assert period is not None
                        start: int | None = self.case.registered
                        if isinstance(window, SlidingWindow):
                            start = None if t0 is None else t0 + window.lag
                        return report.periodic(start, t, period)

    def position(self, strategy: Strategy, at: int | None) -> int:
        """The position of the window that a strategy names; `at` if it names no window."""
        named = strategy.window
        position = at if named is None else window_named(self.case.query, named)
        assert position is not None
        return position
