"""What the elements set off that the kit appends, before both judges (decision 22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.model.answers import Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from tests.builders import compiled
from tests.builders.cases import element, nearby_query, window
from tests.builders.terms import iri

CASE = Case(
    nearby_query(window("w", 4, 4)),
    (element(1, "a", "near", "x"), element(5, "b", "near", "y"), element(7, "c", "near", "x")),
    until=5,
)
"""The window (4,8] is open at the end, and nothing up to `until` is due of it by its close."""


def setting(**values: object) -> Dials:
    common = {"t0": "registration", "advances": "elements", "answer_time": "arrival"}
    return Dials().with_dials(common | values)


SETTINGS = [
    setting(),
    setting(answer_time="none"),
    setting(clock="own"),
    setting(report="CC", tick="tuple"),
    setting(trigger=">=", empty_answers=False),
]


def judged(observed: Sequence[Observed], dials: Dials, case: Case = CASE) -> tuple[bool, object]:
    """What both judges say: whether the answers are right, and else of which kind they are."""
    found: list[tuple[bool, object]] = []
    for verdict in (judge(case, dials, observed), compiled.verdict(case, dials, tuple(observed))):
        assert isinstance(verdict, Verdict)
        kind = None if verdict.divergence is None else verdict.divergence.kind.value
        found.append((verdict.correct, kind))
    assert found[0] == found[1]
    return found[0]


def due(dials: Dials, case: Case = CASE) -> tuple[list[Observed], tuple[Evaluation, ...]]:
    """What is due up to `until`, as an engine gives it, and what is due later."""
    expectation = Expectation(case, dials)
    (starts,) = expectation.queries()
    stamped = dials.answer_time != "none"
    timely = [
        Observed(expected_stamp(e, case, dials) if stamped else None, e.content)
        for e in expectation.answer(starts)
    ]
    later = expectation.later(starts)
    assert timely and later
    return timely, later


@pytest.mark.parametrize("dials", SETTINGS, ids=range(len(SETTINGS)))
def test_an_answer_to_the_appended_elements_is_held_against_what_is_due(dials: Dials) -> None:
    timely, later = due(dials)
    assert judged(timely, dials) == (True, None)
    for evaluation in later:
        late = Observed(None, evaluation.content, "end")
        assert judged([*timely, late], dials) == (True, None)
    wrong = Rows(("who", "where"), ((iri("nobody"), iri("x")),))
    for cause in ("end", len(CASE.elements)):
        assert judged([*timely, Observed(None, wrong, cause)], dials) == (False, "extra answer")
    clock = dials.with_dial("advances", "clock")
    assert not judged([*timely, Observed(None, wrong, "end")], clock)[0]


def test_a_wrong_row_in_the_last_answer_is_told_as_that() -> None:
    """Else an engine with a wrong value would be said to give no answer."""
    # The window (0,4] is reported by the element that is appended.
    case = replace(CASE, elements=CASE.elements[:1], until=6)
    dials = setting(clock="own")
    (answer,), later = due(dials, case)
    own = Observed(None, answer.content, "end")
    wrong = replace(own, content=Rows(("who", "where"), ((iri("nobody"), iri("x")),)))
    assert judged([own], dials, case) == (True, None)
    assert judged([wrong], dials, case) == (False, "wrong rows")
    # An answer that is due after `until` says nothing of the one that is missing.
    empty = Observed(None, later[0].content, "end")
    assert judged([empty], dials, case) == (False, "silent")


@pytest.mark.parametrize("dials", SETTINGS, ids=range(len(SETTINGS)))
def test_an_engine_that_goes_on_to_the_end_of_its_windows_is_right(dials: Dials) -> None:
    own = reference_answers(CASE, dials, ())
    assert judged(own, dials) == (True, None)


def test_windows_that_are_open_at_the_end_may_be_reported() -> None:
    """An engine may report them when it is closed; they are due at instants after `until`."""
    dials = setting()
    timely, later = due(dials)
    assert [e.t for e in later][:1] == [8]
    flushed = Observed(None, later[0].content, "end")
    assert judged([*timely, flushed], dials) == (True, None)
    assert isinstance(later[0].content, Rows)
    half = replace(later[0].content, rows=later[0].content.rows[:-1])
    assert judged([*timely, Observed(None, half, "end")], dials) == (False, "extra answer")


@pytest.mark.parametrize("slide", [3, 64, 65, 3000])
def test_what_is_due_later_depends_on_the_start_and_is_compared_for_many_too(slide: int) -> None:
    dials = setting(t0="any")
    until = 2 * slide
    ends = (1, "a"), (slide, "b"), (until - 1, "c"), (until, "d")
    elements = tuple(element(t, who, "near", "x") for t, who in ends)
    case = Case(nearby_query(window("w", slide, slide)), elements, until=until)
    expectation = Expectation(case, dials)
    wrong = Observed(None, Rows(("who", "where"), ((iri("nobody"), iri("x")),)), "end")
    for start in (0, 1, slide - 1):
        due = expectation.answer((start,))
        timely = [Observed(expected_stamp(e, case, dials), e.content) for e in due]
        later = expectation.later((start,))
        assert later
        late = Observed(None, later[0].content, "end")
        assert judged([*timely, late], dials, case) == (True, None)
        assert judged([*timely, wrong], dials, case)[0] is False
