"""Whether a case is vacuous: an engine that never answers must not pass as correct.

A comparison counts only if the expected answer, whatever the engine's t0, has something to get
wrong in the compared range [t_s, until] (RSP-QL Definition 26).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Evaluation, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation, relations_at_hand

Need: TypeAlias = Literal["answers", "emptiness", "starts"]
"""The need of a property: answers with rows, evaluations without rows, or that t0 matters."""

MOST_STARTS = 64
"""The most members of Z that are looked at, each of another class and spread over all of Z."""


def is_vacuous(case: Case, dials: Dials, need: Need) -> bool:
    """Whether a case lacks what a property needs, so that its answer is no test.

    Only as much is evaluated as settles the question. A case counts as vacuous, too, if the
    evaluation meets something that the reference model does not judge, or a limit, before that.

    Args:
        case: the case.
        dials: the dials in force.
        need: what the property needs.
    """
    try:
        with limited():
            expectation = Expectation(case, dials, relations_at_hand(case))
            return _is_vacuous(expectation, need)
    except (Unsupported, LimitExceeded, ValueError):
        return True


def _is_vacuous(expectation: Expectation, need: Need) -> bool:
    vectors = representatives(expectation.case, expectation.dials, MOST_STARTS)
    if need == "emptiness":
        return not any(is_empty(content) for z in vectors for content in _contents(expectation, z))
    if not any(_has_rows(expectation, z) for z in vectors):
        return True
    return need == "starts" and not _starts_differ(expectation, vectors)


def nothing_compared(case: Case, dials: Dials, mark: str = "") -> str:
    """Say in words why no answer to a case is compared with anything; empty if one is.

    Args:
        case: the case.
        dials: the dials in force.
        mark: stands before the names of arguments, such as ``--`` on a command line.

    Raises:
        Unsupported: the reference model does not judge the case.
        LimitExceeded: the evaluation takes more than it may.
    """
    expectation = Expectation(case, dials)
    start, end = expectation.t_s, f"{mark}until is {case.until}"
    if start > case.until:
        return f"nothing was compared: answers are compared from {start} on, and {end}"
    with limited():
        vectors = representatives(case, dials, MOST_STARTS)
        if any(True for z in vectors for _ in _compared(expectation, z)):
            return ""
    return f"nothing was compared: no evaluation is expected from {start} on, where {end}"


def answers_expected_always(case: Case, dials: Dials) -> bool:
    """Whether every legal answer has rows at an instant that is compared."""
    expectation = Expectation(case, dials, relations_at_hand(case))
    with limited():
        vectors = representatives(case, dials, MOST_STARTS)
        return all(_has_rows(expectation, z) for z in vectors)


def _has_rows(expectation: Expectation, vector: Vector) -> bool:
    """Whether any answer has rows. All are evaluated: one that is not judged decides for all."""
    contents = [*_contents(expectation, vector)]
    return not all(map(is_empty, contents))


def _starts_differ(expectation: Expectation, vectors: list[Vector]) -> bool:
    """Whether another t0 than the first vector gives another answer."""
    if not expectation.dials.leaves_starts_open:
        vectors = [*vectors, tuple(None if t0 is None else t0 + 1 for t0 in vectors[0])]
    first = list(_compared(expectation, vectors[0], reported=True))
    return any(list(_compared(expectation, z, reported=True)) != first for z in vectors[1:])


def _contents(expectation: Expectation, vector: Vector) -> Iterator[Content]:
    """The contents on the compared range from one z, also those that are dropped as empty."""
    return (answer.content for answer in _compared(expectation, vector))


def _compared(
    expectation: Expectation, vector: Vector, *, reported: bool = False
) -> Iterator[Evaluation]:
    """The evaluations on the compared range from one z: all of them, or those reported."""
    start = expectation.t_s
    for step in expectation.steps(vector):
        if expectation.undetermined:
            raise Unsupported(expectation.undetermined)
        if step.t >= start and (step.reported or not reported):
            yield step.evaluation
