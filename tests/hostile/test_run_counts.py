"""A run says how many cases it did not judge, and is not green over none."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.results import ProfiledCase, SuiteResult
from rsp_conformance.run.outcome import RunOutcome
from tests.hostile.evaluations import hostile


def some_not_judged(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    """Have the judge go beyond its limit on every so many cases."""
    count = itertools.count(1)

    def judged(observation: Observation) -> Verdict | None:
        if next(count) % every == 0:
            raise LimitExceeded("took longer than 60 s")
        return verdict_on(observation)

    monkeypatch.setattr("rsp_conformance.run.judging.verdict_on", judged)


def run(tmp_path: Path, name: str = "ask") -> SuiteResult:
    """A run of one property on `reference`."""
    return rsp.run_suite("reference", properties=[name], examples=20, folder=tmp_path)


def test_a_run_that_judged_nothing_is_not_green(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    some_not_judged(monkeypatch, 1)
    found = run(tmp_path)
    (finished,) = found.properties
    assert not found.passed and not found.findings
    assert finished.verdict == "failed" and finished.counts["compared"] == 0
    assert finished.counts["not_judged"] >= 20
    assert "not judged (the kit took longer than 60 s)" in finished.note


def test_a_run_that_judged_some_says_how_many_it_did_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    some_not_judged(monkeypatch, 4)
    (finished,) = run(tmp_path).properties
    assert finished.counts["not_judged"] >= 5
    assert f"{finished.counts['not_judged']} not judged (the kit took" in str(finished)
    assert RunOutcome().take([finished]).not_judged == finished.counts["not_judged"]


def test_a_finding_that_cannot_be_explained_in_time_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def argued(*_: object, **__: object) -> None:
        raise LimitExceeded("took longer than 60 s")

    held = rsp.profile("rsp-ql", t0=0)
    judged = ProfiledCase(hostile("SELECT * { :a :r ?o }"), held, held.base).judge([])
    monkeypatch.setattr("rsp_conformance.explain.render.report.argued", argued)
    assert not judged.correct
    text = judged.explain()
    assert "There is no explanation: the kit took longer than 60 s." in text
    assert "Stream :st" in text


def test_the_second_judge_may_go_beyond_its_limit() -> None:
    observation = Observation(Stimulus(hostile("SELECT * { :a :r ?o }")), Dials(t0=0), "")
    verdict = verdict_on(observation)
    assert verdict is not None
    must_agree(observation, verdict.correct, LimitExceeded("took longer than 60 s"))
    with pytest.raises(KitDisagreement):
        must_agree(observation, verdict.correct, None)
