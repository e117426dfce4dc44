"""The facts about windows: their content, the place of elements, and why the report policy holds.

The policy is that of RSP-QL Definition 23.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rsp_conformance.explain.argument import Fact, Lies, OnEnd, Reason
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy
from rsp_conformance.model.windows import CountWindow, NowWindow, SlidingWindow, UnboundedWindow
from rsp_conformance.spec.content import Moment, WindowContent
from rsp_conformance.spec.reporting import TestPoint
from rsp_conformance.spec.trace import TraceStep
from rsp_conformance.spec.windows import CountedInstance, Instance, NowInstance


def _undefined(situation: Situation, position: int, t: int, content: WindowContent) -> Fact:
    """Why the window at a position, which has no instance in its content, is undefined at t."""
    window, t0 = situation.windows[position], situation.starts[position]
    if not isinstance(window, SlidingWindow):
        empty: Reason = "not full"
        if situation.dials.window == "active":
            empty = "between windows" if content.units else "nothing came"
        return Fact(empty, t=t, position=position)
    if t0 is None:
        return Fact("never starts", t=t, position=position)
    if situation.dials.window != "active":
        strictly = situation.dials.window == "last-closed"
        first = (t0 + window.width,)
        kind: Reason = "not closed" if strictly else "not closed yet"
        return Fact(kind, t=t, position=position, instants=first)
    seen = t - window.lag
    if seen <= t0:
        return Fact("not open", t=t, position=position, instants=(t0,))
    opens = t0 + (seen - t0 - 1) // window.slide * window.slide
    ends = opens + window.width, opens + window.slide
    return Fact("gap", t=t, position=position, instants=ends)


def windows_at(situation: Situation, step: TraceStep) -> Fact:
    """The state of every window at a step; if an instant has several test points, at which one."""
    moments = [found for found, _ in situation.moments_at(step.t)]
    number = len(moments) if len(moments) > 1 and step.moment in moments else 0
    point = moments.index(step.moment) + 1 if number else 0

    def at(position: int, content: WindowContent) -> Fact:
        if content.instance is None:
            return _undefined(situation, position, step.t, content)
        return Fact(
            "window at",
            t=step.t,
            count=point,
            before=number,
            position=position,
            instance=content.instance,
            elements=content.elements,
        )

    facts = (at(position, content) for position, content in enumerate(step.contents))
    return Fact("windows at", t=step.t, facts=tuple(facts))


def placement(
    situation: Situation, index: int, position: int, moment: Moment, content: WindowContent
) -> Fact:
    """The place of an element relative to a window.

    Args:
        situation: the case under one z.
        index: the position of the element in the input.
        position: the position of the window in the query.
        moment: the test point.
        content: the content of the window at that moment.
    """
    same_stream = situation.case.elements[index].stream == situation.windows[position].stream
    if content.instance is None and same_stream:
        return _undefined(situation, position, moment.t, content)
    kind: Lies | OnEnd = "other stream"
    if content.instance is not None and same_stream:
        seen = moment._replace(t=moment.t - situation.windows[position].lag)
        kind = _lies(situation, index, seen, content.instance)
    return Fact(kind, t=moment.t, position=position, instance=content.instance, elements=(index,))


def _lies(situation: Situation, index: int, moment: Moment, instance: Instance) -> Lies | OnEnd:
    t = situation.case.elements[index].t
    if t > moment.t:
        return "to come"
    if isinstance(instance, CountedInstance):
        if index >= moment.arrived:
            return "not pushed"
        number = situation.number(index)
        if number <= instance.opens:
            return "before"
        return "inside" if number <= instance.closes else "after"
    if t < instance.opens:
        return "before"
    if t > instance.closes:
        return "after"
    if not instance.holds(t, situation.dials.bounds):
        return "end left out"
    if index >= moment.arrived:
        return "not pushed"
    if isinstance(instance, NowInstance) and situation.dials.now != "instant":
        stream = situation.case.elements[index].stream
        later = situation.case.elements[index + 1 : moment.arrived]
        if any(element.stream == stream for element in later):
            return "not the last"
    on_end = t in instance and not isinstance(instance, NowInstance)
    return "end counted in" if on_end else "inside"


def evaluated(situation: Situation, step: TraceStep) -> Fact:
    """Why the query is evaluated at a step."""
    for moment, preceding in situation.moments_at(step.t):
        if moment == step.moment:
            return Fact("evaluated", t=step.t, facts=_reasons(situation, moment, preceding))
    return Fact("evaluated", t=step.t)


def not_evaluated(situation: Situation, t: int) -> list[Fact]:
    """Why the query is not evaluated at t; no facts if it is."""
    if any(step.t == t for step in situation.steps):
        return []
    found = (_reasons(situation, *moments) for moments in situation.moments_at(t))
    decided = [own for own in found if own]
    return [Fact("not evaluated", t=t, facts=decided[-1] if decided else ())]


def _reasons(situation: Situation, moment: Moment, preceding: Moment | None) -> tuple[Fact, ...]:
    """The strategies that decide whether the query is evaluated at a moment, and why."""
    reporter = situation.reporter
    point = TestPoint(moment, reporter.contents(moment), reporter.contents(preceding))
    policy, windows = reporter.policy, range(len(reporter.windows))
    if reporter.whole:
        return tuple(_deciding(situation, policy, point, None))
    verdicts = [reporter.holds(policy, point, at) for at in windows]
    match situation.dials.report_windows:
        case "first":
            chosen = list(windows[:1])
        case "all":
            chosen = [at for at in windows if not verdicts[at]][:1] or list(windows)
        case _:
            chosen = [at for at in windows if verdicts[at]][:1] or list(windows)
    found = (reason for at in chosen for reason in _deciding(situation, policy, point, at))
    return tuple(dict.fromkeys(found))


def _deciding(
    situation: Situation, policy: Policy, point: TestPoint, at: int | None
) -> Iterator[Fact]:
    """The strategies that make a policy hold, or fail."""
    reporter = situation.reporter
    match policy:
        case And(left, right) | Or(left, right):
            value = reporter.holds(policy, point, at)
            sides = [s for s in (left, right) if reporter.holds(s, point, at) == value]
            # One side is enough for a disjunction to hold and for a conjunction to fail.
            for side in sides[:1] if isinstance(policy, Or) == value else sides:
                yield from _deciding(situation, side, point, at)
        case Not(operand):
            yield from _deciding(situation, operand, point, at)
        case Strategy():
            holds = reporter.holds(policy, point, at)
            why = _why(situation, policy, point, at, holds=holds)
            yield replace(why, strategy=policy, holds=holds)


def _why(
    situation: Situation, strategy: Strategy, point: TestPoint, at: int | None, *, holds: bool
) -> Fact:
    """Why a strategy holds at a test point, or does not."""
    t = point.moment.t
    kind: Reason
    if strategy.kind == "COMPUTED EVERY":
        kind = "every" if holds else "not every"
        return Fact(kind, t=t, other=situation.case.registered, strategy=strategy)
    position = situation.reporter.position(strategy, at)
    now, before = point.now[position], point.before[position]
    window, t0, instance = situation.windows[position], situation.starts[position], now.instance
    if not isinstance(window, SlidingWindow) and strategy.kind == "P":
        kind = "every" if holds else "not every"
        return Fact(kind, t=t, other=situation.case.registered, strategy=strategy)
    if strategy.kind == "P" and t0 is None:
        return Fact("no period", t=t, position=position, strategy=strategy)
    if strategy.kind == "P":
        kind = "period" if holds else "not period"
        return Fact(kind, t=t, other=t0, position=position, strategy=strategy)
    if instance is None:
        return _undefined(situation, position, t, now)
    instants: tuple[int, ...] = ()
    elements = now.elements
    if strategy.kind == "NC":
        kind = "not empty" if holds else "empty"
    elif isinstance(window, CountWindow) and strategy.kind == "WC":
        kind, elements = ("filled", elements[-1:]) if holds else ("not filled", elements)
    elif isinstance(window, NowWindow | UnboundedWindow) and strategy.kind == "WC":
        kind = "closes" if holds else "never closes"
    elif isinstance(window, SlidingWindow) and strategy.kind == "WC":
        instants = instance.closes - window.slide, instance.closes
        if situation.dials.window == "last-closed-inclusive":
            instants = instance.closes, instance.closes + window.slide
        kind = "closes" if holds else "they close"
        if situation.dials.window == "last-closed":
            kind = "closed" if holds else "closed before"
        elif not holds and t0 is not None and instants[0] < t0 + window.width:
            kind, instants = "first closes", instants[1:]
    else:
        came, gone = (
            tuple(sorted({*one.elements} - {*other.elements}))
            for one, other in ((now, before), (before, now))
        )
        kind, elements = ("new in", came) if came else ("left it", gone)
        if not holds:
            kind = "nothing new" if gone else "unchanged"
    return Fact(
        kind, t=t, instants=instants, position=position, instance=instance, elements=elements
    )
