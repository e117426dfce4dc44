"""How much a run of the suite does: quick, normal or thorough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rsp_conformance.run.shrinking import SHRINKING


@dataclass(frozen=True, slots=True)
class Mode:
    """How much a run does where nothing else is said.

    ``examples`` are the cases a property, None for Hypothesis' max_examples; ``shrinking`` is the
    time for each kind of failure of a property, in seconds. A ``deep`` run searches on behind the
    causes that it finds, and asks on where nearly all fails for what is known.
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
