"""One failing case of a campaign made small: drawn again from its unit's seed, and shrunk.

The cases of the unit come as the worker has drawn them. From the failing one on, Hypothesis tries
smaller ones, each asked of the engine here and judged as it is in a run of the suite.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import HypothesisException

from rsp_conformance.campaigns.unit import Kept, property_of
from rsp_conformance.campaigns.worker import by_plan
from rsp_conformance.causes.evidence import Answered
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import ConformanceFailure, failure_of
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import described, unstable
from rsp_conformance.limits import LimitExceeded, seconds
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.strategies import cases
from rsp_conformance.strategies.cases import random_bytes
from rsp_conformance.suite.checks import confirm
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.memory import JudgedObservation
from rsp_conformance.suite.reference_opinion import confirm_by_reference

JUDGED_BY = "the specification, Spark's plan and `reference`"

Shows = Callable[[JudgedObservation], bool]
"""Whether a judged observation shows the failure that is being shrunk."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A failure with its smallest case, confirmed; ``trail`` is all that was asked on the way."""

    finding: Finding
    confirmed: str
    trail: tuple[Answered, ...]


class _Shown(AssertionError):
    """A case shows the failure."""


def shrink(kept: Kept, subject: EngineUnderTest, shows: Shows, budget: float) -> Shrunk:
    """The smallest case with what KEPT shows, found within BUDGET seconds.

    One that SUBJECT does not show when asked again is ``unstable``. Raises KitDisagreement where
    the kit's own judges differ on the smallest case, EngineBroken where there is no engine.
    """
    name = property_of(kept.unit.focus)
    context = SuiteContext(subject, seed=kept.unit.seed, opinion=confirm_by_reference)
    context.asking.budget.shrinking = budget
    best = _smallest(kept, context, name, shows)
    trail = tuple(
        Answered(own.observation, own.verdict.correct if own.verdict else None, name)
        for own in context.memory.everything()
        if own.is_judged
    )
    if best is None:
        again = context.memory.asked(name, kept.observation.stimulus)
        finding = described(name, subject, kept.observation)
        seen = kept.observation if again is None else again.observation
        message = "a case that failed among others did not fail when it was asked alone"
        return Shrunk(unstable(finding, seen, message), "It came in one run of several.", trail)
    if best.verdict is not None:
        check_by_plan(best)
    finding = described(name, subject, best.observation, best.verdict)
    failure: ConformanceFailure = failure_of(finding)
    confirm([failure], context, JUDGED_BY)
    return Shrunk(failure.finding, failure.confirmed, trail)


def check_by_plan(own: JudgedObservation) -> None:
    """Raise KitDisagreement where the plan judges OWN otherwise than the specification."""
    (verdict,) = by_plan([own.observation], seconds())
    must_agree(own.observation, own.verdict, verdict)


def _smallest(
    kept: Kept, context: SuiteContext, name: str, shows: Shows
) -> JudgedObservation | None:
    """The last and smallest observation that SHOWS it; None where not even the first one does."""
    found: list[JudgedObservation] = []
    drawn: dict[Case, None] = {}
    begun = False

    @settings(
        database=InMemoryExampleDatabase(),
        deadline=None,
        phases=[Phase.reuse, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(cases(context.subject.features, context.subject.profile, focus=kept.unit.focus))
    def draw(case: Case) -> None:
        nonlocal begun
        if not begun:
            drawn[case] = None
            if len(drawn) <= kept.place:
                return
            begun = True
        if context.asking.stops_shrinking(name):
            # What was asked before is judged as it was, so that Hypothesis is not confused.
            own = context.memory.known(Stimulus(case))
        else:
            own = context.memory.judged(name, Stimulus(case))
        if own is None or not own.fails or not shows(own):
            return
        found.append(own)
        context.asking.budget.failed(name, "campaign", context.tallies[name])
        raise _Shown

    with suppress(_Shown, HypothesisException, LimitExceeded):
        for data in random_bytes(kept.unit.seed, kept.unit.drawn):
            draw.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
    if found:
        # It stands in the database now, from which Hypothesis takes it to make it smaller.
        with suppress(_Shown, HypothesisException, LimitExceeded):
            draw()
    return found[-1] if found else None
