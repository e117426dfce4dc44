"""The opinion of the reference engine, which shares no code with the judge."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from rsp_conformance.adapters.reference.oxigraph.readings import READINGS
from rsp_conformance.diagnosis.reference import ReferenceFailed, by_evaluation, reference_answers
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.finding import Finding, LibraryReading
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Divergence, Kind, Vector
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.readings import other_readings
from rsp_conformance.spec.start_classes import candidates, representatives
from rsp_conformance.spec.trace import Expectation, expectation_of

MOST_ELEMENTS = 1_000
"""A case with more elements is not asked again for each point of SPARQL."""
MOST_STARTS = 256
"""The most members of Z at which the reference engine is started."""


def confirm_by_reference(observation: Observation) -> None:
    """Check the expectation behind the verdict on an observation, for one z of each class of Z.

    Of a large Z they are the ones that the answers are compared with, and others from all over Z. A
    case that the reference engine does not support says nothing, nor does one that takes too much.

    Raises:
        KitDisagreement: the reference engine, started at z, does not answer Ans(Q_z) as the
            specification has it.
    """
    with suppress(LimitExceeded), limited():
        _confirm(observation)


def _confirm(observation: Observation) -> None:
    case = observation.stimulus.case
    dials = by_evaluation(observation.dials)
    expectation = Expectation(case, dials)
    held = (own.starts for own in islice(candidates(case, dials, observation.observed), 2))
    for starts in dict.fromkeys([*held, *representatives(case, dials, MOST_STARTS)]):
        said: object
        try:
            answers = reference_answers(case, dials, starts)
            said = departure(expectation, starts, answers)
        except Unsupported:
            return
        except ReferenceFailed as error:
            answers, said = (), error
        if said is not None:
            raise KitDisagreement(
                f"the reference model and the third opinion differ for t0 = {starts}, {said}",
                replace(observation, observed=answers),
            )


def departure(
    expectation: Expectation, starts: Vector, answers: Sequence[Observed]
) -> Divergence | None:
    """Return where an engine's answers first differ from Ans(Q_z).

    Args:
        expectation: the expectation of the case.
        starts: z, at which the engine was started.
        answers: its answers.

    Returns:
        None if they are equal, or if the engine reads an open point in its own way.
    """
    case, dials, start = expectation.case, expectation.dials, expectation.t_s

    def departs(own: Expectation) -> Divergence | None:
        return compare(own.answer(starts), answers, case, dials, start).divergence

    found = departs(expectation)
    if found is None or any(departs(other) is None for other in other_readings(expectation)):
        return None
    return found


def reading_of(finding: Finding) -> LibraryReading | None:
    """Find the point of SPARQL on which pyoxigraph by itself gives the rows that are wrong.

    With the point left as the library reads it, the whole answer must be right, and without it
    wrong: so the point bears on the query.

    Returns:
        None if the failure is another one than wrong rows, or if no such point explains them.
    """
    with suppress(LimitExceeded), limited():
        return _reading_of(finding)
    return None


def _reading_of(finding: Finding) -> LibraryReading | None:
    verdict, case, dials = finding.verdict, finding.case, finding.dials
    if verdict is None or verdict.divergence is None or verdict.divergence.kind is not Kind.ROWS:
        return None
    if len(case.elements) > MOST_ELEMENTS:
        return None
    steps = expectation_of(verdict, case, dials).trace(verdict.t0)
    asked = by_evaluation(dials).with_dial("empty_answers", "yes")

    def right(library: str | None = None) -> bool:
        try:
            answers = reference_answers(case, asked, verdict.t0, library=library)
        except (Unsupported, ReferenceFailed):
            return False
        if [answer.t for answer in answers] != [step.t for step in steps]:
            return False
        due = [
            replace(step.evaluation, content=answer.content)
            for step, answer in zip(steps, answers, strict=True)
            if dials.empty_answers or not is_empty(answer.content)
        ]
        return compare(due, finding.observed, case, dials, verdict.t_s).divergence is None

    if right():  # Then no point of SPARQL makes it so.
        return None
    found = (reading for name, reading in READINGS.items() if right(library=name))
    reading = next(found, None)
    return None if reading is None else LibraryReading("pyoxigraph", *reading)
