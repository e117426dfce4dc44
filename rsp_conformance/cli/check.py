"""``engines check``: does a driver speak the protocol, and does its engine do the simplest things?

Every step that fails names the responsible side: the driver, which its author can fix, or the
engine behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Any, Final

import rsp_conformance as rsp
from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.argument import because
from rsp_conformance.explain.render.layout import counted, unglued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.files.codec import Format, Keys
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.flood import FLOOD
from rsp_conformance.judge.vacuity import nothing_compared
from rsp_conformance.model.answers import Content, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import (
    Engine,
    EngineError,
    EngineUnavailable,
    Failure,
    ProtocolEngine,
    Reply,
    registry,
)
from rsp_conformance.run.asking import LOST
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.languages import LANGUAGES

OK = "ok"
FAILED = "failed"
SKIPPED = "skipped"
"""The results of a step."""
DRIVER = "driver"
ENGINE = "engine"
EITHER = "driver or engine"
"""The responsible side of a step that failed."""


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A step with its result.

    Attributes:
        name: the step's name.
        result: `OK`, `FAILED` or `SKIPPED`.
        says: the observation behind the result.
        responsible: `DRIVER`, `ENGINE` or `EITHER` if the step failed.
    """

    name: str
    result: str
    says: str
    responsible: str = ""


STEPS: Final = Format({CheckStep: Keys("step=name result fault=responsible says")})
"""Steps as `--format json` shows them."""


class CheckFailed(Exception):
    """A step failed; the arguments are the observation and the responsible side."""


class Unanswered(CheckFailed):
    """The trivial case has no answer: all steps that ask it would fail for the same reason."""


class Skip(Exception):
    """A step does not apply to this engine; the argument is the reason."""


def steps_of(
    spec: str,
    options: Mapping[str, str],
    time_limit: float,
    tell: Callable[[str, int, int], object],
) -> list[CheckStep]:
    """Check an engine, step by step.

    Args:
        spec: the engine as the user wrote it.
        options: the values of the engine's options.
        time_limit: seconds per case.
        tell: is called before each step with its name, its number and how many there are.

    Returns:
        The steps, in order; a failure of the first two ends the check.

    Raises:
        EngineSpecError, EngineUnavailable: there is no such engine, or it is not installed.
    """
    received: list[str] = []

    def log(way: str, text: str) -> None:
        if way == "←":
            received[:] = [text]

    with registry.connect(spec, options, time_limit, log) as engine:
        return list(_check(engine, received, tell))


def conclusion(steps: Sequence[CheckStep]) -> str:
    """Sum the check up: how many steps failed or were skipped, and which side is responsible."""
    total = counted(len(steps), "check")
    failed = [step.responsible for step in steps if step.responsible]
    skipped = sum(step.result == SKIPPED for step in steps)
    rest = f"; {skipped} skipped" if skipped else ""
    if failed:
        where = {DRIVER: "in the driver", ENGINE: "in the engine", EITHER: "in driver or engine"}
        problems = (
            f"{counted(failed.count(side), 'problem')} {text}"
            for side, text in where.items()
            if side in failed
        )
        return f"{len(failed)} of {total} failed: {', '.join(problems)}{rest}."
    passed = f"{len(steps) - skipped} of {total}" if skipped else f"All {total}"
    return f"{passed} passed{rest}."


def _check(
    engine: Engine, received: list[str], tell: Callable[[str, int, int], object]
) -> Iterator[CheckStep]:
    """Run the steps. After a failure of the first two, nothing more can be asked."""
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
        tell(name, number + 1, len(steps))
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
    """Make the trivial case: one window over one stream, tumbling if allowed, and three elements.

    Args:
        dials: the dials of the engine's profile.
        features: the features of the engine, which the query uses only if it must.
    """
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
    """Return the engine's answers to the trivial case.

    Raises:
        Unanswered: there are none.
    """
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
    if patient.is_answered and _cut_short(observation, patient) and _judged(patient)[0]:
        says = f"right if the driver waits after each element, and wrong in a burst. {argument}"
        raise CheckFailed(says, DRIVER)
    if patient.is_answered and not (_has_rows(observation.observed) or _has_rows(patient.observed)):
        raise _unheard(subject, "no row was received, in a burst or settled", EITHER)
    raise CheckFailed(argument, ENGINE)


def _has_rows(answers: Iterable[Observed]) -> bool:
    return any(isinstance(answer.content, Rows) and answer.content.rows for answer in answers)


def _unheard(subject: EngineUnderTest, says: str, who: str) -> Unanswered:
    """Make the error for an engine that sends no row for the trivial query.

    If the engine reads queries in another dialect than its driver declares, the driver is
    responsible. So the other dialects are tried, those with the fewest changes first.

    Args:
        subject: the engine.
        says: the observation.
        who: the responsible side if no dialect gets a row.
    """
    request = subject.request(Stimulus(_case(subject), "settled"), id="dialects")
    sent, declared = request["query"], subject.hello.dialect
    says += f". The query as it was sent:\n{sent}\n"
    options = LANGUAGES[subject.hello.language].options.items()
    keys = {key: [v for v in values if v != declared.get(key, False)] for key, values in options}
    tried, failed = {sent}, ""
    for values in sorted(product(*([None, *v] for v in keys.values())), key=_changes):
        changes = {key: value for key, value in zip(keys, values, strict=True) if value is not None}
        hello = replace(subject.hello, dialect={**declared, **changes})
        try:
            text = replace(subject, hello=hello).query_text(_case(subject))
        except ValueError:
            continue  # it cannot be written in this dialect, as half a second in seconds
        if text not in tried:
            tried.add(text)
            outcome = subject.engine.run({**request, "query": text})
            if isinstance(outcome, Reply) and _has_rows(outcome.answers):
                says += f"There are rows under dialect {json.dumps(changes)}: declare it in hello"
                return Unanswered(says, DRIVER)
            if isinstance(outcome, Failure) and not failed:
                failed = f"; under {json.dumps(changes)} {outcome.kind}: {outcome.message}"
            if isinstance(outcome, Failure) and outcome.kind in LOST:
                break  # each of the other dialects might end the driver, or take a time limit
    return Unanswered(f"{says}No other dialect gets a row ({len(tried) - 1} tried{failed})", who)


