"""A crash file as a source of trials: its case is asked and judged again.

The case, or the cases that contradicted each other, are judged like any trial of a run. A crash
file may hold answers that show no failure under the profile it is tried with. Then a right answer
now would show nothing, and nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rsp_conformance.diagnosis.cause import text_of
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.known_file import known_by
from rsp_conformance.explain.render.layout import listed
from rsp_conformance.judge.crash_file import CrashFile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.recorded import WRONG, recorded
from rsp_conformance.judge.vacuity import nothing_compared
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import limited
from rsp_conformance.model.errors import printable
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Trial
from rsp_conformance.relations.judging import EACH_RIGHT
from rsp_conformance.run.causes import fault
from rsp_conformance.run.judging import Judging
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.trials import Drawn


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of replaying a crash file.

    Attributes:
        outcome: RIGHT if nothing is wrong any more. WRONG or FAILED as in a run. VACUOUS if there
            is nothing to compare, or the answers in the file show no failure. EXCUSED if a
            contradiction is no finding, or the relation does not apply to the engine. UNASKED if
            this version has no such relation.
        finding: the failure.
        message: why there is nothing to judge.
    """

    outcome: Outcome
    finding: Finding | None = None
    message: str = ""


def replay(crash: CrashFile, subject: EngineUnderTest, times: int = 1) -> Replay:
    """Ask the trial of a crash file again, up to the first failure, and judge it.

    Args:
        crash: the crash file.
        subject: the engine; to try another profile than that of the file, it has that one.
        times: how often to ask.

    Raises:
        LimitExceeded: the kit's own evaluation takes more than it may.
        ValueError: the file has not the cases that its relation compares.
    """
    property = _property(crash, subject)
    if isinstance(property, Replay):
        return property
    said = _shows_nothing(crash, property)
    if said:
        return Replay(Outcome.VACUOUS, message=said)
    judging = Judging(subject, subject.ask)
    for record in _records(crash, property, subject, judging, times):
        if record.outcome.accuses:
            return Replay(record.outcome, judging.finding(record))
        reason = _no_verdict(crash, record)
        if reason is not None:
            return reason
    if crash.is_trial:
        return Replay(Outcome.RIGHT)
    return _compared(crash, record)


def _property(crash: CrashFile, subject: EngineUnderTest) -> Property | Replay:
    """The property that the trial belongs to, or why it can't be replayed."""
    name = crash.property_name
    if not crash.is_trial:  # Whatever property it was drawn for, its answer is judged.
        check = "repeat" if crash.kind == "unstable" else "answer"
        return Property(name, "", "", "any", check)
    try:
        property = property_named(name)
    except ValueError:
        return Replay(Outcome.UNASKED, message=f"this version knows no relation {name!r}")
    assert property.relation is not None
    why_not = property.relation.not_applicable(subject)
    found, compared = len(crash.trial.variants), property.relation.compares
    if found not in compared:
        most = " or ".join(map(str, compared))
        said = f"{found} case{'s' if found != 1 else ''}, and {name} compares {most}"
        raise ValueError(f"damaged: related.asked: {said}")
    if why_not is not None:
        return Replay(Outcome.EXCUSED, message=f"{name} does not apply: {why_not}")
    return property


def _shows_nothing(crash: CrashFile, property: Property) -> str:
    """Why the answers in a crash file show no failure; empty if they do."""
    if property.relation is not None:
        with limited():
            found = property.relation.contradiction(crash.trial, recorded(crash))
        said = "the answers in the file do not contradict each other: it shows no failure"
        return said if found is None else ""
    verdict = verdict_on(*recorded(crash)) if crash.kind in WRONG else None
    right = verdict is not None and verdict.correct
    return "the answers in the file are right: it shows no failure" if right else ""


