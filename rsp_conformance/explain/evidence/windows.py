"""What windows are at an instant, and where elements lie relative to them."""

from __future__ import annotations

from rsp_conformance.explain.argument import Placement, Undefined, WindowAt, WindowsAt
from rsp_conformance.explain.setting import Setting
from rsp_conformance.spec.content import Content, Moment
from rsp_conformance.spec.trace import TraceStep


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
    windows = []
    for position, content in enumerate(step.contents):
        why = undefined(setting, position, step.t) if content.instance is None else None
        windows.append(WindowAt(position, step.t, content, why, point))
    return WindowsAt(step.t, tuple(windows))


def placement(
    setting: Setting, index: int, position: int, moment: Moment, content: Content
) -> Placement:
    """Where element INDEX lies relative to the window at POSITION, which holds CONTENT."""
    element, bounds = setting.case.elements[index], setting.dials.bounds
    t, instance = element.t, content.instance

    if element.stream != setting.windows[position].stream:
        return Placement(index, position, moment.t, "other stream")
    if instance is None:
        why = undefined(setting, position, moment.t)
        return Placement(index, position, moment.t, "undefined", None, why)
    if t > moment.t:
        return Placement(index, position, moment.t, "to come", instance)
    if t < instance.opens:
        return Placement(index, position, moment.t, "before", instance)
    if t > instance.closes:
        return Placement(index, position, moment.t, "after", instance)
    if not instance.holds(t, bounds):
        return Placement(index, position, moment.t, "end left out", instance)
    if index >= moment.arrived:
        return Placement(index, position, moment.t, "not pushed", instance)
    if t in instance:
        return Placement(index, position, moment.t, "end counted in", instance)
    return Placement(index, position, moment.t, "inside", instance)
