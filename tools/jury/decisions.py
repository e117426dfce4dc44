"""What is decided about groups of differences: a table, whose first fitting row counts.

A row fits by globs: ``about`` lists functions or shapes of patterns, ``kinds`` is for the kinds of
arguments as they are joined by commas, ``parted`` for who says what; what is missing fits all. Its
verdict is one of these:

- ``text``: the section says what the specification says, and ``why`` quotes it. Whoever says
  otherwise departs from it, and is named where at least two other implementations agree with it.
- ``open``: the texts leave it open; ``point`` names the row of the table of open points.
- ``asked``: the jurors were not asked the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from rsp_conformance.model.tables import read_table
from tools.jury.classes import SAYS_NOTHING
from tools.jury.groups import Key

TEXT, OPEN, ASKED = "text", "open", "asked"
_AGREEING = 2
"""So many others have to agree with a section before it is said who departs from it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of the table."""

    name: str
    verdict: str
    section: str
    why: str
    point: str = ""
    about: tuple[str, ...] = ("*",)
    kinds: tuple[str, ...] = ("*",)
    parted: tuple[str, ...] = ("*",)

    def fits(self, key: Key) -> bool:
        """Whether KEY is a group of this row."""
        return (
            _any(self.about, key.about)
            and _any(self.kinds, ", ".join(key.kinds))
            and _any(self.parted, str(key.parted))
        )

    def departing(self, key: Key) -> tuple[str, ...]:
        """Who departs from the section in the group KEY; nobody where too few agree with it.

        Where a pattern parts the jurors in more than two, one of them may have another reason.
        """
        (agreeing, _), *others = key.parted.classes
        if self.verdict != TEXT or len(agreeing) <= _AGREEING:
            return ()
        otherwise = [names for names, said in others if said not in SAYS_NOTHING]
        if not key.kinds and len(otherwise) > 1:
            return ()
        return tuple([name for names in otherwise for name in names])


def _any(patterns: Iterable[str], text: str) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


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
