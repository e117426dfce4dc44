"""``engines check``: does a driver speak the protocol, and does its engine do the simplest things?

Every step says who is to blame where it fails: the driver, which anybody can mend who wrote one,
or the engine behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import CORRECT, WRONG, one_line, show_json, show_table
from rsp_conformance.explain.render.argument import because
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.answers import Content
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.protocol import (
    Engine,
    EngineError,
    EngineUnavailable,
    Failure,
    ProtocolEngine,
    registry,
)
from rsp_conformance.spec.correctness import judge

EX = "http://ex.org/"
OK = "ok"
FAILED = "failed"
SKIPPED = "skipped"
DRIVER = "driver"
ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one step; ``fault`` is whose it is where it failed."""

    name: str
    result: str
    says: str
    fault: str = ""


class _Fault(Exception):
    """A step that failed: whose fault it is, and what was seen."""

    def __init__(self, fault: str, says: str) -> None:
        super().__init__(says)
        self.fault = fault


class _Skipped(Exception):
    """A step that cannot be taken here, and why."""


@dataclass(slots=True)
class Wire:
    """Remembers what was received over the wire last; a log for the client."""

    received: str = ""

    def __call__(self, way: str, text: str) -> None:
        """Take one line."""
        if way == "←":
            self.received = text


def show_check(spec: str, engine_options: Sequence[str], time_limit: float, format: Format) -> int:
    """Check an engine and print its steps; the exit status.

    Raises:
        EngineSpecError, EngineUnavailable: there is no such engine, or it is not installed.
    """
    wire = Wire()
    options = registry.parse_options(engine_options)
    with registry.connect(spec, options, time_limit, wire) as engine:
        steps = list(check(engine, wire))
    failed = [step for step in steps if step.result == FAILED]
    if format is Format.json:
        shown = [
            {"step": step.name, "result": step.result, "fault": step.fault, "says": step.says}
            for step in steps
        ]
        show_json({"engine": spec, "steps": shown})
    else:
        show_table(
            ("step", "", "what was seen"),
            [(s.name, f"{s.result}, {s.fault}" if s.fault else s.result, s.says) for s in steps],
        )
        print()
        print(_conclusion(failed))
    return WRONG if failed else CORRECT


def check(engine: Engine, wire: Wire) -> Iterator[Step]:
    """The steps, one after another; where hello or profile fail there is nothing more to ask."""
    met: list[EngineUnderTest] = []
    steps: tuple[tuple[str, Callable[[], str]], ...] = (
        ("hello", lambda: _hello(engine)),
        ("profile and language", lambda: _profile(engine, met)),
        ("a trivial case", lambda: _trivial(met[0])),
        ("a bad query", lambda: _bad_query(met[0])),
        ("an unknown operation", lambda: _unknown_operation(engine, wire)),
        ("burst = settled", lambda: _burst_settled(met[0])),
        ("restart", lambda: _restart(met[0])),
    )
    for number, (name, step) in enumerate(steps):
        try:
            yield Step(name, OK, step())
            continue
        except _Skipped as skipped:
            yield Step(name, SKIPPED, str(skipped))
        except _Fault as fault:
            yield Step(name, FAILED, str(fault), fault.fault)
        except EngineError as error:
            if number == 0 and isinstance(error, EngineUnavailable):
                raise
            yield Step(name, FAILED, _said(error), DRIVER)
        if number < 2:
            return


def trivial(dials: Dials, features: Set[str]) -> Case:
    """A tumbling window over one stream, and three elements, within what the engine takes."""
    window, stream = IRI(EX + "w"), IRI(EX + "s")
    pattern = BGP((TriplePattern(Variable("s"), IRI(EX + "p"), Variable("o")),))
    written = [o for o in StreamOperator if o.letter in dials.stream_operators]
    operator = next((o for o in written if o.value.lower() in features), None)
    period_wanted = any(
        s.kind == "COMPUTED EVERY" and s.period is None for s in strategies(dials.report)
    )
    merged = dials.windows_in == "default"
    query = Query(
        pattern=pattern if merged else Window(window, pattern),
        operator=operator,
        name=IRI(EX + "out") if operator is not None or period_wanted else None,
        computed_every=2 if period_wanted else None,
        windows=(WindowDeclaration(window, stream, 2, 2, named=not merged),),
        prefixes=(("", EX),),
    )
    elements = tuple(
        StreamElement(stream, t, (Triple(IRI(EX + subject), IRI(EX + "p"), IRI(EX + "x")),))
        for t, subject in ((1, "a"), (3, "b"), (6, "c"))
    )
    return Case(query=query, elements=elements, until=10)


def _hello(engine: Engine) -> str:
    hello = engine.hello()
    return f"{hello.engine} {hello.version}, {hello.language}, {len(hello.features)} features"


def _profile(engine: Engine, met: list[EngineUnderTest]) -> str:
    """Meet the engine under its profile: what comes after asks it."""
    try:
        subject = EngineUnderTest.meet(engine)
        subject.query_text(_stimulus(subject).case)
    except (ValueError, Unsupported) as error:
        raise _Fault(DRIVER, str(error)) from error
    met.append(subject)
    return f"profile {subject.profile.name}"


