"""Replaying a crash file whose answers contradicted each other: FIXED, FAILED or ERROR."""

from __future__ import annotations

from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.replay import ERROR, FAILED, FIXED, Replay
from rsp_conformance.metamorphic.judging import judge_trial
from rsp_conformance.metamorphic.registry import RELATIONS
from rsp_conformance.metamorphic.relation import Trial, Variant


def replay_trial(crash: CrashFile, subject: EngineUnderTest) -> Replay:
    """Ask SUBJECT all cases of CRASH again, and compare the answers.

    FIXED: they do not contradict each other, or accuse nobody. FAILED: they do, or one of the cases
    has no answer. ERROR: the engine does not support one of them, this version knows no such
    relation, or it contradicts the specification itself.
    """
    relation = next((r for r in RELATIONS if r.property_name == crash.property_name), None)
    if relation is None:
        return Replay(ERROR, message=f"this version knows no relation {crash.property_name!r}")
    variants = tuple(
        Variant(asked.label, stimulus, asked.follows, asked.scale)
        for asked, stimulus in zip(crash.cases, crash.stimuli, strict=True)
    )
    trial = Trial(variants)
    observations = [subject.ask(stimulus) for stimulus in trial.stimuli]
    try:
        judgement = judge_trial(relation, trial, observations, subject, subject.ask)
    except KitDisagreement as disagreement:
        return Replay(ERROR, message=disagreement.message)
    if judgement.unsupported is not None:
        return Replay(ERROR, message=f"the engine does not support a case: {judgement.unsupported}")
    return Replay(FIXED if judgement.finding is None else FAILED, judgement.finding)
