"""From the numbers that a stream's files count time in to the instants of a profile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rsp_conformance.files.files import FileError


@dataclass(frozen=True, slots=True)
class TimeUnits:
    """The milliseconds of a number in a file (``number``) and of an instant (``instant_ms``).

    ``number`` None: a number is an instant.
    """

    number: int | None = None
    instant_ms: int = 1

    def instant(self, number: int, path: Path, line: int | None = None) -> int:
        """NUMBER as an instant; PATH and LINE say where it stands.

        Raises:
            FileError: it is no whole number of instants.
        """
        if self.number is None:
            return number
        milliseconds = number * self.number
        if milliseconds % self.instant_ms:
            raise FileError(
                path,
                f"{number} stands for {milliseconds} ms (--unit {self.number}), which is no whole "
                f"number of instants of {self.instant_ms} ms: turn the dial unit",
                line,
            )
        return milliseconds // self.instant_ms
