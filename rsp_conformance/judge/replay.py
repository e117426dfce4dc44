"""Replays a crash file, and says what becomes of its case now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.spans import check_spans
from rsp_conformance.judge.vacuity import nothing_compared
from rsp_conformance.judge.verdict import described, finding_of, unstable, verdict_on
from rsp_conformance.model.finding import (
    Contradiction,
    Finding,
    FollowUpCase,
    RelationViolation,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.verdict import Kind, Verdict
from rsp_conformance.sparql.compare.contents import same_answers

WRONG = (*(kind.value for kind in Kind), "wrong answer")
"""The kinds of failure in which an answer was judged."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of the case, with the finding if it failed, or why there is nothing to judge."""

    outcome: Outcome
    finding: Finding | None = None
    message: str = ""

    @classmethod
    def of(cls, finding: Finding) -> Replay:
        """The replay of a case that came to FINDING."""
        return cls(Outcome.FAILED if finding.failure else Outcome.WRONG, finding)


def recorded(crash: CrashFile) -> list[Observation]:
    """What CRASH says that its engine answered, to each case; BadInput for cases without end."""
    for stimulus in crash.stimuli:
        check_spans(stimulus.case, crash.dials(stimulus))
    return [
        Observation(stimulus, crash.dials(stimulus), asked.query_text, asked.observed)
        for asked, stimulus in zip(crash.cases, crash.stimuli, strict=True)
    ]


def finding_in(crash: CrashFile) -> Finding:
    """What CRASH says that was wrong, judged anew: no engine is asked.

    BadInput for cases without end; LimitExceeded where judging takes more than it may.
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


def replay(crash: CrashFile, subject: EngineUnderTest, times: int = 1) -> Replay:
    """Run the case of CRASH on SUBJECT so many TIMES and judge it, up to the first failure.

    SUBJECT may be held to another profile than that of CRASH, to try it.
    The case is RIGHT, WRONG or FAILED, or there is nothing to judge: it is UNSUPPORTED, NOT_JUDGED
    because the profile excludes it, or VACUOUS, because no evaluation is due in it, or because the
    answer that the file holds is right, so that a right one now shows nothing.
    Answers of one run that differ from another's are a failure of kind ``unstable`` alone. Raises
    LimitExceeded where the kit's own evaluation takes more than it may.
    """
    (stimulus,) = crash.stimuli
    if crash.kind in WRONG:
        before = verdict_on(*recorded(crash))
        if before is not None and before.correct:
            return Replay(
                Outcome.VACUOUS, message="the answers in the file are right: it shows no failure"
            )
    first: Observation | None = None
    for _ in range(times):
        observation = subject.ask(stimulus)
        if observation.unsupported is not None:
            said = f"the engine does not support this case: {observation.unsupported}"
            return Replay(Outcome.UNSUPPORTED, message=said)
        verdict = verdict_on(observation)
        finding = finding_of(crash.property_name, subject, observation, verdict)
        if finding is not None:
            return Replay.of(finding)
        if crash.kind != "unstable":
            if verdict is None:
                said = "the profile does not let this case be judged"
                return Replay(Outcome.NOT_JUDGED, message=said)
            continue
        first = first or observation
        if not same_answers(first.observed, observation.observed, observation.dials.numbers):
            whole = described(crash.property_name, subject, first)
            return Replay.of(unstable(whole, observation))
    # A wrong answer in the file has shown that there is something to compare under its profile.
    shown = crash.kind in WRONG and observation.dials == crash.dials(stimulus)
    if not shown and verdict is not None:
        said = nothing_compared(stimulus.case, observation.dials)
        return Replay(Outcome.VACUOUS if said else Outcome.RIGHT, message=said or "")
    return Replay(Outcome.RIGHT)
