"""Whether a case is vacuous: an engine that never answers must not pass for a right one.

A comparison counts only where the answer, whatever the engine's t0, has something to get wrong in
the compared range [t_s, until] (RSP-QL Definition 26).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias

from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.trace import Expectation, TraceStep

Need: TypeAlias = Literal["answers", "emptiness", "starts"]
"""What a property needs of a case: answers with rows, evaluations without, or that t0 matters."""

MOST_STARTS = 64
"""So many members of Z are looked at."""


def is_vacuous(case: Case, dials: Dials, need: Need) -> bool:
    """Whether CASE lacks what a property needs, so that its answer is no test.

    True as well where the specification does not judge the case.
    """
    try:
        expectation = Expectation(case, dials)
        if need == "emptiness":
            steps = (step for own in _legal(expectation) for step in own)
            return not any(is_empty(step.evaluation.content) for step in steps)
        if not any(map(_has_rows, _legal(expectation))):
            return True
        return need == "starts" and not _starts_differ(expectation)
    except (Unsupported, ValueError):
        return True


def answers_due_always(case: Case, dials: Dials) -> bool:
    """Whether every legal answer has rows at an instant that is compared."""
    return all(map(_has_rows, _legal(Expectation(case, dials))))


def _has_rows(steps: tuple[TraceStep, ...]) -> bool:
    return any(not is_empty(step.evaluation.content) for step in steps)


def _starts_differ(expectation: Expectation) -> bool:
    """Whether another t0 would give another answer."""
    vectors = list(islice(expectation.queries(), MOST_STARTS))
    if expectation.dials.t0 != "any":
        vectors += [tuple(None if t0 is None else t0 + 1 for t0 in vectors[0])]
    answers = [_compared(expectation, vector) for vector in vectors]
    if expectation.undetermined:
        raise Unsupported(expectation.undetermined)
    return len({tuple(s.evaluation for s in own if s.reported) for own in answers}) > 1


def _legal(expectation: Expectation) -> Iterator[tuple[TraceStep, ...]]:
    """The evaluations on the compared range, those dropped as empty included, for each z ∈ Z."""
    for vector in islice(expectation.queries(), MOST_STARTS):
        steps = _compared(expectation, vector)
        if expectation.undetermined:
            raise Unsupported(expectation.undetermined)
        yield steps


def _compared(expectation: Expectation, vector: Vector) -> tuple[TraceStep, ...]:
    start = expectation.t_s
    return tuple(step for step in expectation.trace(vector) if step.t >= start)
