"""Differences in groups: about one function or pattern, over one tuple of kinds, parted alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.jury.classes import Partition


@dataclass(frozen=True, slots=True)
class Key:
    """What the differences of a group share.

    ``about`` is a function or the shape of a pattern; ``kinds`` are those of its arguments;
    ``left_open`` is why the specification leaves the answer open, empty where it does not.
    """

    about: str
    kinds: tuple[str, ...]
    parted: Partition
    left_open: str = ""

    @property
    def to_be_decided(self) -> bool:
        """Whether the specification stands against at least two others, and says one thing."""
        return self.parted.against >= 2 and not self.left_open


@dataclass(slots=True)
class Example:
    """One difference: what was asked, and what each juror said, as text."""

    asked: str
    said: dict[str, str]


@dataclass(slots=True)
class Groups:
    """All groups, with their counts and the shortest example of each."""

    counts: dict[Key, int] = field(default_factory=dict)
    examples: dict[Key, Example] = field(default_factory=dict)

    def add(self, key: Key, example: Example) -> None:
        """Count one more difference."""
        self.counts[key] = self.counts.get(key, 0) + 1
        known = self.examples.get(key)
        if known is None or len(example.asked) < len(known.asked):
            self.examples[key] = example

    def __iter__(self) -> Iterator[tuple[Key, int, Example]]:
        for key in sorted(
            self.counts, key=lambda k: (k.about, k.kinds, str(k.parted), k.left_open)
        ):
            yield key, self.counts[key], self.examples[key]
