"""A run of the suite: properties one after another, the engine and Spark asked ahead.

What becomes of a property is decided here; who listens to the run's events only shows it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from rsp_conformance.causes.cause import Cause
from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.known import KnownCause
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.protocol.failures import EngineBroken, EngineError
from rsp_conformance.suite import selection
from rsp_conformance.suite.asking import Budget
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import (
    Event,
    JudgeLost,
    JudgesDisagree,
    Listener,
    PropertyFinished,
    PropertyStarted,
    PropertyVerdict,
    RunFinished,
    RunStarted,
    Working,
)
from rsp_conformance.suite.evidence import causes_found
from rsp_conformance.suite.findings import Findings
from rsp_conformance.suite.passes import Test
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.property_run import PropertyRun, RunSettings
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.report import failures_in, first_line
from rsp_conformance.suite.xfails import Mark


class Run:
    """The suite against one engine; every property ends in a PropertyFinished.

    KEEPER writes findings down; MARKS are failures that are expected; JUDGED_BY says who judges.
    MAX_SECONDS is spread over the properties. DEFERRED leaves Spark's verdicts on what passed to
    ``finish``, for a run that cannot ask far ahead. DEEP sets the causes of failures aside as they
    are found, and searches on behind them.
    ``reporter`` writes the text of what failed.
    """

    def __init__(
        self,
        context: SuiteContext,
        keeper: Keeper,
        *,
        judged_by: str,
        examples: int | None = None,
        marks: Sequence[Mark] = (),
        max_seconds: float | None = None,
        deferred: bool = False,
        deep: bool = False,
    ) -> None:
        ends = None if max_seconds is None else time.monotonic() + max_seconds
        self.context = context
        self._settings = RunSettings(examples, tuple(marks), ends, deferred, deep)
        self._findings = Findings(context, keeper, judged_by)
        self.reporter = self._findings.reporter
        self._properties: dict[str, PropertyRun] = {}
        self._ran: set[str] = set()
        hello, profile = context.subject.hello, context.subject.profile
        context.emit(
            RunStarted(hello.engine, hello.version, profile.name, judged_by, str(context.seed))
        )

    def skip(self, property: Property) -> PropertyFinished | None:
        """How PROPERTY ends where the engine cannot be asked for it; None where it can."""
        reason = selection.not_applicable(property, self.context.subject)
        if reason is None:
            return None
        missing = reason.features if isinstance(reason, MissingFeatures) else ()
        finished = PropertyFinished(
            property.name, "skipped", str(reason), str(reason), missing=missing
        )
        self.context.emit(finished)
        return finished

    def test_of(self, property: Property) -> Test:
        """The Hypothesis test that judges and shrinks."""
        return self._run_of(property).test()

    def run(
        self, property: Property, coming: Iterable[Property] = (), call: Test | None = None
    ) -> PropertyFinished:
        """Test PROPERTY; CALL is ``test_of`` it, where something stands around that test.

        COMING are the properties that will be run next, as far as is known. Raises
        ConformanceFailures, alone or in groups, confirmed; KitDisagreement where the kit's own
        implementations differ, and EngineBroken where there is no engine any more.
        """
        __tracebackhide__ = True
        self.context.emit(PropertyStarted(property.name))
        self._ran.add(property.name)
        started, own = time.perf_counter(), self._run_of(property)

        def finished(
            verdict: PropertyVerdict, note: str = "", reason: str = ""
        ) -> PropertyFinished:
            tally, spent = self.context.tallies[property.name], time.perf_counter() - started
            event = PropertyFinished(
                property.name,
                verdict,
                note,
                reason,
                tally.counts(),
                tuple(map(str, own.met())),
                spent,
                grounds=dict(tally.grounds),
                excuses=dict(tally.untold),
                lost=tally.lost,
            )
            self.context.emit(event)
            return event

        try:
            self._test(own, coming, call or own.test())
        except Exception as error:
            finished(*self._failed(property, error))
            raise
        return finished(*own.passed())

    def run_all(self, properties: Iterable[Property], *, naming: bool = True) -> None:
        """Test PROPERTIES, as far as the engine can be asked for them, and end the run.

        What fails stands in the events. If NAMING, the causes of what failed are looked for in the
        end. Raises EngineBroken where there is no engine any more.
        """
        for property in properties:
            if self.skip(property) is None:
                try:
                    self.run(property)
                except Exception as error:
                    if not failures_in(error) and not isinstance(error, KitDisagreement):
                        raise
        self.finish(naming=naming)

    def finish(self, *, waiting: bool = True, naming: bool = True) -> None:
        """End the run; if WAITING, with those verdicts of Spark's that nobody has waited for yet.

        Every one that differs is a JudgesDisagree, which takes back what was found; every one that
        does not come a JudgeLost. If NAMING, the causes of what failed are looked for.
        """
        context, opinions = self.context, self.context.opinions
        for name in opinions.unconfirmed() if waiting else ():
            try:
                opinions.settle(name)
            except KitDisagreement as error:
                self._findings.take_back(name)
                context.emit(JudgesDisagree(name, str(error)))
            except KitError as error:
                context.emit(JudgeLost(name, str(error)))
        if (seen := self._findings.known_causes_seen()) is not None:
            context.emit(seen)
        if naming and self._findings.shown:
            context.emit(Working("causes", "looking for what stands behind the failures"))
            asked = context.subject if context.asking.broken is None else None
            with context.ledger.timed("causes"):
                found = causes_found(
                    self.evidence(),
                    asked,
                    context.known,
                    self._findings.likely,
                    keeper=self._findings.keeper,
                    ran=self._ran,
                )
                context.emit(found)
        context.emit(RunFinished(dict(context.ledger.seconds)))

    def evidence(self) -> Evidence:
        """What the run has seen so far, for the search for causes."""
        return self._findings.evidence()

    @property
    def left(self) -> tuple[Evidence, tuple[Cause, ...]]:
        """What is left of the run for whoever names the causes of several: also likely causes."""
        return self.evidence(), self._findings.likely

    def _run_of(self, property: Property) -> PropertyRun:
        if property.name not in self._properties:
            self._properties[property.name] = PropertyRun(
                property, self.context, self._findings, self._settings
            )
        return self._properties[property.name]

    def _failed(self, property: Property, error: Exception) -> tuple[PropertyVerdict, str]:
        """The verdict on a property that ended in ERROR, and why."""
        if failures := failures_in(error):
            tally = self.context.tallies[property.name]
            notes = [self.reporter.note(failures), tally.said, tally.cut]
            return "failed", "; ".join(filter(None, notes))
        if isinstance(error, (EngineError, KitError)):
            return "engine lost", first_line(str(error))
        return "kit error", first_line(f"rsp-conformance: internal error: {error}")

    def _test(self, own: PropertyRun, coming: Iterable[Property], call: Test) -> None:
        """Ask ahead, replay what was saved, then CALL the test that judges and shrinks."""
        __tracebackhide__ = True
        subject = self.context.subject
        applicable = [p for p in coming if selection.not_applicable(p, subject) is None]
        shares = 1 + len(applicable)
        own.prime(shares)
        self._look_ahead(own.property, applicable)
        errors = own.rounds(call, shares)
        if not self._settings.deferred:
            self._findings.confirm(own.property.name, [])
        if errors:
            alone = len(errors) == 1
            raise errors[0] if alone else BaseExceptionGroup("behind each other", errors)

    def _look_ahead(self, property: Property, coming: Sequence[Property]) -> None:
        """Ask for the properties COMING while Spark is busy with PROPERTY."""
        context = self.context
        for number, later in enumerate(coming, 1):
            opinions = context.opinions
            idle = opinions.is_starting or opinions.confirmed(property.name)
            if idle or not context.asking.budget.answered:
                return
            try:
                self._run_of(later).prime(1 + len(coming) - number)
            except EngineBroken:
                return  # which the property itself will say when its turn comes


def run_alone(
    engine: EngineUnderTest,
    properties: Sequence[Property],
    *,
    examples: int,
    seed: int | str,
    folder: str | Path,
    listen: Listener | None = None,
    known: Iterable[KnownCause] = (),
    deep: bool = False,
    max_seconds: float | None = None,
) -> tuple[Event, ...]:
    """The events of a run of PROPERTIES, judged by the specification and `reference`.

    LISTEN is told each as it happens. Crash files go into FOLDER. What KNOWN causes explain is
    counted apart; DEEP and MAX_SECONDS are as for `Run`. Raises EngineBroken where there
    is no engine any more.
    """
    events: list[Event] = []

    def emit(event: Event) -> None:
        events.append(event)
        if listen is not None:
            listen(event)

    context = SuiteContext(
        engine,
        seed=seed,
        opinion=confirm_by_reference,
        emit=emit,
        known=known,
        budget=Budget(thorough=deep),
    )
    run = Run(
        context,
        Keeper(Path(folder), engine.hello.engine, {}, str(seed)),
        judged_by="the specification and `reference`",
        examples=examples,
        deep=deep,
        max_seconds=max_seconds,
    )
    run.run_all(properties)
    return tuple(events)
