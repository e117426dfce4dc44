"""Definition 26: is the answer of an engine correct? (RSP-QL; SEMANTICS 5).

An answer is correct if it equals Ans(Q_z) for some z of Z. A wrong answer equals Ans(Q_z) for no z.
To say what is wrong with it, one z has to be chosen: the *nearest* start (decision 49). An engine
has one start, and the instants of its answers show which: they are the closes of its windows, even
if the contents are wrong. So the nearest start is the z whose instants fit the answers best:

1. the fewest instants are expected without being received, or received without being expected
   (`Comparison.apart`);
2. among these, the most answers agree before the first difference (`Comparison.agreed`);
3. among these, the first of Z.

For example, an engine with t0 = 1 and windows of width 3 answers at 4 and 7, and its FILTER drops
the row that is expected at 4. Under t0 = 2 no answer agrees, but the first difference is later, at
5. The instants decide for t0 = 1, and the verdict is wrong rows at 4. The nearest start may make an
engine look better than it is: an engine that stamps all answers an instant late looks like an
engine that started an instant later, and the contents are reported as wrong. Definition 26 allows
that start.

Answers without instants (``answer_time = none``) show no start; there the second rule decides.

If the texts leave points open, the nearest reading is chosen in the same way. For example, an
engine may call ``1 = "x"`` an error. If it also loses every second window, the report names the
lost windows only. Among equally near readings, the one with the fewest received contents that are
expected nowhere is chosen, then the kit's own reading, then the first reading that is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.open_points import taken
from rsp_conformance.spec.alignment import compare, strayed
from rsp_conformance.spec.alignment_stamps import out_of_range
from rsp_conformance.spec.policies import closes_by_count, closes_by_time, policy_of
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
    """Judge the answers of an engine by Definition 26.

    They are correct if and only if Ans_C(q) = Ans(Q_z) on t_s ≤ t ≤ until for some z ∈ Z. If the
    texts leave points open, they are correct if they are so under some reading of these points. An
    answer stamped out of all range is always wrong (`out_of_range`).

    Args:
        case: The query with its streams and background data.
        dials: The semantics of the engine.
        observed: The answers of the engine, in the order in which they came.
        expectation: The expectation of `case` under `dials`, if there is one already.

    Returns:
        The verdict. If it is wrong, it names the nearest z and the first difference, and carries
        the expectation. It names the readings under which it was reached, if they are not the
        kit's own.

    Raises:
        Unsupported: The query goes beyond the evaluator or the profile.
        LeftOpen: The texts leave the answer open.
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
    """How many of the `observed` answers have a content that is expected nowhere from `starts`."""
    due, numbers = expectation.answer(starts), expectation.dials.numbers
    return sum(
        all(difference(own.content, answer.content, numbers) for own in due) for answer in observed
    )


def right_start(
    case: Case, dials: Dials, observed: Sequence[Observed], expectation: Expectation
) -> Vector | None:
    """The z of Z under which the answers are correct by `judge`; None if they are wrong.

    This is faster than `judge`, because the nearest start of a wrong answer is not searched for.

    Args:
        case: the query and its data.
        dials: the setting of the dials that is judged by.
        observed: all answers of the engine, in the order received.
        expectation: the expected answers of this case under these dials; the traces that it has
            stored are used again.

    Raises:
        Unsupported: The query goes beyond the evaluator or the profile.
        LeftOpen: The texts leave the answer open.
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
            later = partial(own.later, starts)
            if compare(expected, observed, case, dials, own.t_s, later=later).divergence is None:
                return starts
    return None


def _check(case: Case, dials: Dials) -> None:
    """Raise Unsupported if answers to the case cannot be compared under the dials."""
    if dials.answer_time == "arrival" and mixes_closing(policy_of(case.query, dials)):
        raise Unsupported("the arrivals of a report policy that mixes WC with what needs no close")
    if dials.answer_time == "arrival" and mixes_closes(case.query, dials):
        raise Unsupported("the arrivals of windows by time and by count whose closes are reported")
    if dials.answer_time == "none" and dials.clock == "own" and len(case.query.streams()) > 1:
        raise Unsupported("answers without instants of windows with clocks of their own")


def mixes_closes(query: Query, dials: Dials) -> bool:
    """Whether the WC of a query's policy looks at windows by time and by count.

    The stamp of an evaluation depends on which of them has closed.
    """
    policy = policy_of(query, dials)
    by_count = closes_by_count(query, policy, dials)
    return by_count and closes_by_time(query, policy, dials)


_RIGHT = (-1, 0)
"""The rank of a correct answer, less than that of any wrong answer."""


def _verdict(
    expectation: Expectation, case: Case, observed: Sequence[Observed]
) -> tuple[tuple[int, int], Verdict]:
    """The rank of the nearest z and the verdict, under the readings of `expectation` alone."""
    dials, start = expectation.dials, expectation.t_s
    stray = out_of_range(observed, case, dials)
    nearest: tuple[tuple[int, int], Vector] | None = None
    for apart, starts in candidates(case, dials, observed):
        if nearest is not None and apart > nearest[0][0]:
            break
        expected = expectation.answer(starts)
        if expectation.undetermined:
            raise LeftOpen(expectation.undetermined)
        later = partial(expectation.later, starts)
        comparison = compare(expected, observed, case, dials, start, later=later)
        if comparison.divergence is None and stray is None:
            return _RIGHT, Verdict(True, starts, start)
        if nearest is None or (comparison.rank, starts) < nearest:
            nearest = comparison.rank, starts
    assert nearest is not None, "T⁰ is never empty"
    rank, starts = nearest
    expected, later = expectation.answer(starts), partial(expectation.later, starts)
    comparison = compare(expected, observed, case, dials, start, later=later, told=True)
    divergence = comparison.divergence
    if stray is not None:
        divergence = strayed(divergence, stray)
    return rank, Verdict(False, starts, start, divergence, expectation=expectation)
