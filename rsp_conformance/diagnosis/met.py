"""Which sets of causes have explained answers so far: most answers that come next have the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

MOST_IN_VAIN = 3
"""Where nothing explains so many answers beside which the same causes show, ..."""
SELDOM = 4
"""... one in so many of them is worth more than what was met there."""

Cause = TypeVar("Cause", bound=Hashable)
Some: TypeAlias = tuple[Cause, ...]
"""Some causes, in the order in which they are known."""


@dataclass(slots=True)
class Met(Generic[Cause]):
    """How often causes were met, alone or together, and where.

    A place is known by the causes that show **beside** the one met most, which does not explain the
    answer alone.
    """

    _alone: Counter[Cause] = field(default_factory=Counter)
    _sets: Counter[Some[Cause]] = field(default_factory=Counter)
    _where: defaultdict[frozenset[Cause], Counter[Some[Cause]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    _in_vain: Counter[frozenset[Cause]] = field(default_factory=Counter)

    def note(self, causes: Some[Cause]) -> None:
        """Take note that CAUSES explain an answer."""
        self._alone.update(causes)
        self._sets[causes] += 1

    def note_where(self, beside: frozenset[Cause], causes: Some[Cause] | None) -> None:
        """Take note of what explains an answer with the causes BESIDE; None: nothing does."""
        where = self._where[beside]
        if causes is None:
            self._in_vain[beside] += 1
            return
        if causes not in where:  # There is more to be met.
            self._in_vain[beside] = 0
        where[causes] += 1

    def often(self, cause: Cause) -> int:
        """How many answers CAUSE has explained, alone or with others."""
        return self._alone[cause]

    def first(self, causes: Iterable[Cause]) -> Cause | None:
        """The one of CAUSES that was met most, if any was."""
        return max((c for c in causes if self._alone[c]), key=self.often, default=None)

    @property
    def sets(self) -> list[Some[Cause]]:
        """What was met, most often first."""
        return [some for some, _ in self._sets.most_common()]

    def where(self, beside: frozenset[Cause]) -> list[Some[Cause]]:
        """What was met where those BESIDE show: single causes first, each most often first."""
        met = self._where[beside].most_common() if beside in self._where else []
        return sorted((some for some, _ in met), key=lambda some: len(some) > 1)

    def is_in_vain(self, beside: frozenset[Cause]) -> bool:
        """Whether hardly anything else is likely to explain an answer with those BESIDE."""
        vain = self._in_vain[beside]
        return vain >= MOST_IN_VAIN and vain % SELDOM > 0

    def forget_sets(self) -> None:
        """Forget what was met together: one of the causes is a cause no more."""
        self._sets.clear()
        self._where.clear()
        self._in_vain.clear()
