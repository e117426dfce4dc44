"""The settings of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.xfails import Mark

EXAMPLES = 100
"""The trials of a property."""
SHRINKING = 60.0
"""The seconds for each trial that is shrunk."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run.

    Attributes:
        seed: the seed; the same seed draws the same trials.
        budget: the trials of a property that count, and the time for all properties together.
        marks: the failures that are expected.
        known: the causes that the user knows.
        deep: whether to look for more behind each cause that is found, and to ask on if nearly all
            fails for known causes.
        shrinking: the seconds for each failure that is shrunk.
        judged_by: the judges, in words.
        before: the folder whose crash files are asked first; None for none.
    """

    seed: int | str = 0
    budget: Budget = Budget(EXAMPLES)
    marks: tuple[Mark, ...] = ()
    known: tuple[KnownCause, ...] = ()
    deep: bool = False
    shrinking: float = SHRINKING
    judged_by: str = "the reference model and the third opinion"
    before: Path | None = None

    @property
    def examples(self) -> int:
        """The trials of a property that count."""
        return self.budget.trials or EXAMPLES
