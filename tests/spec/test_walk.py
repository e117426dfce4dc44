"""Only instants are walked at which the query may be evaluated, and none of these is left out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from random import Random
from types import FrameType
from typing import Any

import pytest

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec import reporting
from rsp_conformance.spec.content import Moment
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.reporting import Reporter, moments
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation, answer
from rsp_conformance.spec.units import in_units
from rsp_conformance.spec.walk import FAR, Walk
from tests.builders.cases import dials, element, nearby_query, window
from tools.judges.plain import random_case

EPOCH = 1_700_000_000_000
"""An instant in milliseconds since 1970."""


def every_instant(case: Case, setting: Dials, starts: Vector) -> list[Moment]:
    """ET as Definition 23 has it: the policy is asked at every instant, after the one before."""
    reporter = Reporter(case, setting, starts)
    before, found = reporter.contents(None), []
    instants = range(reporter.walk.first, case.until + 1)
    for moment in moments(case, reporter.policy, setting, instants):
        point = reporting.TestPoint(moment, reporter.contents(moment), before)
        if reporter.reports(point):
            found.append(moment)
        before = point.now
    return found


def test_the_walk_meets_every_evaluation() -> None:
    met = 0
    for seed in range(500):
        case, setting = random_case(Random(seed))
        case = in_units(case)
        try:
            for starts in islice(rspql_queries(case, setting), 4):
                walked = [p.moment for p in Reporter(case, setting, starts).evaluations()]
                assert walked == every_instant(case, setting, starts), (case, setting, starts)
                met += len(walked)
        except (Unsupported, ValueError):  # a policy for another query, or for no window
            continue
    assert met > 2_000


@pytest.mark.parametrize("report", ["WC", "WC & NC", "CC", "WC & CC", "P(30000)", "CC | WC"])
def test_windows_in_milliseconds_are_walked_by_their_closes(report: str) -> None:
    query = nearby_query(window("w", 180_000, 30_000))
    elements = (element(EPOCH + 1_200, "a", "near", "b"), element(EPOCH + 95_000, "a", "near", "c"))
    case = Case(query, elements, registered=EPOCH, until=EPOCH + 600_000)
    assert Walk(case, dials(report=report), (EPOCH + 7,)).count() < 100


def test_a_window_that_starts_at_a_number_is_walked_from_the_registration_on() -> None:
    """With t0 = 0 and instants in milliseconds since 1970, 1.7 billion windows close before."""
    query = nearby_query(window("w", 3_000, 1_000), operator=StreamOperator.ISTREAM)

    def answers(a: int) -> list[tuple[int, object]]:
        elements = (element(a + 10, "a", "near", "b"), element(a + 1_500, "a", "near", "c"))
        case = Case(query, elements, registered=a, until=a + 6_000)
        assert Walk(case, Dials(), (0,)).count() < 200
        return [(e.t - a, e.content) for e in answer(case, Dials(), (0,)) if e.t >= a]

    assert len(answers(0)) == 4
    assert answers(EPOCH) == answers(FAR + 1_000) == answers(100_000)


def test_more_instants_than_anyone_would_wait_for_are_refused_in_a_line() -> None:
    case = Case(nearby_query(window("w", 3_000, 1_000)), until=EPOCH)
    with pytest.raises(Unsupported, match=r"more than 10,000,000 instants .* from 1 to 1700"):
        Expectation(case, Dials()).answer((0,))
    with pytest.raises(Unsupported, match="more than 10,000,000 instants"):
        judge(case, dials(t0="0"), ())


# --- The specification's work grows as the stream does, not as its square -------------------------

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
