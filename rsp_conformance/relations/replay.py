"""Replays a crash file whose answers contradicted each other."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.replay import Replay, recorded
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.relations.judging import EACH_RIGHT, judge_trial
from rsp_conformance.relations.registry import RELATIONS
from rsp_conformance.relations.relation import MetamorphicRelation


def replay_trial(
    crash: CrashFile,
    subject: EngineUnderTest,
    times: int = 1,
    relations: Iterable[MetamorphicRelation] = RELATIONS,
) -> Replay:
    """Ask an engine all cases of a crash file again, and compare the answers.

    Args:
        crash: the crash file.
        subject: the engine.
        times: how many times to ask.
        relations: the relations among which the crash file's own is looked up.

    Returns:
        RIGHT if the answers do not contradict each other, or each is correct by itself. WRONG if
        they contradict each other, FAILED if a case has no answer. UNSUPPORTED if the engine does
        not support a case, EXCUSED if a contradiction is no finding or the relation does not apply
        to the engine and its profile, VACUOUS if the answers in the file do not contradict each
        other, UNASKED if this version has no such relation, NOT_JUDGED if a limit is exceeded, and
        DISPUTED if the relation contradicts the reference model.
    """
    relation = next((r for r in relations if r.property_name == crash.property_name), None)
    if relation is None:
        return Replay(
            Outcome.UNASKED, message=f"this version knows no relation {crash.property_name!r}"
        )
    why_not = relation.not_applicable(subject)
    if why_not is not None:
        return Replay(Outcome.EXCUSED, message=f"{crash.property_name} does not apply: {why_not}")
    trial = crash.trial
    try:
        with limited():
            contradicts = relation.contradiction(trial, recorded(crash)) is not None
    except LimitExceeded as exceeded:
        return Replay(Outcome.NOT_JUDGED, message=str(exceeded))
    if not contradicts:
        said = "the answers in the file do not contradict each other: it shows no failure"
        return Replay(Outcome.VACUOUS, message=said)
    for _ in range(times):
        observations = [subject.ask(stimulus) for stimulus in trial.stimuli]
        try:
            outcome = judge_trial(relation, trial, observations, subject, subject.ask)
        except KitDisagreement as disagreement:
            return Replay(Outcome.DISPUTED, message=disagreement.message)
        if outcome.unsupported is not None:
            said = f"the engine does not support a case: {outcome.unsupported}"
            return Replay(Outcome.UNSUPPORTED, message=said)
        if outcome.not_judged:
            return Replay(Outcome.NOT_JUDGED, message=f"not judged: the kit {outcome.not_judged}")
        if outcome.finding is not None:
            return Replay.of(outcome.finding)
        if outcome.excuse not in ("", EACH_RIGHT):
            return Replay(Outcome.EXCUSED, message=f"no finding: {outcome.excuse}")
    return Replay(Outcome.RIGHT)
