"""What is decided about groups of differences: a table, whose first fitting row counts.

A row fits by globs: ``about`` lists functions or shapes of patterns, ``kinds`` one for the kinds of
arguments as they are joined by commas, ``parted`` one for who says what; what is missing fits all.

``verdict`` is one of:

- ``departure``: the section says what the specification says, and ``departs`` lists who departs
  from it. Nobody is named where fewer than two other implementations agree with the section.
- ``stands``: the section says it as well, and fewer than two others agree: nobody is named.
- ``open``: the texts leave it open, and no engine is judged by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from rsp_conformance.model.tables import read_table
from tools.jury.groups import Key

VERDICTS = frozenset(("departure", "stands", "open"))
_AGREEING = 2
"""So many others have to agree with a section before anybody departs from it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of the table; ``section`` is cited in ``why``, with its words."""

    name: str
    verdict: str
    section: str
    why: str
    about: tuple[str, ...] = ("*",)
    kinds: tuple[str, ...] = ("*",)
    parted: tuple[str, ...] = ("*",)

    def fits(self, key: Key) -> bool:
        """Whether KEY is a group of this row."""
        named = self.verdict != "departure" or len(key.parted.classes[0][0]) > _AGREEING
        return (
            named
            and _any(self.about, key.about)
            and _any(self.kinds, ", ".join(key.kinds))
            and _any(self.parted, str(key.parted))
        )


def _any(patterns: Iterable[str], text: str) -> bool:
    # Shapes have brackets, which would be classes of characters.
    return any(fnmatchcase(text, pattern.replace("[", "[[]")) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A bug of the specification that the jury has found, and that is no more."""

    name: str
    section: str
    was: str


def _decision(row: dict[str, Any]) -> Decision:
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    return Decision(**{**row, **lists})


_TABLE = read_table(__name__, "decisions.toml")
DECISIONS = tuple([_decision(row) for row in _TABLE["decision"]])
FIXED = tuple([Fixed(**row) for row in _TABLE["fixed"]])


def decision_about(key: Key) -> Decision | None:
    """The decision about the group KEY, None where there is none yet."""
    return next((decision for decision in DECISIONS if decision.fits(key)), None)
