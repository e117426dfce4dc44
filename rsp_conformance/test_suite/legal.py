"""Every legal answer to a case: Ans(Q_z) for all z ∈ Z, equal ones once (RSP-QL Definition 26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import get_args

from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Trigger
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.verdict import Vector
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.alignment_stamps import arrival, latest_stamp
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.readings import other_readings
from rsp_conformance.spec.reporting import test_points_before
from rsp_conformance.spec.starts import t_s
from rsp_conformance.spec.trace import Expectation, Relations
from rsp_conformance.test_suite.entry import LegalAnswer, LegalEvaluation

MOST_STARTS = 64
"""A case whose Z has more members is not for a suite."""
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)


def legal_answers(case: Case, dials: Dials) -> tuple[LegalAnswer, ...]:
    """Return all that may be answered to a case under dials, whatever an engine stamps it with.

    Where the texts leave points open these are the answers under each of their readings.

    Raises:
        Unsupported: the evaluator or the profile does not take the query, an answer is open
            altogether, or Z is too large.
        ValueError: query and dials do not fit together.
    """
    relations: Relations = {}
    plain = Expectation(case, replace(dials, answer_time="evaluation"), relations)
    vectors = list(islice(plain.queries(), MOST_STARTS + 1))
    if len(vectors) > MOST_STARTS:
        raise Unsupported(f"more than {MOST_STARTS} members of Z")
    found: list[LegalAnswer] = []
    for starts in vectors:
        _take(plain, starts, relations, found)
    for other in other_readings(plain):
        for starts in vectors:
            _take(other, starts, relations, found)
    return tuple(found)


def _take(
    expectation: Expectation, starts: Vector, relations: Relations, found: list[LegalAnswer]
) -> None:
    """Add what an expectation answers for starts to the answers found, if it is new."""
    answer = _answer(expectation, starts, relations)
    if expectation.undetermined:
        raise LeftOpen(expectation.undetermined)
    if not any(same_answer(answer, other) for other in found):
        found.append(answer)


def stamped(case: Case, dials: Dials) -> bool:
    """Return whether answers to a case can be compared by the arrivals that they carry.

    Not if the policy mixes WC with what needs no close, nor if there is a stream that the
    query does not read: whether an engine hears of time from it is not said.
    """
    return not mixes_closing(policy_of(case.query, dials)) and set(case.streams) <= set(
        case.query.streams()
    )


def _answer(plain: Expectation, starts: Vector, relations: Relations) -> LegalAnswer:
    case, dials, start = plain.case, plain.dials, plain.t_s
    evaluations = plain.answer(starts)
    if not stamped(case, dials):
        return tuple(LegalEvaluation(e, e.t >= start) for e in evaluations)
    by_arrival = {
        trigger: replace(dials, answer_time="arrival", clock="own", trigger=trigger)
        for trigger in TRIGGERS
    }
    own = {
        name: Expectation(case, d, relations, readings=plain.readings).answer(starts)
        for name, d in by_arrival.items()
    }
    return tuple(
        LegalEvaluation(
            evaluation,
            evaluation.t >= start,
            {
                name: arrival(evaluation.t, case, replace(d, clock="any"))
                for name, d in by_arrival.items()
            },
            {name: own[name][number].trigger or (0, 0) for name in TRIGGERS},
        )
        for number, evaluation in enumerate(evaluations)
    )


def early_answers(case: Case, dials: Dials) -> dict[str, int]:
    """How many answers may be left out before the first that is due, and up to which stamps.

    Under ``answer_time = arrival`` evaluations before t_s may carry stamps from t_s on.
    """
    start = t_s(case, dials)
    found = {"most": test_points_before(start, case, dials)}
    if start > case.registered and stamped(case, dials):
        for clock in ("any", "own"):
            for trigger in TRIGGERS:
                turned = replace(dials, answer_time="arrival", clock=clock, trigger=trigger)
                prefix = "own " if clock == "own" else ""
                found[prefix + trigger] = latest_stamp(start - 1, case, turned)
    return found


def same_answer(one: Sequence[LegalEvaluation], other: Sequence[LegalEvaluation]) -> bool:
    """Whether two legal answers are one: instants, stamps and contents."""
    return len(one) == len(other) and all(
        left.evaluation.t == right.evaluation.t
        and left.compared == right.compared
        and left.stamps == right.stamps
        and left.own == right.own
        and _same_content(left.evaluation, right.evaluation)
        for left, right in zip(one, other, strict=True)
    )


def _same_content(one: Evaluation, other: Evaluation) -> bool:
    return one.content == other.content or difference(one.content, other.content, "term") is None


def compared_part(answers: Sequence[LegalAnswer], start: int) -> list[LegalAnswer]:
    """Return answers from an instant on, equal ones once: what an engine can be told by."""
    found: list[LegalAnswer] = []
    for answer in answers:
        part = tuple(replace(e, compared=True) for e in answer if e.evaluation.t >= start)
        if not any(same_answer(part, other) for other in found):
            found.append(part)
    return found
