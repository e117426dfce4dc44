"""What becomes of something that is put to an engine: a trial, a case of a suite, a crash file.

This is the only such list. A table of a face says what each outcome is called there (`files.earl`,
`cli.w3c`, `cli.replaying`, `campaigns.unit`), because users read those names.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of a trial; each trial has exactly one outcome."""

    RIGHT = "right"
    """The answers were compared with the expected ones, and are right."""
    WRONG = "wrong"
    """An answer differs from every expected one, or the answers contradict each other."""
    FAILED = "failed"
    """There is no answer to judge: the engine refused, crashed, died, hung or flooded."""
    VACUOUS = "vacuous"
    """Nothing is expected that the engine could have got wrong."""
    EXCUSED = "excused"
    """The answers differ from the expected ones, or from each other, and no engine is wrong."""
    UNSUPPORTED = "unsupported"
    """The test is not for this engine, which lacks a feature or was made for other dials."""
    NOT_JUDGED = "not judged"
    """The kit's own evaluation does not cover the case, or exceeded a limit."""
    UNASKED = "unasked"
    """The engine was not asked: there was no time or patience, or the case can't be put to it."""
    DISPUTED = "disputed"
    """The kit's own judges differ, which is a bug of the kit."""

    @property
    def accuses(self) -> bool:
        """Whether the outcome speaks against the engine."""
        return self in (Outcome.WRONG, Outcome.FAILED)

    @property
    def compares(self) -> bool:
        """Whether the engine's answers, or the lack of them, were compared with something."""
        return self is Outcome.RIGHT or self.accuses
