"""The benchmark's queries, asked of an engine that runs here, over the benchmark's own stream.

They are asked with the patience of a run: once the engine has hung on two, the rest is not asked.
Its answers are a recording as those of the benchmark are, and are judged in the same ways, by the
profile that the engine names. An instant is a second, whatever the profile counts in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rsp_conformance.corpora.csrbench.agreement import RecordingAgreement, agreement
from rsp_conformance.corpora.csrbench.benchmark import SECOND, Benchmark
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.protocol import EngineBroken
from rsp_conformance.run.asking import TOO_SLOW, Asker

NAME = "csrbench"
"""What the queries are together, as a property of a run is of its trials."""


@dataclass(frozen=True, slots=True)
class LiveResult:
    """What became of a query that was put to an engine.

    Attributes:
        outcome: what became of it, by the engine's profile.
        reason: why there are no answers, or no verdict on them.
        kind: the kind of failure, if it is one.
        judged: its answers, judged in every way; None if there are none.
    """

    outcome: Outcome
    reason: str = ""
    kind: str = ""
    judged: JudgedRecording | None = None


def judge_live(benchmark: Benchmark, name: str, query: BenchmarkQuery, asker: Asker) -> LiveResult:
    """Ask an engine, which is called NAME, QUERY over the benchmark's stream, and judge it.

    An answer without an instant of its own has that of the element that set it off.

    Raises:
        FileError: the stream cannot be read.
    """
    profile = asker.subject.profile.with_dials({"unit": SECOND})
    case, _ = case_of(benchmark, query, profile, ())
    trial = Trial((Variant(f"Q{query.number}", Stimulus(case, unit=SECOND)),))
    try:
        for _ in asker.all(NAME, trial.stimuli):
            pass
    except EngineBroken as error:
        return LiveResult(Outcome.UNASKED, error.line)
    seen = asker.seen(trial)
    if seen is None:
        return LiveResult(Outcome.UNASKED, asker.ends(NAME) or TOO_SLOW)
    (found,) = seen
    if found.unsupported is not None:
        return LiveResult(Outcome.UNSUPPORTED, found.unsupported)
    if found.failure is not None:
        return LiveResult(Outcome.FAILED, found.failure.message, found.failure.kind)
    recording = tuple(_stamped(answer, case) for answer in found.observed)
    try:
        judged = judge_recording(benchmark, name, query, profile, recording)
    except Unsupported as error:
        return LiveResult(Outcome.NOT_JUDGED, str(error))
    outcome = Outcome.RIGHT if judged.strict.correct else Outcome.WRONG
    return LiveResult(outcome, judged=judged)


def _stamped(answer: Observed, case: Case) -> Observed:
    t = answer.t
    if t is None and isinstance(answer.cause, int):
        # The last causes are elements that only the engine was sent, after the case's own.
        t = case.elements[answer.cause].t if answer.cause < len(case.elements) else case.until
    elif t is None and answer.cause == "end":
        t = case.until
    return replace(answer, t=None if t is None else t * SECOND)


def beside(live: JudgedRecording, recorded: JudgedRecording) -> RecordingAgreement:
    """How LIVE and RECORDED, the answers of two days to one query, agree in what they hold.

    Each is read as fits it best, so that stamps of a wall clock stand for instants.
    """
    due = [Evaluation(int(t), answer.content) for t, answer in _timed(recorded.fit)]
    case = replace(live.case, until=max(live.case.until, recorded.case.until))
    dials = replace(live.fit.dials, answer_time="evaluation")
    return agreement(due, [answer for _, answer in _timed(live.fit)], case, dials)


def _timed(fit: Fit) -> list[tuple[int | Fraction, Observed]]:
    return [(answer.t, answer) for answer in fit.observed if answer.t is not None]
