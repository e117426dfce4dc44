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
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec.alignment_stamps import arrival

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


class Bags:
    """Answers as bags of rows, numbers by value where the dial says so; each is read once."""

    def __init__(self, dials: Dials) -> None:
        self._numbers = dials.numbers
        self._known: dict[int, tuple[Content, Bag]] = {}

    def bag(self, content: Content) -> Bag:
        """The rows of CONTENT, what is unbound left out."""
        known = self._known.get(id(content))
        if known is None:
            known = self._known[id(content)] = content, bag(content, self._numbers)
        return known[1]

    def difference(self, due: Content, given: Content) -> int:
        """How many rows the two do not share."""
        left, right = self.bag(due), self.bag(given)
        return (left - right).total() + (right - left).total()


def least_cost(
    expected: Sequence[Evaluation],
    observed: Sequence[Observed],
    case: Case,
    t_s: int,
    bags: Bags,
) -> int:
    """What ``agreement`` costs at least: the rows that the two do not share whenever they came.

    Quick, so that a search need not pair what cannot be its best.
    """
    due: Bag = Counter()
    for evaluation in expected:
        if t_s <= evaluation.t <= case.until:
            due.update(bags.bag(evaluation.content))
    given: Bag = Counter()
    for answer in observed:
        if answer.t is None or t_s <= answer.t <= case.until:
            given.update(bags.bag(answer.content))
    return (due - given).total() + (given - due).total()


def agreement(
    expected: Sequence[Evaluation],
    observed: Sequence[Observed],
    case: Case,
    dials: Dials,
    *,
    t_s: int,
    bags: Bags,
) -> Agreement:
    """The cheapest pairing of EXPECTED and OBSERVED on t_s ≤ t ≤ until.

    Both keep their order, and a pair's stamps differ by at most the dial ``time_tolerance``.
    """
    arrivals = dials.answer_time == "arrival"
    due = [
        (e, arrival(e.t, case, dials) if arrivals else e.t)
        for e in expected
        if t_s <= e.t <= case.until
    ]
    given = sorted(
        (o for o in observed if o.t is None or t_s <= o.t <= case.until),
        key=lambda o: case.until + 1 if o.t is None else o.t,
    )
    alone_due = [max(1, len_of(e.content)) for e, _ in due]
    alone_given = [UNTIMED if o.t is None else max(1, len_of(o.content)) for o in given]

    def together(i: int, j: int) -> int | None:
        (evaluation, stamp), answer = due[i], given[j]
        if answer.t is None or abs(Fraction(answer.t) - stamp) > dials.time_tolerance:
            return None
        return bags.difference(evaluation.content, answer.content)

    found = []
    for i, j in cheapest_pairing(alone_due, alone_given, together):
        evaluation, answer = None if i is None else due[i][0], None if j is None else given[j]
        if evaluation is not None and answer is not None:
            cost = bags.difference(evaluation.content, answer.content)
        else:
            cost = alone_due[i] if i is not None else alone_given[j or 0]
        found.append(Pair(evaluation, answer, cost))
    return Agreement(tuple(found))


def len_of(content: Content) -> int:
    """The number of rows."""
    assert isinstance(content, Rows)
    return len(content)
