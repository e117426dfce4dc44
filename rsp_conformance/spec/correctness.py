"""Definition 26: is the answer of an engine correct? (RSP-QL; SEMANTICS 5).

Correct is an answer that equals Ans(Q_z) for some z of Z. A wrong one equals none, and to say what
is wrong with it one z has to be chosen: the *nearest* start (decision 49). An engine has one start,
and its instants show which: those of its answers are the closes of its windows, whatever it makes
of their contents. So the nearest start is the one whose instants the answers have:

1. fewest instants are due or given by one side alone (`Comparison.apart`);
2. among these most answers agree before the two part (`Comparison.agreed`);
3. among these it is the first of Z.

For example, an engine with t0 = 1 and windows of 3 answers at 4 and 7, and its FILTER drops the row
that is due at 4. t0 = 2 agrees with nothing, but parts from it later, at 5: by the instants it is
t0 = 1, and the answer has wrong rows at 4. The nearest start may make an engine look better than
it is: one that stamps all answers an instant late is taken for one that started an instant later,
and blamed for the contents. That is what Definition 26 leaves it free to be.

Answers without instants (``answer_time = none``) show no start; there the second rule decides.

If the texts leave points open, the nearest reading is chosen in the same way. For example, an
engine may call ``1 = "x"`` an error. If it also loses every second window, the report names the
lost windows alone. Of equally near readings the first is the one under which the fewest contents
were given that are due nowhere, then the kit's own, then the first one that is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from rsp_conformance.compare.contents import difference
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.sparql.open_points import taken
from rsp_conformance.spec.alignment import Comparison, compare, strayed
from rsp_conformance.spec.alignment_stamps import out_of_range
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.readings import other_readings
from rsp_conformance.spec.start_classes import candidates
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

    A wrong answer's verdict names the nearest z and keeps the EXPECTATION, that of CASE under
    DIALS. An answer stamped out of all range is wrong whatever else there is (`out_of_range`).
    Where the texts leave points open an answer is correct that is so under some of their readings,
    and the verdict names these. Raises Unsupported where the query goes beyond the evaluator or the
    profile, and LeftOpen where the answer is open.
    """
    _check(case, dials)
    expectation = expectation or Expectation(case, dials)
    rank, verdict = _verdict(expectation, case, observed)
    if verdict.correct or out_of_range(observed, case, dials) is not None:
        return verdict
    strange = cache(partial(_strange, expectation, verdict.t0, observed))
    for other in other_readings(expectation):
        fit, found = _verdict(other, case, observed)
        found = replace(found, readings=taken(other.readings))
        if found.correct:
            return found
        own = cache(partial(_strange, other, found.t0, observed))
        if fit < rank or (fit == rank and own() < strange()):
            rank, verdict, strange = fit, found, own
    return verdict


def _strange(expectation: Expectation, starts: Vector, observed: Sequence[Observed]) -> int:
    """How many of OBSERVED have a content that is due nowhere from STARTS."""
    due, numbers = expectation.answer(starts), expectation.dials.numbers
    return sum(
        all(difference(own.content, answer.content, numbers) for own in due) for answer in observed
    )


def right_start(
    case: Case, dials: Dials, observed: Sequence[Observed], expectation: Expectation
) -> Vector | None:
    """The z of Z under which OBSERVED is correct, as ``judge`` has it; None if there is none.

    It takes less time, for the nearest start of a wrong answer is not looked for.
    """
    _check(case, dials)
    if out_of_range(observed, case, dials) is not None:
        return None
    for own in chain([expectation], other_readings(expectation)):
        for apart, starts in candidates(case, dials, observed):
            if apart:
                break
            expected = own.answer(starts)
            if own.undetermined:
                raise LeftOpen(own.undetermined)
            if compare(expected, observed, case, dials, own.t_s).divergence is None:
                return starts
    return None


def _check(case: Case, dials: Dials) -> None:
    """Raise Unsupported where answers to CASE cannot be compared under DIALS."""
    if dials.answer_time == "arrival" and mixes_closing(policy_of(case.query, dials)):
        raise Unsupported("the arrivals of a report policy that mixes WC with what needs no close")
    if dials.answer_time == "none" and dials.clock == "own" and len(case.query.streams()) > 1:
        raise Unsupported("answers without instants of windows with clocks of their own")


_RIGHT = (-1, 0)
"""The rank of what is right, before that of anything wrong."""


def _verdict(
    expectation: Expectation, case: Case, observed: Sequence[Observed]
) -> tuple[tuple[int, int], Verdict]:
    """Definition 26 for CASE under the readings of EXPECTATION alone, and how near the z is."""
    dials, start = expectation.dials, expectation.t_s
    stray = out_of_range(observed, case, dials)
    nearest: tuple[tuple[int, int], Vector, Comparison] | None = None
    for apart, starts in candidates(case, dials, observed):
        if nearest is not None and apart > nearest[0][0]:
            break
        expected = expectation.answer(starts)
        if expectation.undetermined:
            raise LeftOpen(expectation.undetermined)
        comparison = compare(expected, observed, case, dials, start)
        if comparison.divergence is None and stray is None:
            return _RIGHT, Verdict(True, starts, start)
        if nearest is None or (comparison.rank, starts) < nearest[:2]:
            nearest = (comparison.rank, starts, comparison)
    assert nearest is not None, "T⁰ is never empty"
    rank, starts, comparison = nearest
    divergence = comparison.divergence
    if stray is not None:
        divergence = strayed(divergence, stray)
    return rank, Verdict(False, starts, start, divergence, expectation=expectation)
