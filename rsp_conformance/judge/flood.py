"""Answers with so many rows that nobody would wait for their comparison.

**What is sought.** A sign that an answer is a flood, such as a join without its condition, without
comparing it: the comparison would take long, and shrinking repeats it for every candidate.

**How.** Only the rows are counted, those received and those expected. Up to `FEW` rows are always
compared. An answer with more is a flood if it has more than `TIMES` times the expected rows
besides. The expected rows are those of the member of Z that expects most, over every permitted
reading of open points: a window with gaps sees an element from one t0 and misses it from another.

**What it guarantees.** No right answer is called a flood if Z has at most `MOST_STARTS` classes. Of
a larger Z a sample counts; a right answer would need a hundred times as many rows as all of it.

**What it costs.** Nothing for an answer of few rows. Otherwise the evaluation of the case from each
start, until one expects enough rows to settle the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from rsp_conformance.limits import limited
from rsp_conformance.model.answers import Content, Observed, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.alignment import received_answers
from rsp_conformance.spec.readings import other_readings
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

FLOOD: Final = "too many rows"
"""The kind of failure."""
FEW: Final = 10_000
"""Up to so many rows, over all answers to a case, are always compared."""
MOST_STARTS: Final = 256
"""The expected rows are counted for at most so many members of Z, spread over all of Z."""
TIMES: Final = 100
"""Beyond `FEW` rows an answer is compared if it has at most so many times the expected rows."""


def too_many_rows(
    case: Case, dials: Dials, observed: Sequence[Observed], expectation: Expectation | None = None
) -> str:
    """Say how far an answer has more rows than are expected; empty if it does not.

    Only rows that are compared count.

    Args:
        case: the case.
        dials: the dials in force.
        observed: the answers of the engine.
        expectation: the expectation of the case under these dials, if it is at hand.

    Raises:
        LimitExceeded: counting the expected rows takes more than it may.
    """
    if _rows(answer.content for answer in observed) <= FEW:
        return ""
    try:
        with limited():
            return _flood(expectation or Expectation(case, dials), observed)
    except (Unsupported, ValueError):
        return ""  # nothing is judged then


def _flood(expectation: Expectation, observed: Sequence[Observed]) -> str:
    case, dials, start = expectation.case, expectation.dials, expectation.t_s
    if start > case.until:
        return ""
    found = received_answers(observed, case, dials, start)
    received = _rows(one.answer.content for one in found if one.required and not one.late)
    expected = 0
    for own in chain([expectation], other_readings(expectation)):
        for starts in representatives(case, dials, MOST_STARTS):
            if received <= FEW + TIMES * expected:
                return ""
            expected = max(expected, _rows(answer.content for answer in own.answer(starts)))
            if own.undetermined:
                return ""  # nothing is judged then
    return (
        f"{received:,} rows came, and {expected:,} are expected"
        if received > FEW + TIMES * expected
        else ""
    )


def _rows(contents: Iterable[Content]) -> int:
    """The number of rows of all contents; a content without rows counts as one."""
    return sum(1 if isinstance(c, Truth) else max(1, len(c)) for c in contents)
