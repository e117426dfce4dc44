"""The search for one mutant of the reference engine by one property of the suite."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import quantiles

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import RARE_MUTANTS, REPORTED_MUTANTS
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import Finding
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.judging import Judging
from rsp_conformance.run.properties import PROPERTIES, Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.selection import not_applicable
from rsp_conformance.run.settings import SHRINKING
from rsp_conformance.run.shrinking import Limits
from rsp_conformance.run.shrinking import shrunk as made_small
from rsp_conformance.run.trials import Drawn, by_seed

LIMIT = 200
"""A mutant must be found within so many cases of its property."""
RARE_LIMIT = 1_000
"""A mutant that properties find by chance is searched for in so many."""


def limit_of(fault: str) -> int:
    """In how many cases the mutant FAULT is searched for."""
    return RARE_LIMIT if fault in RARE_MUTANTS else LIMIT


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a property made of a mutant.

    Attributes:
        fault: the mutant's name.
        found_by: the property's name.
        cases: for each seed the number of cases up to the first that fails; if none fails, one
            more than the limit.
        elements: how many elements the counterexample has to which the first seed that finds the
            mutant shrinks; None if no seed finds it.
    """

    fault: str
    found_by: str
    cases: tuple[int, ...]
    elements: int | None

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """Lower quartile, median and upper quartile of the numbers of cases."""
        lower, middle, upper = quantiles(self.cases, n=4, method="inclusive")
        return lower, middle, upper

    @property
    def found(self) -> bool:
        """Whether every seed found the mutant; of a reported one, whether most seeds did."""
        _, middle, _ = self.quartiles
        needed = middle if self.fault in REPORTED_MUTANTS else max(self.cases)
        return needed <= limit_of(self.fault)


def mutated(mutant: Mutant) -> EngineUnderTest:
    """The reference engine with MUTANT, under dials where it can show."""
    options = {"fault": mutant.name} | {f"dial.{d}": v for d, v in mutant.dials.items()}
    return EngineUnderTest.meet(connect("reference", options))


def candidates(mutant: Mutant, subject: EngineUnderTest) -> Iterator[Property]:
    """The properties that apply to the engine, those of the mutant's own features first."""
    able = [p for p in PROPERTIES if not_applicable(p, subject) is None]

    wanted = _words(mutant.name, *mutant.features)

    def distance(property: Property) -> int:
        return -len(wanted & _words(property.focus, property.name, property.aspect))

    yield from sorted(able, key=distance)


def _words(*names: str) -> set[str]:
    return set(re.findall(r"[a-z]+", " ".join(names).lower()))


def records(
    subject: EngineUnderTest, property: Property, seed: int, limit: int, judging: Judging
) -> Iterator[Record]:
    """Yield what becomes of the first LIMIT different trials of PROPERTY, asked one by one."""
    met: set[str] = set()
    for drawn in by_seed(property, subject, seed, range(3 * limit)):
        if drawn.trial.digest not in met:
            met.add(drawn.trial.digest)
            answers = tuple(map(subject.ask, drawn.trial.stimuli))
            yield judging.record(property, drawn, answers)
        if len(met) == limit:
            return


def first_failing(
    subject: EngineUnderTest, property: Property, seed: int, limit: int
) -> int | None:
    """The number of cases of PROPERTY up to the first that fails, or None within LIMIT."""
    tried = records(subject, property, seed, limit, Judging(subject, subject.ask))
    return next((number for number, own in enumerate(tried, 1) if own.outcome.accuses), None)


def shrunk(subject: EngineUnderTest, property: Property, seed: int, limit: int) -> Finding | None:
    """The smallest counterexample that the first failing trial from SEED comes to."""
    judging = Judging(subject, subject.ask)
    tried = records(subject, property, seed, limit, judging)
    first = next((own for own in tried if own.outcome.accuses), None)
    if first is None:
        return None

    def ask(drawn: Drawn) -> Record:
        answers = tuple(map(subject.ask, drawn.trial.stimuli))
        return judging.record(property, drawn, answers, "smaller")

    def shows(own: Record) -> bool:
        return own.kind == first.kind

    limits = Limits(time.monotonic() + SHRINKING)
    best = made_small(first, property, subject, limits, ask=ask, shows=shows)
    return judging.finding(best)


def hunt(mutant: Mutant, property: Property, seeds: int) -> Hunt:
    """Search for MUTANT by PROPERTY from SEEDS seeds, two at least, and shrink a counterexample."""
    subject, limit = mutated(mutant), limit_of(mutant.name)
    with subject.engine:
        found = [first_failing(subject, property, seed, limit) for seed in range(seeds)]
        first = next((seed for seed, number in enumerate(found) if number is not None), None)
        finding = None if first is None else shrunk(subject, property, first, limit)
    cases = tuple(number or limit + 1 for number in found)
    elements = None if finding is None else len(finding.case.elements)
    return Hunt(mutant.name, property.name, cases, elements)
