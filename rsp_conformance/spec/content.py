"""The elements that a window holds at a moment (RSP-QL Definitions 11 and 12; SEMANTICS 2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.windows import Instance, evaluated


class Moment(NamedTuple):
    """A point at which the report policy is tested.

    ``arrived`` counts the elements of the input that have arrived by then. Under tick ``time`` an
    instant has one moment; under ``tuple`` it may have several (SEMANTICS 3).
    """

    t: int
    arrived: int


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

    A window without an ``instance`` (None) is undefined and holds nothing.
    """

    instance: Instance | None
    elements: tuple[int, ...]


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
    window: SlidingWindow,
    t0: int | None,
    moment: Moment,
    stream: Arrivals,
    dials: Dials,
) -> WindowContent:
    """The elements of a window at a moment, as positions in the input.

    They are {d | (d, t_d) ∈ S, t_d within the instance, t_d ≤ t}. S is ordered, so they are
    consecutive in S, and binary searches find the first and the last. The cost is the number of
    elements found plus the logarithm of the length of S.

    Args:
        window: The window with its width and slide.
        t0: Its start; None if it is never defined.
        moment: The moment of the evaluation.
        stream: The elements of the stream that the window is on.
        dials: The semantics of the engine.
    """
    chosen = evaluated(window, t0, moment.t, dials)
    if chosen is None:
        return UNDEFINED
    first, last = chosen.span(dials.bounds)
    start = bisect_left(stream.instants, first)
    in_time = bisect_right(stream.instants, min(last, moment.t))
    arrived = bisect_left(stream.positions, moment.arrived)
    return WindowContent(chosen, stream.positions[start : min(in_time, arrived)])
