"""Fixtures of the strategies' tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st


@pytest.fixture
def draw_many() -> Callable[..., list[Any]]:
    """A function of a strategy and a number: that many values, the same ones every time."""

    def draw(strategy: st.SearchStrategy[Any], number: int, *, start: int = 1) -> list[Any]:
        values: list[Any] = []

        @seed(start)
        @settings(
            max_examples=number,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def collect(value: Any) -> None:
            values.append(value)

        collect()
        return values

    return draw
