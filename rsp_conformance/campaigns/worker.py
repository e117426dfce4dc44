"""A unit's work in a Spark task: draw its cases, ask the engine, judge twice, say what came of it.

A Python worker starts the engine once and keeps it from task to task. It is killed with the
worker, whatever kills that: on Linux by its supervisor, elsewhere by the end of its input.
"""

from __future__ import annotations

import gc
import json
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Final, NamedTuple

from rsp_conformance.campaigns.signature import behaviour, rarest, rows_of, signature
from rsp_conformance.campaigns.unit import (
    VERDICTS,
    EngineSource,
    Kept,
    Row,
    Signature,
    Unit,
    UnitResult,
)
from rsp_conformance.causes.cause import UNEXPLAINED
from rsp_conformance.causes.evidence import Symptom
from rsp_conformance.causes.fingerprint import fingerprint
from rsp_conformance.causes.known import KnownCause, KnownCauses
from rsp_conformance.files.answers import KEPT_ANSWERS
from rsp_conformance.files.cases import CASES
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import described, verdict_on
from rsp_conformance.limits import LimitExceeded, allow
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.run.asking import LOST
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import InternalError, judge_share

MOST_LOST: Final = 3
"""After so many cases that the engine hung or died on, a unit asks no more; known ones end it."""
MOST_KEPT: Final = 12
"""So many failures that nothing known explains come back whole from a unit."""
BESIDE: Final = "; "
"""What stands between causes that explain a failure together."""

_met: dict[EngineSource, EngineUnderTest] = {}
"""The engine of this worker."""


@dataclass(frozen=True, slots=True)
class UnitWork:
    """What a task does with a unit: the engine to ask, and what is KNOWN to be wrong with it.

    ``met`` counts what earlier cases have exercised. ``seconds`` of processor time an evaluation of
    the kit's own may take. One right answer in ``sample`` comes back.
    """

    source: EngineSource
    known: tuple[KnownCause, ...] = ()
    met: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 60.0
    sample: int = 1

    def __call__(self, units: Sequence[Unit]) -> list[UnitResult]:
        """The results of UNITS, one after another."""
        allow(self.seconds)
        return [self._result(unit) for unit in units]

    def _result(self, unit: Unit) -> UnitResult:
        try:
            return _UnitRun(engine_of(self.source), unit, self).result()
        except EngineError as error:
            _forget_engine()  # The next unit meets another one.
            return UnitResult(unit, [], [], {}, error.line)


class Met(NamedTuple):
    """What answers in a worker on HOST: engine and version, or the PROBLEM why there is none."""

    host: str
    engine: str = ""
    version: str = ""
    problem: str = ""


def probe(sources: Sequence[EngineSource]) -> list[Met]:
    """Whether this worker has the engines."""
    return [_probed(source) for source in sources]


def _probed(source: EngineSource) -> Met:
    host = socket.gethostname()
    try:
        hello = engine_of(source).hello
    except EngineError as error:
        return Met(host, problem=error.line)
    except ValueError as error:
        return Met(host, problem=str(error))
    return Met(host, hello.engine, hello.version)


def engine_of(source: EngineSource) -> EngineUnderTest:
    """The engine of this worker; another one that it had before is closed."""
    if source not in _met:
        _forget_engine()
        _met[source] = source.meet()
        if not gc.get_freeze_count():
            # PySpark collects garbage after each task: what stays is looked through no more.
            gc.freeze()
    return _met[source]


def _forget_engine() -> None:
    while _met:
        _met.popitem()[1].close()


@dataclass(slots=True)
class _Judged:
    """A case of a unit with what came back, and what is said of it."""

    place: int
    observation: Observation
    outcome: Outcome = Outcome.VACUOUS
    kind: str = ""
    cause: str = ""
    message: str = ""
    verdict: Verdict | None = None


