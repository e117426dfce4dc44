"""The benchmark's queries, asked of an engine that runs here, over the benchmark's own stream.

They are trials of one property, asked as those of a run are: once the engine has hung on two, the
rest is not asked. Its answers are a recording as those of the benchmark are, and are judged in the
same ways, by the profile that the engine names. An instant is a second, whatever the profile counts
in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rsp_conformance.corpora.csrbench.agreement import RecordingAgreement, agreement
from rsp_conformance.corpora.csrbench.benchmark import SECOND, Benchmark
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.protocol import EngineBroken
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.trials import Drawn, trial_of
from rsp_conformance.run.worker import Worker

CSRBENCH = Property("csrbench", "CSRBench", "RSP-QL Def. 26", "any")
"""The property of the benchmark. Its trials are the queries; none is drawn."""


@dataclass(frozen=True, slots=True)
class LiveResult:
    """What became of a query that was put to an engine.

    Attributes:
        record: what became of it, by the engine's profile.
        judged: its answers, judged in every way; None if there are none.
    """

    record: Record
    judged: JudgedRecording | None = None

    @property
    def reason(self) -> str:
        """Why there are no answers, or no verdict on them."""
        failures = [own.failure for own in self.record.observations if own.failure]
        return failures[0].message if failures else self.record.reason


def worker_for(engine: EngineUnderTest) -> Worker:
    """Return what asks an engine the queries, with an instant a second."""
    in_seconds = replace(engine, profile=engine.profile.with_dials({"unit": SECOND}))
    return Worker(in_seconds, RunSettings(), Ledger())


def judge_live(
    benchmark: Benchmark, name: str, query: BenchmarkQuery, worker: Worker
) -> LiveResult:
    """Ask an engine, which is called NAME, QUERY over the benchmark's stream, and judge it.

    An answer without an instant of its own has that of the element that set it off.

    Raises:
        FileError: the stream cannot be read.
    """
    profile = worker.subject.profile
    case, _ = case_of(benchmark, query, profile, ())
    drawn = Drawn(CSRBENCH.name, query.number, b"", trial_of(CSRBENCH, case))
    try:
        (record,) = worker.judged(CSRBENCH, [drawn])
    except EngineBroken as error:
        return LiveResult(Record(drawn, Outcome.UNASKED, reason=error.line))
    if not all(own.is_answered for own in record.observations) or not record.observations:
        return LiveResult(record)
    recording = tuple(_stamped(answer, case) for answer in record.observations[0].observed)
    try:
        return LiveResult(record, judge_recording(benchmark, name, query, profile, recording))
    except Unsupported as error:
        return LiveResult(replace(record, outcome=Outcome.NOT_JUDGED, reason=str(error)))


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
