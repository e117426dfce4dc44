"""The cases of one property in one round of a run, and what became of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from rsp_conformance.causes.known import KnownCause
from rsp_conformance.judge.verdict import finding_of
from rsp_conformance.metamorphic.judging import TrialOutcome
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.suite import selection
from rsp_conformance.suite.asking import TIME_UP
from rsp_conformance.suite.checks import explained, stimuli_for, stimulus_for
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.passes import Example, Passes
from rsp_conformance.suite.properties import Property


@dataclass
class Subject:
    """The kinds of failure that the cases drawn for a property show.

    ``shown`` by cases that are about its subject, ``beside`` by others alone. While a failure is
    shrunk, one that others show too keeps the subject; ``passed_over`` counts what that left out.
    """

    shown: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    passed_over: int = 0

    def keeps(self, kind: str) -> bool:
        """Whether a case that is not about the subject does not count as a failure of KIND."""
        return bool(self.shown) and kind not in self.beside


@dataclass
class Work:
    """What a run keeps of one property; ``ends`` is when its time is up, if it is limited.

    ``number`` is that of the round in which its cases were drawn. ``saved`` is the first case that
    failed of those that an earlier run had saved. ``smallest`` are the smallest
    findings that are explained by causes of this run, by the causes' ids, once it is counted.
    """

    property: Property
    context: SuiteContext
    examples: int | None
    ends: float | None = None
    number: int = 1
    drawn: dict[Example, None] | None = None
    saved: Example | None = None
    subject: Subject | None = None
    smallest: dict[str, Finding] = field(default_factory=dict)
    _tests: dict[Example, bool] = field(default_factory=dict)

    @cached_property
    def passes(self) -> Passes:
        """Its passes of Hypothesis."""
        subject, seed = self.context.subject, self.context.seed
        return Passes(
            self.property,
            selection.strategy_of(self.property, subject),
            title=f"{subject.hello.engine}__{self.property.name}",
            run_seed=f"{seed}.{self.number}" if self.number > 1 else seed,
            examples=self.examples,
            is_test=self.is_test,
            is_over=self.is_over,
        )

    def is_test(self, case: Example) -> bool:
        """Whether CASE is a test of the property; one that is vacuous does not count."""
        if case not in self._tests:
            self._tests[case] = selection.is_test(self.property, self.context.subject, case)
        return self._tests[case]

    def is_over(self) -> bool:
        """Whether the run's end has passed, and no failure is known that is still to be shown."""
        if self.ends is None or time.monotonic() < self.ends:
            return False
        found = map(self.context.memory.known, self.stimuli(self.drawn or ()))
        # The second answers are compared only now.
        accuses = self.context.memory.accuses
        return self.property.check != "repeat" and not any(own and accuses(own) for own in found)

    def count(self, is_expected: Callable[[Finding], bool]) -> None:
        """Enter into the tally what became of the cases.

        One whose failure IS_EXPECTED is none that a cause of this run explains.
        """
        tally = self.context.tallies[self.property.name]
        # Behind a saved one that fails none of a relation's is judged: that one is counted, too.
        saved = [] if self.saved is None else [self.saved]
        for example in dict.fromkeys([*(self.drawn or ()), *saved]):
            found = self._outcome(example)
            if found is None:
                tally.unasked += 1
                continue
            causes = self._known(example, found.finding, briefly=True)
            if found.finding and any(c.found for c in causes) and is_expected(found.finding):
                causes = ()
            tally.enter(
                unsupported=found.unsupported,
                compared=found.compared,
                not_judged=found.not_judged,
                known=causes,
            )
            if found.excuse:
                tally.untold[found.excuse] += 1
            elif found.compared and found.ground:
                tally.grounds[found.ground] += 1
        if self.passes.cut:
            tally.cut = tally.cut or TIME_UP
            tally.unasked += max(0, self.passes.examples - tally.cases)

    def _outcome(self, example: Example) -> TrialOutcome | None:
        """What EXAMPLE came to, a case as a trial of one; None where it was not asked."""
        memory, name = self.context.memory, self.property.name
        if isinstance(example, Trial):
            return memory.trials.get((name, example))
        known = memory.known(stimulus_for(self.property, example))
        if known is None:
            return None
        seen = known.observation
        told = known.verdict is not None and self.is_test(example)
        return TrialOutcome(
            finding_of(name, self.context.subject, seen, known.verdict),
            compared=told or seen.failure is not None,
            unsupported=seen.unsupported,
            not_judged=known.not_judged,
        )

    def _known(
        self, example: Example, finding: Finding | None, *, briefly: bool = False
    ) -> tuple[KnownCause, ...]:
        """The known causes that explain FINDING."""
        causes = finding and explained(
            self.property, example, finding, self.context, briefly=briefly
        )
        for cause in causes or ():
            before = self.smallest.get(cause.id, finding)
            if finding and before and cause.found:
                self.smallest[cause.id] = min(before, finding, key=lambda f: len(f.case.elements))
        return causes or ()

    def is_explained(self) -> bool:
        """Whether known causes explain all that is wrong, as far as it was judged."""
        for example in self.drawn or ():
            found = self._outcome(example)
            if found is None and isinstance(example, Trial):
                return False
            if found and found.finding and not self._known(example, found.finding):
                return False
        return True

    def stimuli(self, examples: Iterable[Example]) -> tuple[Stimulus, ...]:
        """All that the engine is asked for EXAMPLES."""
        return tuple(s for e in examples for s in stimuli_for(self.property, e))
