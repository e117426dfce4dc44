"""Trials: a case is one of a single variant."""

from __future__ import annotations

from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.model.trial import Stimulus, Trial, Variant, pair

CASE = Case(Query(), until=7)
LATER = Case(Query(), until=8)


def test_a_case_is_a_trial_of_one() -> None:
    trial = Trial.of(CASE)
    assert trial.stimuli == (Stimulus(CASE),)
    assert Trial.of(trial) is trial


def test_a_repeated_case_is_a_trial_of_two_equal_stimuli() -> None:
    trial = pair(CASE, CASE, "again")
    assert trial.stimuli == (Stimulus(CASE), Stimulus(CASE))
    assert trial != Trial.of(CASE) and trial.digest != Trial.of(CASE).digest


def test_a_digest_covers_all_variants_and_how_they_are_sent() -> None:
    settled = Trial((Variant("", Stimulus(CASE, "settled")),))
    trials = [
        Trial.of(CASE),
        Trial.of(LATER),
        settled,
        pair(CASE, LATER, "later"),
        pair(LATER, CASE, "later"),
    ]
    assert len({trial.digest for trial in trials}) == len({*trials}) == len(trials)
    assert pair(CASE, LATER, "later").digest == trials[3].digest
