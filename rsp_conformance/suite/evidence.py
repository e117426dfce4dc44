"""What a run hands over to the search for causes, and what comes of it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from rsp_conformance.causes.cause import CAUSES, Cause
from rsp_conformance.causes.evidence import Answered, Evidence, Symptom
from rsp_conformance.causes.known import KnownCauses, together
from rsp_conformance.causes.search import GROWING, find_causes
from rsp_conformance.garbage import leave_in_peace, unhurried_garbage
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.finding import Finding
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import CausesFound
from rsp_conformance.suite.properties import property_named

SHARE: Final = 0.2
"""Naming causes takes at most this part of a run's other time, in seconds of processor time, ..."""
LEAST: Final = 10.0
"""... at the end of a run as many in any case, ..."""
MOST: Final = 120.0
"""... and no more than so many."""
_FILES: Final = "evidence-*.pickle"


def evidence_of(
    context: SuiteContext,
    findings: Iterable[tuple[Finding, Path | str]],
    seconds: float,
    searched: float,
    *,
    unexplained: bool = False,
) -> Evidence:
    """All that the run of CONTEXT has asked so far, and its confirmed FINDINGS with their files.

    SECONDS the run has taken, SEARCHED of them in searches for causes. Without the wrong answers
    that known causes explain, as far as that was asked, if only what is UNEXPLAINED counts.
    """
    known = context.known
    symptoms = (
        Symptom.of(finding, file=str(file), focus=property_named(finding.property_name).focus)
        for finding, file in findings
    )
    answered = (
        Answered(
            own.observation,
            own.verdict.correct if own.verdict else None,
            own.property_name,
            known.has_explained(own.observation),
        )
        for own in context.memory.everything()
    )
    if unexplained:
        answered = (own for own in answered if not own.is_explained)
    return Evidence.of(symptoms, answered, seconds, searched)


def causes_found(
    evidence: Evidence,
    subject: EngineUnderTest | None,
    known: KnownCauses | None = None,
    before: Iterable[Cause] = (),
    *,
    least: float = LEAST,
    keeper: Keeper | None = None,
    ran: Collection[str] | None = None,
) -> CausesFound:
    """The causes behind EVIDENCE of a run; SUBJECT may be asked more.

    KEEPER writes down the smallest case of a cause of which none was shrunk. RAN are the properties
    that were run, all if None: others, for which the engine was only asked ahead, are not named.

    It may take LEAST seconds of processor time in any case. KNOWN causes that the run was given are
    none of them; with those found BEFORE its end the search begins. Whatever goes wrong in naming
    them, the verdicts of the run stand.
    """
    share = SHARE * (evidence.seconds - evidence.searched) - evidence.searched
    seconds = min(max(least, share), MOST)
    known, started = known or KnownCauses(), time.process_time()
    before = tuple(before)
    try:
        for cause in before:  # What a worker knows by a crash file.
            if (solved := known.solved_by(cause)) is not None:
                known.add(solved)
        given = together(cause for cause in known.causes if not cause.found)
        with unhurried_garbage():
            found = find_causes(
                evidence,
                subject,
                seconds=seconds,
                known=given,
                before=before,
                predictions=known.predictions,
            )
    except Exception as error:
        return CausesFound(said=f"{type(error).__name__}: {error}"[:400])
    if ran is not None:
        found = tuple(_within(found, ran))
    if subject is not None and keeper is not None:
        found = tuple(_with_file(cause, subject, keeper) for cause in found)
    took = time.process_time() - started
    cut_short = took if took >= GROWING * seconds else 0.0
    return CausesFound(tuple(CAUSES.write(Cause, cause) for cause in found), seconds=cut_short)


def _within(causes: Iterable[Cause], ran: Collection[str]) -> Iterator[Cause]:
    """Those of CAUSES that stand behind properties that RAN, with these alone."""
    for cause in causes:
        if names := tuple(name for name in cause.properties if name in ran):
            yield replace(cause, properties=names)


def _with_file(cause: Cause, subject: EngineUnderTest, keeper: Keeper) -> Cause:
    """CAUSE with a crash file of its smallest case, if that is alone and was not shrunk."""
    own = cause.unshrunk
    if own is None or cause.file or not cause.is_explained:
        return cause
    try:
        verdict = verdict_on(own.observation)
    except LimitExceeded:
        return cause
    finding = finding_of(own.property_name, subject, own.observation, verdict)
    return cause if finding is None else replace(cause, file=str(keeper.keep(finding, subject)))


def leave_evidence(
    evidence: Evidence, likely: tuple[Cause, ...], folder: Path, worker: str
) -> None:
    """Leave what a WORKER has seen in the run's own FOLDER, and the causes that are LIKELY."""
    partial = folder / f"{worker}.part"
    partial.write_bytes(pickle.dumps((evidence, likely)))
    partial.rename(folder / _FILES.replace("*", worker))


def gathered_evidence(folder: Path) -> tuple[Evidence, tuple[Cause, ...]]:
    """What the workers have left in FOLDER, which is this run's own; likely causes once each."""
    found, likely = Evidence(), dict[str, Cause]()
    with unhurried_garbage():
        for path in sorted(folder.glob(_FILES)):
            evidence, causes = pickle.loads(path.read_bytes())
            found |= evidence
            for cause in causes:
                likely.setdefault(cause.id, cause)
        leave_in_peace(at_once=True)
    return found, tuple(likely.values())
