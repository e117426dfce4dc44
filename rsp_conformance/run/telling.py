"""Which of many failing records a reader learns most from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.judging import Judging
from rsp_conformance.run.record import Record

FEW_CHOICES: Final = 5
"""Of so many small failures the most telling one is shrunk."""


def telling(own: Record, judging: Judging) -> int:
    """Return how much a reader learns: 2 if rows come or should, 1 if only elements do, else 0.

    Two empty answers at two instants look like one that is late, whatever the cause.
    """
    if own.outcome is not Outcome.WRONG or not own.is_plain:
        return 2
    if not own.observations[0].stimulus.case.elements:
        return 0
    verdict = judging.finding(own).verdict
    parted = None if verdict is None else verdict.divergence
    answers = () if parted is None else (parted.expected, parted.observed)
    return 1 + any(answer is not None and not is_empty(answer.content) for answer in answers)


def most_telling(records: Iterable[Record], judging: Judging) -> Record | None:
    """Return the most telling of the first few records; the first of equals."""
    few = [*islice(records, FEW_CHOICES)]
    if few and few[0].drawn.place < 0:  # It was made small by an earlier run.
        return few[0]
    return max(few, key=lambda own: telling(own, judging), default=None)
