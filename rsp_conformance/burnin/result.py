"""What a burn-in found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rsp_conformance.burnin.metrics import MB, Growth

if TYPE_CHECKING:
    from rsp_conformance.burnin.locate import Stretch

CORRECT: Final = "correct"
WRONG: Final = "wrong"
NOT_TESTED: Final = "not tested"


@dataclass(frozen=True, slots=True)
class Search:
    """What came of looking for the shortest stretch: none where the engine was not wrong again.

    ``tried`` fresh engines were fed; ``cut`` says that the time for it was over, ``trouble`` that
    there was no engine any more, and why.
    """

    stretch: Stretch | None
    tried: int
    cut: bool
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class BurnIn:
    """One engine on one long stream.

    ``verdict`` is Definition 26's on all that was compared, up to the instant ``judged``;
    ``elements`` of ``size`` were taken by the engine, the last at ``reached``. ``kinds`` says
    everything that is wrong, performance included; empty where nothing is. ``t0`` is the vector
    that makes the answers right (or the nearest), by window.
    Memory is the peak in bytes, of the engine's processes (0: it has none of its own) and the
    kit's, Spark included. ``command`` runs the same again, ``replay`` the minimised
    case of ``crash_file``; ``stderr`` is the driver's tail.
    """

    engine: str
    version: str
    profile: str
    seed: str
    size: int
    elements: int
    answers: int
    evaluations: int
    verdict: str
    t0: Mapping[str, int | None]
    kinds: tuple[str, ...]
    reached: int
    judged: int
    because: str
    seconds: float
    engine_bytes: int
    kit_bytes: int
    command: str
    growths: tuple[Growth, ...] = ()
    stretch: Stretch | None = None
    stderr: tuple[str, ...] = ()
    crash_file: Path | None = None
    replay: str = ""

    @property
    def well(self) -> bool:
        """Whether the engine was tested and nothing is wrong with it."""
        return self.verdict == CORRECT and not self.kinds

    def to_json(self) -> dict[str, Any]:
        """The result as the command line prints it."""
        stretch = self.stretch
        return {
            "engine": self.engine,
            "elements": self.elements,
            "answers": self.answers,
            "evaluations": self.evaluations,
            "verdict": self.verdict,
            "t0": dict(self.t0),
            "kinds": list(self.kinds),
            "reached": self.reached,
            "because": self.because,
            "seconds": round(self.seconds, 1),
            "memory_mb": {
                "engine": round(self.engine_bytes / MB) if self.engine_bytes else None,
                "kit": round(self.kit_bytes / MB),
            },
            "stretch": None
            if stretch is None
            else {"from": stretch.since, "until": stretch.until, "elements": stretch.kept},
        }
