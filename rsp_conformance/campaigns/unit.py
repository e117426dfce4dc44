"""A unit of a campaign's work, the engine that it is for, and what comes of each of its cases."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil
from typing import Final, NamedTuple

from rsp_conformance.files.columns import COLUMN
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.protocol import EngineUnavailable, registry
from rsp_conformance.run.properties import Property, property_of
from rsp_conformance.run.record import Record
from rsp_conformance.run.trials import Drawn, by_seed
from rsp_conformance.strategies import FOCUSES, applicable

VERDICTS: Final[Mapping[Outcome, str]] = {
    **{outcome: outcome.value for outcome in Outcome},
    Outcome.RIGHT: "correct",
    Outcome.DISPUTED: "disagreement",
}
"""The name of each outcome in the tables of a folder and in a run's document.

A right answer without rows is ``vacuous`` here, and so is one that the reference model does not
judge.
"""
ACCUSING: Final = frozenset(VERDICTS[outcome] for outcome in Outcome if outcome.accuses)
"""The verdicts that speak against the engine."""


@dataclass(frozen=True, slots=True)
class EngineSource:
    """How the engine is had, in this process or in a worker.

    ``spec``, ``options`` and ``time_limit`` are as for ``registry.connect``; a command line is read
    in ``folder``. ``profile`` None is the engine's own; ``dials`` are turned on top of it.
    """

    spec: str
    options: tuple[tuple[str, str], ...] = ()
    time_limit: float = registry.TIME_LIMIT
    profile: Profile | None = None
    dials: tuple[tuple[str, str], ...] = ()
    folder: str = field(default_factory=os.getcwd)

    def meet(self) -> EngineUnderTest:
        """The engine, which has said hello; raises as ``registry.connect`` and ``meet`` do."""
        with self._there():
            engine = registry.connect(self.spec, dict(self.options), self.time_limit)
        return EngineUnderTest.meet(engine, self.profile, dict(self.dials))

    @contextmanager
    def _there(self) -> Iterator[None]:
        if not self.spec.startswith(registry.STDIO):
            yield
        elif not os.path.isdir(self.folder):
            raise EngineUnavailable(f"the folder {self.folder}, where the driver is, is not there")
        else:
            with chdir(self.folder):
                yield


DRAWN: Final = 1.75
"""So many cases are drawn for one that is asked."""


@dataclass(frozen=True, slots=True)
class Unit:
    """So many ``cases`` of a focus, drawn from ``seed``; ``number`` is its own in its run."""

    number: int = field(metadata={COLUMN: "unit"})
    focus: str
    seed: str
    cases: int = field(metadata={COLUMN: "size"})

    @property
    def drawn(self) -> int:
        """How many cases are drawn, of which those are asked that exercise what is rare."""
        return ceil(DRAWN * self.cases) + 2

    @property
    def property(self) -> Property:
        """The property that its cases are trials of."""
        return property_of(self.focus)

    def draw(self, subject: EngineUnderTest) -> list[Drawn]:
        """What its cases are taken from: the same in every process with the same versions."""
        drawn = by_seed(self.property, subject, self.seed, range(self.drawn))
        return [*{own.trial.digest: own for own in drawn}.values()]


@dataclass(frozen=True, slots=True)
class Brought:
    """What a unit has brought."""

    number: int
    """The unit's number in its run."""
    focus: str
    cases: int
    """The cases that were asked."""
    points: int
    """The points of coverage that no case before had."""
    failures: int = 0
    """The cases in which the engine is wrong."""
    lost: int = 0
    """The cases on which the engine hung or died."""


def foci_of(subject: EngineUnderTest) -> list[str]:
    """Return the foci that mean something for an engine."""
    features, profile = subject.features, subject.profile
    return [name for name in FOCUSES if applicable(name, features, profile) is True]


def drawing_of(subject: EngineUnderTest) -> str:
    """Return what seeds draw for an engine, as eight hexadecimal digits.

    They are those of some cases of each focus. Others say that equal seeds draw other cases:
    strategies have changed, or Hypothesis has.
    """
    digest = sha256()
    for focus in foci_of(subject):
        for drawn in by_seed(property_of(focus), subject, "drawing", range(2)):
            digest.update(drawn.trial.digest.encode())
    return digest.hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a case exercises, and how the engine behaved; equal ones are one in coverage.

    ``paths`` are the cells of its operators, functions, modifiers and values
    (``rsp_conformance.cells``) with the query's prefixes, ``geometry`` is how wide and far apart
    windows and elements lie, ``behaviour`` verdict and extent of the answer.
    """

    features: tuple[str, ...]
    shapes: tuple[str, ...]
    paths: tuple[str, ...]
    geometry: str
    behaviour: str = ""

    @property
    def traits(self) -> tuple[str, ...]:
        """What the case exercises, whatever the engine does."""
        return (*self.features, *self.shapes, *self.paths, self.geometry)


@dataclass(frozen=True, slots=True)
class Row:
    """One case of a unit; ``place`` is its number among those drawn.

    ``verdict`` is one of VERDICTS. ``cause`` is the known cause of a failure, as far as it was
    known when the case was judged. ``dials`` are those that differ from the profile's for this
    query, ``first`` and ``last`` the instants of the answers, ``empty`` how many have no rows. What
    is kept whole has a ``case`` and a ``record``, as JSON (``files.cases``, ``run.lines``).
    """

    place: int
    property: str
    verdict: str
    kind: str
    cause: str
    message: str
    signature: Signature
    dials: str
    elements: int
    windows: int
    answers: int
    rows: int
    empty: int
    first: float | None
    last: float | None
    case: str = ""
    record: str = ""


class UnitResult(NamedTuple):
    """What came of a unit; ``seconds`` of processor time went into each phase.

    ``kept`` are the records that come back whole: failures that nothing known explains, and a
    sample of what is right.
    """

    unit: Unit
    rows: list[Row]
    kept: list[Record]
    seconds: dict[str, float]
    lost: str = ""

    @property
    def asked(self) -> int:
        """How many of its cases were put to the engine."""
        return sum(row.verdict != VERDICTS[Outcome.UNASKED] for row in self.rows)
