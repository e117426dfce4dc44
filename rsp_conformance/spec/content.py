"""What a window holds at a moment (RSP-QL Definitions 11 and 12; SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.windows import Instance, evaluated


class Moment(NamedTuple):
    """A point at which the report policy is tested.

    ``arrived`` counts the elements of the input that have come in by then. Under tick ``time`` an
    instant has one moment; under ``tuple`` it may have several (SEMANTICS 3).
    """

    t: int
    arrived: int


class Content(NamedTuple):
    """A window's instance and the positions of its elements in the input, ascending.

    ``instance`` None is an undefined window; it holds nothing.
    """

    instance: Instance | None
    elements: tuple[int, ...]


UNDEFINED = Content(None, ())


def content(
    window: SlidingWindow,
    t0: int | None,
    moment: Moment,
    elements: Sequence[StreamElement],
    dials: Dials,
) -> Content:
    """{d | (d, t_d) ∈ S, t_d within the instance, t_d ≤ t}, as positions in the input."""
    chosen = evaluated(window, t0, moment.t, dials)
    if chosen is None:
        return UNDEFINED
    held = tuple(
        index
        for index in range(moment.arrived)
        if elements[index].stream == window.stream
        and elements[index].t <= moment.t
        and chosen.holds(elements[index].t, dials.bounds)
    )
    return Content(chosen, held)
