"""One failing case of a campaign made small: drawn again from its unit's seed, and shrunk."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.campaigns.unit import Kept, property_for
from rsp_conformance.campaigns.worker import by_plan
from rsp_conformance.causes.evidence import Answered
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import described, unstable
from rsp_conformance.limits import seconds
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Trial
from rsp_conformance.run.asking import Asker
from rsp_conformance.run.confirming import ONCE, Confirming
from rsp_conformance.run.judging import Judging
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.record import Record
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.shrinking import Limits, shrunk
from rsp_conformance.run.trials import Drawn, from_bytes
from rsp_conformance.strategies.cases import random_bytes

JUDGED_BY = "the specification, Spark's plan and `reference`"
Shows: TypeAlias = Callable[[Record, Finding], bool]
"""Returns whether a failing record shows the failure that is being made small."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A failure with its smallest case, confirmed; ``trail`` is all that was asked on the way."""

    finding: Finding
    confirmed: str
    trail: tuple[Answered, ...]


def shrink(kept: Kept, subject: EngineUnderTest, shows: Shows, budget: float) -> Shrunk:
    """Return the smallest case with what a failure shows.

    Args:
        kept: the failure. If the engine does not show it again, it is ``unstable``.
        subject: the engine.
        shows: whether a smaller case counts.
        budget: the seconds for asking smaller cases.

    Raises:
        KitDisagreement: the kit's own judges differ on the smallest case.
        EngineBroken: there is no engine.
    """
    property, asker = property_for(kept.unit.focus), Asker(subject)
    judging, trail = Judging(subject, asker.again), list[Answered]()

    def ask(drawn: Drawn) -> Record | None:
        seen = asker.smaller(drawn.trial)
        if seen is None:
            return None
        own = judging.record(property, drawn, seen, "smaller")
        pairs = zip(own.observations, own.correct, strict=True)
        trail.extend(Answered(observation, right, property.name) for observation, right in pairs)
        return own

    def showing(own: Record) -> bool:
        return own.outcome.accuses and shows(own, judging.finding(own))

    first = ask(_drawn(kept, subject))
    if first is None or not showing(first):
        finding = described(property.name, subject, kept.observation)
        seen = kept.observation if first is None else first.observations[0]
        message = "a case that failed among others did not fail when it was asked alone"
        return Shrunk(unstable(finding, seen, message), ONCE, tuple(trail))
    limits = Limits(time.monotonic() + budget)
    best = shrunk(first, property, subject, limits, ask=ask, shows=showing)
    for observation, correct in zip(best.observations, best.correct, strict=True):
        check_by_plan(observation, correct)
    confirming = Confirming(asker, judging, Opinions(opinion=confirm_by_reference), JUDGED_BY)
    shown, *_ = confirming.confirmed(best)
    return Shrunk(shown.finding, shown.confirmed, tuple(trail))


def _drawn(kept: Kept, subject: EngineUnderTest) -> Drawn:
    """The trial of a failure, with the bytes that have drawn it."""
    property, unit = property_for(kept.unit.focus), kept.unit
    draw, case = from_bytes(property, subject), kept.observation.stimulus.case
    for data in random_bytes(unit.seed, unit.drawn):
        found = draw(data)
        if found is not None and found[0].variants[0].case == case:
            return Drawn(property.name, kept.place, found[1], found[0])
    return Drawn(property.name, kept.place, b"", Trial.of(case))


def check_by_plan(observation: Observation, correct: bool | None) -> None:
    """Check a verdict of the reference model by Spark's plan, in this process.

    Raises:
        KitDisagreement: the plan judges otherwise.
    """
    if correct is not None:
        (verdict,) = by_plan([observation], seconds())
        must_agree(observation, correct, verdict)
