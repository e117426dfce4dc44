"""Which window is evaluated, and what it holds (SEMANTICS 2 and 7)."""

from __future__ import annotations

from itertools import product

import pytest

from rsp_conformance.model.dials import BOUNDS
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.content import Moment, WindowContent, arrivals, content
from rsp_conformance.spec.windows import (
    Instance,
    active,
    instance,
    last_closed,
    last_closed_inclusive,
)
from tests.builders.cases import S_NEARBY, dials, element

STREAM = IRI("http://ex.org/s")


def nearby(window: SlidingWindow, t0: int, t: int, bounds: str = "(o,c]") -> WindowContent:
    """What WINDOW holds of the papers' S_nearby at T, all elements up to T having arrived."""
    arrived = sum(element.t <= t for element in S_NEARBY)
    stream = arrivals(window.stream, S_NEARBY)
    return content(window, t0, Moment(t, arrived), stream, dials(bounds=bounds))


def within(t: int, instance: Instance, bounds: str) -> bool:
    after = t > instance.opens or (t == instance.opens and bounds.startswith("["))
    before = t < instance.closes or (t == instance.closes and bounds.endswith("]"))
    return after and before


def sliding(width: int, slide: int) -> SlidingWindow:
    return SlidingWindow(IRI("http://ex.org/w"), STREAM, width, slide)


def test_the_earliest_opened_of_several_open_windows_is_active() -> None:
    assert active(sliding(5, 2), 1, 9) == Instance(5, 10)
    assert active(sliding(5, 2), 1, 10) == Instance(5, 10)
    assert active(sliding(5, 2), 1, 11) == Instance(7, 12)


@pytest.mark.parametrize("t", [-1, 0, 1])
def test_no_window_is_active_up_to_t0(t: int) -> None:
    assert active(sliding(5, 2), 1, t) is None


def test_in_a_gap_no_window_is_active() -> None:
    window = sliding(2, 5)
    assert [t for t in range(0, 13) if active(window, 0, t)] == [1, 2, 6, 7, 11, 12]


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


def test_last_closed_is_strictly_before_the_instant() -> None:
    """RSP-QL* Definition 15 with (10, 10, 0)."""
    window = sliding(10, 10)
    assert all(last_closed(window, 0, t) is None for t in range(11))
    assert last_closed(window, 0, 11) == Instance(0, 10)
    assert last_closed(window, 0, 20) == Instance(0, 10)
    assert last_closed(window, 0, 21) == Instance(10, 20)


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


@pytest.mark.parametrize(("bounds", "counts"), [("(o,c)", [2, 3, 1]), ("(o,c]", [3, 3, 2])])
def test_example_11_first_windows(bounds: str, counts: list[int]) -> None:
    """RSP-QL Example 11 as printed with open bounds, and as the definitions have it."""
    found = []
    for t0 in (0, 1, 2):
        held = nearby(sliding(5, 5), t0, t0 + 5, bounds=bounds)
        found.append(len(held.elements))
    assert found == counts


def test_theorem_1_holds_only_after_the_later_start() -> None:
    """(5,2,1) and (5,2,3) differ at 4 and coincide when t > t0'' + max(0, α − β)."""
    window = sliding(5, 2)
    assert active(window, 1, 4) == Instance(1, 6)
    assert active(window, 3, 4) == Instance(3, 8)
    for t in range(3 + 3 + 1, 40):
        assert active(window, 1, t) == active(window, 3, t)
    early, late = nearby(window, 1, 4), nearby(window, 3, 4)
    assert (len(early.elements), len(late.elements)) == (2, 0)


def test_secret_closed_windows() -> None:
    """CSRBench Figure 4: (3,2,1) with [o,c)."""
    closed = [instance(sliding(3, 2), 1, i) for i in range(3)]
    assert [c.text("[o,c)") for c in closed] == ["[1,4)", "[3,6)", "[5,8)"]
    assert [c.text("[o,c)") for c in closed if c.closes <= 6] == ["[1,4)", "[3,6)"]


def test_an_element_at_the_close_of_a_half_open_window_shows_one_instant_later() -> None:
    window = sliding(2, 2)
    held_at = [t for t in range(1, 8) if 2 in nearby(window, 1, t, bounds="[o,c)").elements]
    assert held_at == [6, 7]


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
