"""``engines check``: does a driver speak the protocol, and does its engine do the simplest things?

Every step says who is to blame where it fails: the driver, which anybody can mend who wrote one,
or the engine behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Any

import rsp_conformance as rsp
from rsp_conformance.explain.render.argument import because
from rsp_conformance.explain.render.layout import counted, unglued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.flood import FLOOD
from rsp_conformance.judge.vacuity import nothing_compared
from rsp_conformance.model.answers import Content, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.protocol import (
    Engine,
    EngineError,
    EngineUnavailable,
    Failure,
    ProtocolEngine,
    Reply,
    registry,
)
from rsp_conformance.spec.correctness import judge
from rsp_conformance.suite.asking import LOST
from rsp_conformance.text.languages import LANGUAGES

OK = "ok"
FAILED = "failed"
SKIPPED = "skipped"
DRIVER = "driver"
ENGINE = "engine"
EITHER = "driver or engine"


@dataclass(frozen=True, slots=True)
class CheckStep:
    """What became of one step, and what was seen; ``fault`` is whose it is where it failed."""

    name: str
    result: str
    says: str
    fault: str = ""

    def to_json(self) -> dict[str, str]:
        """The step as `--format json` shows it."""
        return {"step": self.name, "result": self.result, "fault": self.fault, "says": self.says}


class CheckFailed(Exception):
    """A step failed: what was seen, and whose fault it is."""


class Unanswered(CheckFailed):
    """The simplest case there is has no answer, which all steps that ask it would say again."""


class Skip(Exception):
    """A step says nothing of this engine: why."""


def steps_of(spec: str, options: Mapping[str, str], time_limit: float) -> list[CheckStep]:
    """Check an engine: its steps, one after another.

    Raises:
        EngineSpecError, EngineUnavailable: there is no such engine, or it is not installed.
    """
    received: list[str] = []

    def log(way: str, text: str) -> None:
        if way == "←":
            received[:] = [text]

    with registry.connect(spec, options, time_limit, log) as engine:
        return list(_check(engine, received))


def conclusion(steps: Sequence[CheckStep]) -> str:
    """How many of the faults are the driver's, and how many the engine's."""
    faults = [step.fault for step in steps if step.fault]
    whose = {DRIVER: "of the driver's", ENGINE: "of the engine's", EITHER: "of either's"}
    parts = [f"{faults.count(who)} {text}" for who, text in whose.items() if who in faults]
    return f"Faults: {' and '.join(parts)}." if parts else "All is well."


def _check(engine: Engine, received: list[str]) -> Iterator[CheckStep]:
    """The steps; after a failed hello there is nothing more to ask."""
    subject: EngineUnderTest

    def hello() -> str:
        hello = engine.hello()
        features = counted(len(hello.features), "feature")
        return f"{hello.engine} {hello.version}, {hello.language}, {features}"

    def profile() -> str:
        nonlocal subject
        try:
            subject = EngineUnderTest.meet(engine)
            subject.query_text(_case(subject))
        except (ValueError, Unsupported) as error:
            raise CheckFailed(str(error), DRIVER) from None
        return f"profile {subject.profile.name}"

    steps: tuple[tuple[str, Callable[[], str]], ...] = (
        ("hello", hello),
        ("profile and language", profile),
        ("a trivial case", lambda: _trivial(subject)),
        ("a bad query", lambda: _bad_query(subject, ENGINE if heard else EITHER)),
        ("an unknown operation", lambda: _unknown_operation(engine, received)),
        ("burst = settled", lambda: _burst_settled(subject)),
        ("restart", lambda: _restart(subject)),
    )
    heard = True
    for number, (name, step) in enumerate(steps):
        try:
            yield CheckStep(name, OK, step())
            continue
        except Skip as why:
            yield CheckStep(name, SKIPPED, str(why))
            continue
        except CheckFailed as failed:
            if isinstance(failed, Unanswered) and not heard:
                yield CheckStep(name, SKIPPED, "the trivial case has no answer")
                continue
            heard = heard and not isinstance(failed, Unanswered)
            yield CheckStep(name, FAILED, *failed.args)
        except EngineError as error:
            if isinstance(error, EngineUnavailable) and step is hello:
                raise
            yield CheckStep(name, FAILED, error.line, DRIVER)
        if number < 2:
            return


def trivial(dials: Dials, features: Set[str]) -> Case:
    """A window over one stream, tumbling if it may, and three elements: what the engine takes."""
    written = [o.value for o in StreamOperator if o.letter in dials.stream_operators]
    operator = next((o for o in written if o.lower() in features), "")
    period = any(s.kind == "COMPUTED EVERY" and s.period is None for s in strategies(dials.report))
    every = "COMPUTED EVERY 2" if period else ""
    register = f"REGISTER {operator} :out {every} AS" if operator or period else ""
    merged = dials.windows_in == "default"
    window = "FROM WINDOW" if merged else "FROM NAMED WINDOW"
    step = "" if "without-steps" in features else " STEP 2"
    pattern = "?s :p ?o" if merged else "WINDOW :w { ?s :p ?o }"
    query = (
        f"PREFIX : <http://ex.org/> {register} SELECT * "
        f"{window} :w ON STREAM :s [RANGE 2{step}] WHERE {{ {pattern} }}"
    )
    elements = [(1, ":a :p :x"), (3, ":b :p :x"), (6, ":c :p :x")]
    return rsp.case(query, {":s": elements}, until=10).case


def _case(subject: EngineUnderTest) -> Case:
    return trivial(subject.profile.base, subject.features)


def _ask(subject: EngineUnderTest, pacing: str = "burst") -> Observation:
    """What the engine answers to the trivial case; CheckFailed where it does not."""
    observation = subject.ask(Stimulus(_case(subject), pacing))
    if observation.unsupported is not None:
        says = f"the simplest query there is counts as unsupported: {observation.unsupported}"
        raise Unanswered(says, DRIVER)
    if failure := observation.failure:
        says = f"{failure.kind}: {failure.message}"
        if failure.kind == "rejected":
            raise _unheard(subject, says, EITHER)
        # Any other failure that the protocol names is the driver's.
        raise Unanswered(says, {"crashed": ENGINE, FLOOD: EITHER}.get(failure.kind, DRIVER))
    return observation


def _contents(observation: Observation) -> list[tuple[Any, Content]]:
    return [(answer.t, answer.content) for answer in observation.observed]


def _trivial(subject: EngineUnderTest) -> str:
    observation = _ask(subject)
    try:
        nothing = nothing_compared(_case(subject), observation.dials)
        correct, argument = _judged(observation)
    except (Unsupported, ValueError) as error:
        raise Skip(f"cannot be judged under its profile: {error}") from None
    if correct and nothing:
        raise Skip(f"under its profile {nothing}")
    if correct:
        return argument
    patient = subject.ask(Stimulus(_case(subject), "settled"))
    answered = patient.failure is None and patient.unsupported is None
    if answered and _cut_short(observation, patient) and _judged(patient)[0]:
        says = f"right where the driver waits after each element, and wrong in a burst. {argument}"
        raise CheckFailed(says, DRIVER)
    if answered and not (_has_rows(observation.observed) or _has_rows(patient.observed)):
        raise _unheard(subject, "no row came, in a burst or settled", EITHER)
    raise CheckFailed(argument, ENGINE)


def _has_rows(answers: Iterable[Observed]) -> bool:
    return any(isinstance(answer.content, Rows) and answer.content.rows for answer in answers)


def _unheard(subject: EngineUnderTest, says: str, who: str) -> Unanswered:
    """What is to be said where the trivial query as it was sent gets no row.

    An engine that reads queries in another dialect than its driver declares is not to blame: the
    other dialects are tried, those with the fewest changes first.
    """
    request = subject.request(Stimulus(_case(subject), "settled"), id="dialects")
    sent, declared = request["query"], subject.hello.dialect
    says += f". The query as it was sent:\n{sent}\n"
    options = LANGUAGES[subject.hello.language].options.items()
    keys = {key: [v for v in values if v != declared.get(key, False)] for key, values in options}
    tried, failed = {sent}, ""
    for values in sorted(product(*([None, *v] for v in keys.values())), key=_changes):
        changes = {key: value for key, value in zip(keys, values, strict=True) if value is not None}
        hello = subject.hello.model_copy(update={"dialect": {**declared, **changes}})
        try:
            text = replace(subject, hello=hello).query_text(_case(subject))
        except ValueError:
            continue  # what cannot be written so, such as half a second in seconds
        if text not in tried:
            tried.add(text)
            outcome = subject.engine.run({**request, "query": text})
            if isinstance(outcome, Reply) and _has_rows(outcome.answers):
                says += f"There are rows under dialect {json.dumps(changes)}: declare it in hello"
                return Unanswered(says, DRIVER)
            if isinstance(outcome, Failure) and not failed:
                failed = f"; under {json.dumps(changes)} {outcome.kind}: {outcome.message}"
            if isinstance(outcome, Failure) and outcome.kind in LOST:
                break  # each of the other dialects might cost a driver's life, or a time limit
    return Unanswered(f"{says}No other dialect gets a row ({len(tried) - 1} tried{failed})", who)


def _changes(values: Sequence[Any]) -> int:
    return sum(value is not None for value in values)


def _judged(observation: Observation) -> tuple[bool, str]:
    """Whether the answer is correct, and why."""
    case, dials, observed = observation.stimulus.case, observation.dials, observation.observed
    verdict = judge(case, dials, observed)
    return verdict.correct, because(case, dials, observed, verdict)


def _cut_short(burst: Observation, settled: Observation) -> bool:
    """Whether a burst gives the first of the settled answers and then no more."""
    first, whole = _contents(burst), _contents(settled)
    return len(first) < len(whole) and first == whole[: len(first)]


def _bad_query(subject: EngineUnderTest, who: str) -> str:
    """WHO is to blame where the query is taken: of an engine that never answers nobody knows."""
    request = subject.request(Stimulus(_case(subject)), id="bad-query")
    request["query"] += "\n} this is no query"
    outcome = subject.engine.run(request)
    due = "where error kind rejected was due"
    if not isinstance(outcome, Failure):
        raise CheckFailed(f"answered {len(outcome.answers)} times {due}", who)
    if outcome.kind != "rejected":
        raise CheckFailed(f"{outcome.kind} {due}: {outcome.message}", DRIVER)
    return f"rejected: {outcome.message}"


def _unknown_operation(engine: Engine, received: list[str]) -> str:
    if not isinstance(engine, ProtocolEngine):
        raise Skip("the engine is in this process and gets no operations by name")
    received.clear()
    outcome = engine.run({"op": "no-such-operation", "id": "unknown-operation"})
    try:
        # The client reads errors for the operations of the protocol only.
        kind = str(json.loads(received[-1])["error"]["kind"])
    except (ValueError, LookupError, TypeError, RecursionError):
        kind = ""
    if kind == "unsupported":
        return "error kind unsupported"
    found = f"{outcome.kind}: {outcome.message}" if isinstance(outcome, Failure) else "answers"
    found = f"error kind {kind}" if kind else found
    raise CheckFailed(f"{found} where error kind unsupported was due", DRIVER)


def _burst_settled(subject: EngineUnderTest) -> str:
    one, other = _ask(subject, "burst"), _ask(subject, "settled")
    burst, settled = _contents(one), _contents(other)
    if not (burst or settled):
        raise Skip("nothing is answered either way")
    if burst == settled:
        return f"{len(burst)} answers either way"
    pair = {"in a burst": one, "settled": other}
    if _cut_short(one, other):
        raise CheckFailed(
            f"of {len(settled)} settled answers a burst gives the first {len(burst)} only: the "
            f"driver does not wait until the engine is quiet. {_parted(subject, pair)}",
            DRIVER,
        )
    raise CheckFailed(
        f"{len(burst)} answers in a burst and {len(settled)} settled, and not the same ones: the "
        f"engine depends on timing. {_parted(subject, pair)}",
        ENGINE,
    )


def _parted(subject: EngineUnderTest, pair: Mapping[str, Observation]) -> str:
    """The first answer in which two observations of the trivial case differ, and the request."""
    notation = Notation(_case(subject))
    first, second = pair.values()
    one, other = _contents(first), _contents(second)
    number = next(n for n, (a, b) in enumerate(zip_longest(one, other)) if a != b)
    given = (
        f"{how} {_shown(notation, contents[number : number + 1])}"
        for how, contents in zip(pair, (one, other), strict=True)
    )
    request = json.dumps(subject.request(second.stimulus))
    says = f"Answer {number + 1} is the first that differs: {', and '.join(given)}."
    whole = "whole with --format json, to be piped into the driver"
    return f"{says} The request ({whole}):\n{request}"


def _shown(notation: Notation, answers: Sequence[tuple[Any, Content]]) -> str:
    """The one of ANSWERS, where there is one."""
    for t, content in answers:
        text = unglued(notation.content(content))
        return text if t is None else f"t={t} {text}"
    return "none"


def _restart(subject: EngineUnderTest) -> str:
    before = _ask(subject)
    if not before.observed:
        raise Skip("nothing is answered before one")
    subject.engine.restart()
    after = _ask(subject)
    if _contents(before) != _contents(after):
        pair = {"before": before, "after": after}
        raise CheckFailed(
            f"after a restart the answers are others. {_parted(subject, pair)}", ENGINE
        )
    return "the same answers as before"
