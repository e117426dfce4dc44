"""The subject of an argument: a case under one z, its trace, and the received answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice

from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.background import Background
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Divergence, Vector, Verdict
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.alignment import Comparison, compare, strayed
from rsp_conformance.spec.alignment_stamps import expected_stamp, observed_stamp, out_of_range
from rsp_conformance.spec.content import Moment, WindowContent
from rsp_conformance.spec.dataset import dataset
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.readings import other_readings
from rsp_conformance.spec.reporting import Reporter, moments
from rsp_conformance.spec.start_classes import candidates
from rsp_conformance.spec.trace import Expectation, TraceStep


class Situation:
    """A case under one vector z, and the answers that it is compared with.

    Args:
        expectation: the expectation of the case.
        starts: z.
        observed: the answers of the engine; None if no engine was asked.
        verdict: the verdict on them, if there is one.
    """

    def __init__(
        self,
        expectation: Expectation,
        starts: Vector,
        observed: Sequence[Observed] | None,
        verdict: Verdict | None = None,
    ) -> None:
        self.expectation = expectation
        self.asked = expectation.case
        """The case as it was asked."""
        self.case = case = expectation.case_in_units
        """The case as its windows read it: the elements of some streams by single triples."""
        self.dials = dials = expectation.dials
        self.starts = starts
        self.is_judged = observed is not None
        """Whether there is an engine whose answers are compared."""
        self.observed = tuple(observed or ())
        self.windows = case.query.resolved_windows(dials)
        self.t_s = expectation.t_s if verdict is None else verdict.t_s
        self._verdict = verdict
        self.reporter = Reporter(case, dials, starts)

    @cached_property
    def steps(self) -> tuple[TraceStep, ...]:
        """ET of the nearest query, in order, evaluations dropped as empty included."""
        return self.expectation.trace(self.starts)

    @cached_property
    def expected(self) -> tuple[TraceStep, ...]:
        """The steps whose answers are expected on t_s ≤ t ≤ until."""
        return self.expected_of(self.steps)

    def expected_of(self, steps: Sequence[TraceStep]) -> tuple[TraceStep, ...]:
        """The steps among some whose answers are expected on t_s ≤ t ≤ until."""
        return tuple(s for s in steps if s.reported and self.t_s <= s.t <= self.case.until)

    @cached_property
    def divergence(self) -> Divergence | None:
        """The first difference between the answer and the nearest query; None if they are equal."""
        if not self.is_judged:
            return None
        found = self.comparison.divergence
        if self.stray is not None:
            return strayed(found, self.stray)
        if found is None and self._verdict is not None:
            return self._verdict.divergence
        return found

    @cached_property
    def stray(self) -> Observed | None:
        """The first answer that is stamped out of all range."""
        return out_of_range(self.observed, self.asked, self.dials)

    @cached_property
    def comparison(self) -> Comparison:
        """The comparison of the answer with the nearest query."""
        return self.compared(self.starts)

    @cached_property
    def later(self) -> tuple[Evaluation, ...] | None:
        """The evaluations after ``until``, with the elements that the kit appends."""
        return self.expectation.later(self.starts)

    def compared(self, starts: Vector) -> Comparison:
        """The comparison of the answer with the query whose windows have these starts."""
        expected = self.expectation.answer(starts)
        later = partial(self.expectation.later, starts)
        observed, case, dials = self.observed, self.asked, self.dials
        return compare(expected, observed, case, dials, self.t_s, later=later, told=True)

    def others(self) -> Iterator[Vector]:
        """The other members of Z, the likely ones first, as many as an explanation can afford."""
        affordable = max(2, min(48, 20_000 // max(1, self.reporter.walk.count())))
        found = islice(candidates(self.asked, self.dials, self.observed), affordable)
        return (own.starts for own in found if own.starts != self.starts)

    @cached_property
    def step(self) -> TraceStep | None:
        """The step whose answer is expected at the first difference, if there is one."""
        wanted = None if self.divergence is None else self.divergence.expected
        for same in (lambda e: e is wanted, lambda e: e == wanted):
            for step in self.steps:
                if wanted is not None and same(step.evaluation):
                    return step
        return None

    @cached_property
    def otherwise_expected(self) -> tuple[Content, ...]:
        """The contents that other readings of open points expect at the first difference."""
        here, found = self.step, list[Content]()
        if here is None:
            return ()
        with suppress(LeftOpen):
            for other in other_readings(self.expectation):
                steps = other.trace(self.starts)
                found += (s.evaluation.content for s in steps if s.moment == here.moment)
        return tuple(found)

    def before(self, step: TraceStep) -> TraceStep | None:
        """The previous evaluation: the preceding member of ET."""
        position = next(i for i, other in enumerate(self.steps) if other is step)
        return self.steps[position - 1] if position else None

    def relation(
        self,
        t: int,
        contents: Sequence[WindowContent],
        background: Background | None = None,
        query: Query | None = None,
    ) -> Relation:
        """The solutions of a pattern at an instant.

        Args:
            t: the instant.
            contents: the contents of the windows.
            background: other background data than the case's.
            query: another query than the case's.
        """
        case = self.case if background is None else replace(self.case, background=background)
        return solutions(query or case.query, dataset(case, self.dials, t, contents))

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

    def stamp_of(self, t: int) -> int:
        """The stamp of an evaluation at t: t itself, or the arrival that triggers it."""
        here = (step.evaluation for step in self.steps if step.t == t)
        evaluation = next(here, Evaluation(t, Rows((), ())))
        return expected_stamp(evaluation, self.asked, self.dials)

    def stamp(self, answer: Observed) -> int | Fraction | None:
        """The instant at which an observed answer is compared."""
        return observed_stamp(answer, self.asked, self.dials)

    @property
    def stamps(self) -> list[int | Fraction]:
        """The instants at which answers are observed, each once, in the order of the answers."""
        stamps = map(self.stamp, self.observed)
        return list(dict.fromkeys(stamp for stamp in stamps if stamp is not None))

    def number(self, index: int) -> int:
        """The number of an element on its stream, from 1.

        Args:
            index: the position of the element in the input.
        """
        elements = self.case.elements
        return sum(one.stream == elements[index].stream for one in elements[: index + 1])

    def moments_at(self, t: int) -> list[tuple[Moment, Moment | None]]:
        """The test points of an instant, each with the preceding one."""
        first = self.reporter.walk.first
        if t < first:
            return []
        instants = range(max(first, t - 1), t + 1)
        points = list(moments(self.case, self.reporter.policy, self.dials, instants))
        preceding = zip(points, [None, *points], strict=False)
        return [(point, before) for point, before in preceding if point.t == t]
