"""When the query is evaluated: ET (RSP-QL Definition 23; SEMANTICS 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    is_bound,
    mentions,
    strategies,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec import report_strategies as report
from rsp_conformance.spec.content import UNDEFINED, Content, Moment, arrivals, content


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


def asks_for_content(policy: Policy) -> bool:
    """Whether POLICY can hold only where some window holds something or has just changed."""
    match policy:
        case Strategy(kind):
            return kind in {"NC", "CC"}
        case And(left, right):
            return asks_for_content(left) or asks_for_content(right)
        case Or(left, right):
            return asks_for_content(left) and asks_for_content(right)
        case Not():
            return False


def instants(case: Case, policy: Policy, dials: Dials, start: int) -> Iterator[int]:
    """The instants from START to ``until``, ascending.

    Where the policy asks for content, long silences are left out: an element is in no content
    later than α + β after its instant, whichever window is chosen.
    """
    if not asks_for_content(policy):
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


def moments(case: Case, policy: Policy, dials: Dials, start: int) -> Iterator[Moment]:
    """All test points from START to ``until`` (tick; decision 3)."""
    streams = set(case.query.streams())
    once = tested_once(policy, dials)
    arrived = 0
    for t in instants(case, policy, dials, start):
        before = arrived
        while arrived < len(case.elements) and case.elements[arrived].t <= t:
            arrived += 1
            element = case.elements[arrived - 1]
            if not once and element.t == t and element.stream in streams:
                yield Moment(t, arrived)
        if once or not any(e.stream in streams and e.t == t for e in case.elements[before:arrived]):
            yield Moment(t, arrived)


class Reporter:
    """Decides, moment by moment in order, whether the policy holds."""

    def __init__(self, case: Case, dials: Dials, starts: Vector) -> None:
        self.case = case
        self.dials = dials
        self.starts = starts
        self.windows: Sequence[SlidingWindow] = case.query.sliding_windows(dials.unit)
        self.policy = policy_of(case.query, dials)
        self.bound = is_bound(self.policy)
        self._streams = [arrivals(window.stream, case.elements) for window in self.windows]
        self._before: list[Content] = [UNDEFINED] * len(self.windows)

    def evaluations(self) -> Iterator[tuple[Moment, tuple[Content, ...]]]:
        """ET with the content of every window, in order."""
        start = self._first_instant()
        for moment in moments(self.case, self.policy, self.dials, start):
            now = [
                content(window, t0, moment, stream, self.dials)
                for window, t0, stream in zip(self.windows, self.starts, self._streams, strict=True)
            ]
            if self._reports(moment, now):
                yield moment, tuple(now)
            self._before = now

    def _first_instant(self) -> int:
        """min(a, every defined t0) + 1; before, no strategy can hold (decision 1)."""
        defined = [t0 for t0 in self.starts if t0 is not None]
        return min([self.case.registered, *defined]) + 1

    def _reports(self, moment: Moment, now: list[Content]) -> bool:
        if self.bound or not mentions(self.policy, "WC", "CC", "NC", "P"):
            return self._holds(self.policy, moment, now, None)
        verdicts = (
            self._holds(self.policy, moment, now, position) for position in range(len(self.windows))
        )
        if not self.windows:
            return False
        match self.dials.report_windows:
            case "any":
                return any(verdicts)
            case "all":
                return all(verdicts)
            case _:
                return next(verdicts)

    def _holds(self, policy: Policy, moment: Moment, now: list[Content], at: int | None) -> bool:
        match policy:
            case And(left, right):
                return self._holds(left, moment, now, at) and self._holds(right, moment, now, at)
            case Or(left, right):
                return self._holds(left, moment, now, at) or self._holds(right, moment, now, at)
            case Not(operand):
                return not self._holds(operand, moment, now, at)
            case Strategy("COMPUTED EVERY", period):
                assert period is not None
                return report.computed_every(moment, self.case.registered, period)
            case Strategy(kind, period, name):
                position = window_named(self.case.query, name) if name is not None else at
                assert position is not None
                seen = report.Seen(
                    self.windows[position],
                    self.starts[position],
                    moment,
                    now[position],
                    self._before[position],
                )
                return self._strategy(kind, period, seen)

    def _strategy(self, kind: str, period: int | None, seen: report.Seen) -> bool:
        match kind:
            case "WC":
                return report.window_close(seen, self.dials)
            case "NC":
                return report.non_empty(seen)
            case "CC":
                return report.content_change(seen, self.dials)
            case _:
                assert period is not None
                return report.periodic(seen, period)
