"""T⁰, Z and t_s (RSP-QL Definition 26; SEMANTICS 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.spec.starts import rspql_queries, t_s
from tests.builders.cases import dials, element, nearby_case, nearby_query, window


def test_example_10s_windows_leave_four_queries() -> None:
    case = Case(nearby_query(window("w1", 5, 2), window("w2", 2, 2)), registered=3, until=9)
    assert list(rspql_queries(case, dials())) == [(3, 3), (3, 4), (4, 3), (4, 4)]
    assert t_s(case, dials()) == 4


@pytest.mark.parametrize(
    ("t0", "start", "since"),
    [
        ("registration", 1, 1),
        ("first-element", 2, 2),
        ("first-element-floor(4)", 0, 1),
        ("aligned-open", 0, 1),
        ("aligned-close", 1, 1),
        ("first-aligned-open", -4, 1),
        ("first-aligned-close", -3, 1),
        ("first-element-close", -1, 1),
        ("first-element-close-floor(4)", -3, 1),
        (7, 7, 7),
        (-4, -4, 1),
    ],
)
def test_a_fixed_t0_replaces_the_set(t0: object, start: int, since: int) -> None:
    case = nearby_case(5, 2, registered=1)
    assert list(rspql_queries(case, dials(t0=t0))) == [(start,)]
    assert t_s(case, dials(t0=t0)) == since


def test_aligned_starts_are_the_greatest_up_to_the_registration() -> None:
    for width in range(1, 8):
        for slide in range(1, 8):
            for a in range(9):
                case = Case(nearby_query(window("w", width, slide)), registered=a, until=a)
                ((opened,),) = rspql_queries(case, dials(t0="aligned-open"))
                assert opened == max(t for t in range(-20, a + 1) if t % slide == 0)
                ((closed,),) = rspql_queries(case, dials(t0="aligned-close"))
                assert closed == max(t for t in range(-20, a + 1) if (t + width) % slide == 0)
                ((first,),) = rspql_queries(case, dials(t0="first-aligned-close"))
                closes = min(t for t in range(a + 1, 40) if t % slide == 0)
                assert first == closes - width
                ((opened,),) = rspql_queries(case, dials(t0="first-aligned-open"))
                opens = [t for t in range(-20, 40) if t % slide == 0 and t + width >= a]
                assert opened == min(opens)


def test_a_first_element_closes_a_window_one_slide_later() -> None:
    case = Case(
        nearby_query(window("w1", 5, 2), window("w2", 2, 3, "r")),
        (element(3, "a", "p", "b", "r"), element(5, "a", "p", "b")),
        until=9,
    )
    assert list(rspql_queries(case, dials(t0="first-element-close"))) == [(5 + 2 - 5, 3 + 3 - 2)]
    any_stream = dials(t0="first-element-close-floor(2)")
    assert list(rspql_queries(case, any_stream)) == [(2 + 2 - 5, 2 + 3 - 2)]


@pytest.mark.parametrize("t0", ["first-element", "first-element-floor(3)", "first-element-close"])
def test_without_elements_a_first_element_window_is_never_defined(t0: str) -> None:
    other = element(1, "a", "p", "b", "r")
    case = replace(nearby_case(5, 2), elements=(other,))
    assert list(rspql_queries(case, dials(t0=t0))) == [(None,)]
    assert t_s(case, dials(t0=t0)) == 0
    any_stream = dials(t0="first-element-close-floor(1)")
    assert list(rspql_queries(case, any_stream)) == [(1 + 2 - 5,)]
    assert list(rspql_queries(replace(case, elements=()), any_stream)) == [(None,)]
