"""Which start a wrong answer is argued from, and what is said of a stamp out of all range.

Both judges are asked, each by itself (decisions 49 and 50).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.argument import because
from rsp_conformance.model.answers import Evaluation, Observed, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind, Verdict
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders import compiled
from tests.builders.cases import dials, nearby_case

Judge = Callable[[Case, Dials, Sequence[Observed]], Verdict]
JUDGES = pytest.mark.parametrize("judge", [judge, compiled.verdict], ids=["specification", "Spark"])
NOTHING = Rows(("who", "where"), ())
CLOCK = 1_700_000_000_001


def given(due: Sequence[Evaluation]) -> list[Observed]:
    return [Observed(e.t, e.content) for e in due]


def parting(verdict: Verdict) -> tuple[Kind, int | None]:
    divergence = verdict.divergence
    assert isinstance(divergence, Divergence)
    return divergence.kind, divergence.t


@JUDGES
@pytest.mark.parametrize("start", [0, 1, 2])
def test_a_row_dropped_is_told_from_the_start_that_the_engine_has(judge: Judge, start: int) -> None:
    """Whichever t0 it has: another one may part later, where nothing but its instants is wrong."""
    case = nearby_case(3, 3, until=12)
    answers = given(answer(case, Dials(), (start,)))
    place = next(i for i, own in enumerate(answers) if own.t and own.t > 2 and own.content.rows)  # type: ignore[union-attr]
    answers[place] = Observed(answers[place].t, NOTHING)
    verdict = judge(case, Dials(), answers)
    assert verdict.t0 == (start,)
    assert parting(verdict) == (Kind.ROWS, answers[place].t)


@JUDGES
def test_of_starts_with_the_same_instants_it_is_the_one_that_agrees_longest(judge: Judge) -> None:
    case = nearby_case(5, 2, until=20)
    answers = given(answer(case, Dials(), (1,)))
    answers[-1] = Observed(answers[-1].t, NOTHING)
    untimed = [Observed(None, own.content) for own in answers]
    setting = dials(answer_time="none")
    assert judge(case, setting, untimed).t0 == (1,)


@JUDGES
@pytest.mark.parametrize("answer_time", ["evaluation", "arrival"])
def test_a_stamp_out_of_all_range_is_a_wrong_instant(judge: Judge, answer_time: str) -> None:
    case = nearby_case(2, 1, until=9)
    setting = dials(t0="registration", answer_time=answer_time)
    due = answer(case, setting, (0,))
    first, *rest = given(due)
    assert not is_empty(first.content)
    verdict = judge(case, setting, [Observed(CLOCK, first.content), *rest])
    assert parting(verdict)[0] is Kind.INSTANT
    if answer_time == "evaluation":
        assert parting(verdict) == (Kind.INSTANT, first.t)


@JUDGES
@pytest.mark.parametrize("turned", [{"t0": "first-element"}, {"t0": "5"}, {"bounds": "[o,c)"}])
def test_no_start_makes_it_right(judge: Judge, turned: dict[str, Any]) -> None:
    """Under a later t0 what went astray would not be compared."""
    case, setting = nearby_case(2, 1, until=9), dials(**turned)
    due = answer(case, setting, next(rspql_queries(case, setting)))
    astray = [Observed(CLOCK, NOTHING), *given(due)]
    assert parting(judge(case, setting, astray)) == (Kind.INSTANT, None)


@JUDGES
def test_late_or_out_of_order_alone_is_no_stamp_out_of_range(judge: Judge) -> None:
    case = nearby_case(2, 1, until=9)
    setting = dials(t0="registration")
    due = given(answer(case, setting, (0,)))
    assert judge(case, setting, [*due, Observed(CLOCK, NOTHING)]).correct
    assert judge(case, setting, [Observed(case.until + 2, NOTHING), *due]).correct
    assert judge(case, setting, due[::-1]).correct
    assert judge(case, setting, [Observed(CLOCK, NOTHING), *due]).correct is False


def test_the_report_says_that_it_is_out_of_range_and_out_of_order() -> None:
    case, setting = nearby_case(2, 2, until=9), dials(t0="registration")
    first, second, *rest = given(answer(case, setting, (0,)))
    observed = [Observed(CLOCK, first.content), second, *rest]
    text = because(case, setting, observed, judge(case, setting, observed), by_dial)
    assert f"{CLOCK} is out of range: nothing in this case can come so late." in text
    assert f"It is out of order as well: an answer of {second.t} comes after it." in text
    assert "with t0" not in text
