"""Which window is evaluated, and what it holds (SEMANTICS 2 and 7)."""

from __future__ import annotations

from itertools import product

import pytest

from rsp_conformance.model.dials import BOUNDS
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.content import Moment, arrivals, content
from rsp_conformance.spec.windows import (
    Instance,
    active,
    instance,
    last_closed,
    last_closed_inclusive,
)
from tests.builders.cases import dials, element

STREAM = IRI("http://ex.org/s")


def within(t: int, instance: Instance, bounds: str) -> bool:
    after = t > instance.opens or (t == instance.opens and bounds.startswith("["))
    before = t < instance.closes or (t == instance.closes and bounds.endswith("]"))
    return after and before


def sliding(width: int, slide: int) -> SlidingWindow:
    return SlidingWindow(IRI("http://ex.org/w"), STREAM, width, slide)


def test_active_is_what_its_definition_says_for_every_small_window() -> None:
    for width in range(1, 7):
        for slide in range(1, 7):
            window = sliding(width, slide)
            for t0 in range(-3, 4):
                for t in range(-5, 20):
                    candidates = [instance(window, t0, i) for i in range(40)]
                    open_now = [c for c in candidates if c.opens < t <= c.closes]
                    assert active(window, t0, t) == (min(open_now) if open_now else None)
                    closed = [c for c in candidates if c.closes < t]
                    assert last_closed(window, t0, t) == (max(closed) if closed else None)
                    by_now = [c for c in candidates if c.closes <= t]
                    latest = max(by_now) if by_now else None
                    assert last_closed_inclusive(window, t0, t) == latest


@pytest.mark.parametrize(("width", "slide"), list(product(range(1, 6), repeat=2)))
def test_the_window_function_of_the_community_group(width: int, slide: int) -> None:
    """Semantics.md, time-based window functions: t'-l < t1 ≤ t', t' = ⌊t/d⌋·d."""
    window = sliding(width, slide)
    stream = [element(t, f"e{t}", "p", "o") for t in range(1, 25)]
    own = arrivals(STREAM, stream)
    t0 = slide - width  # Where `first-aligned-close` starts it: the first close is at the slide.
    for t in range(slide, 25):
        pivot = t // slide * slide
        due = [n for n in range(1, 25) if pivot - width < n <= pivot]
        seen = content(window, t0, Moment(t, t), own, dials(window="last-closed-inclusive"))
        assert [stream[position].t for position in seen.elements] == due, t


def test_a_content_is_what_its_definition_says_for_every_small_window() -> None:
    """{d | (d, t_d) ∈ S, t_d within bounds, t_d ≤ t} of what has arrived, element by element."""
    elements = (
        element(1, "a", "p", "b"),
        element(1, "b", "p", "c", stream="r"),
        element(1, "c", "p", "d"),
        element(3, "d", "p", "e"),
        element(4, "e", "p", "f", stream="r"),
        element(4, "f", "p", "g"),
        element(6, "g", "p", "h"),
    )
    stream = arrivals(STREAM, elements)
    for width, slide, t0, t, bounds in product((1, 3), (1, 2, 4), (-1, 1), range(9), BOUNDS):
        for arrived in range(len(elements) + 1):
            held = content(
                sliding(width, slide), t0, Moment(t, arrived), stream, dials(bounds=bounds)
            )
            expected = (
                ()
                if held.instance is None
                else tuple(
                    index
                    for index, e in enumerate(elements[:arrived])
                    if e.stream == STREAM and e.t <= t and within(e.t, held.instance, bounds)
                )
            )
            assert held.elements == expected
