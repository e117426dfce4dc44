"""Whether a case is vacuous: an engine that never answers must not pass for a right one.

A comparison counts only where the answer, whatever the engine's t0, has something to get wrong in
the compared range [t_s, until] (RSP-QL Definition 26).
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
"""What a property needs of a case: answers with rows, evaluations without, or that t0 matters."""

MOST_STARTS = 64
"""So many members of Z are looked at, each of another class, from all over Z."""


def is_vacuous(case: Case, dials: Dials, need: Need) -> bool:
    """Whether CASE lacks what a property needs, so that its answer is no test.

    True as well where the specification does not judge the case, or not within its limits, as far
    as that is seen before the question is settled: what need not be evaluated for it is not.
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
    """Why no answer to CASE is compared with anything, in words; empty where one is.

    MARK stands before the names of arguments, as ``--`` does on a command line. Raises Unsupported
    and LimitExceeded as the evaluation does.
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


def answers_due_always(case: Case, dials: Dials) -> bool:
    """Whether every legal answer has rows at an instant that is compared."""
    expectation = Expectation(case, dials, relations_at_hand(case))
    with limited():
        vectors = representatives(case, dials, MOST_STARTS)
        return all(_has_rows(expectation, z) for z in vectors)


def _has_rows(expectation: Expectation, vector: Vector) -> bool:
    """Whether any answer has rows; all are looked at, for one that is not judged ends it."""
    contents = [*_contents(expectation, vector)]
    return not all(map(is_empty, contents))


def _starts_differ(expectation: Expectation, vectors: list[Vector]) -> bool:
    """Whether another t0 than the first of VECTORS would give another answer."""
    if expectation.dials.t0 != "any":
        vectors = [*vectors, tuple(None if t0 is None else t0 + 1 for t0 in vectors[0])]
    first = list(_compared(expectation, vectors[0], reported=True))
    return any(list(_compared(expectation, z, reported=True)) != first for z in vectors[1:])


def _contents(expectation: Expectation, vector: Vector) -> Iterator[Content]:
    """What is answered on the compared range for z = VECTOR, also what is dropped as empty."""
    return (answer.content for answer in _compared(expectation, vector))


def _compared(
    expectation: Expectation, vector: Vector, *, reported: bool = False
) -> Iterator[Evaluation]:
    """The evaluations on the compared range for z = VECTOR, all of them or those REPORTED."""
    start = expectation.t_s
    for step in expectation.steps(vector):
        if expectation.undetermined:
            raise Unsupported(expectation.undetermined)
        if step.t >= start and (step.reported or not reported):
            yield step.evaluation
