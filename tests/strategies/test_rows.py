"""Rows of an exact number shrink to fewer once fewer are asked for."""

from __future__ import annotations

from hypothesis import find, settings
from hypothesis import strategies as st

from rsp_conformance.strategies.draws import pick, rows


@st.composite
def some_rows(draw: st.DrawFn) -> list[tuple[int, ...]]:
    return rows(draw, 6, 24, least=pick(draw, (0, 8)), most=8)


@st.composite
def eight_rows(draw: st.DrawFn) -> list[tuple[int, ...]]:
    return rows(draw, 6, least=8, most=8)


def test_rows_that_were_to_be_eight_go_one_by_one() -> None:
    settled = settings(max_examples=500, database=None, derandomize=True, deadline=None)
    shortest = find(
        some_rows(), lambda found: any(second > 20 for _, second in found), settings=settled
    )
    assert shortest == [(0, 21)]


def test_an_exact_number_is_kept() -> None:
    exact = find(eight_rows(), lambda _: True, settings=settings(database=None))
    assert len(exact) == 8
