"""A unit of a campaign's work, the engine that it is for, and what comes of each of its cases."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil
from typing import Final, NamedTuple

from rsp_conformance.files.cases import CASES
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.protocol import EngineUnavailable, registry
from rsp_conformance.run.properties import PROPERTIES, Property, property_named
from rsp_conformance.strategies import FOCUSES, applicable, some_cases

VERDICTS: Final[Mapping[Outcome, str]] = {
    **{outcome: outcome.value for outcome in Outcome},
    Outcome.RIGHT: "correct",
    Outcome.DISPUTED: "disagreement",
}
"""The name of each outcome in the tables of a folder and in a run's document.

A right answer without rows is ``vacuous`` here, and so is one that the specification does not
judge.
"""


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

    number: int
    focus: str
    seed: str
    cases: int

    @property
    def drawn(self) -> int:
        """How many cases are drawn, of which those are asked that exercise what is rare."""
        return ceil(DRAWN * self.cases) + 2

    def draw(self, subject: EngineUnderTest) -> list[Case]:
        """What its cases are taken from: the same in every process with the same versions."""
        features, profile = subject.features, subject.profile
        return some_cases(features, profile, self.focus, self.drawn, seed=self.seed)


PROPERTY_OF: Mapping[str, str] = {
    p.focus: p.name
    for p in reversed(PROPERTIES)
    if p.check == "answer" and p.needs == "answers" and not p.policies
}
"""The property of the suite that asserts Definition 26 on the cases of a focus."""


def property_of(focus: str) -> str:
    """The property to which cases of FOCUS belong."""
    return PROPERTY_OF.get(focus, focus)


def property_for(focus: str) -> Property:
    """The property to which cases of FOCUS belong; of some foci there is none in the suite."""
    name = PROPERTY_OF.get(focus)
    return Property(focus, focus, "", focus) if name is None else property_named(name)


def foci_of(subject: EngineUnderTest) -> list[str]:
    """The foci that mean something for SUBJECT."""
    features, profile = subject.features, subject.profile
    return [name for name in FOCUSES if applicable(name, features, profile) is True]


def drawing_of(subject: EngineUnderTest) -> str:
    """What seeds draw for SUBJECT, as eight hexadecimal digits: those of some cases of each focus.

    Others say that equal seeds draw other cases: strategies have changed, or Hypothesis has.
    """
    digest = sha256()
    for focus in foci_of(subject):
        for case in some_cases(subject.features, subject.profile, focus, 2, seed="drawing"):
            digest.update(json.dumps(CASES.write(Case, case)).encode())
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


class Row(NamedTuple):
    """One case of a unit: ``place`` is its number among those drawn; texts are JSON, of failures.

    ``cause`` is the known cause of a failure, as far as it was known when the case was judged.
    ``dials`` are those that differ from the profile's for this query, ``first`` and ``last`` the
    instants of the answers, ``empty`` how many have no rows.
    """

    place: int
    outcome: Outcome
    kind: str = ""
    cause: str = ""
    message: str = ""
    signature: Signature = Signature((), (), (), "")
    dials: str = ""
    elements: int = 0
    windows: int = 0
    answers: int = 0
    rows: int = 0
    empty: int = 0
    first: float | None = None
    last: float | None = None
    query: str = ""
    case: str = ""
    answered: str = ""


class Kept(NamedTuple):
    """An observation that comes back whole: a failure that nothing known explains, or a sample."""

    unit: Unit
    place: int
    observation: Observation
    correct: bool
    kind: str = ""
    cause: str = ""


class UnitResult(NamedTuple):
    """What came of a unit; ``seconds`` of processor time went into each phase."""

    unit: Unit
    rows: list[Row]
    kept: list[Kept]
    seconds: dict[str, float]
    lost: str = ""

    @property
    def asked(self) -> int:
        """How many of its cases were put to the engine."""
        return sum(row.outcome is not Outcome.UNASKED for row in self.rows)
