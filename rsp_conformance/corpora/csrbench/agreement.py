"""How far a wrong answer agrees all the same: the cheapest pairing of what is due and what came.

Definition 26 asks for equality and ends at the first place where two answers part. To say which
reading of a wrong recording fits best, all of it is compared: answers are paired in order, a pair
costs the rows that it does not share, an answer without partner its rows (one, if it has none).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rsp_conformance.explain.evidence.pairing import cheapest_pairing
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.sparql.compare.contents import bag
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.starts import t_s

UNTIMED = 1_000_000
"""The cost of an answer without a stamp, which stands for no evaluation."""


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An evaluation that is due beside the answer that stands for it; None where there is none."""

    expected: Evaluation | None
    received: Observed | None
    cost: int


@dataclass(frozen=True, slots=True)
class RecordingAgreement:
    """All pairs, in order; ``cost`` is the number of rows (and empty answers) that differ."""

    pairs: tuple[AnswerPair, ...]

    @property
    def cost(self) -> int:
        """The rows that differ, an answer without rows counting as one."""
        return sum(pair.cost for pair in self.pairs)

    @property
    def agreed(self) -> int:
        """The evaluations whose answer is right."""
        return sum(not pair.cost and pair.expected is not None for pair in self.pairs)

    @property
    def parted(self) -> tuple[AnswerPair, ...]:
        """The pairs that differ."""
        return tuple(pair for pair in self.pairs if pair.cost)


content_bag = lru_cache(maxsize=4096)(bag)
"""A search compares the same contents again and again."""


def agreement(
    expected: Sequence[Evaluation], observed: Sequence[Observed], case: Case, dials: Dials
) -> RecordingAgreement:
    """The cheapest pairing of EXPECTED and OBSERVED, answers to CASE, on t_s ≤ t ≤ until.

    Both keep their order, and a pair's stamps differ by at most the dial ``time_tolerance``.
    Numbers are compared by value where DIALS say so.
    """
    start = t_s(case, dials)
    due = [e for e in expected if start <= e.t <= case.until]
    stamps = [expected_stamp(e, case, dials) for e in due]
    given = sorted(
        (o for o in observed if o.t is None or start <= o.t <= case.until),
        key=lambda o: case.until + 1 if o.t is None else o.t,
    )
    expected_bags, received_bags = (
        [content_bag(answer.content, dials.numbers) for answer in answers]
        for answers in (due, given)
    )
    alone_expected = [max(1, rows.total()) for rows in expected_bags]
    alone_received = [
        UNTIMED if answer.t is None else max(1, rows.total())
        for answer, rows in zip(given, received_bags, strict=True)
    ]

    # Of thousands of pairs few are near each other, and comparing fractions takes long.
    times = [Fraction(answer.t) for answer in given if answer.t is not None]
    near = [
        range(
            bisect_left(times, stamp - dials.time_tolerance),
            bisect_right(times, stamp + dials.time_tolerance),
        )
        for stamp in stamps
    ]

    def together(i: int, j: int) -> int | None:
        if j not in near[i]:
            return None
        return (
            (expected_bags[i] - received_bags[j]) + (received_bags[j] - expected_bags[i])
        ).total()

    found = []
    for i, j in cheapest_pairing(alone_expected, alone_received, together):
        if i is None or j is None:
            cost = alone_received[j or 0] if i is None else alone_expected[i]
        else:
            cost = together(i, j) or 0
        found.append(
            AnswerPair(None if i is None else due[i], None if j is None else given[j], cost)
        )
    return RecordingAgreement(tuple(found))
