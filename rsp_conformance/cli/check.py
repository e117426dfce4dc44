"""``engines check``: does a driver speak the protocol, and does its engine do the simplest things?

Every step says who is to blame where it fails: the driver, which anybody can mend who wrote one,
or the engine behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
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
    Outcome,
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
_BLAME = {"rejected": ENGINE, "crashed": ENGINE}
"""Whose fault a failure is that the protocol names; every other one is the driver's."""


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one step; ``fault`` is whose it is where it failed."""

    result: str
    says: str = ""
    fault: str = ""
    name: str = ""


@dataclass(slots=True)
class Wire:
    """Remembers what went over the wire last."""

    received: str = ""
    sent: list[str] = field(default_factory=list)

    def __call__(self, way: str, text: str) -> None:
        """Take one line; the client's log."""
        if way == "←":
            self.received = text
        elif way == "→":
            self.sent.append(text)


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
        show_json({"engine": spec, "steps": [_to_json(step) for step in steps]})
    else:
        show_table(
            ("step", "", "what was seen"),
            [(s.name, f"{s.result}, {s.fault}" if s.fault else s.result, s.says) for s in steps],
        )
        print()
        print(_conclusion(failed))
    return WRONG if failed else CORRECT


def check(engine: Engine, wire: Wire) -> Iterator[Step]:
    """The steps, one after another; after a failed hello there is nothing more to ask."""
    try:
        hello = engine.hello()
    except EngineUnavailable:
        raise
    except EngineError as error:
        yield Step(FAILED, _said(error), DRIVER, "hello")
        return
    about = f"{hello.engine} {hello.version}, {hello.language}, {len(hello.features)} features"
    yield Step(OK, about, name="hello")
    try:
        subject = EngineUnderTest.meet(engine)
        subject.query_text(trivial(subject.profile.base, hello.features))
    except (ValueError, Unsupported) as error:
        yield Step(FAILED, str(error), DRIVER, "profile and language")
        return
    yield Step(OK, f"profile {subject.profile.name}", name="profile and language")
    steps: tuple[tuple[str, Callable[[], Step]], ...] = (
        ("a trivial case", lambda: _trivial(subject)),
        ("a bad query", lambda: _bad_query(subject)),
        ("an unknown operation", lambda: _unknown_operation(engine, wire)),
        ("burst = settled", lambda: _burst_settled(subject)),
        ("restart", lambda: _restart(subject)),
    )
    for name, step in steps:
        try:
            yield replace(step(), name=name)
        except EngineError as error:
            yield Step(FAILED, _said(error), DRIVER, name)


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


def _case(subject: EngineUnderTest) -> Case:
    return trivial(subject.profile.base, subject.features)


def _trivial(subject: EngineUnderTest) -> Step:
    observation = subject.ask(Stimulus(_case(subject)))
    if problem := _problem(observation):
        return problem
    try:
        correct, argument = _judged(observation)
    except (Unsupported, ValueError) as error:
        return Step(SKIPPED, f"cannot be judged under its profile: {error}")
    if correct:
        return Step(OK, argument)
    patient = subject.ask(Stimulus(_case(subject), "settled"))
    if _cut_short(observation, patient) and _judged(patient)[0]:
        says = f"right where the driver waits after each element, and wrong in a burst. {argument}"
        return Step(FAILED, says, DRIVER)
    return Step(FAILED, argument, ENGINE)


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


def _problem(observation: Observation) -> Step | None:
    """The step that failed, where there is no answer."""
    if observation.unsupported is not None:
        says = f"the simplest query there is counts as unsupported: {observation.unsupported}"
        return Step(FAILED, says, DRIVER)
    if observation.failure is not None:
        failure = observation.failure
        says = f"{failure.kind}: {failure.message}"
        return Step(FAILED, says, _BLAME.get(failure.kind, DRIVER))
    return None


def _bad_query(subject: EngineUnderTest) -> Step:
    request = subject.request(Stimulus(_case(subject)), id="bad-query")
    request["query"] += "\n} this is no query"
    outcome = subject.engine.run(request)
    if not isinstance(outcome, Failure):
        says = f"answered {len(outcome.answers)} times where error kind rejected was due"
        return Step(FAILED, says, ENGINE)
    if outcome.kind == "rejected":
        return Step(OK, f"rejected: {outcome.message}")
    says = f"{outcome.kind} where error kind rejected was due: {outcome.message}"
    return Step(FAILED, says, DRIVER)


def _unknown_operation(engine: Engine, wire: Wire) -> Step:
    if not isinstance(engine, ProtocolEngine):
        return Step(SKIPPED, "the engine is in this process and gets no operations by name")
    wire.received = ""
    outcome = engine.run({"op": "no-such-operation", "id": "unknown-operation"})
    kind = _error_kind(wire.received)
    if kind == "unsupported":
        return Step(OK, "error kind unsupported")
    found = f"error kind {kind}" if kind else _outcome_text(outcome)
    return Step(FAILED, f"{found} where error kind unsupported was due", DRIVER)


def _error_kind(line: str) -> str:
    """The kind of error on a line; the client reads it for the operations of the protocol only."""
    try:
        error = json.loads(line)["error"]
        return str(error["kind"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def _outcome_text(outcome: Outcome) -> str:
    return f"{outcome.kind}: {outcome.message}" if isinstance(outcome, Failure) else "answers"


def _burst_settled(subject: EngineUnderTest) -> Step:
    one, other = (subject.ask(Stimulus(_case(subject), pacing)) for pacing in ("burst", "settled"))
    for observation in (one, other):
        if problem := _problem(observation):
            return problem
    burst, settled = _contents(one), _contents(other)
    if burst == settled:
        return Step(OK, f"{len(burst)} answers either way")
    if _cut_short(one, other):
        says = (
            f"of {len(settled)} settled answers a burst gives the first {len(burst)} only: the "
            "driver does not wait until the engine is quiet"
        )
        return Step(FAILED, says, DRIVER)
    says = (
        f"{len(burst)} answers in a burst and {len(settled)} settled, and not the same ones: the "
        "engine depends on timing"
    )
    return Step(FAILED, says, ENGINE)


def _contents(observation: Observation) -> list[tuple[Any, Content]]:
    return [(answer.t, answer.content) for answer in observation.observed]


def _restart(subject: EngineUnderTest) -> Step:
    before = subject.ask(Stimulus(_case(subject)))
    subject.engine.restart()
    after = subject.ask(Stimulus(_case(subject)))
    for observation in (before, after):
        if problem := _problem(observation):
            return problem
    if _contents(before) == _contents(after):
        return Step(OK, "the same answers as before")
    return Step(FAILED, "after a restart the answers are others", ENGINE)


def _said(error: EngineError) -> str:
    parts = [error.message, error.hint]
    if error.stderr:
        parts.append("standard error ends: " + " | ".join(error.stderr[-3:]))
    return one_line("; ".join(part for part in parts if part))


def _conclusion(failed: Sequence[Step]) -> str:
    if not failed:
        return "All is well."
    driver = sum(step.fault == DRIVER for step in failed)
    engine = len(failed) - driver
    parts = [
        f"{count} of the {who}'s" for count, who in ((driver, DRIVER), (engine, ENGINE)) if count
    ]
    return f"Faults: {' and '.join(parts)}."


def _to_json(step: Step) -> dict[str, str]:
    return {"step": step.name, "result": step.result, "fault": step.fault, "says": step.says}
