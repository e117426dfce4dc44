"""How well a hypothesis explains the answers of a run, beside another one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rsp_conformance.causes.hypothesis import Hypothesis

LOSS_WEIGHT = 4
"""A loss weighs as much as so many gains."""


@dataclass(slots=True)
class Score:
    """How a hypothesis fares beside another one."""

    hypothesis: Hypothesis
    part: Hypothesis
    gains: int = 0
    told: int = 0
    explained: int = 0
    losses: int = 0
    held: int = 0
    properties: Counter[str] = field(default_factory=Counter)

    @property
    def value(self) -> int:
        """Gains less losses, weighed, if all were asked."""
        return self.explained - LOSS_WEIGHT * self.losses

    @property
    def order(self) -> tuple[int, int, int, str]:
        """The best first; of equals mutants before dials, which have no text of their own."""
        return -self.value, len(self.part), len(self.part.dials), str(self.part)

    def is_equal_to(self, other: Score) -> bool:
        """Whether nothing that was asked tells it from OTHER."""
        return (self.value, self.losses) == (other.value, other.losses)

    @property
    def is_hopeless(self) -> bool:
        """Whether the engine sides against it more often than other defects may explain."""
        return self.losses > 2 + max(self.gains, self.held) // 10
