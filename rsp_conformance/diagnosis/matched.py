"""Which sets of causes have explained answers so far: most later answers have the same causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

MOST_IN_VAIN = 3
"""If nothing explained so many answers beside which the same causes show, the next are skipped, ...
"""
SELDOM = 4
"""... except for one in so many."""

Cause = TypeVar("Cause", bound=Hashable)
Some: TypeAlias = tuple[Cause, ...]
"""Several causes, in the order in which they became known."""


@dataclass(slots=True)
class Matched(Generic[Cause]):
    """How often causes have explained answers, alone or together, and in which surroundings.

    The surroundings of an answer are the causes that show **beside** the most frequent cause, which
    does not explain the answer alone.
    """

    _alone: Counter[Cause] = field(default_factory=Counter)
    _sets: Counter[Some[Cause]] = field(default_factory=Counter)
    _where: defaultdict[frozenset[Cause], Counter[Some[Cause]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    _in_vain: Counter[frozenset[Cause]] = field(default_factory=Counter)

    def note(self, causes: Some[Cause]) -> None:
        """Count that some causes explain an answer."""
        self._alone.update(causes)
        self._sets[causes] += 1

    def note_where(self, beside: frozenset[Cause], causes: Some[Cause] | None) -> None:
        """Count what explains an answer in some surroundings.

        Args:
            beside: the causes that show beside the most frequent one.
            causes: the causes that explain the answer; None if nothing does.
        """
        where = self._where[beside]
        if causes is None:
            self._in_vain[beside] += 1
            return
        if causes not in where:  # There is more to be matched.
            self._in_vain[beside] = 0
        where[causes] += 1

    def often(self, cause: Cause) -> int:
        """The number of answers that a cause has explained, alone or with others."""
        return self._alone[cause]

    def first(self, causes: Iterable[Cause]) -> Cause | None:
        """The most frequent of some causes; None if none of them has explained an answer."""
        return max((c for c in causes if self._alone[c]), key=self.often, default=None)

    @property
    def sets(self) -> list[Some[Cause]]:
        """The sets that have explained answers, the most frequent first."""
        return [some for some, _ in self._sets.most_common()]

    def where(self, beside: frozenset[Cause]) -> list[Some[Cause]]:
        """The sets that explained answers here: single causes first, then the frequent ones."""
        met = self._where[beside].most_common() if beside in self._where else []
        return sorted((some for some, _ in met), key=lambda some: len(some) > 1)

    def is_in_vain(self, beside: frozenset[Cause]) -> bool:
        """Whether another set than those that were found is unlikely to explain an answer here."""
        vain = self._in_vain[beside]
        return vain >= MOST_IN_VAIN and vain % SELDOM > 0

    def forget_sets(self) -> None:
        """Forget what was found together: one of the causes was given up."""
        self._sets.clear()
        self._where.clear()
        self._in_vain.clear()
