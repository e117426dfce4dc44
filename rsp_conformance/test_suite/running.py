"""One test of a suite, put to an engine: passed, failed, not for this engine, or not to be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from rsp_conformance.causes.evidence import Symptom
from rsp_conformance.causes.known import KnownCauses
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.files.earl import EarlAssertion, project_iri
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import PACINGS, Stimulus
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.test_suite.declined import declinable
from rsp_conformance.test_suite.entry import SuiteCase


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of a test, and why, in lines for a reader; none where it passed.

    ``known`` are the ids of the known causes of a failed one; empty where a part of the failure has
    none. ``headline`` is what is wrong with a failed one, in a line.
    """

    outcome: Outcome
    reason: str = ""
    known: tuple[str, ...] = ()
    headline: str = ""


def not_for(entry: SuiteCase, subject: EngineUnderTest) -> str:
    """Why ENTRY is no test for SUBJECT: another reading of RSP-QL, or a feature that it lacks."""
    missing = sorted(set(entry.features) - subject.features)
    if missing:
        return f"the engine does not declare the feature {' and '.join(missing)}"
    declined = sorted(subject.features & declinable(entry.case, entry.dials))
    if declined:
        return f"the engine declares {' and '.join(declined)}"
    return entry.unmet(subject.dials(entry.case))


Ask: TypeAlias = Callable[[Stimulus], Observation | str]
"""Asks the engine; a text says why it was not asked."""


def run_case(
    entry: SuiteCase,
    subject: EngineUnderTest,
    files: str,
    known: KnownCauses | None = None,
    ask: Ask | None = None,
) -> CaseResult:
    """Ask SUBJECT the test, whose FILES are there, and compare with its legal answers.

    It is asked both ways: all elements at once, and each once those before it are answered. Of one
    that fails by KNOWN causes the outcome says by which. ASK asks in place of SUBJECT, which waits
    for each as long as its time limit allows.

    Raises EngineError where the engine can be asked nothing any more.
    """
    if reason := not_for(entry, subject):
        return CaseResult(Outcome.UNSUPPORTED, reason)
    found = CaseResult(Outcome.RIGHT)
    for pacing in PACINGS:
        if found.outcome is Outcome.RIGHT or found.known:
            came = (ask or subject.ask)(Stimulus(entry.case, pacing))
            if isinstance(came, str):
                return CaseResult(Outcome.UNASKED, came)
            found = _worse(found, _judged(entry, came, files, known))
    return found


def _worse(one: CaseResult, other: CaseResult) -> CaseResult:
    """What ONE way of asking and then the OTHER come to together."""
    if one.outcome is Outcome.RIGHT or (other.outcome.accuses and not other.known):
        return other
    return replace(one, known=tuple(dict.fromkeys((*one.known, *other.known))))


def _judged(
    entry: SuiteCase, observation: Observation, files: str, known: KnownCauses | None
) -> CaseResult:
    if observation.unsupported is not None:
        return CaseResult(Outcome.UNSUPPORTED, observation.unsupported)
    head = [*_head(entry, files, observation.stimulus.pacing)]
    if observation.failure is not None:
        said = f"{observation.failure.kind}: {observation.failure.message}"
        reason = "\n".join([*head, said])
        return CaseResult(Outcome.FAILED, reason, _known(entry, observation, known), said)
    try:
        with limited():
            parted = entry.divergence(observation.observed, observation.dials)
    except (Unsupported, LimitExceeded) as error:
        return CaseResult(Outcome.NOT_JUDGED, str(error))
    if parted is None:
        return CaseResult(Outcome.RIGHT)
    at = "" if parted.parting.t is None else f" at {parted.parting.t}"
    kind = f"{parted.parting.kind.value}{at}"
    lines = _argument(entry, observation, parted.legal)
    reason = "\n".join([*head, kind, *lines])
    return CaseResult(Outcome.WRONG, reason, _known(entry, observation, known), kind)


def _known(
    entry: SuiteCase, observation: Observation, known: KnownCauses | None
) -> tuple[str, ...]:
    """The KNOWN causes of a failure, by their ids; none where there is one without."""
    failure = observation.failure
    if known is None:
        return ()
    if failure is None:
        return tuple(cause.id for cause in known.explain(observation) or ())
    symptom = Symptom(entry.name, failure.kind, (observation,), failure)
    return tuple(cause.id for cause in known.with_fingerprint(symptom))


def _head(entry: SuiteCase, files: str, pacing: str) -> Iterator[str]:
    yield f"{entry.name}: {entry.title}"
    if pacing != PACINGS[0]:
        yield "(right where all elements come at once; here each waits for the answers before it)"
    yield f"Files: {files}"


def _argument(entry: SuiteCase, observation: Observation, number: int) -> Iterator[str]:
    """What came, and what is legal, from where they are compared on."""
    notation = Notation(entry.case)
    dials = entry.judged_under(observation.dials)
    which = "" if len(entry.legal) == 1 else f", of {len(entry.legal)} the nearest"
    yield f"Legal from {entry.start} to {entry.case.until}{which}:"
    due = [(e, e.under(dials)) for e in entry.legal[number] if e.compared]
    yield from _lines(
        notation,
        (e for _, e in due),
        [e.stamps.get(dials.trigger) for e, _ in due] if dials.answer_time == "arrival" else None,
    )
    yield "The engine answered:"
    yield from _lines(notation, observation.observed)


def _lines(
    notation: Notation,
    answers: Iterable[Evaluation | Observed],
    stamps: list[int | None] | None = None,
) -> Iterator[str]:
    found = list(answers)
    for number, answer in enumerate(found[:20]):
        stamp = "" if stamps is None else f", to come at {stamps[number]}"
        cause = answer.cause if isinstance(answer, Observed) else None
        when = f"t={answer.t}" if answer.t is not None else f"after element {cause}"
        yield f"  {when}{stamp}: {notation.content(answer.content)}"
    if len(found) > 20:
        yield f"  and {len(found) - 20} more"
    if not found:
        yield "  nothing"


def subject_of(hello: Hello) -> tuple[str, dict[str, str]]:
    """The IRI of an engine in EARL, and what is said of it."""
    return project_iri("engine", hello.engine), {"dc:title": f"{hello.engine} {hello.version}"}


def assertion(entry: SuiteCase, hello: Hello, outcome: str, info: str) -> EarlAssertion:
    """What EARL says of a test; OUTCOME is EARL's own name of it."""
    iri, _ = subject_of(hello)
    return EarlAssertion(iri, entry.iri, entry.title, outcome, info)
