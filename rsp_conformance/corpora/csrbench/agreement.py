"""How far a wrong answer agrees all the same: the cheapest pairing of what is due and what came.

Definition 26 asks for equality and ends at the first place where two answers part. To say which
reading of a wrong recording fits best, all of it is compared: answers are paired in order, a pair
costs the rows that it does not share, an answer without partner its rows (one, if it has none).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rsp_conformance.compare.contents import Bag, bag
from rsp_conformance.explain.evidence.pairing import cheapest_pairing
from rsp_conformance.model.answers import Content, Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec.alignment_stamps import arrival
from rsp_conformance.spec.starts import t_s

UNTIMED = 1_000_000
"""The cost of an answer without a stamp, which stands for no evaluation."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An evaluation that is due beside the answer that stands for it; None where there is none."""

    due: Evaluation | None
    given: Observed | None
    cost: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """All pairs, in order; ``cost`` is the number of rows (and empty answers) that differ."""

    pairs: tuple[Pair, ...]

    @property
    def cost(self) -> int:
        """The rows that differ, an answer without rows counting as one."""
        return sum(pair.cost for pair in self.pairs)

    @property
    def agreed(self) -> int:
        """The evaluations whose answer is right."""
        return sum(not pair.cost and pair.due is not None for pair in self.pairs)

    @property
    def parted(self) -> tuple[Pair, ...]:
        """The pairs that differ."""
        return tuple(pair for pair in self.pairs if pair.cost)


class Comparer:
    """Compares answers to a case on t_s ≤ t ≤ until, as bags of rows, each of which is read once.

    Numbers are compared by value where DIALS say so.
    """

    def __init__(self, case: Case, dials: Dials) -> None:
        self._case = case
        self._numbers = dials.numbers
        self._start = t_s(case, dials)
        self._bags: dict[int, tuple[Content, Bag]] = {}

    def _bag(self, content: Content) -> Bag:
        known = self._bags.get(id(content))
        if known is None:
            known = self._bags[id(content)] = content, bag(content, self._numbers)
        return known[1]

    def _rows(self, answers: Sequence[Evaluation | Observed]) -> Bag:
        """The rows of all ANSWERS together."""
        found: Bag = Counter()
        for answer in answers:
            found.update(self._bag(answer.content))
        return found

    def _cost(self, answer: Evaluation | Observed) -> int:
        """What ANSWER costs without a partner."""
        return UNTIMED if answer.t is None else max(1, self._bag(answer.content).total())

    def _compared(self, t: int | Fraction | None) -> bool:
        return t is None or self._start <= t <= self._case.until

    def least_cost(self, expected: Sequence[Evaluation], observed: Sequence[Observed]) -> int:
        """What ``agreement`` costs at least: the rows that the two do not share at any time.

        Quick, so that a search need not pair what cannot be its best.
        """
        due = self._rows([e for e in expected if self._compared(e.t)])
        given = self._rows([o for o in observed if self._compared(o.t)])
        return (due - given).total() + (given - due).total()

    def agreement(
        self, expected: Sequence[Evaluation], observed: Sequence[Observed], dials: Dials
    ) -> Agreement:
        """The cheapest pairing of EXPECTED and OBSERVED.

        Both keep their order, and a pair's stamps differ by at most the dial ``time_tolerance``.
        """
        case, arrivals = self._case, dials.answer_time == "arrival"
        due = [e for e in expected if self._compared(e.t)]
        stamps = [arrival(e.t, case, dials) if arrivals else e.t for e in due]
        given = sorted(
            (o for o in observed if self._compared(o.t)),
            key=lambda o: case.until + 1 if o.t is None else o.t,
        )
        alone = list(map(self._cost, due)), list(map(self._cost, given))

        def together(i: int, j: int) -> int | None:
            t = given[j].t
            if t is None or abs(Fraction(t) - stamps[i]) > dials.time_tolerance:
                return None
            left, right = self._bag(due[i].content), self._bag(given[j].content)
            return (left - right).total() + (right - left).total()

        found = []
        for i, j in cheapest_pairing(*alone, together):
            one, other = None if i is None else due[i], None if j is None else given[j]
            if i is None or j is None:
                cost = sum(self._cost(answer) for answer in (one, other) if answer is not None)
            else:
                cost = together(i, j) or 0
            found.append(Pair(one, other, cost))
        return Agreement(tuple(found))
