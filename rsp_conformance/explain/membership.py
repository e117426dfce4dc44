"""Which element lies in or out of which window, in words."""

from __future__ import annotations

from rsp_conformance.explain.evidence import Evidence
from rsp_conformance.explain.layout import counted
from rsp_conformance.spec.content import Content, Moment


def interval(evidence: Evidence, content: Content) -> str:
    """The window's instance as the papers write it, ``(5,10]``."""
    assert content.instance is not None
    return content.instance.text(evidence.dials.bounds)


def undefined(evidence: Evidence, position: int, t: int) -> str:
    """Why the window at POSITION is undefined at T, as a clause."""
    window, t0 = evidence.windows[position], evidence.starts[position]
    name = evidence.notation.iri(window.name)
    if t0 is None:
        return f"{name} never starts, since no element comes on its stream"
    if evidence.dials.window == "last-closed":
        return f"no window of {name} has closed before {t}, the first closes at {t0 + window.width}"
    if t <= t0:
        return f"no window of {name} is open at {t}, the first opens at {t0}"
    opens = t0 + (t - t0 - 1) // window.slide * window.slide
    return (
        f"{t} lies in the gap of {name} between {opens + window.width} and {opens + window.slide}"
    )


def window_at(evidence: Evidence, position: int, moment: Moment, content: Content) -> str:
    """``the window of :w (width 5, slide 2) evaluated at 10 is (5,10] and holds …``."""
    window = evidence.windows[position]
    if content.instance is None:
        return f"{undefined(evidence, position, moment.t)}, so it holds nothing"
    name = evidence.notation.iri(window.name)
    held = "nothing"
    if content.elements:
        held = evidence.notation.elements(content.elements)
    return (
        f"the window of {name} (width {window.width}, slide {window.slide}) evaluated at "
        f"{point(evidence, moment)} is {interval(evidence, content)} and holds {held}"
    )


def point(evidence: Evidence, moment: Moment) -> str:
    """A test point: its instant, and which one of the instant's it is where there are several."""
    moments = [found for found, _ in evidence.moments_at(moment.t)]
    if len(moments) < 2 or moment not in moments:
        return str(moment.t)
    return f"{moment.t} (test point {moments.index(moment) + 1} of {len(moments)})"


def where(evidence: Evidence, index: int, position: int, moment: Moment, content: Content) -> str:
    """Where element INDEX lies relative to the window at POSITION, as a clause."""
    element = evidence.case.elements[index]
    window = evidence.windows[position]
    t, name = element.t, evidence.notation.iri(window.name)
    if element.stream != window.stream:
        own, read = (evidence.notation.iri(s) for s in (element.stream, window.stream))
        return f"it comes on {own}, while {name} reads {read}"
    if content.instance is None:
        return undefined(evidence, position, moment.t)
    span = interval(evidence, content)
    opens, closes = content.instance
    bounds = evidence.dials.bounds
    if t > moment.t:
        return f"at {moment.t} it has not come yet"
    if t < opens:
        return f"{t} is before {span} opens"
    if t > closes:
        return f"{t} is after {span} closes"
    if not content.instance.holds(t, bounds):
        end = "opening" if t == opens else "closing"
        return f"{t} is the {end} end of {span}, which bounds {bounds} leave out"
    if index >= moment.arrived:
        return f"at that test point the element of {t} has not been pushed yet"
    if t in (opens, closes):
        end = "opening" if t == opens else "closing"
        return f"{t} is the {end} end of {span}, which bounds {bounds} count in"
    return f"{t} lies inside {span}"


def size(content: Content) -> str:
    """How much a window holds."""
    return counted(len(content.elements), "element")
