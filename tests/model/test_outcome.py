"""Outcomes: their two questions, and the tables that say what faces call them."""

from __future__ import annotations

from rsp_conformance.campaigns.unit import VERDICTS
from rsp_conformance.cli.replay import ERROR, FAILED, FIXED, status_of
from rsp_conformance.files.earl import OUTCOMES
from rsp_conformance.model.outcome import Outcome


def test_only_what_was_compared_accuses() -> None:
    assert {outcome for outcome in Outcome if outcome.accuses} == {Outcome.WRONG, Outcome.FAILED}
    assert {outcome for outcome in Outcome if outcome.compares} == {
        Outcome.RIGHT,
        Outcome.WRONG,
        Outcome.FAILED,
    }


def test_every_face_has_a_name_for_every_outcome() -> None:
    """And none of them says that an engine failed which no outcome accuses."""
    accusing = {outcome for outcome in Outcome if outcome.accuses}
    assert {*OUTCOMES} == {*VERDICTS} == {*Outcome}
    assert {outcome for outcome in Outcome if OUTCOMES[outcome] == "failed"} == accusing
    assert {outcome for outcome in Outcome if status_of(outcome) == FAILED} == accusing
    assert [outcome for outcome in Outcome if status_of(outcome) == FIXED] == [Outcome.RIGHT]
    assert status_of(Outcome.DISPUTED) == ERROR
    assert VERDICTS[Outcome.RIGHT] == "correct" and VERDICTS[Outcome.DISPUTED] == "disagreement"
