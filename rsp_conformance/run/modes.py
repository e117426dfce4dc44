"""How much a run of the suite does: quick, normal or thorough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rsp_conformance.run.settings import SHRINKING


@dataclass(frozen=True, slots=True)
class Mode:
    """How much a run does if nothing else is said.

    Attributes:
        examples: the cases of a property; None for Hypothesis' max_examples.
        shrinking: the seconds for each kind of failure of a property.
        deep: whether to search on behind the causes that are found, and to ask on if nearly all
            fails for known causes.
    """

    examples: int | None = None
    shrinking: float = SHRINKING
    deep: bool = False


MODES: Final[Mapping[str, Mode]] = {
    # With fewer examples many laws have too few cases with rows to compare.
    "quick": Mode(examples=40, shrinking=10.0),
    "normal": Mode(),
    "thorough": Mode(examples=1_000, deep=True),
}
"""The modes by their names."""
