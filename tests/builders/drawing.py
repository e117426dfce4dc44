"""Values of strategies, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.case import Case
from rsp_conformance.model.walk import within
from rsp_conformance.strategies import cases
from rsp_conformance.strategies.cases import random_bytes

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


def draw_apart(
    strategy: SearchStrategy[Value], number: int, *, start: int | str = 1
) -> list[Value]:
    """NUMBER values that have nothing to do with each other, for shares; START determines them."""
    values: list[Value] = []

    @settings(database=None)
    @given(strategy)
    def collect(value: Value) -> None:
        values.append(value)

    for data in random_bytes(start, number):
        with suppress(LimitExceeded):
            collect.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
    return values


@cache
def _hundred(focus: str, number: int) -> list[Case]:
    return draw_apart(cases(focus=focus), 100, start=f"{focus} {number}" if number else 11)


def drawn(focus: str, hundreds: int = 1) -> list[Case]:
    """Cases of a focus, under the plain dials and with all features; the same for all who ask."""
    return [case for number in range(hundreds) for case in _hundred(focus, number)]


def parts_of(case: Case, *kinds: type) -> Iterator[Any]:
    """The parts of a case's query that are of these kinds."""
    return (part for part in within(case.query) if isinstance(part, kinds))


def missing(
    wanted: Set[Value], met: Callable[[Case], Iterable[Value]], foci: Iterable[str], hundreds: int
) -> set[Value]:
    """What of WANTED is not MET in so many hundred cases of each focus.

    No more of them are drawn than it takes to meet all.
    """
    left, foci = {*wanted}, [*foci]
    for number in range(hundreds):
        for focus in foci:
            for case in _hundred(focus, number):
                left.difference_update(met(case))
                if not left:
                    return left
    return left
