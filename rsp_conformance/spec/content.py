"""The elements that a window holds at a moment (RSP-QL Definitions 11 and 12; SEMANTICS 2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import AnyWindow, CountWindow, NowWindow, UnboundedWindow
from rsp_conformance.spec.windows import (
    CountedInstance,
    Instance,
    NowInstance,
    evaluated,
    evaluated_by_count,
)


class Moment(NamedTuple):
    """A point at which the report policy is tested.

    ``arrived`` counts the elements of the input that have arrived by then. Under tick ``time`` an
    instant has one moment; under ``tuple`` it may have several (SEMANTICS 3), and ``last`` is the
    last of them.
    """

    t: int
    arrived: int
    last: bool = True


class Arrivals(NamedTuple):
    """The elements of one stream S: their positions in the input and their instants, ascending."""

    positions: tuple[int, ...]
    instants: tuple[int, ...]


def arrivals(stream: IRI, elements: Sequence[StreamElement]) -> Arrivals:
    """The elements of one stream among those of the input."""
    own = [index for index, element in enumerate(elements) if element.stream == stream]
    return Arrivals(tuple(own), tuple(elements[index].t for index in own))


class WindowContent(NamedTuple):
    """A window's instance and the positions of its elements in the input, ascending.

    A window without an ``instance`` (None) is undefined and holds nothing. ``units`` says of a
    window by count how many units of its stream have come.
    """

    instance: Instance | None
    elements: tuple[int, ...]
    units: int = 0


UNDEFINED = WindowContent(None, ())
"""The content of a window that is undefined."""


def in_both(
    now: Sequence[WindowContent], before: Sequence[WindowContent]
) -> tuple[WindowContent, ...]:
    """The contents `now`, window by window, without the elements that `before` lacks."""
    return tuple(
        WindowContent(new.instance, tuple(sorted({*new.elements} & {*old.elements})))
        for new, old in zip(now, before, strict=True)
    )


def content(
    window: AnyWindow,
    t0: int | None,
    moment: Moment,
    stream: Arrivals,
    dials: Dials,
) -> WindowContent:
    """The elements of a window at a moment, as positions in the input.

    Of a window by time they are {d | (d, t_d) ∈ S, t_d within the instance, t_d ≤ t}. S is ordered,
    so they are consecutive in S, and binary searches find the first and the last. The cost is the
    number of elements found plus the logarithm of the length of S. A window with a lag δ holds at t
    what it would hold at t − δ.

    Args:
        window: The window with its width and slide.
        t0: Its start; None if it is never defined. The n0 of a window by count.
        moment: The moment of the evaluation.
        stream: The elements of the stream that the window is on.
        dials: The semantics of the engine.
    """
    match window:
        case CountWindow():
            assert t0 is not None
            return counted_content(window, t0, moment, stream, dials)
        case NowWindow():
            return now_content(moment, stream, dials)
        case UnboundedWindow():
            return unbounded_content(moment, stream)
    chosen = evaluated(window, t0, moment.t, dials)
    if chosen is None:
        return UNDEFINED
    first, last = chosen.span(dials.bounds)
    start = bisect_left(stream.instants, first)
    in_time = bisect_right(stream.instants, min(last, moment.t - window.lag))
    arrived = bisect_left(stream.positions, moment.arrived)
    return WindowContent(chosen, stream.positions[start : min(in_time, arrived)])


def counted_content(
    window: CountWindow, n0: int, moment: Moment, stream: Arrivals, dials: Dials
) -> WindowContent:
    """The units of a window by count at a moment, as positions in the input.

    They are the units j with o < j ≤ min(c, n) of the stream, counted from 1, if n have come. So
    they are those that are there, before there are as many as the window is wide.

    Args:
        window: The window with its width and slide in units.
        n0: The number of units after which its first instance opens.
        moment: The moment of the evaluation.
        stream: The units of the stream that the window is on.
        dials: The semantics of the engine.
    """
    n = bisect_left(stream.positions, moment.arrived)
    chosen = evaluated_by_count(window, n0, n, dials)
    if chosen is None:
        return WindowContent(None, (), n)
    held = stream.positions[max(0, chosen.opens) : min(chosen.closes, n)]
    return WindowContent(chosen, held, n)


def cuts_an_instant(
    held: WindowContent, moment: Moment, stream: Arrivals, elements: Sequence[StreamElement]
) -> bool:
    """Whether a window by count holds some of the units of an instant and others not.

    That is so if of two neighbouring units of one instant exactly one is held: the first of the
    content and the unit before it, or the last and the one after it. Units that have not arrived
    do not count, and among units that are all equal nobody can tell which are held.

    Args:
        held: The content of the window.
        moment: The moment of the evaluation.
        stream: The units of the stream that the window is on.
        elements: The input, in which a unit is an element.
    """
    if not held.elements:
        return False
    n = bisect_left(stream.positions, moment.arrived)
    first = bisect_left(stream.positions, held.elements[0])
    for after in (first, first + len(held.elements)):
        if not 0 < after < n or stream.instants[after - 1] != stream.instants[after]:
            continue
        at_once = [
            elements[position]
            for position, t in zip(stream.positions[:n], stream.instants[:n], strict=True)
            if t == stream.instants[after]
        ]
        if len({(frozenset(unit.graph), unit.name) for unit in at_once}) > 1:
            return True
    return False


def now_content(moment: Moment, stream: Arrivals, dials: Dials) -> WindowContent:
    """The content of NOW: the elements of the moment's instant that have arrived (CQL, LARS).

    It is that of the window [t, t], and is defined at every instant. By the dial ``now`` it holds
    the one of them that came last, or the element that came last until the next one comes.

    Args:
        moment: The moment of the evaluation.
        stream: The elements of the stream that the window is on.
        dials: The semantics of the engine.
    """
    t, arrived = moment.t, bisect_left(stream.positions, moment.arrived)
    if dials.now == "last" and arrived:
        t = stream.instants[arrived - 1]
    first = bisect_left(stream.instants, t)
    if dials.now != "instant":
        first = max(first, arrived - 1)
    return WindowContent(NowInstance(t, t), stream.positions[first:arrived])


def unbounded_content(moment: Moment, stream: Arrivals) -> WindowContent:
    """The content of RANGE UNBOUNDED: all elements that have arrived (CQL, LARS).

    Args:
        moment: The moment of the evaluation.
        stream: The elements of the stream that the window is on.
    """
    n = bisect_left(stream.positions, moment.arrived)
    return WindowContent(CountedInstance(0, n), stream.positions[:n], n)
