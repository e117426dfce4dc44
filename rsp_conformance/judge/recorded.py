"""The answers that a crash file holds, and what was wrong with them."""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.spans import check_spans
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.finding import (
    Contradiction,
    Finding,
    FollowUpCase,
    RelationViolation,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Kind, Verdict

WRONG = (*(kind.value for kind in Kind), "wrong answer")
"""The kinds of failure for which an answer was judged."""


def recorded(crash: CrashFile) -> list[Observation]:
    """The observations that a crash file holds, one per case.

    Raises:
        BadInput: a case reaches further than can be judged.
    """
    for stimulus in crash.stimuli:
        check_spans(stimulus.case, crash.dials(stimulus))
    return [
        Observation(stimulus, crash.dials(stimulus), asked.query_text, asked.observed)
        for asked, stimulus in zip(crash.cases, crash.stimuli, strict=True)
    ]


def finding_in(crash: CrashFile) -> Finding:
    """The finding of a crash file, judged again; no engine is asked.

    Raises:
        BadInput: a case reaches further than can be judged.
        LimitExceeded: judging takes more than it may.
    """
    first, *_ = observations = recorded(crash)
    verdicts = [None if crash.failure else verdict_on(own) for own in observations]
    cases = tuple(map(_with_verdict, crash.cases, verdicts))
    said = Contradiction(None, crash.contradiction)
    violation = RelationViolation(crash.statement, crash.source, cases, said)
    return Finding(
        property_name=crash.property_name,
        engine=crash.engine,
        version=crash.version,
        profile=crash.profile,
        dials=first.dials,
        case=first.stimulus.case,
        pacing=first.stimulus.pacing,
        query_text=first.query_text,
        observed=first.observed,
        verdict=None if crash.is_trial else verdicts[0],
        failure=crash.failure,
        again=crash.again,
        violation=violation if crash.is_trial else None,
        stderr=crash.stderr,
    )


def _with_verdict(asked: FollowUpCase, verdict: Verdict | None) -> FollowUpCase:
    return replace(asked, verdict=verdict)
