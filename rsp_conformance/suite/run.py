"""A run of the suite: properties one after another, the engine and Spark asked ahead."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hypothesis.errors import Unsatisfiable

from rsp_conformance.judge.crash_file import Keeper
from rsp_conformance.judge.engine_under_test import Stimulus
from rsp_conformance.judge.failures import ConformanceFailure, KitDisagreement, failure_of
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.finding import Finding
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite import selection
from rsp_conformance.suite.checks import find, stimuli_for
from rsp_conformance.suite.confirm import settle
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.passes import Example, Passes, Test
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.relational import count as count_trials
from rsp_conformance.suite.report import failures_in
from rsp_conformance.suite.xfails import Mark


@dataclass
class Work:
    """What a run keeps of one property."""

    property: Property
    context: Context
    examples: int | None
    drawn: tuple[Example, ...] | None = None
    _tests: dict[Example, bool] = field(default_factory=dict)

    @cached_property
    def passes(self) -> Passes:
        """Its passes of Hypothesis."""
        subject = self.context.subject
        return Passes(
            self.property,
            selection.strategy_of(self.property, subject),
            title=f"{subject.hello.engine}__{self.property.name}",
            run_seed=self.context.seed,
            examples=self.examples,
            is_test=self.is_test,
        )

    def is_test(self, case: Example) -> bool:
        """Whether CASE is a test of the property; one that is vacuous does not count."""
        if case not in self._tests:
            self._tests[case] = selection.is_test(self.property, self.context.subject, case)
        return self._tests[case]

    def count(self) -> None:
        """Enter into the tally what became of the cases."""
        drawn = self.drawn or ()
        if self.property.relation is not None:
            trials = [example for example in drawn if isinstance(example, Trial)]
            count_trials(self.property, trials, self.context)
            return
        stimuli = self.stimuli()
        tests = {stimulus for stimulus in stimuli if self.is_test(stimulus.case)}
        self.context.count(self.property.name, stimuli, tests)

    def stimuli(self) -> tuple[Stimulus, ...]:
        """All that the engine is asked for the examples."""
        return tuple(s for e in self.drawn or () for s in stimuli_for(self.property, e))


class Run:
    """The suite against one engine.

    ``keeper`` writes findings down; ``marks`` are failures that are expected; ``judged_by`` says
    who judges. ``max_seconds`` is spread over the properties. ``deferred`` leaves Spark's verdicts
    on what passed to ``disagreements``, for a run that cannot ask far ahead.
    """

    def __init__(
        self,
        context: Context,
        keeper: Keeper,
        *,
        judged_by: str,
        examples: int | None = None,
        marks: Sequence[Mark] = (),
        max_seconds: float | None = None,
        deferred: bool = False,
    ) -> None:
        self.context = context
        self._keeper = keeper
        self._judged_by = judged_by
        self._examples = examples
        self._marks = tuple(marks)
        self._ends = None if max_seconds is None else time.monotonic() + max_seconds
        self._deferred = deferred
        self._works: dict[str, Work] = {}

    def not_applicable(self, property: Property) -> str | None:
        """Why the engine cannot be asked for PROPERTY, or None."""
        return selection.not_applicable(property, self.context.subject)

    def too_few(self, property: Property) -> str | None:
        """Why PROPERTY, which found no failure, was not tested either; None where it was."""
        asked_for = self._work(property).passes.examples
        return self.context.tally(property.name).too_few(asked_for)

    def marked(self, property: Property) -> list[Mark]:
        """The marks of which PROPERTY has met a failure."""
        met = self.context.tally(property.name).marked
        return [mark for mark in self._marks if str(mark) in met]

    def test_of(self, property: Property) -> Test:
        """The Hypothesis test that judges and shrinks."""
        return self._work(property).passes.judge(
            lambda case: self._body(property, case, alone=True)
        )

    def run(self, property: Property, coming: Iterable[Property], call: Test) -> None:
        """Ask ahead, replay what was saved, then CALL the test that judges and shrinks.

        COMING are the properties that will be run next, as far as is known. Raises
        ConformanceFailures, alone or in groups, confirmed; KitDisagreement where the kit's own
        implementations differ, and EngineBroken where there is no engine any more.
        """
        __tracebackhide__ = True
        applicable = [p for p in coming if self.not_applicable(p) is None]
        self._prime(property, 1 + len(applicable))
        self._look_ahead(property, applicable)
        work = self._work(property)
        try:
            self.context.progress(f"{property.name}: judging")
            work.passes.replay(lambda case: self._body(property, case))
            call()
        except Unsatisfiable:
            pass
        except BaseException as error:
            failures = failures_in(error)
            if failures:
                self._confirm(property, failures)
            raise
        finally:
            work.count()
        if not self._deferred:
            self._confirm(property, [])

    def disagreements(self) -> dict[str, str]:
        """What Spark said otherwise of cases that passed, by property, where that was deferred."""
        found = {}
        for name in self.context.unconfirmed():
            try:
                self.context.confirm(name)
            except (KitDisagreement, KitError) as error:
                found[name] = str(error)
        return found

    def _work(self, property: Property) -> Work:
        if property.name not in self._works:
            self._works[property.name] = Work(property, self.context, self._examples)
        return self._works[property.name]

    def _prime(self, property: Property, shares: int) -> None:
        """Generate and ask; SHARES properties are to be served from the time that is left."""
        work = self._work(property)
        if work.drawn is not None:
            return
        context, until = self.context, None
        if self._ends is not None:
            now = time.monotonic()
            until = now + max(0.0, self._ends - now) / shares
        context.progress(f"{property.name}: generating cases")
        with context.timed("generation"):
            work.drawn = tuple(work.passes.generate())
        context.prime(
            property.name,
            work.stimuli(),
            twice=property.check == "repeat",
            judging=property.relation is None,
            until=until,
        )

    def _look_ahead(self, property: Property, coming: Sequence[Property]) -> None:
        """Ask for the properties COMING while Spark starts, or is busy with PROPERTY."""
        context = self.context
        for number, later in enumerate(coming, 1):
            if context.confirmed(property.name) or not context.patience.answered:
                return
            try:
                self._prime(later, 1 + len(coming) - number)
            except EngineBroken:
                return  # which the property itself will say when its turn comes

    def _body(self, property: Property, case: Example, *, alone: bool = False) -> None:
        """Raise what is wrong with the engine's answer to CASE, unless a mark expects it."""
        __tracebackhide__ = True
        patience = self.context.patience
        finding = find(
            property, case, self.context, alone=alone and not patience.has_failed(property.name)
        )
        if finding is None:
            return
        for mark in self._marks:
            if mark.covers(finding):
                self.context.tally(property.name).marked[str(mark)] += 1
                return
        if not patience.has_failed(property.name):
            self.context.progress(f"{property.name}: shrinking a counterexample")
        patience.failed(property.name, finding.kind)
        self._keep(finding)
        raise failure_of(finding)

    def _confirm(self, property: Property, failures: Sequence[ConformanceFailure]) -> None:
        """Have Spark's verdicts on all cases, and every other opinion on FAILURES."""
        try:
            self.context.confirm(property.name)
            shrunk = [failure.finding for failure in failures]
            settle(failures, self.context, self._judged_by)
            for before, failure in zip(shrunk, failures, strict=True):
                if failure.finding.kind != before.kind:
                    self._keeper.drop(before)
                self._keep(failure.finding)
        except KitDisagreement:
            # Nothing is left that accuses the engine.
            for failure in failures:
                self._keeper.drop(failure.finding)
            raise

    def _keep(self, finding: Finding) -> None:
        self._keeper.keep(finding, self.context.subject)
