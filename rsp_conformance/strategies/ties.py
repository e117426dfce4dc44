"""Cases for engines that may hold any of simultaneous elements in a window by count.

With ``ties = open`` a case of which an evaluation depends on that choice is not judged (decision
62), and bursts and elements of several triples make most cases so. Such elements are taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import CountWindow
from rsp_conformance.strategies.written import changed


def untied(case: Case, dials: Dials) -> Case:
    """Return a case of which no window by count can hold a part of an instant's elements.

    Of an instant that could be cut the first element stays, or its first triple if triples are
    counted. So the case has its instants, and elements that no end of a window comes between.

    Args:
        case: the case.
        dials: its setting. Unless ``ties`` is ``open`` the case comes back as it is.
    """
    if dials.ties != "open":
        return case
    windows = [w for w in case.query.resolved_windows(dials) if isinstance(w, CountWindow)]
    elements = case.elements
    while (cut := _cut(elements, windows, dials)) is not None:
        elements = tuple(_alone(elements, *cut))
    return case if elements is case.elements else changed(case, elements=elements)


def _alone(
    elements: Sequence[StreamElement], window: CountWindow, t: int
) -> Iterator[StreamElement]:
    """The elements, of those of an instant on the stream of a window the first unit alone."""
    seen = False
    for own in elements:
        if own.stream != window.stream or own.t != t:
            yield own
        elif not seen:
            seen = True
            yield replace(own, graph=own.graph[:1]) if window.unit == "triples" else own


def _cut(
    elements: Sequence[StreamElement], windows: Sequence[CountWindow], dials: Dials
) -> tuple[CountWindow, int] | None:
    """A window and the first instant that it may cut, or None."""
    for window in windows:
        arrived = [own for own in elements if own.stream == window.stream]
        units = [
            (own.t, own.name, unit, scope)
            for place, own in enumerate(arrived)
            for scope in [place if _has_own_nodes(own, dials) else None]
            for unit in (own.graph if window.unit == "triples" else [frozenset(own.graph)])
        ]
        before = 0
        for t, group in groupby(units, key=lambda unit: unit[0]):
            at_once = [*group]
            after = before + len(at_once)
            if len(set(at_once)) > 1 and _ends_within(window, before, after, len(units), dials):
                return window, t
            before = after
    return None


def _has_own_nodes(element: StreamElement, dials: Dials) -> bool:
    """Whether an element has blank nodes that may be those of no other element."""
    if dials.blank_nodes == "case":
        return False
    return any(isinstance(own, BlankNode) for own in within(element))


def _ends_within(window: CountWindow, before: int, after: int, total: int, dials: Dials) -> bool:
    """Whether an end of an instance that may be in view lies between units of one instant.

    Args:
        window: the window.
        before: how many units come before the instant.
        after: how many units have come with it.
        total: how many units come at all.
        dials: the setting, whose dials ``n0`` and ``window`` decide.
    """
    slide, width = window.slide, window.width
    # Instances open at n0 + i · step, the first one at `first` at the latest. One that opens after
    # `last` is not in view when the last unit comes.
    step, first, start = slide, 0, 0
    if dials.n0 == "any":
        step, first = 1, slide - 1
    else:
        start = first = slide - width if dials.n0 == "fill" else dials.n0
    last = max(first, total - width + slide - 1)
    opens, closes = (
        max(edge, before + 1 + (edge - before - 1) % step) for edge in (start, start + width)
    )
    return opens < min(after, last + 1) or (dials.window != "active" and closes < after)
