"""Answers of so many rows that nobody would wait for their comparison."""

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
"""So many rows, over all answers to a case, are always compared; ..."""
MOST_STARTS: Final = 256
"""What is due is counted for so many members of Z, from all over Z."""
TIMES: Final = 100
"""... more are where so many times as many are due."""


def too_many_rows(
    case: Case, dials: Dials, observed: Sequence[Observed], expectation: Expectation | None = None
) -> str:
    """How many rows OBSERVED has, where they are far beyond what is due to CASE; else empty.

    Counted are those that are compared, against the most that any member of Z gives: windows with
    gaps see an element from one t0 and miss it from another. EXPECTATION is that of CASE under
    DIALS. Raises LimitExceeded where counting what is due takes more than it may.
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
    given = _rows(one.answer.content for one in found if one.required and not one.late)
    due = 0
    for own in chain([expectation], other_readings(expectation)):
        for starts in representatives(case, dials, MOST_STARTS):
            if given <= FEW + TIMES * due:
                return ""
            due = max(due, _rows(answer.content for answer in own.answer(starts)))
            if own.undetermined:
                return ""  # nothing is judged then
    return f"{given:,} rows came, and {due:,} are expected" if given > FEW + TIMES * due else ""


def _rows(contents: Iterable[Content]) -> int:
    """The rows of all CONTENTS; one without any counts as much."""
    return sum(1 if isinstance(c, Truth) else max(1, len(c)) for c in contents)
