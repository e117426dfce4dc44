"""Which units come next: those foci more often that still bring what no case has covered.

Every focus has a **yield**, the new points of coverage a case, of which older units count less and
less. Half of the units are drawn with probability in proportion to it; the others are shared out
evenly, so that no focus is ever given up. Within a unit those cases are asked, of nearly twice as
many that are drawn, that exercise what was met least often (``signature.rarest``).

What units have brought is learnt when an **epoch** of them is over (`Schedule`). Within an epoch
the choice rests on the same knowledge, so it does not matter how fast units were, how many ran at
once, or where a campaign was killed: the same seed asks the same cases.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rsp_conformance.campaigns.signature import Coverage
from rsp_conformance.campaigns.unit import Brought, Unit

EVEN = 0.5
"""The part of the units that all foci share alike."""
EPOCH = 16
"""So many units are chosen by the same knowledge: 640 cases, 2.4 s of two cores with the fastest
engine, which is long for a job of Spark's, and short for a campaign."""
KEEPS = 0.8
"""So much of what a focus has brought still counts after its next unit."""


@dataclass(slots=True)
class Yield:
    """What the units of a focus have brought; older ones count less."""

    cases: float = 0.0
    points: float = 0.0

    def learn(self, cases: int, points: int) -> None:
        """Take note of a unit.

        Args:
            cases: how many cases it had.
            points: how many new points they covered.
        """
        self.cases = KEEPS * self.cases + cases
        self.points = KEEPS * self.points + points

    @property
    def rate(self) -> float | None:
        """New points per case; None where nothing was tried."""
        return self.points / self.cases if self.cases else None


@dataclass
class Choice:
    """Chooses units among ``foci``, by a seed; ``evenly`` leaves out what they have brought."""

    foci: Sequence[str]
    seed: str
    evenly: bool = False
    yields: dict[str, Yield] = field(default_factory=dict)

    def units(self, first: int, sizes: Iterable[int]) -> list[Unit]:
        """Return a unit of each size.

        Args:
            first: the number of the first one.
            sizes: the numbers of their cases.
        """
        weights = self.weights()
        return [self._unit(number, size, weights) for number, size in enumerate(sizes, first)]

    def learn(self, unit: Brought) -> None:
        """Take note of what a unit has brought."""
        self.yields.setdefault(unit.focus, Yield()).learn(unit.cases, unit.points)

    def weights(self) -> dict[str, float]:
        """How likely each focus is; what was not tried counts as the best."""
        if self.evenly:
            return dict.fromkeys(self.foci, 1.0)
        rates = {focus: self.yields.get(focus, Yield()).rate for focus in self.foci}
        best = max((rate for rate in rates.values() if rate is not None), default=1.0)
        found = {focus: best if rate is None else rate for focus, rate in rates.items()}
        total = sum(found.values()) or 1.0
        even = EVEN / len(self.foci)
        return {focus: even + (1 - EVEN) * rate / total for focus, rate in found.items()}

    def _unit(self, number: int, size: int, weights: Mapping[str, float]) -> Unit:
        # By the unit's number, so that what is drawn depends on nothing but what was learnt.
        chance = random.Random(f"{self.seed}:{number}")
        (focus,) = chance.choices(list(weights), list(weights.values()))
        return Unit(number, focus, f"{self.seed}:{number}", size)


class Schedule:
    """Which units come when, and what is known when they are chosen.

    Args:
        choice: chooses the foci.
        coverage: what earlier runs have covered.

    Attributes:
        next: the number of the next unit, from 1.
        met: how often the cases before this epoch have exercised what.
        has_lost: whether the engine hung or died on a case before this epoch.
    """

    def __init__(self, choice: Choice, coverage: Coverage) -> None:
        self.coverage = coverage
        self.next = 1
        self.met: Mapping[str, int] = dict(coverage.met)
        self.has_lost = False
        self._choice = choice
        self._brought: list[Brought] = []

    @property
    def left(self) -> int:
        """How many units are left of this epoch."""
        return EPOCH - (self.next - 1) % EPOCH

    def units(self, sizes: Sequence[int]) -> list[Unit]:
        """Return a unit of each size; no more than are left of the epoch."""
        if self.left == EPOCH:
            self._learn()
        found = self._choice.units(self.next, sizes)
        self.next += len(found)
        return found

    def add(self, unit: Brought) -> None:
        """Take note of what a unit has brought."""
        self._brought.append(unit)

    def restore(
        self,
        units: Sequence[Brought],
        covered: Iterable[str],
        met: Mapping[str, int],
    ) -> None:
        """Take over a batch of a run that goes on."""
        if self.left == EPOCH:
            self._learn()
        self._brought += units
        self.coverage.restore(covered, met)
        self.next += len(units)

    def _learn(self) -> None:
        for unit in self._brought:
            self._choice.learn(unit)
            self.has_lost = self.has_lost or unit.lost > 0
        self._brought.clear()
        self.met = dict(self.coverage.met)