def _stimulus(subject: EngineUnderTest, pacing: str = "burst") -> Stimulus:
    return Stimulus(trivial(subject.profile.base, subject.features), pacing)


def _answered(subject: EngineUnderTest, pacing: str = "burst") -> Observation:
    """What the engine answers to the trivial case; raises _Fault where it does not."""
    observation = subject.ask(_stimulus(subject, pacing))
    if observation.unsupported is not None:
        says = f"the simplest query there is counts as unsupported: {observation.unsupported}"
        raise _Fault(DRIVER, says)
    if (failure := observation.failure) is not None:
        fault = ENGINE if failure.kind in ("rejected", "crashed") else DRIVER
        raise _Fault(fault, f"{failure.kind}: {failure.message}")
    return observation


def _contents(observation: Observation) -> list[tuple[Any, Content]]:
    return [(answer.t, answer.content) for answer in observation.observed]


def _trivial(subject: EngineUnderTest) -> str:
    observation = _answered(subject)
    try:
        correct, argument = _judged(observation)
    except (Unsupported, ValueError) as error:
        raise _Skipped(f"cannot be judged under its profile: {error}") from error
    if correct:
        return argument
    patient = subject.ask(_stimulus(subject, "settled"))
    if _cut_short(observation, patient) and _judged(patient)[0]:
        says = f"right where the driver waits after each element, and wrong in a burst. {argument}"
        raise _Fault(DRIVER, says)
    raise _Fault(ENGINE, argument)


def _judged(observation: Observation) -> tuple[bool, str]:
    """Whether the answer is correct, and why."""
    case, dials, observed = observation.stimulus.case, observation.dials, observation.observed
    verdict = judge(case, dials, observed)
    return verdict.correct, because(case, dials, observed, verdict)


def _cut_short(burst: Observation, settled: Observation) -> bool:
    """Whether a burst gives the first of the settled answers and then no more."""
    if settled.failure is not None or settled.unsupported is not None:
        return False
    first, whole = _contents(burst), _contents(settled)
    return len(first) < len(whole) and first == whole[: len(first)]


def _bad_query(subject: EngineUnderTest) -> str:
    request = subject.request(_stimulus(subject), id="bad-query")
    request["query"] += "\n} this is no query"
    outcome = subject.engine.run(request)
    if not isinstance(outcome, Failure):
        says = f"answered {len(outcome.answers)} times where error kind rejected was due"
        raise _Fault(ENGINE, says)
    if outcome.kind == "rejected":
        return f"rejected: {outcome.message}"
    raise _Fault(DRIVER, f"{outcome.kind} where error kind rejected was due: {outcome.message}")


def _unknown_operation(engine: Engine, wire: Wire) -> str:
    if not isinstance(engine, ProtocolEngine):
        raise _Skipped("the engine is in this process and gets no operations by name")
    wire.received = ""
    outcome = engine.run({"op": "no-such-operation", "id": "unknown-operation"})
    try:
        # The client reads errors for the operations of the protocol only.
        found = f"error kind {json.loads(wire.received)['error']['kind']}"
    except (ValueError, KeyError, TypeError, RecursionError):
        found = "answers"
        if isinstance(outcome, Failure):
            found = f"{outcome.kind}: {outcome.message}"
    if found != "error kind unsupported":
        raise _Fault(DRIVER, f"{found} where error kind unsupported was due")
    return found


def _burst_settled(subject: EngineUnderTest) -> str:
    one, other = _answered(subject), _answered(subject, "settled")
    burst, settled = _contents(one), _contents(other)
    if burst == settled:
        return f"{len(burst)} answers either way"
    if _cut_short(one, other):
        raise _Fault(
            DRIVER,
            f"of {len(settled)} settled answers a burst gives the first {len(burst)} only: the "
            "driver does not wait until the engine is quiet",
        )
    raise _Fault(
        ENGINE,
        f"{len(burst)} answers in a burst and {len(settled)} settled, and not the same ones: the "
        "engine depends on timing",
    )


def _restart(subject: EngineUnderTest) -> str:
    before = _answered(subject)
    subject.engine.restart()
    if _contents(before) != _contents(_answered(subject)):
        raise _Fault(ENGINE, "after a restart the answers are others")
    return "the same answers as before"


def _said(error: EngineError) -> str:
    parts = [error.message, error.hint]
    if error.stderr:
        parts.append("standard error ends: " + " | ".join(error.stderr[-3:]))
    return one_line("; ".join(part for part in parts if part))


def _conclusion(failed: Sequence[Step]) -> str:
    if not failed:
        return "All is well."
    driver = sum(step.fault == DRIVER for step in failed)
    counts = ((driver, DRIVER), (len(failed) - driver, ENGINE))
    parts = [f"{count} of the {who}'s" for count, who in counts if count]
    return f"Faults: {' and '.join(parts)}."
