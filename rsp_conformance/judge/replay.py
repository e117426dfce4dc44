"""Replaying a crash file: FIXED, FAILED or ERROR."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.compare.contents import same_answers
from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import described, finding_of, unstable, verdict_on
from rsp_conformance.model.finding import Finding

FIXED, FAILED, ERROR = "FIXED", "FAILED", "ERROR"


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of the case: ``status``, with the finding where it failed, or why not run."""

    status: str
    finding: Finding | None = None
    message: str = ""


def replay(crash: CrashFile, subject: EngineUnderTest) -> Replay:
    """Run the case of CRASH on SUBJECT once (twice where two runs differed) and judge it.

    FIXED: the answer is correct now. FAILED: it is wrong, in whatever way. ERROR: there is nothing
    to judge, for the engine does not support the case or the profile excludes it.
    """
    (stimulus,) = crash.stimuli
    observation = subject.ask(stimulus)
    if observation.unsupported is not None:
        return Replay(
            ERROR, message=f"the engine does not support this case: {observation.unsupported}"
        )
    verdict = verdict_on(observation)
    finding = finding_of(crash.property_name, subject, observation, verdict)
    if finding is None and verdict is None:
        return Replay(ERROR, message="the profile does not let this case be judged")
    if finding is None and crash.kind == "unstable":
        again = subject.ask(stimulus)
        if not same_answers(observation.observed, again.observed, observation.dials.numbers):
            whole = described(crash.property_name, subject, observation)
            return Replay(FAILED, unstable(whole, again))
    return Replay(FIXED if finding is None else FAILED, finding)
