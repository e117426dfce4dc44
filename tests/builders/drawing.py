"""Values of strategies, the same ones every time."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")


def drawing(number: int) -> settings:
    """Settings that draw NUMBER examples and do nothing else."""
    return settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def draw_many(strategy: SearchStrategy[Value], number: int, *, start: int = 1) -> list[Value]:
    """NUMBER values, which START determines."""
    values: list[Value] = []

    @seed(start)
    @drawing(number)
    @given(strategy)
    def collect(value: Value) -> None:
        values.append(value)

    collect()
    return values


def draw_runs(strategy: SearchStrategy[Value], number: int, *, runs: int = 3) -> list[Value]:
    """NUMBER values of each of several RUNS, for shares: most of one run are variants of a few."""
    return [value for run in range(runs) for value in draw_many(strategy, number, start=run + 1)]
