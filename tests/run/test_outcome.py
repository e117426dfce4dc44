"""The one rule by which a run has passed."""

from dataclasses import replace

import pytest

from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.events import (
    JudgeLost,
    JudgesDisagree,
    PropertyFinished,
    PropertyVerdict,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.xfails import Mark

MARK = Mark("windows", reason="known")


def ended(
    verdict: PropertyVerdict, compared: int = 20, marks: tuple[str, ...] = ()
) -> PropertyFinished:
    return PropertyFinished("windows", verdict, counts={"compared": compared}, marks=marks)


@pytest.mark.parametrize("verdict", ["passed", "xfailed", "not tested"])
def test_a_run_has_passed_where_something_was_compared_and_nothing_was_wrong(
    verdict: PropertyVerdict,
) -> None:
    assert RunOutcome().take([ended(verdict)]).passed()


@pytest.mark.parametrize("verdict", ["failed", "engine lost", "kit error"])
def test_a_run_has_not_passed_where_something_was_wrong(verdict: PropertyVerdict) -> None:
    other = PropertyFinished("gaps", "passed", counts={"compared": 20})
    assert not RunOutcome().take([ended(verdict), other]).passed()


def test_a_run_that_compared_nothing_has_not_passed() -> None:
    assert not RunOutcome().passed()
    outcome = RunOutcome().take([PropertyFinished("windows", "skipped"), ended("not tested", 0)])
    assert outcome.vacuous and not outcome.passed()


def test_judges_that_disagree_later_take_back_that_a_run_has_passed() -> None:
    outcome = RunOutcome().take([ended("passed"), JudgesDisagree("windows", "one\ntwo")])
    assert not outcome.passed()
    assert outcome.finished["windows"].note == "one"
    assert outcome.disagreements == {"windows": "one\ntwo"}


def test_a_judge_that_is_lost_later_is_no_bug_of_the_kit_and_no_success() -> None:
    outcome = RunOutcome().take([ended("passed"), JudgeLost("windows", "no Spark\nthere")])
    assert not outcome.passed()
    assert outcome.finished["windows"].verdict == "engine lost"
    assert (outcome.lost, outcome.disagreements) == ("no Spark\nthere", {})


def test_a_mark_that_was_not_met_counts_where_marks_are_strict() -> None:
    outcome = RunOutcome().take([ended("passed")])
    assert outcome.unmet([MARK]) == [MARK]
    assert outcome.passed() and not outcome.passed([MARK], strict=True)
    assert RunOutcome().take([ended("xfailed", marks=(str(MARK),))]).passed([MARK], strict=True)
    assert outcome.unmet([Mark("gaps", reason="did not run")]) == []


def test_a_mark_of_every_property_is_met_where_one_meets_it() -> None:
    every = Mark("*", "silent", reason="known")
    assert RunOutcome().take([ended("passed")]).unmet([every]) == [every]
    assert RunOutcome().take([ended("xfailed", marks=(str(every),))]).unmet([every]) == []
    skipped = PropertyFinished("windows", "skipped")
    assert RunOutcome().take([skipped]).unmet([every]) == [], "nothing ran"


def test_what_became_of_a_property_is_said_as_of_a_trial() -> None:
    untold = PropertyFinished("windows", "not tested", counts={"compared": 0, "unasked": 9})
    assert untold.outcome is Outcome.UNASKED
    assert replace(untold, counts={"compared": 1, "unasked": 9}).outcome is Outcome.NOT_JUDGED
    assert replace(untold, verdict="engine lost").outcome is Outcome.FAILED
    assert PropertyFinished("windows", "skipped").outcome is Outcome.UNSUPPORTED
