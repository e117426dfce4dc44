"""What windows are at an instant, where elements lie, and why the report policy holds or does not.

The policy is that of RSP-QL Definition 23.
"""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.explain.argument import (
    Evaluated,
    Lies,
    OnEnd,
    Placement,
    Reason,
    Undefined,
    WindowsAt,
)
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy
from rsp_conformance.spec.content import Content, Moment
from rsp_conformance.spec.reporting import TestPoint
from rsp_conformance.spec.trace import TraceStep
from rsp_conformance.spec.windows import Instance


def undefined(setting: Setting, position: int, t: int) -> Undefined:
    """Why the window at POSITION, which is undefined at T, is."""
    window, t0 = setting.windows[position], setting.starts[position]
    if t0 is None:
        return Undefined(position, t, "never starts")
    if setting.dials.window == "last-closed":
        return Undefined(position, t, "not closed", (t0 + window.width,))
    if t <= t0:
        return Undefined(position, t, "not open", (t0,))
    opens = t0 + (t - t0 - 1) // window.slide * window.slide
    return Undefined(position, t, "gap", (opens + window.width, opens + window.slide))


def windows_at(setting: Setting, step: TraceStep) -> WindowsAt:
    """What every window is at STEP."""
    moments = [found for found, _ in setting.moments_at(step.t)]
    point = None
    if len(moments) > 1 and step.moment in moments:
        point = moments.index(step.moment) + 1, len(moments)
    windows = (
        undefined(setting, position, step.t) if content.instance is None else content
        for position, content in enumerate(step.contents)
    )
    return WindowsAt(step.t, tuple(windows), point)


def placement(
    setting: Setting, index: int, position: int, moment: Moment, content: Content
) -> Placement:
    """Where element INDEX lies relative to the window at POSITION, which holds CONTENT."""
    instance = content.instance
    why = undefined(setting, position, moment.t) if instance is None else None
    found = _lies(setting, index, position, moment, instance)
    return Placement(index, position, moment.t, found, instance, why)


def _lies(
    setting: Setting, index: int, position: int, moment: Moment, instance: Instance | None
) -> Lies | OnEnd:
    element = setting.case.elements[index]
    if element.stream != setting.windows[position].stream:
        return "other stream"
    if instance is None:
        return "undefined"
    if element.t > moment.t:
        return "to come"
    if element.t < instance.opens:
        return "before"
    if element.t > instance.closes:
        return "after"
    if not instance.holds(element.t, setting.dials.bounds):
        return "end left out"
    if index >= moment.arrived:
        return "not pushed"
    return "end counted in" if element.t in instance else "inside"


def evaluated(setting: Setting, step: TraceStep) -> Evaluated:
    """Why the query is evaluated at STEP."""
    for moment, preceding in setting.moments_at(step.t):
        if moment == step.moment:
            return Evaluated(step.t, True, _reasons(setting, moment, preceding))
    return Evaluated(step.t, True, ())


def not_evaluated(setting: Setting, t: int) -> list[Evaluated]:
    """Why the query is not evaluated at T; nothing where it is."""
    if any(step.t == t for step in setting.steps):
        return []
    found = (_reasons(setting, *moments) for moments in setting.moments_at(t))
    decided = [own for own in found if own]
    return [Evaluated(t, False, decided[-1] if decided else ())]


def _reasons(setting: Setting, moment: Moment, preceding: Moment | None) -> tuple[Reason, ...]:
    """The strategies that decide whether the query is evaluated at MOMENT."""
    reporter = setting.reporter
    point = TestPoint(moment, reporter.contents(moment), reporter.contents(preceding))
    policy, windows = reporter.policy, range(len(reporter.windows))
    if reporter.whole:
        return tuple(_deciding(setting, policy, point, None))
    verdicts = [reporter.holds(policy, point, at) for at in windows]
    match setting.dials.report_windows:
        case "first":
            chosen = list(windows[:1])
        case "all":
            chosen = [at for at in windows if not verdicts[at]][:1] or list(windows)
        case _:
            chosen = [at for at in windows if verdicts[at]][:1] or list(windows)
    found = (reason for at in chosen for reason in _deciding(setting, policy, point, at))
    return tuple(dict.fromkeys(found))


def _deciding(
    setting: Setting, policy: Policy, point: TestPoint, at: int | None
) -> Iterator[Reason]:
    """The strategies that make POLICY hold, or fail."""
    reporter = setting.reporter
    match policy:
        case And(left, right) | Or(left, right):
            value = reporter.holds(policy, point, at)
            sides = [s for s in (left, right) if reporter.holds(s, point, at) == value]
            # One side is enough for a disjunction to hold and for a conjunction to fail.
            for side in sides[:1] if isinstance(policy, Or) == value else sides:
                yield from _deciding(setting, side, point, at)
        case Not(operand):
            yield from _deciding(setting, operand, point, at)
        case Strategy():
            value, t = reporter.holds(policy, point, at), point.moment.t
            if policy.kind == "COMPUTED EVERY":
                yield Reason(policy, value, t, setting.case.registered)
                return
            position = reporter.position(policy, at)
            now, before = point.now[position], point.before[position]
            why = undefined(setting, position, t) if now.instance is None else None
            start = setting.starts[position]
            yield Reason(policy, value, t, start, position, now, before, why)
