"""An engine's answer to one test of a suite, held against the legal answers that the suite records.

No judge of the kit is asked: any other program that reads the suite comes to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import PACINGS
from rsp_conformance.test_suite.entry import SuiteCase


def not_for(entry: SuiteCase, subject: EngineUnderTest) -> str:
    """Return why an entry is no test for an engine: another reading of RSP-QL, or a feature."""
    return entry.lacks(subject.features) or entry.unmet(subject.dials(entry.case))


def judged(entry: SuiteCase, observation: Observation) -> tuple[Outcome, str, str]:
    """Compare an engine's answer with every legal one.

    Args:
        entry: the test.
        observation: what the engine answered, which has not called the test unsupported.

    Returns:
        What becomes of it, the kind of failure, and the reason: of a failure what is wrong in a
        line, and then what came and what is legal. Kind and reason are empty of a right answer.
    """
    failure = observation.failure
    if failure is not None:
        return Outcome.FAILED, failure.kind, f"{failure.kind}: {failure.message}"
    try:
        with limited():
            parted = entry.divergence(observation.observed, observation.dials)
    except (Unsupported, LimitExceeded) as error:
        return Outcome.NOT_JUDGED, "", str(error)
    if parted is None:
        return Outcome.RIGHT, "", ""
    kind, t = parted.parting.kind.value, parted.parting.t
    head = kind if t is None else f"{kind} at {t}"
    return Outcome.WRONG, kind, "\n".join([head, *_argument(entry, observation, parted.legal)])


def told(entry: SuiteCase, pacing: str, files: str, reason: str) -> str:
    """What is wrong with a test, for a reader.

    Args:
        entry: the test.
        pacing: how its elements were pushed.
        files: where its files are.
        reason: the reason, as `judged` gives it.
    """
    settled = "(right where all elements come at once; here each waits for the answers before it)"
    also = [] if pacing == PACINGS[0] else [settled]
    return "\n".join([f"{entry.name}: {entry.title}", *also, f"Files: {files}", reason])


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
