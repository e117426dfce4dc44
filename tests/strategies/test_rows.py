"""Rows of an exact number shrink to fewer once fewer are asked for."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from rsp_conformance.strategies.draws import pick, rows
from tests.builders.drawing import draw_many


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


def test_what_a_seed_draws_does_not_depend_on_the_modules_that_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis prefers numbers that it reads in the source of loaded modules."""

    @st.composite
    def drawn(draw: st.DrawFn) -> list[tuple[int, ...]]:
        return rows(draw, 32, 8, least=8, most=8)

    before = draw_many(drawn(), 100)
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = {list(range(100, 256))}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("full_of_numbers")
    assert draw_many(drawn(), 100) == before
