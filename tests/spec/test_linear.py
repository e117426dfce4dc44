"""The specification's work grows as the stream does, not as its square."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import answer
from tests.builders.cases import dials, element, nearby_query, window

WIDTH = 10


def work(run: Callable[[], object]) -> int:
    """How many instructions of Python RUN executes, in whatever function."""
    instructions = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal instructions
        frame.f_trace_opcodes = True
        instructions += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return instructions


def stream(size: int) -> Case:
    """One element an instant, no two alike, under a window that holds ten."""
    return Case(
        nearby_query(window("w", WIDTH, WIDTH), operator=StreamOperator.RSTREAM),
        tuple(element(n, f"p{n}", "near", "a") for n in range(size)),
        until=size + WIDTH,
    )


def ratio(measure: Callable[[int], int], small: int = 150) -> float:
    """What four times as many elements cost more; the fixed cost is taken away."""
    fixed = measure(0)
    return (measure(4 * small) - fixed) / (measure(small) - fixed)


@pytest.mark.parametrize("report", ["WC", "WC & NC", "CC", "NC | P(3)"])
def test_the_answer_of_a_stream_four_times_as_long_costs_four_times_as_much(report: str) -> None:
    def measure(size: int) -> int:
        case = stream(size)
        return work(lambda: answer(case, dials(report=report), (0,)))

    assert 3.5 < ratio(measure) < 4.5


@pytest.mark.parametrize("answer_time", ["evaluation", "arrival", "none"])
def test_so_does_its_judgement(answer_time: str) -> None:
    setting = dials(report="CC", answer_time=answer_time, t0="0")

    def measure(size: int) -> int:
        case = stream(size)
        due = answer(case, setting, (0,))
        given = [Observed(None if answer_time == "none" else e.t, e.content) for e in due]
        return work(lambda: judge(case, setting, given))

    assert 3.5 < ratio(measure) < 4.5
