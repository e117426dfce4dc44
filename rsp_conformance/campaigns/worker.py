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

from rsp_conformance import limits
from rsp_conformance.campaigns.signature import behaviour, rarest, rows_of, signature
from rsp_conformance.campaigns.unit import (
    VERDICTS,
    EngineSource,
    Row,
    Signature,
    Unit,
    UnitResult,
)
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.files.cases import CASES
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.plan_opinion import by_plan
from rsp_conformance.run.record import Record
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.unexplained import print_of
from rsp_conformance.run.worker import Worker

MOST_KEPT: Final = 12
"""So many failures that nothing known explains come back whole from a unit."""
BESIDE: Final = "; "
"""What stands between causes that explain a failure together."""

_met: dict[EngineSource, EngineUnderTest] = {}
"""The engine of this worker."""


@dataclass(frozen=True, slots=True)
class UnitWork:
    """What a task does with a unit: the engine to ask, and what is known to be wrong with it.

    ``met`` counts what earlier cases have exercised. ``seconds`` of processor time an evaluation of
    the kit's own may take. One right answer in ``sample`` comes back. ``impatient`` is as for
    `run.worker`.
    """

    source: EngineSource
    known: tuple[KnownCause, ...] = ()
    met: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 60.0
    sample: int = 1
    impatient: bool = False

    def __call__(self, units: Sequence[Unit]) -> list[UnitResult]:
        """Yield the results of units, one after another."""
        limits.allow(self.seconds)
        return [self._result(unit) for unit in units]

    def _result(self, unit: Unit) -> UnitResult:
        try:
            return _UnitRun(engine_of(self.source), unit, self).result()
        except EngineError as error:
            _forget_engine()  # The next unit meets another one.
            return UnitResult(unit, [], [], {}, error.line)


class Probed(NamedTuple):
    """What answers in a worker on a host: engine and version, or the problem why there is none."""

    host: str
    engine: str = ""
    version: str = ""
    problem: str = ""


def probe(sources: Sequence[EngineSource]) -> list[Probed]:
    """Whether this worker has the engines."""
    return [_probed(source) for source in sources]


def _probed(source: EngineSource) -> Probed:
    host = socket.gethostname()
    try:
        hello = engine_of(source).hello
    except EngineError as error:
        return Probed(host, problem=error.line)
    except ValueError as error:
        return Probed(host, problem=str(error))
    return Probed(host, hello.engine, hello.version)


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
class _UnitRun:
    """One unit under way."""

    subject: EngineUnderTest
    unit: Unit
    work: UnitWork
    seconds: dict[str, float] = field(default_factory=dict)

    def result(self) -> UnitResult:
        """Draw, ask, judge by both, explain, and write it down."""
        subject, property = self.subject, self.unit.property
        with self._timed("drawing"):
            drawn = self.unit.draw(subject)
            cases = [own.trial.variants[0].case for own in drawn]
            signatures = [signature(case, subject.dials(case)) for case in cases]
            chosen = rarest(signatures, self.work.met, self.unit.cases)
            signed = {drawn[n].place: signatures[n] for n in chosen}
        with self._timed("asking"):
            worker = Worker(subject, RunSettings(), Ledger(), impatient=self.work.impatient)
            judged = [*worker.judged(property, [drawn[n] for n in chosen])]
            records = sorted(judged, key=lambda own: own.drawn.place)
        with self._timed("planning"):
            records = agreed(records, self.work.seconds)
        with self._timed("explaining"):
            causes = self._causes(records, worker)
        with self._timed("writing"):
            kept = self._kept(records, causes)
            held = {own.drawn.place for own in kept}
            rows, lines = [], Lines(subject)
            for own in records:
                place = own.drawn.place
                whole = place in held or own.outcome.accuses or own.outcome is Outcome.DISPUTED
                cause = causes.get(place, "")
                rows.append(self._row(own, signed[place], cause, lines if whole else None))
        return UnitResult(self.unit, rows, kept, self.seconds)

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[phase] = time.process_time() - started

    def _causes(self, records: Iterable[Record], worker: Worker) -> dict[int, str]:
        """The causes of failures by their places: known ones, and all fingerprints of crashes."""
        known, found = KnownCauses(self.work.known), {}
        for own in records:
            if own.outcome is Outcome.FAILED:
                found[own.drawn.place] = print_of(worker.judging.finding(own))
            elif own.outcome is Outcome.WRONG and known.causes:
                known.predictions.know(own.observations[0], False)
                explaining = known.explain_all(own.observations)
                found[own.drawn.place] = BESIDE.join(cause.id for cause in explaining)
        return found

    def _kept(self, records: Iterable[Record], causes: Mapping[int, str]) -> list[Record]:
        """What goes back whole: failures without a known cause, the smaller first, and a sample."""
        known = {cause.id for cause in self.work.known}
        new: dict[str, Record] = {}
        for own in sorted(records, key=lambda own: own.size):
            cause = causes.get(own.drawn.place, "")
            is_new = not cause or (own.outcome is Outcome.FAILED and cause not in known)
            if own.outcome.accuses and is_new:
                new.setdefault(cause or own.digest, own)  # One of each crash is enough.
        smallest = [*new.values()][:MOST_KEPT]
        right = [own for own in records if own.outcome is Outcome.RIGHT]
        return [*smallest, *right[:: self.work.sample]]

    def _row(self, own: Record, signed: Signature, cause: str, lines: Lines | None) -> Row:
        """Return the row of a case; ``lines`` write what is kept whole."""
        case, verdict = own.drawn.trial.variants[0].case, VERDICTS[own.outcome]
        observed = own.observations[0].observed if own.observations else ()
        extent = [rows_of(answer.content) for answer in observed]
        times = [float(answer.t) for answer in observed if answer.t is not None]
        return Row(
            own.drawn.place,
            own.property_name,
            verdict,
            own.kind,
            cause,
            _message(own),
            replace(signed, behaviour=behaviour(verdict, own.kind, observed)),
            _turned(self.subject.dials(case), self.subject.profile.base),
            len(case.elements),
            len(case.query.windows),
            len(observed),
            sum(extent),
            sum(is_empty(answer.content) for answer in observed),
            min(times, default=None),
            max(times, default=None),
            "" if lines is None else _json(CASES.write(Case, case)),
            "" if lines is None else lines.write(own),
        )


def agreed(records: Sequence[Record], seconds: float) -> list[Record]:
    """Return records with the opinion of Spark's plan: if it differs, the case is disputed."""
    judged = [own for own in records if own.correct and own.correct[0] is not None]
    found = by_plan([own.observations[0] for own in judged], seconds)
    disputed: dict[int, str] = {}
    for own, verdict in zip(judged, found, strict=True):
        try:
            must_agree(own.observations[0], own.correct[0], verdict)
        except KitDisagreement as error:
            disputed[own.drawn.place] = str(error)
    return [
        replace(own, outcome=Outcome.DISPUTED, kind="", reason=disputed[own.drawn.place])
        if own.drawn.place in disputed
        else own
        for own in records
    ]


def _message(own: Record) -> str:
    """What is said of a case besides its outcome: the engine's words, or the kit's."""
    failure = own.observations[0].failure if own.observations else None
    return failure.message if failure is not None else own.reason


def _turned(dials: Dials, base: Dials) -> str:
    """Return the dials that differ from the base, as settings."""
    names: Iterable[str] = (dial.name for dial in fields(dials))
    turned = (name for name in names if getattr(dials, name) != getattr(base, name))
    return ", ".join(f"{name}={dials.text(name)}" for name in turned)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
