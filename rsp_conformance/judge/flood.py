"""Answers of so many rows that nobody would wait for their comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rsp_conformance.model.answers import Evaluation, Observed, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.trace import Expectation

FLOOD: Final = "too many rows"
"""The kind of failure."""
FEW: Final = 10_000
"""So many rows, over all answers to a case, are always compared; ..."""
TIMES: Final = 100
"""... more are where so many times as many are due."""


def too_many_rows(case: Case, dials: Dials, observed: Sequence[Observed]) -> str:
    """How many rows OBSERVED has, where they are far beyond what is due to CASE; else empty.

    What is due is counted for one member of Z, for they differ by far less than `TIMES`.
    """
    given = _rows(observed)
    if given <= FEW:
        return ""
    try:
        expectation = Expectation(case, dials)
        due = _rows(expectation.answer(next(expectation.queries())))
    except (Unsupported, ValueError):
        return ""  # nothing is judged then
    return f"{given:,} rows came, and {due:,} are due" if given > FEW + TIMES * due else ""


def _rows(answers: Sequence[Observed | Evaluation]) -> int:
    """The rows of all ANSWERS; one without any counts as much."""
    contents = (answer.content for answer in answers)
    return sum(1 if isinstance(c, Truth) else max(1, len(c)) for c in contents)
