"""Whether a case is vacuous: an engine that never answers must not pass for a right one.

A comparison counts only where the answer, whatever the engine's t0, has something to get wrong in
the compared range [t_s, until] (RSP-QL Definition 26).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation

Answers: TypeAlias = tuple[Evaluation, ...]

MOST_STARTS = 64
"""So many members of Z are looked at."""


def answers_due(case: Case, dials: Dials) -> bool:
    """Whether some legal answer has rows at an instant that is compared."""
    return any(not is_empty(e.content) for answer in _legal(case, dials) for e in answer)


def answers_due_always(case: Case, dials: Dials) -> bool:
    """Whether every legal answer has rows at an instant that is compared."""
    found = [any(not is_empty(e.content) for e in answer) for answer in _legal(case, dials)]
    return bool(found) and all(found)


def emptiness_due(case: Case, dials: Dials) -> bool:
    """Whether an evaluation that is compared has no rows, shown by the engine or dropped."""
    shown = dials.with_dial("empty_answers", True)
    return any(is_empty(e.content) for answer in _legal(case, shown) for e in answer)


def starts_differ(case: Case, dials: Dials) -> bool:
    """Whether another t0 would give another answer, and some legal answer has rows."""
    if not answers_due(case, dials):
        return False
    if dials.t0 == "any":
        return len(set(islice(_legal(case, dials), MOST_STARTS))) > 1
    expectation, start = Expectation(case, dials), t_s(case, dials)
    (vector,) = rspql_queries(case, dials)
    later = tuple(None if t0 is None else t0 + 1 for t0 in vector)
    return _compared(expectation.answer(vector), start) != _compared(
        expectation.answer(later), start
    )


NEEDS: Mapping[str, Callable[[Case, Dials], bool]] = {
    "answers": answers_due,
    "emptiness": emptiness_due,
    "starts": starts_differ,
}
"""What a property may need of its cases, by name."""


def is_vacuous(case: Case, dials: Dials, need: str) -> bool:
    """Whether CASE lacks what a property needs (NEED, one of NEEDS), so that its answer is no test.

    True as well where the specification does not judge the case.
    """
    try:
        return not NEEDS[need](case, dials)
    except (Unsupported, ValueError):
        return True


def _legal(case: Case, dials: Dials) -> Iterator[Answers]:
    """The legal answers on the compared range, one for each z ∈ Z."""
    expectation, start = Expectation(case, dials), t_s(case, dials)
    for starts in islice(rspql_queries(case, dials), MOST_STARTS):
        answer = expectation.answer(starts)
        if expectation.undetermined:
            raise Unsupported(expectation.undetermined)
        yield _compared(answer, start)


def _compared(answer: Answers, start: int) -> Answers:
    return tuple(evaluation for evaluation in answer if evaluation.t >= start)
