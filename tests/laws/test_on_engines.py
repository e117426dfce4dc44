"""Laws asserted on the reference engine: none on a sound one, mutants of optimisers found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.usage import case_features
from rsp_conformance.protocol.registry import connect
from rsp_conformance.relations.judging import TrialVerdict, judge_trial
from rsp_conformance.relations.queries import LAW_RELATIONS
from rsp_conformance.relations.relation import MetamorphicRelation
from tests.builders.drawing import draw_many

LAWS = {relation.name: relation for relation in LAW_RELATIONS}
FOUND_BY = {
    "filter-into-optional": "FLPush",
    "window-filter-forgotten": "FWPush",
    "last-filter-only": "FDecompI",
    "disjunction-error-first": "FReordII",
    "outer-join-when-reordered": "H1",
    "inner-union-lost": "UAss",
}


def judged(
    subject: EngineUnderTest, relation: MetamorphicRelation, number: int
) -> Iterator[TrialVerdict]:
    """What becomes of trials, one after the other, each asked when its turn has come."""
    for trial in dict.fromkeys(draw_many(relation.trials(subject), number)):
        observations = [subject.ask(stimulus) for stimulus in trial.stimuli]
        yield judge_trial(relation, trial, observations, subject, subject.ask)


@pytest.fixture(scope="module")
def sound() -> EngineUnderTest:
    return EngineUnderTest.meet(connect("reference", {}))


@pytest.mark.parametrize("name", LAWS)
def test_a_sound_engine_obeys(name: str, sound: EngineUnderTest) -> None:
    assert LAWS[name].not_applicable(sound) is None
    assert not [j.finding for j in judged(sound, LAWS[name], 12) if j.finding is not None]


@pytest.mark.parametrize(("mutant", "name"), FOUND_BY.items())
def test_a_law_finds_its_mutant(mutant: str, name: str) -> None:
    subject = EngineUnderTest.meet(connect("reference", {"fault": mutant}))
    # Mostly a few cases are enough; of those of the last two laws it takes 40 to 100.
    number = 200 if name in ("FReordII", "H1") else 40
    found = (j.finding for j in judged(subject, LAWS[name], number) if j.finding)
    finding = next(found, None)
    assert finding is not None and finding.violation is not None
    assert finding.violation.statement == LAWS[name].statement
    assert "the query rewritten by" in finding.violation.contradiction.says


def test_a_law_finds_its_mutant_over_windows_by_count() -> None:
    subject = EngineUnderTest.meet(connect("reference", {"fault": "window-filter-forgotten"}))
    law, found = LAWS["FWPush"], []
    for trial in draw_many(law.trials(subject), 40):
        if "count-windows" in case_features(trial.variants[0].case):
            observations = [subject.ask(stimulus) for stimulus in trial.stimuli]
            found.append(judge_trial(law, trial, observations, subject, subject.ask).finding)
    assert any(found)


def test_what_an_engine_cannot_be_asked() -> None:
    merged = EngineUnderTest.meet(connect("reference", {}), bundled_profile("c-sparql"))
    assert LAWS["FWPush"].not_applicable(merged) == (
        "the profile merges every window into the default graph"
    )
    assert LAWS["FLPush"].not_applicable(merged) is None
