"""Everything later by a multiple of the slides (RSP-QL Theorem 1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.metamorphic.conditions import periods
from rsp_conformance.metamorphic.drawing import ANYTHING, MIXED, cases, pair, retimed, trials
from rsp_conformance.metamorphic.first_difference import first_difference, later
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementFloor
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.strategies.draws import pick

STEPS = (1, 2, 3, 10, 100, 1_000, 10_000, 100_000)
"""How many times the common multiple everything may be later."""

NEAR = STEPS[:4]
"""The same where windows start at a number, from which the engine has to count."""


def _numbered(dials: Dials) -> str | None:
    if isinstance(dials.t0, int) and dials.answer_time != "evaluation":
        return "windows start at a number, and answers do not say of which instant they are"
    return None


class Shift(MetamorphicRelation):
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
    conditions = (_numbered,)

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
        return first_difference(
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
    return retimed(case, lambda t: t + by)


def _settled(case: Case, dials: Dials) -> int | None:
    """From when on windows that started at a number, and those that started before, coincide."""
    if not isinstance(dials.t0, int):
        return None
    windows = case.query.sliding_windows(dials.unit)
    return dials.t0 + max((w.width + w.slide for w in windows), default=0) + 2
