"""The benchmark's queries, asked of an engine that runs here, over the benchmark's own stream.

Its answers are a recording as those of the benchmark are, and are judged in the same ways, by the
profile that the engine names. An instant is a second, whatever the profile counts in.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rsp_conformance.corpora.csrbench.agreement import RecordingAgreement, agreement
from rsp_conformance.corpora.csrbench.benchmark import SECOND, Benchmark
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.trial import Stimulus


def judge_live(
    benchmark: Benchmark, name: str, query: BenchmarkQuery, engine: EngineUnderTest
) -> JudgedRecording | EngineFailure:
    """What ENGINE, called NAME, answers to QUERY over the benchmark's stream, judged.

    An answer without an instant of its own has that of the element that set it off. A failure says
    why there are no answers.

    Raises:
        FileError: the stream cannot be read.
        EngineError: the engine cannot be asked at all.
        Unsupported: an answer that cannot be judged under the engine's profile.
    """
    profile = engine.profile.with_dials({"unit": SECOND})
    case, _ = case_of(benchmark, query, profile, ())
    found = engine.ask(Stimulus(case, unit=SECOND))
    if found.unsupported is not None:
        return EngineFailure("unsupported", found.unsupported)
    if found.failure is not None:
        return found.failure
    recording = tuple(_stamped(answer, case) for answer in found.observed)
    return judge_recording(benchmark, name, query, profile, recording)


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
