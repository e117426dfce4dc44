"""What an argument argues from: the evaluations of the nearest query, and where the answer parts.

Everything here is asked of the specification; an explanation defines nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from rsp_conformance.explain.notation import Notation
from rsp_conformance.model.answers import Evaluation, Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import Policy
from rsp_conformance.model.verdict import Divergence, Vector, Verdict
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.alignment import Comparison, compare
from rsp_conformance.spec.alignment_stamps import arrival, observed_stamp
from rsp_conformance.spec.ans import Answering
from rsp_conformance.spec.content import UNDEFINED, Content, Moment, arrivals, content
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.spec.reporting import Reporter, moments, policy_of


@dataclass(frozen=True, slots=True)
class Step:
    """A member of ET with what the windows hold; not ``reported`` where it is dropped as empty."""

    moment: Moment
    contents: tuple[Content, ...]
    evaluation: Evaluation
    reported: bool

    @property
    def t(self) -> int:
        """The instant of the evaluation."""
        return self.moment.t


def steps_of(answering: Answering, starts: Vector) -> tuple[Step, ...]:
    """ET of Q_z for z = STARTS, with contents and answers, those dropped as empty included.

    ANSWERING must keep empty answers.
    """
    case, dials = answering.case, answering.dials
    evaluations = answering.answer(starts)
    reported = Reporter(case, dials, starts).evaluations()
    return tuple(
        Step(moment, contents, evaluation, True)
        for (moment, contents), evaluation in zip(reported, evaluations, strict=True)
    )


class Evidence:
    """A case under one vector z, and what was observed against it.

    ``answering`` answers Q_z for any z, with the answers that the profile drops as empty.
    """

    def __init__(
        self,
        case: Case,
        dials: Dials,
        starts: Vector,
        observed: Sequence[Observed],
        verdict: Verdict | None = None,
    ) -> None:
        self.case = case
        self.dials = dials
        self.starts = starts
        self.observed = tuple(observed)
        self.notation = Notation(case)
        self.windows: tuple[SlidingWindow, ...] = case.query.sliding_windows(dials.unit)
        self.policy: Policy = policy_of(case.query, dials)
        self.t_s = t_s(case, dials) if verdict is None else verdict.t_s
        self.answering = Answering(case, replace(dials, empty_answers=True))
        self._verdict = verdict

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """ET of the nearest query, in order."""
        return self.steps_for(self.starts)

    def steps_for(self, starts: Vector) -> tuple[Step, ...]:
        """ET of Q_z for z = STARTS."""
        drop = not self.dials.empty_answers
        return tuple(
            replace(step, reported=not (drop and is_empty(step.evaluation.content)))
            for step in steps_of(self.answering, starts)
        )

    @cached_property
    def due(self) -> tuple[Step, ...]:
        """The steps whose answers are due on t_s ≤ t ≤ until."""
        return tuple(s for s in self.steps if s.reported and self.t_s <= s.t <= self.case.until)

    @cached_property
    def divergence(self) -> Divergence | None:
        """Where the answer parts from the nearest query; None where it does not."""
        found = self.divergence_for(self.steps)
        if found is None and self._verdict is not None:
            return self._verdict.divergence
        return found

    def divergence_for(self, steps: Sequence[Step]) -> Divergence | None:
        """Where the answer parts from the query with these STEPS."""
        return self.compared(steps).divergence

    def compared(self, steps: Sequence[Step]) -> Comparison:
        """The answer against the query with these STEPS."""
        expected = [step.evaluation for step in steps if step.reported]
        return compare(expected, self.observed, self.case, self.dials, self.t_s)

    @cached_property
    def step(self) -> Step | None:
        """The step whose answer is due where they part, if one is."""
        wanted = None if self.divergence is None else self.divergence.expected
        for same in (lambda e: e is wanted, lambda e: e == wanted):
            for step in self.steps:
                if wanted is not None and same(step.evaluation):
                    return step
        return None

    @property
    def affordable(self) -> int:
        """How many members of Z an explanation may look at (the judgement has looked at all)."""
        points = max(1, self.case.until - self.case.registered)
        return max(2, min(48, 20_000 // points))

    def before(self, step: Step) -> Step | None:
        """The previous evaluation: the preceding member of ET."""
        position = next(i for i, other in enumerate(self.steps) if other is step)
        return self.steps[position - 1] if position else None

    @cached_property
    def place(self) -> int:
        """The instant around which the argument turns."""
        divergence = self.divergence
        if divergence is not None:
            if divergence.t is not None:
                return divergence.t
            stamp = None if divergence.observed is None else self.stamp(divergence.observed)
            if stamp is not None:
                return int(stamp)
        return self.case.until if divergence else self.t_s

    def due_stamp(self, t: int) -> int:
        """The stamp of an evaluation at T: T itself, or the arrival that triggers it."""
        if self.dials.answer_time == "arrival":
            return arrival(t, self.case, self.dials)
        return t

    def stamp(self, answer: Observed) -> int | Fraction | None:
        """The instant that an observed answer is compared at."""
        return observed_stamp(answer, self.case, self.dials)

    def moments_at(self, t: int) -> list[tuple[Moment, Moment | None]]:
        """The test points of instant T, each with the preceding one.

        Where T lies in a silence that the specification leaves out, one point after all arrivals.
        """
        found: list[tuple[Moment, Moment | None]] = []
        preceding: Moment | None = None
        for moment in self._moments(t):
            if moment.t == t:
                found.append((moment, preceding))
            preceding = moment
        if not found and t >= self._first:
            found.append((self._moment(t), self._moment(t - 1)))
        return found

    @cached_property
    def _first(self) -> int:
        return min([self.case.registered, *(t0 for t0 in self.starts if t0 is not None)]) + 1

    def _moments(self, last: int) -> Iterator[Moment]:
        case = self.case if last >= self.case.until else replace(self.case, until=last)
        if last < self._first:
            return iter(())
        return moments(case, self.policy, self.dials, self._first)

    def _moment(self, t: int) -> Moment:
        return Moment(t, sum(1 for element in self.case.elements if element.t <= t))

    def contents(self, moment: Moment | None) -> tuple[Content, ...]:
        """What every window holds at MOMENT; nothing before the first."""
        if moment is None:
            return (UNDEFINED,) * len(self.windows)
        return tuple(
            content(window, t0, moment, arrivals(window.stream, self.case.elements), self.dials)
            for window, t0 in zip(self.windows, self.starts, strict=True)
        )