def _records(
    crash: CrashFile, property: Property, subject: EngineUnderTest, judging: Judging, times: int
) -> Iterator[Record]:
    """A record of each run; for a case that was unstable, of each run beside the first."""
    variants = crash.trial.variants
    if property.check != "repeat":
        drawn = Drawn(property.name, -1, b"", Trial(variants))
        for _ in range(times):
            yield judging.record(property, drawn, tuple(map(subject.ask, drawn.trial.stimuli)))
        return
    (own,) = variants
    drawn = Drawn(property.name, -1, b"", Trial((own, replace(own, label="again"))))
    first = subject.ask(own.stimulus)
    for _ in range(max(1, times - 1)):
        yield judging.record(property, drawn, (first, subject.ask(own.stimulus)))


def _no_verdict(crash: CrashFile, record: Record) -> Replay | None:
    """Why there is no verdict on a record, if there is none."""
    which = "a case" if crash.is_trial else "this case"
    match record.outcome:
        case Outcome.UNSUPPORTED:
            message = f"the engine does not support {which}: {record.reason}"
        case Outcome.NOT_JUDGED:
            message = f"not judged: the kit {record.reason}"
        case Outcome.DISPUTED:
            message = record.reason
        case Outcome.EXCUSED if record.reason not in ("", EACH_RIGHT):
            message = f"no finding: {record.reason}"
        case _ if not crash.is_trial and record.correct == (None,):
            return Replay(
                Outcome.NOT_JUDGED, message="the profile or the texts leave the answer open"
            )
        case _:
            return None
    return Replay(record.outcome, message=message)


def _compared(crash: CrashFile, record: Record) -> Replay:
    """The result of a right answer: it shows nothing if no evaluation is expected in the case.

    A wrong answer in the file has shown that there is something to compare under its profile.
    """
    observation, (stimulus,) = record.observations[0], crash.stimuli
    shown = crash.kind in WRONG and observation.dials == crash.dials(stimulus)
    if shown or record.correct[0] is None:
        return Replay(Outcome.RIGHT)
    said = nothing_compared(stimulus.case, observation.dials)
    return Replay(Outcome.VACUOUS if said else Outcome.RIGHT, message=said or "")


# --- by which causes --------------------------------------------------------------------------


def explanation(crash: CrashFile, finding: Finding) -> str:
    """Say by which causes the run that wrote a crash file explained its failure.

    Args:
        crash: the crash file.
        finding: the failure as it came now. The causes, as settings of the engine, predict its
            answers, or no longer do.

    Returns:
        A few sentences; nothing if the run named no cause of it, and found no condition.
    """
    ids = [*map(printable, crash.causes)]
    if not ids and crash.dependence.only_if:
        found = printable(str(crash.dependence))
        return f"The run that wrote this file met it {found}. {crash.dependence.evidence}"
    if not ids:
        return ""
    said = f"The run that wrote this file explains it by {listed(ids, limit=len(ids))}"
    try:
        causes = [known_by(id) for id in crash.causes]
    except ValueError:
        return f"{said}, which this version of the kit does not know."
    sentences = [fault(text_of(own.setting)) for own in causes]
    if len(ids) == 1:
        said += f": {sentences[0]}"
    else:
        each = (f"{id}: {sentence}" for id, sentence in zip(ids, sentences, strict=True))
        said = " ".join([f"{said} together.", *each])
    return f"{said} {_predicted(causes, finding)}"


def _predicted(causes: Sequence[KnownCause], finding: Finding) -> str:
    """A sentence on whether causes together predict the answers of a finding."""
    symptom, known = Symptom.of(finding), KnownCauses(causes)
    if not symptom.is_judged:
        return "There is no answer now that could be predicted."
    found = {*map(known.predict, symptom.observations)}
    it, s = ("It", "s") if len(causes) == 1 else ("Together they", "")
    several = len(symptom.observations) > 1
    came = "the answers that came now" if several else "the answer that came now"
    if found == {True}:
        return f"{it} predict{s} {came}, too."
    if False in found:
        return f"{it} no longer predict{s} {came}."
    return f"{it} can't be compared with {came}."