@dataclass(slots=True)
class _UnitRun:
    """One unit under way."""

    subject: EngineUnderTest
    unit: Unit
    work: UnitWork
    seconds: dict[str, float] = field(default_factory=dict)

    def result(self) -> UnitResult:
        """Draw, ask, judge by both, explain, and write it down."""
        with self._timed("drawing"):
            drawn = self.unit.draw(self.subject)
            signatures = [signature(case, self.subject.dials(case)) for case in drawn]
            chosen = rarest(signatures, self.work.met, self.unit.cases)
        with self._timed("asking"):
            observations = dict(self._asked({place: drawn[place] for place in chosen}))
        with self._timed("judging"):
            judged = [_judged(place, own) for place, own in sorted(observations.items())]
        with self._timed("planning"):
            self._plan(judged)
        with self._timed("explaining"):
            self._explain(judged)
        with self._timed("writing"):
            rows = {
                place: Row(place, Outcome.UNASKED, signature=signatures[place]) for place in chosen
            }
            kept = self._kept(judged)
            held = {own.place for own in kept if own.correct}
            rows |= {
                own.place: self._row(own, signatures[own.place], is_held=own.place in held)
                for own in judged
            }
        return UnitResult(self.unit, list(rows.values()), kept, self.seconds)

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[phase] = time.process_time() - started

    def _asked(self, cases: Mapping[int, Case]) -> Iterator[tuple[int, Observation]]:
        """The observations, by place; none is asked after MOST_LOST that the engine was lost on."""
        places = {id(case): place for place, case in cases.items()}
        lost = 0

        def stimuli() -> Iterator[Stimulus]:
            for case in cases.values():
                if lost >= MOST_LOST:
                    return
                yield Stimulus(case)

        for observation in self.subject.ask_many(stimuli()):
            failure = observation.failure
            if failure is not None and failure.kind in LOST:
                # Of what is known already one is enough.
                print = fingerprint_id(self.subject, observation)
                lost += MOST_LOST if print in self._known_ids else 1
            yield places[id(observation.stimulus.case)], observation

    def _plan(self, judged: Sequence[_Judged]) -> None:
        """The plan's opinion on every answer; where it is another nobody is accused."""
        answered = [
            own for own in judged if own.outcome in (Outcome.RIGHT, Outcome.VACUOUS, Outcome.WRONG)
        ]
        found = by_plan([own.observation for own in answered], self.work.seconds)
        for own, verdict in zip(answered, found, strict=True):
            try:
                correct = own.verdict.correct if own.verdict else None
                must_agree(own.observation, correct, verdict)
            except KitDisagreement as error:
                own.outcome, own.kind, own.message = Outcome.DISPUTED, "", str(error)

    def _explain(self, judged: Sequence[_Judged]) -> None:
        """Name the known cause of each failure, if there is one."""
        known = KnownCauses(self.work.known)
        for own in judged:
            if own.outcome is Outcome.FAILED:
                own.cause = fingerprint_id(self.subject, own.observation)
            elif own.outcome is Outcome.WRONG and known.causes:
                known.predictions.know(own.observation, False)
                own.cause = BESIDE.join(c.id for c in known.explain(own.observation) or ())

    @property
    def _known_ids(self) -> set[str]:
        return {cause.id for cause in self.work.known}

    def _kept(self, judged: Sequence[_Judged]) -> list[Kept]:
        """What goes back whole: failures without a known cause, the smaller first, and a sample."""
        known = self._known_ids
        new = [o for o in judged if o.outcome is Outcome.WRONG and not o.cause]
        causes = {
            o.cause: o for o in judged if o.outcome is Outcome.FAILED and o.cause not in known
        }
        new = sorted([*new, *causes.values()], key=lambda o: o.observation.size)[:MOST_KEPT]
        right = [o for o in judged if o.outcome is Outcome.RIGHT][:: self.work.sample]
        return [
            Kept(self.unit, o.place, o.observation, o.outcome is Outcome.RIGHT, o.kind, o.cause)
            for o in (*new, *right)
        ]

    def _row(self, own: _Judged, signed: Signature, *, is_held: bool) -> Row:
        observation = own.observation
        case, observed = observation.stimulus.case, observation.observed
        whole = own.outcome.accuses or own.outcome is Outcome.DISPUTED or is_held
        extent = [rows_of(answer.content) for answer in observed]
        times = [float(answer.t) for answer in observed if answer.t is not None]
        return Row(
            own.place,
            own.outcome,
            own.kind,
            own.cause,
            own.message,
            replace(signed, behaviour=behaviour(VERDICTS[own.outcome], own.kind, observed)),
            _turned(observation.dials, self.subject.profile.base),
            len(case.elements),
            len(case.query.windows),
            len(observed),
            sum(extent),
            sum(is_empty(answer.content) for answer in observed),
            min(times, default=None),
            max(times, default=None),
            observation.query_text if whole else "",
            _json(CASES.write(Case, case)) if whole else "",
            _json(KEPT_ANSWERS.write(tuple[Observed, ...], observed)) if whole else "",
        )


def fingerprint_id(subject: EngineUnderTest, observation: Observation) -> str:
    """The cause of a failure of SUBJECT without an answer to judge: its fingerprint."""
    return fingerprint_of(described("campaign", subject, observation))


def fingerprint_of(finding: Finding) -> str:
    """The cause of a failure that nothing explains: its fingerprint."""
    return UNEXPLAINED + fingerprint(Symptom.of(finding)).id


def by_plan(
    observations: Sequence[Observation], seconds: float
) -> list[Verdict | InternalError | LimitExceeded | None]:
    """What Spark's plan says of OBSERVATIONS, all in this process; None where it judges nothing."""
    shipment = Shipment()
    tasks = (
        Task(str(n), own.stimulus.case, own.dials, own.observed)
        for n, own in enumerate(observations)
    )
    results = judge_share([shipment.case(task, judged=True) for task in tasks], seconds)
    kept = (Verdict, InternalError, LimitExceeded)
    return [one.found if isinstance(one.found, kept) else None for one in results]


def _judged(place: int, observation: Observation) -> _Judged:
    """What the specification says of OBSERVATION."""
    own = _Judged(place, observation)
    failure = observation.failure
    if observation.unsupported is not None:
        own.outcome, own.message = Outcome.UNSUPPORTED, observation.unsupported
    elif failure is not None:
        own.outcome, own.kind, own.message = Outcome.FAILED, failure.kind, failure.message
    else:
        try:
            own.verdict = verdict_on(observation)
        except LimitExceeded as error:
            own.outcome, own.message = Outcome.NOT_JUDGED, error.what
            return own
        if own.verdict is not None and not own.verdict.correct:
            divergence = own.verdict.divergence
            own.outcome = Outcome.WRONG
            own.kind = divergence.kind.value if divergence else "wrong answer"
        elif own.verdict is not None and observation.speaks:
            own.outcome = Outcome.RIGHT
    return own


def _turned(dials: Dials, base: Dials) -> str:
    """The DIALS that differ from BASE, as settings."""
    names: Iterable[str] = (dial.name for dial in fields(dials))
    turned = (name for name in names if getattr(dials, name) != getattr(base, name))
    return ", ".join(f"{name}={dials.text(name)}" for name in turned)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
