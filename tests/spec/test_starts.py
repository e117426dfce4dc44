"""T⁰, Z and t_s (RSP-QL Definition 26; SEMANTICS 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.spec.starts import rspql_queries, t_s
from tests.builders.cases import S_NEARBY, dials, nearby_case, nearby_query, window


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
        ("first-aligned-close", -3, 1),
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


def test_without_elements_a_first_element_window_is_never_defined() -> None:
    case = replace(nearby_case(5, 2), elements=())
    assert list(rspql_queries(case, dials(t0="first-element"))) == [(None,)]
    assert t_s(case, dials(t0="first-element")) == 0
    assert S_NEARBY
