"""The opinion of the reference engine, which shares no code with the judge."""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.verdict import Vector
from rsp_conformance.protocol.engine import Engine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation


def confirm_by_reference(observation: Observation) -> None:
    """Check the expectation behind the verdict on OBSERVATION for every z ∈ Z.

    Raises KitDisagreement where the reference engine, started at z, answers other than the
    specification's Ans(Q_z). A case that the reference engine does not support says nothing.
    """
    case = observation.stimulus.case
    # The opinion is about when and what is answered, not about how an engine stamps it.
    dials = observation.dials.with_dials(
        {
            "answer_time": "evaluation",
            "time_tolerance": 0,
            "answers": "evaluations",
            "advances": "clock",
        }
    )
    expectation = Expectation(case, dials)
    start = t_s(case, dials)
    for starts in rspql_queries(case, dials):
        options = {f"dial.{dial}": dials.text(dial) for dial in DIALS}
        if dials.t0 == "any":
            options["t0"] = _offsets(starts, case.registered)
        engine: Engine = connect("reference", options, 60.0)
        with engine:
            answer = EngineUnderTest.meet(engine).ask(Stimulus(case))
        if answer.unsupported is not None:
            return
        comparison = compare(expectation.answer(starts), answer.observed, case, dials, start)
        if answer.failure is not None or comparison.divergence is not None:
            said = comparison.divergence or answer.failure
            raise KitDisagreement(
                f"the specification and the reference engine differ for t0 = {starts}, {said}",
                replace(observation, observed=answer.observed),
            )


def _offsets(starts: Vector, registered: int) -> str:
    return ",".join(str((start or registered) - registered) for start in starts) or "first"
