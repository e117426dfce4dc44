"""All times doubled, and the unit of time halved (RSP-QL Definition 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.metamorphic.conditions import first_reason, negates
from rsp_conformance.metamorphic.drawing import asking, cases, retimed, trials
from rsp_conformance.metamorphic.first_difference import first_difference
from rsp_conformance.metamorphic.normalise import Seen, first_compared
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementFloor
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.policy import Strategy, implies, mentions
from rsp_conformance.model.windows import WindowDeclaration


class Units(MetamorphicRelation):
    """Instants are numbers of units: twice as many of units half as long are the same times.

    There are new instants between the old ones, at which nothing may be evaluated: so the policy
    has to wait for closes or for COMPUTED EVERY of the query. Under ``last-closed`` the evaluation
    after a close at c comes at 2c + 1, which stands for c + 1.
    """

    name = "units"
    title = "all times doubled, with the unit halved"
    statement = (
        "Times are counted in units: with twice the numbers and half the unit, the answers are "
        "the same, at twice the instants."
    )
    source = "RSP-QL Def. 8"

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """The dials must not hold lengths of time of their own, nor the dialect whole seconds."""
        reason = first_reason(subject, (_scalable,), "select")
        seconds = subject.hello.dialect.get("duration") == "s"
        if reason is None and seconds and any(u % 1000 for u in units(subject.profile.base)):
            return "the dialect writes durations in seconds, which cannot be halved"
        return reason

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case, and the same case at twice the numbers."""
        drawn = cases(subject)
        whole, half = units(subject.profile.base)

        def make(draw: st.DrawFn) -> Trial:
            case = drawn(draw)
            label = f"all times doubled, {half} ms an instant instead of {whole}"
            return Trial(
                (
                    Variant("as it is", Stimulus(case, unit=whole)),
                    Variant(label, Stimulus(doubled(case), unit=half), scale=2),
                )
            )

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """Where the answers differ by more than the scale."""

        def inverse(answer: Seen) -> Seen:
            return answer if answer.stamp is None else replace(answer, stamp=ceil(answer.stamp / 2))

        labels = ("the case", "the doubled case, its instants halved,")
        # Of two instants that stand for one the earlier may not be compared.
        start = ceil((first_compared(observations[1]) + 1) / 2)
        if observations[1].dials.answer_time == "none":
            return first_difference(observations, labels, inverse)
        return first_difference(observations, labels, inverse, between=(start, None))


def units(dials: Dials) -> tuple[int, int]:
    """The unit of a case and that of the doubled one: the profile's and its half, if it has one."""
    unit = dials.unit
    return (unit, unit // 2) if unit % 2 == 0 else (2 * unit, unit)


def doubled(case: Case) -> Case:
    """CASE with every number of instants doubled."""
    query = case.query
    every = query.computed_every
    query = replace(
        query,
        windows=tuple(_doubled(window) for window in query.windows),
        computed_every=2 * every if isinstance(every, int) else every,
    )
    # A graph begins at the instant between the old ones, which stands for the later of the two.
    return retimed(asking(case, query), lambda t: 2 * t, since=lambda t: 2 * t - 1)


def _doubled(window: WindowDeclaration) -> WindowDeclaration:
    assert isinstance(window.width, int)
    assert window.slide is None or isinstance(window.slide, int)
    return replace(window, width=2 * window.width, slide=2 * (window.slide or 1))


def _scalable(dials: Dials) -> str | None:
    policy = dials.report
    if isinstance(dials.t0, FirstElementFloor) or (isinstance(dials.t0, int) and dials.t0):
        return "the profile says in instants where windows start"
    if mentions(policy, "P") or any(
        s.period is not None for s in (policy,) if isinstance(s, Strategy)
    ):
        return "the profile says in instants when to report"
    if implies(policy, "COMPUTED EVERY"):
        return None
    if mentions(policy, "CC", "COMPUTED EVERY") or negates(policy) or not implies(policy, "WC"):
        return "the report policy looks at every instant, and there are more of them"
    return None
