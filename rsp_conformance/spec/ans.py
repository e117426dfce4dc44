"""Ans(Q): the answer of a fully defined query (RSP-QL Definition 24)."""

from __future__ import annotations

from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.trace import Expectation


def answer(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) up to ``until``, for z = STARTS, one t0 a window in the order of declaration.

    Raises what ``spec.trace.Expectation`` does.
    """
    return Expectation(case, dials).answer(starts)
