"""Everything later by a multiple of the slides (RSP-QL Theorem 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.metamorphic.conditions import first_reason, periods
from rsp_conformance.metamorphic.drawing import ANYTHING, MIXED, cases, changed, pair, trials
from rsp_conformance.metamorphic.equal import later, parted
from rsp_conformance.metamorphic.relation import Relation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementFloor
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.strategies.draws import pick

STEPS = (1, 2, 3, 10, 100, 1_000, 10_000, 100_000)
"""How many times the common multiple everything may be later."""

NEAR = STEPS[:4]
"""The same where windows start at a number, from which the engine has to count."""


class Shift(Relation):
    """Shifted by n·β, where β stands for what every slide and period divides.

    Where t0 is a number it stays, so the shifted windows have a past that the others lack: only
    instants at which each window has opened once, and passed on, count (Theorem 1's limit), and no
    operator that looks at the evaluation before.
    """

    name = "shift"
    title = "everything later by a multiple of the slides"
    statement = (
        "If elements, registration and background data all come later by a multiple of every "
        "slide and period, the answers come later by as much and are the same."
    )
    source = "RSP-QL Theorem 1"

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Answers without instants say nothing of windows that start at a number."""
        return first_reason(subject, (_numbered,), "select")

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case, and the same case later."""
        numbered = isinstance(subject.profile.base.t0, int)
        features = ANYTHING - {"istream", "dstream"} if numbered else ANYTHING
        drawn = cases(subject, MIXED, features)
        steps = NEAR if numbered else STEPS

        def make(draw: st.DrawFn) -> Trial:
            steps_later = pick(draw, steps)
            case = drawn(draw)
            by = steps_later * common(case, subject.dials(case))
            return pair(case, shifted(case, by), f"everything {by} later")

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """Where the later answers differ."""
        case, other = (variant.case for variant in trial.variants)
        by = other.registered - case.registered
        labels = ("the case", f"the same case {by} later, taken back,")
        return parted(
            observations, labels, later(by), between=(_settled(case, observations[0].dials), None)
        )


def common(case: Case, dials: Dials) -> int:
    """The least number that all slides and periods of CASE divide."""
    slides = [window.slide for window in case.query.sliding_windows(dials.unit)]
    every = case.query.period(dials.unit)
    floor = [dials.t0.multiple] if isinstance(dials.t0, FirstElementFloor) else []
    return lcm(*slides, *periods(dials), *floor, *([every] if every else []))


def shifted(case: Case, by: int) -> Case:
    """CASE with all of its times BY later."""
    entries = tuple(
        replace(
            entry,
            since=None if entry.since is None else entry.since + by,
            until=None if entry.until is None else entry.until + by,
        )
        for entry in case.background
    )
    return changed(
        case,
        elements=tuple(replace(element, t=element.t + by) for element in case.elements),
        background=Background(entries),
        registered=case.registered + by,
        until=case.until + by,
    )


def _numbered(dials: Dials) -> str | None:
    if isinstance(dials.t0, int) and dials.answer_time != "evaluation":
        return "windows start at a number, and answers do not say of which instant they are"
    return None


def _settled(case: Case, dials: Dials) -> int | None:
    """From when on windows that started at a number, and those that started before, coincide."""
    if not isinstance(dials.t0, int):
        return None
    windows = case.query.sliding_windows(dials.unit)
    return dials.t0 + max((w.width + w.slide for w in windows), default=0) + 2
