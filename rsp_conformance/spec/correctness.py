"""Definition 26: is the answer of an engine correct? (RSP-QL; SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.spec.alignment import Comparison, compare
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.starts import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation

__all__ = ["judge", "rspql_queries", "t_s"]


def judge(
    case: Case,
    dials: Dials,
    observed: Sequence[Observed],
    expectation: Expectation | None = None,
) -> Verdict:
    """Correct iff some z ∈ Z exists with Ans_C(q) = Ans(Q_z) on t_s ≤ t ≤ until.

    A wrong answer's verdict names the nearest z, the one that agrees longest, and keeps the
    EXPECTATION, that of CASE under DIALS. Raises Unsupported where the query goes beyond the
    evaluator or the profile, or leaves its answer open.
    """
    expectation = expectation or Expectation(case, dials)
    if dials.answer_time == "arrival" and mixes_closing(policy_of(case.query, dials)):
        raise Unsupported("the arrivals of a report policy that mixes WC with what needs no close")
    if dials.answer_time == "none" and dials.clock == "own" and len(case.query.streams()) > 1:
        raise Unsupported("answers without instants of windows with clocks of their own")
    start = t_s(case, dials)
    nearest: tuple[tuple[int, int], Vector, Comparison] | None = None
    for starts in rspql_queries(case, dials):
        expected = expectation.answer(starts)
        if expectation.undetermined:
            raise Unsupported(
                f"judging an answer that SPARQL leaves open ({expectation.undetermined})"
            )
        comparison = compare(expected, observed, case, dials, start)
        if comparison.divergence is None:
            return Verdict(True, starts, start)
        parted = comparison.divergence.t
        rank = (case.until + 1 if parted is None else parted, comparison.agreed)
        if nearest is None or rank > nearest[0]:
            nearest = (rank, starts, comparison)
    assert nearest is not None, "T⁰ is never empty"
    return Verdict(False, nearest[1], start, nearest[2].divergence, expectation=expectation)
