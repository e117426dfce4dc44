"""How often each cell is met: by property, in shares that processes take."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache

from rsp_conformance.cells.heard import MODIFIERS, Cell, Heard
from rsp_conformance.cells.modifiers import instantiated
from rsp_conformance.cells.times import held
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.properties import property_named
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.errors import NotExpressible
from tools.coverage.drawing import Source, examples
from tools.coverage.grammar import Grammar
from tools.coverage.tables import GRAMMAR, TIMES, static_cells

ENGINE = "reference"
"""Its features are all that there are, so that nothing of a profile is left out."""


@dataclass(frozen=True)
class Share:
    """NUMBER examples of a property under a profile, of which the cells of TABLES are counted."""

    property: str
    number: int
    seed: str
    source: Source
    tables: tuple[str, ...]
    profile: str | None = None


@dataclass
class Counts:
    """How many of the DRAWN examples met each cell, in all and where the answer is judged."""

    drawn: int = 0
    judged: Counter[Cell] = field(default_factory=Counter)
    met: Counter[Cell] = field(default_factory=Counter)
    with_rows: Counter[Cell] = field(default_factory=Counter)
    left_open: Counter[tuple[Cell, str]] = field(default_factory=Counter)
    """How many examples met a cell where an open point left the answer open."""
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Count what OTHER has counted as well."""
        self.drawn += other.drawn
        self.judged += other.judged
        self.met += other.met
        self.with_rows += other.with_rows
        self.left_open += other.left_open
        for what, seconds in other.seconds.items():
            self._spend(what, seconds)

    @contextmanager
    def spending(self, what: str) -> Iterator[None]:
        """Take down the processor time that is spent within."""
        start = time.process_time()
        try:
            yield
        finally:
            self._spend(what, time.process_time() - start)

    def _spend(self, what: str, seconds: float) -> None:
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds


@cache
def subject_of(profile: str | None) -> EngineUnderTest:
    """The engine that cases are drawn for, held to a bundled PROFILE; None is its own."""
    chosen = None if profile is None else bundled_profile(profile)
    return EngineUnderTest.meet(connect(ENGINE, {}), chosen)


@cache
def _grammar() -> Grammar:
    return Grammar()


def count(share: Share) -> Counts:
    """Draw SHARE and count."""
    subject, found = subject_of(share.profile), Counts()
    property = property_named(share.property)
    with found.spending("drawing"):  # A run's examples are all drawn before the first is looked at.
        drawing = examples(property, subject, share.number, share.seed, share.source)
    while True:
        with found.spending("drawing"):
            example = next(drawing, None)
        if example is None:
            return found
        found.drawn += 1
        judged: set[Cell] = set()
        met: set[Cell] = set()
        rows: set[Cell] = set()
        for stimulus in Trial.of(example).stimuli:
            static, heard = _cells(subject, stimulus, share.tables, found)
            met |= static | heard.met
            for point, cells in heard.left_open.items():
                own = cells if heard.is_judged else cells | static
                found.left_open.update([(cell, point) for cell in own])
            if heard.is_judged:
                judged |= static | heard.judged
            if heard.has_rows:
                rows |= static | heard.judged
        for counter, cells in ((found.judged, judged), (found.met, met), (found.with_rows, rows)):
            counter.update([cell for cell in cells if cell[0] in share.tables])


def _cells(
    subject: EngineUnderTest, stimulus: Stimulus, tables: Collection[str], counts: Counts
) -> tuple[set[Cell], Heard]:
    """The cells of STIMULUS that are read off it, and those that are heard, of TABLES."""
    case, dials = stimulus.case, subject.dials_of(stimulus)
    heard = Heard(case.query)
    static: set[Cell] = set()
    beyond = Unsupported, LimitExceeded, ValueError
    with counts.spending("evaluation"), suppress(*beyond), limited():
        expectation = Expectation(case, dials, listener=heard)
        for step in expectation.steps(next(iter(expectation.queries()))):
            static |= {(TIMES, held(len(own.elements))) for own in step.contents}
            if case.query.template:
                found = instantiated(case.query, step.relation)
                static |= {(MODIFIERS, cell) for cell in found}
    if GRAMMAR in tables:
        with counts.spending("text"), suppress(NotExpressible):
            text = subject.query_text(case, stimulus.unit)
            static |= {(GRAMMAR, cell) for cell in _grammar().productions(text)}
    with counts.spending("reading"), suppress(ValueError):
        static |= static_cells(case, dials.unit, tables)
    return static, heard