def _changes(values: Sequence[Any]) -> int:
    return sum(value is not None for value in values)


def _judged(observation: Observation) -> tuple[bool, str]:
    """Return whether the answer is correct, and the argument for it."""
    case, dials, observed = observation.stimulus.case, observation.dials, observation.observed
    verdict = judge(case, dials, observed)
    return verdict.correct, because(case, dials, observed, verdict, by_dial)


def _cut_short(burst: Observation, settled: Observation) -> bool:
    """Return whether a burst gives only the first few of the settled answers."""
    first, whole = _contents(burst), _contents(settled)
    return len(first) < len(whole) and first == whole[: len(first)]


def _bad_query(subject: EngineUnderTest, who: str) -> str:
    """Send a query that is not valid, which must be rejected.

    Args:
        subject: the engine.
        who: the responsible side if the query is accepted, which is unknown for an engine that
            has answered nothing.
    """
    request = subject.request(Stimulus(_case(subject)), id="bad-query")
    request["query"] += "\n} this is no query"
    outcome = subject.engine.run(request)
    expected = "expected error kind rejected, received"
    if not isinstance(outcome, Failure):
        raise CheckFailed(f"{expected} {counted(len(outcome.answers), 'answer')}", who)
    if outcome.kind != "rejected":
        raise CheckFailed(f"{expected} {outcome.kind}: {outcome.message}", DRIVER)
    return f"rejected: {outcome.message}"


def _unknown_operation(engine: Engine, received: list[str]) -> str:
    if not isinstance(engine, ProtocolEngine):
        raise Skip("the engine is in this process and gets no operations by name")
    received.clear()
    outcome = engine.run({"op": "no-such-operation", "id": "unknown-operation"})
    try:
        # The client reads errors only for the operations of the protocol.
        kind = str(json.loads(received[-1])["error"]["kind"])
    except (ValueError, LookupError, TypeError, RecursionError):
        kind = ""
    if kind == "unsupported":
        return "error kind unsupported"
    found = f"{outcome.kind}: {outcome.message}" if isinstance(outcome, Failure) else "answers"
    found = f"error kind {kind}" if kind else found
    raise CheckFailed(f"expected error kind unsupported, received {found}", DRIVER)


def _burst_settled(subject: EngineUnderTest) -> str:
    one, other = _ask(subject, "burst"), _ask(subject, "settled")
    burst, settled = _contents(one), _contents(other)
    if not (burst or settled):
        raise Skip("there is no answer to compare")
    if burst == settled:
        return f"{len(burst)} answers either way"
    pair = {"in a burst": one, "settled": other}
    if _cut_short(one, other):
        raise CheckFailed(
            f"of {len(settled)} settled answers, a burst gives the first {len(burst)} only: the "
            f"driver does not wait until the engine is quiet. {_parted(subject, pair)}",
            DRIVER,
        )
    raise CheckFailed(
        f"{len(burst)} answers in a burst and {len(settled)} settled, and they differ: the "
        f"engine depends on timing. {_parted(subject, pair)}",
        ENGINE,
    )


def _parted(subject: EngineUnderTest, pair: Mapping[str, Observation]) -> str:
    """Describe the first difference between two observations of the trivial case.

    Args:
        subject: the engine.
        pair: the two observations, by how they were made.

    Returns:
        The first answer that differs, and the request to send by hand.
    """
    notation = Notation(_case(subject))
    first, second = pair.values()
    one, other = _contents(first), _contents(second)
    number = next(n for n, (a, b) in enumerate(zip_longest(one, other)) if a != b)
    received = (
        f"{how} {_shown(notation, contents[number : number + 1])}"
        for how, contents in zip(pair, (one, other), strict=True)
    )
    request = json.dumps(subject.request(second.stimulus))
    says = f"Answer {number + 1} is the first that differs: {', and '.join(received)}."
    return f"{says} The request, to be piped into the driver:\n{request}"


def _shown(notation: Notation, answers: Sequence[tuple[Any, Content]]) -> str:
    """Return the first of `answers` as text, or ``none``."""
    for t, content in answers:
        text = unglued(notation.content(content))
        return text if t is None else f"t={t} {text}"
    return "none"


def _restart(subject: EngineUnderTest) -> str:
    before = _ask(subject)
    if not before.observed:
        raise Skip("there is no answer before the restart")
    subject.engine.restart()
    after = _ask(subject)
    if _contents(before) != _contents(after):
        pair = {"before": before, "after": after}
        raise CheckFailed(f"after a restart the answers differ. {_parted(subject, pair)}", ENGINE)
    return "the same answers as before"
