"""Which mutants of `reference` a test kills: all that such an engine may answer is judged wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from rsp_conformance.adapters.reference.mutant import Mutant, TriedMutants
from rsp_conformance.adapters.reference.mutants import (
    LATE_MUTANTS,
    MUTANTS,
    RARE_MUTANTS,
    RELATION_MUTANTS,
)
from rsp_conformance.diagnosis.reference import by_evaluation, reference_answers
from rsp_conformance.diagnosis.simulation import BEYOND
from rsp_conformance.limits import limited
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.test_suite.entry import REPORTING, SuiteCase
from rsp_conformance.test_suite.legal import stamped

ALL_MUTANTS: Final[Mapping[str, Mutant]] = {
    **MUTANTS,
    **RARE_MUTANTS,
    **RELATION_MUTANTS,
    **LATE_MUTANTS,
}
NOT_POSSIBLE: Final[Mapping[str, str]] = {
    "nondeterministic": "what it answers is left to chance",
    "lost-late": "shows after 10,000 answers",
    "leaking": "its answers are right; it takes ever more memory",
    "slowing": "its answers are right; it takes ever more time",
    "dies-late": "shows after as many elements as are asked for, and ends the process",
    "load-shedding": "shows from thirteen elements on, and a case has six at most",
}
"""The mutants that no case of a suite can kill, and why."""

AWAITED: Final = frozenset({"t0-drift"})
"""The mutants that show where each element waits for the answers to the one before alone."""

KILLABLE: Final[tuple[str, ...]] = tuple(name for name in ALL_MUTANTS if name not in NOT_POSSIBLE)


def reports_as(mutant: Mutant, dials: Dials) -> Dials:
    """DIALS of an engine with MUTANT, which hands out its answers so that it can show."""
    turned = {name: value for name, value in mutant.dials.items() if name in REPORTING}
    if "numbers" in turned:
        turned["numbers"] = dials.text("numbers")
    return dials.with_dials(turned)


@lru_cache(maxsize=8_192)
def _shown(case: Case, dials: Dials) -> frozenset[str]:
    """The mutants that change something in `reference`, its windows started at the first z."""
    trial = TriedMutants([one for name in KILLABLE for one in ALL_MUTANTS[name].variants])
    try:
        with limited():
            starts = next(iter(rspql_queries(case, dials)))
            reference_answers(case, _asked(dials), starts, trial=trial)
    except BEYOND:
        return frozenset(KILLABLE)
    return frozenset(trial.shown)


def _asked(dials: Dials) -> Dials:
    if dials.answer_time == "arrival":
        return dials
    return replace(by_evaluation(dials), advances=dials.advances)


def changes(entry: SuiteCase, mutant: Mutant) -> bool:
    """Whether MUTANT changes a value on the way to the answer to ENTRY, be it the same answer."""
    # Late mutants move windows while they run, and that is not noticed as a change.
    return mutant.name in LATE_MUTANTS or (
        mutant.name in _shown(entry.case, reports_as(mutant, entry.dials))
    )


def kills(entry: SuiteCase, mutant: Mutant) -> bool:
    """Whether no answer of `reference` with MUTANT passes for right, whatever its windows' start.

    False as well where such an engine gives no answer to the case.
    """
    dials = reports_as(mutant, entry.dials)
    unstamped = dials.answer_time == "arrival" and not stamped(entry.case, dials)
    if unstamped or not changes(entry, mutant):
        return False
    try:
        with limited():
            return not any(
                entry.is_right(mutant_answers(entry, dials, starts, variant), dials)
                for starts in rspql_queries(entry.case, dials)
                for variant in mutant.variants
            )
    except BEYOND:
        return False


def mutant_answers(
    entry: SuiteCase, dials: Dials, starts: Vector, mutant: Mutant | None = None
) -> tuple[Observed, ...]:
    """What `reference`, with MUTANT or without, answers from STARTS; raises as it does."""
    mutants = () if mutant is None else (mutant,)
    pacing = "settled" if mutant is not None and mutant.name in AWAITED else "burst"
    return reference_answers(entry.case, _asked(dials), starts, mutants=mutants, pacing=pacing)


def may_kill(entry: SuiteCase, mutant: Mutant) -> bool:
    """Whether ENTRY has what MUTANT needs to show."""
    return mutant.name in KILLABLE and mutant.may_show(frozenset(entry.features))
