"""Why a report policy holds at an instant, or does not (RSP-QL Definition 23)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.layout import listed
from rsp_conformance.explain.membership import interval, size, undefined
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, is_bound, mentions
from rsp_conformance.spec import report_strategies as report
from rsp_conformance.spec.content import Content, Moment
from rsp_conformance.spec.reporting import window_named


@dataclass(frozen=True, slots=True)
class Reason:
    """A strategy that decides, whether it holds, and why, as a clause."""

    strategy: Strategy
    holds: bool
    clause: str


def reasons(evidence: Evidence, moment: Moment, preceding: Moment | None) -> list[Reason]:
    """The strategies that decide whether the query is evaluated at MOMENT, each with why."""
    policy = evidence.policy
    now, before = evidence.contents(moment), evidence.contents(preceding)
    scene = _Scene(evidence, moment, now, before)
    if is_bound(policy) or not mentions(policy, "WC", "CC", "NC", "P"):
        return list(scene.deciding(policy, None))
    verdicts = [scene.holds(policy, position) for position in range(len(now))]
    if not verdicts:
        return []
    match evidence.dials.report_windows:
        case "first":
            chosen = [0]
        case "all":
            failing = [i for i, holds in enumerate(verdicts) if not holds]
            chosen = failing[:1] or list(range(len(verdicts)))
        case _:
            holding = [i for i, holds in enumerate(verdicts) if holds]
            chosen = holding[:1] or list(range(len(verdicts)))
    found = [reason for position in chosen for reason in scene.deciding(policy, position)]
    return list(dict.fromkeys(found))


def phrase(found: list[Reason]) -> str:
    """REASONS as one clause: ``WC holds (…) and NC holds (…)``."""
    parts = []
    for reason in found[:3]:
        verb = "holds" if reason.holds else "does not hold"
        parts.append(f"{reason.strategy} {verb} ({reason.clause})")
    return listed(parts)


class _Scene:
    """One test point, as the report strategies see it."""

    def __init__(
        self,
        evidence: Evidence,
        moment: Moment,
        now: tuple[Content, ...],
        before: tuple[Content, ...],
    ) -> None:
        self.evidence = evidence
        self.moment = moment
        self.now = now
        self.before = before

    def seen(self, strategy: Strategy, at: int | None) -> tuple[int, report.Seen]:
        position = at
        if strategy.window is not None:
            position = window_named(self.evidence.case.query, strategy.window)
        assert position is not None
        return position, report.Seen(
            self.evidence.windows[position],
            self.evidence.starts[position],
            self.moment,
            self.now[position],
            self.before[position],
        )

    def holds(self, policy: Policy, at: int | None) -> bool:
        match policy:
            case And(left, right):
                return self.holds(left, at) and self.holds(right, at)
            case Or(left, right):
                return self.holds(left, at) or self.holds(right, at)
            case Not(operand):
                return not self.holds(operand, at)
            case Strategy():
                return self._strategy(policy, at)

    def _strategy(self, strategy: Strategy, at: int | None) -> bool:
        dials = self.evidence.dials
        period = strategy.period or 1
        if strategy.kind == "COMPUTED EVERY":
            return report.computed_every(self.moment, self.evidence.case.registered, period)
        _, seen = self.seen(strategy, at)
        match strategy.kind:
            case "WC":
                return report.window_close(seen, dials)
            case "NC":
                return report.non_empty(seen)
            case "CC":
                return report.content_change(seen, dials)
            case _:
                return report.periodic(seen, period)

    def deciding(self, policy: Policy, at: int | None) -> Iterator[Reason]:
        """The strategies that make POLICY hold, or fail."""
        match policy:
            case And(left, right) | Or(left, right):
                value = self.holds(policy, at)
                sides = [side for side in (left, right) if self.holds(side, at) == value]
                # One side is enough for a disjunction to hold and for a conjunction to fail.
                enough = sides[:1] if isinstance(policy, Or) == value else sides
                for side in enough:
                    yield from self.deciding(side, at)
            case Not(operand):
                yield from self.deciding(operand, at)
            case Strategy():
                value = self._strategy(policy, at)
                yield Reason(policy, value, self._clause(policy, at, value))

    def _clause(self, strategy: Strategy, at: int | None, holds: bool) -> str:
        t, evidence = self.moment.t, self.evidence
        if strategy.kind == "COMPUTED EVERY":
            a, n = evidence.case.registered, strategy.period
            return f"{t} is {'' if holds else 'not '}{a} plus a multiple of {n}"
        position, seen = self.seen(strategy, at)
        name = evidence.notation.iri(seen.window.name)
        if strategy.kind == "P":
            start = "t0, which is never defined" if seen.t0 is None else f"t0={seen.t0}"
            word = "" if holds else "not "
            return f"{t} is {word}a multiple of {strategy.period} after {start}"
        if seen.now.instance is None:
            return undefined(evidence, position, t)
        span = interval(evidence, seen.now)
        match strategy.kind:
            case "WC":
                return self._window_close(seen, name, span, holds)
            case "NC":
                held = f"holds {size(seen.now)}" if holds else "is empty"
                return f"the window {span} of {name} {held}"
            case _:
                return self._content_change(seen, name, span, holds)

    def _window_close(self, seen: report.Seen, name: str, span: str, holds: bool) -> str:
        t = self.moment.t
        assert seen.now.instance is not None
        closes, slide = seen.now.instance.closes, seen.window.slide
        if self.evidence.dials.window == "last-closed":
            if holds:
                return f"{span} of {name} is the last window closed before {t}, and new there"
            return f"{span} of {name}, the last window closed before {t}, was so at {t - 1} already"
        if holds:
            return f"the window {span} of {name} closes at {t}"
        earlier = closes - slide
        first = seen.t0 is not None and earlier < seen.t0 + seen.window.width
        where = (
            f"the first closes at {closes}" if first else f"they close at {earlier} and {closes}"
        )
        return f"no window of {name} closes at {t}, {where}"

    def _content_change(self, seen: report.Seen, name: str, span: str, holds: bool) -> str:
        came = sorted(set(seen.now.elements) - set(seen.before.elements))
        gone = sorted(set(seen.before.elements) - set(seen.now.elements))
        notation = self.evidence.notation
        if holds and came:
            verb = "is" if len(came) == 1 else "are"
            return f"{notation.elements(came)} {verb} new in {span} of {name}"
        if holds:
            return f"{notation.elements(gone)} left {name}, whose window is {span}"
        if gone:
            return f"nothing is new in {span} of {name} (what leaves does not count)"
        return f"{span} of {name} holds what {name} held before"
