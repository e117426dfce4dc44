"""Who is accused of a contradiction, and who is not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, seed

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Trial
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.relations.judging import TEXTS_LEAVE_OPEN, TrialVerdict, judge_trial
from rsp_conformance.relations.registry import BETWEEN_CASES
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.relations.times import PREFIX, SHIFT
from tests.builders.drawing import drawing
from tests.builders.engines import Flawed
from tests.generators.profiles import subject

# Hypothesis begins each example with the same state of the module's own generator.
DICE = random.Random(5)
UNTOLD = "each answer is right by itself, from a start of its own"


def judgements(
    relation: MetamorphicRelation, tested: EngineUnderTest, number: int = 30
) -> list[TrialVerdict]:
    found: list[TrialVerdict] = []

    @seed(1)
    @drawing(number)
    @given(relation.trials(tested))
    def collect(trial: Trial) -> None:
        observations = [tested.ask(stimulus) for stimulus in trial.stimuli]
        found.append(judge_trial(relation, trial, observations, tested, tested.ask))

    collect()
    return found


@pytest.mark.parametrize("relation", BETWEEN_CASES, ids=lambda relation: relation.name)
def test_an_engine_that_starts_anywhere_is_not_accused(relation: MetamorphicRelation) -> None:
    """Every run of a case starts where it likes, as t0 = any allows."""
    # Some relations hold under no policy that asks for closes.
    closing = relation.not_applicable(subject({})) is None
    options = {} if closing else {"dial.report": "CC"}

    class Restless:
        def hello(self, request: dict[str, Any]) -> Any:
            said = Flawed(lambda _, reply: reply, **options).hello(request)
            return {**said, "engine": "restless"}

        def run(self, request: dict[str, Any]) -> Any:
            start = DICE.choice(["first", "last", "1", "2"])
            return Flawed(lambda _, reply: reply, t0=start, **options).run(request)

    tested = EngineUnderTest.meet(InProcessEngine(Restless()))
    assert relation.not_applicable(tested) is None
    found = judgements(relation, tested)
    assert all(judgement.finding is None for judgement in found)
    excuses = {judgement.reason.partition(":")[0] for judgement in found}
    assert excuses <= {"", UNTOLD, TEXTS_LEAVE_OPEN}


@pytest.mark.parametrize("t0", ["any", "0"])
def test_an_engine_that_does_not_repeat_itself_is_unstable_where_one_t0_is_legal(t0: str) -> None:
    def forgets(_: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        kept = DICE.random() < 0.5
        return {**reply, "answers": reply["answers"] if kept else []}

    tested = EngineUnderTest.meet(InProcessEngine(Flawed(forgets, **{"dial.t0": t0})))
    found = judgements(PREFIX, tested, 60)
    excused = "the engine does not repeat itself" in {judgement.reason for judgement in found}
    findings = [judgement.finding for judgement in found if judgement.finding is not None]
    unstable = [finding for finding in findings if finding.kind == "unstable"]
    assert (excused, bool(unstable)) == (t0 == "any", t0 != "any")
    assert all(finding.violation is None and finding.again is not None for finding in unstable)


def test_a_crash_is_a_finding() -> None:
    def throws(request: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        error = {"kind": "crashed", "message": "no such time"}
        late = request["registered"] >= 10
        return {"op": "run", "id": request["id"], "error": error} if late else reply

    tested = EngineUnderTest.meet(InProcessEngine(Flawed(throws)))
    found = [j.finding for j in judgements(SHIFT, tested) if j.finding is not None]
    assert {finding.kind for finding in found} == {"crashed"}


def test_a_relation_that_the_specification_contradicts_accuses_nobody() -> None:
    def wrong(_: Trial, observations: Sequence[Observation]) -> Contradiction | None:
        one, other = observations
        # Nothing is taken back: later answers would have to come at the same instants.
        if [a.t for a in one.observed] == [a.t for a in other.observed]:
            return None
        return Contradiction(None, "other instants")

    with pytest.raises(KitDisagreement, match="contradicts the relation shift"):
        judgements(replace(SHIFT, contradiction=wrong), subject({}))


def test_variants_that_a_profile_reads_otherwise_are_not_compared() -> None:
    tested = subject({})
    dials = replace(tested.profile.base, bounds="[o,c)")

    found: list[TrialVerdict] = []

    @drawing(5)
    @given(SHIFT.trials(tested))
    def collect(trial: Trial) -> None:
        first, second = (tested.ask(stimulus) for stimulus in trial.stimuli)
        observations = [first, replace(second, dials=dials)]
        found.append(judge_trial(SHIFT, trial, observations, tested, tested.ask))

    collect()
    assert {judgement.reason for judgement in found} == {
        "the profile reads the variants' queries differently"
    }
