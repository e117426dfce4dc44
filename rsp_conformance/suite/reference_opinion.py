"""The opinion of the reference engine, which shares no code with the judge."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from rsp_conformance.adapters.reference.oxigraph.readings import READINGS
from rsp_conformance.compare.contents import difference
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.finding import Finding, LibraryReading
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.protocol.engine import Engine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation

MOST_ELEMENTS = 1_000
"""A longer case is not asked once more for each point of SPARQL."""


def confirm_by_reference(observation: Observation) -> None:
    """Check the expectation behind the verdict on OBSERVATION for every z ∈ Z.

    Raises KitDisagreement where the reference engine, started at z, answers other than the
    specification's Ans(Q_z). A case that the reference engine does not support says nothing, nor
    does one that takes too much.
    """
    with suppress(LimitExceeded), limited():
        _confirm(observation)


def _confirm(observation: Observation) -> None:
    case = observation.stimulus.case
    dials = _by_evaluation(observation.dials)
    expectation = Expectation(case, dials)
    start = t_s(case, dials)
    for starts in rspql_queries(case, dials):
        answer = _asked(case, dials, starts)
        if answer.unsupported is not None:
            return
        comparison = compare(expectation.answer(starts), answer.observed, case, dials, start)
        if answer.failure is not None or comparison.divergence is not None:
            said = comparison.divergence or answer.failure
            raise KitDisagreement(
                f"the specification and the reference engine differ for t0 = {starts}, {said}",
                replace(observation, observed=answer.observed),
            )


def reading_of(finding: Finding) -> LibraryReading | None:
    """The point of SPARQL on which pyoxigraph alone gives the rows that FINDING calls wrong.

    None where the failure is another one than wrong rows, or where no such point explains them.
    """
    with suppress(LimitExceeded), limited():
        return _reading_of(finding)
    return None


def _reading_of(finding: Finding) -> LibraryReading | None:
    verdict = finding.verdict
    if verdict is None or verdict.divergence is None or verdict.divergence.kind is not Kind.ROWS:
        return None
    due, given = verdict.divergence.expected, verdict.divergence.observed
    if due is None or given is None or len(finding.case.elements) > MOST_ELEMENTS:
        return None
    dials = _by_evaluation(finding.dials)
    for name, reading in READINGS.items():
        found = _asked(finding.case, dials, verdict.t0, library=name).observed
        # Under tick=tuple an instant may have several evaluations.
        if any(
            one.t == due.t and difference(one.content, given.content, dials.numbers) is None
            for one in found
        ):
            return LibraryReading("pyoxigraph", reading.section, reading.says)
    return None


def _by_evaluation(dials: Dials) -> Dials:
    """The opinion is about when and what is answered, not about how an engine stamps it."""
    return dials.with_dials(
        {
            "answer_time": "evaluation",
            "time_tolerance": 0,
            "answers": "evaluations",
            "advances": "clock",
        }
    )


def _asked(case: Case, dials: Dials, starts: Vector, **more: str) -> Observation:
    """What the reference engine, started at STARTS, answers to CASE."""
    options = {f"dial.{dial}": dials.text(dial) for dial in DIALS} | more
    if dials.t0 == "any":
        offsets = [str((start or case.registered) - case.registered) for start in starts]
        options["t0"] = ",".join(offsets) or "first"
    engine: Engine = connect("reference", options, 60.0)
    with engine:
        return EngineUnderTest.meet(engine).ask(Stimulus(case))
