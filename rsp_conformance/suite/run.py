"""A run of the suite: properties one after another, the engine and Spark asked ahead.

What becomes of a property is decided here; who listens to the run's events only shows it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import SkipTest

from hypothesis.errors import Unsatisfiable

from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.fingerprint import fingerprint
from rsp_conformance.causes.known import KnownCause
from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.causes.search import find_causes
from rsp_conformance.judge.crash_file import Keeper
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import ConformanceFailure, KitDisagreement, failure_of
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.finding import Finding
from rsp_conformance.protocol.failures import EngineBroken, EngineError
from rsp_conformance.suite import selection
from rsp_conformance.suite.checks import confirm, explained, find
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import (
    CauseSetAside,
    Event,
    FindingConfirmed,
    JudgeLost,
    JudgesDisagree,
    KnownCausesSeen,
    Listener,
    PropertyFinished,
    PropertyStarted,
    PropertyVerdict,
    RunFinished,
    RunStarted,
    Working,
)
from rsp_conformance.suite.evidence import causes_found, evidence_of
from rsp_conformance.suite.passes import Example, Test
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.report import FailureReport, failures_in, first_line
from rsp_conformance.suite.work import Subject, Work
from rsp_conformance.suite.xfails import Mark

MOST_ROUNDS = 10
"""So often a deep run looks behind what a property has shown."""
SEARCHING = 20.0
"""Seconds of processor time for each search for causes in a deep run."""
DRAWING = 0.5
"""The part of a property's time in which its cases are drawn; in the rest the engine is asked."""


class Run:
    """The suite against one engine; every property ends in a PropertyFinished.

    ``keeper`` writes findings down; ``marks`` are failures that are expected; ``judged_by`` says
    who judges. ``max_seconds`` is spread over the properties. ``deferred`` leaves Spark's verdicts
    on what passed to ``finish``, for a run that cannot ask far ahead. ``deep`` sets the causes of
    failures aside as they are found, and searches on behind them.
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
        self.context = context
        self.reporter = FailureReport(keeper)
        self._keeper = keeper
        self._judged_by = judged_by
        self._examples = examples
        self._marks = tuple(marks)
        self._ends = None if max_seconds is None else time.monotonic() + max_seconds
        self._deferred = deferred
        self._deep = deep
        self._number: Counter[str] = Counter()
        self._causes: set[str] = set()
        self._predictions = Predictions()
        self._smallest: list[Finding] = []
        self._works: dict[str, Work] = {}
        self._found: dict[Path, Finding] = {}
        self._started = time.process_time()
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
        return self._work(property).passes.judge(
            lambda case: self._body(property, case, alone=True)
        )

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
        started = time.perf_counter()

        def finished(
            verdict: PropertyVerdict, note: str = "", reason: str = ""
        ) -> PropertyFinished:
            tally = self.context.tallies[property.name]
            event = PropertyFinished(
                property.name,
                verdict,
                note,
                reason,
                tally.counts(),
                tuple(str(mark) for mark in self._marks if tally.marked[str(mark)]),
                time.perf_counter() - started,
            )
            self.context.emit(event)
            return event

        try:
            self._test(property, coming, call or self.test_of(property))
        except Exception as error:
            finished(*self._failed(property, error))
            raise
        return finished(*self._passed(property))

    def finish(self, *, waiting: bool = True, naming: bool = True) -> None:
        """End the run; if WAITING, with Spark's verdicts on what passed, where they were deferred.

        Every one that differs is a JudgesDisagree, every one that does not come a JudgeLost. If
        NAMING, the causes of what failed are looked for.
        """
        opinions = self.context.opinions
        for name in opinions.unconfirmed() if self._deferred and waiting else ():
            try:
                opinions.confirm(name)
            except KitDisagreement as error:
                self.context.emit(JudgesDisagree(name, str(error)))
            except KitError as error:
                self.context.emit(JudgeLost(name, str(error)))
        if self.context.known.causes:
            self.context.emit(self._known_causes_seen())
        if naming and self._found:
            self.context.emit(Working("causes", "looking for what stands behind the failures"))
            asked = self.context.subject if self.context.asking.broken is None else None
            with self.context.ledger.timed("causes"):
                known = self.context.known.causes
                self.context.emit(causes_found(self.evidence(), asked, known))
        self.context.emit(RunFinished(dict(self.context.ledger.seconds)))

    def evidence(self) -> Evidence:
        """What the run has seen so far, for the search for causes."""
        shown = ((finding, path) for path, finding in self._found.items())
        seconds = time.process_time() - self._started
        return evidence_of(self.context, [*shown, *((f, "") for f in self._smallest)], seconds)

    def _known_causes_seen(self) -> KnownCausesSeen:
        """Which known causes were shown, and which should have been and were not."""
        known, tallies = self.context.known, self.context.tallies.values()
        shown = {id for tally in tallies for id in tally.causes}
        everything = self.context.memory.everything()
        right = [own.observation for own in everything if own.verdict and own.verdict.correct]
        gone = (cause.id for cause in known.causes if known.is_gone(cause, right))
        return KnownCausesSeen(tuple(sorted(shown)), tuple(id for id in gone if id not in shown))

    # --- what becomes of a property --------------------------------------------------------

    def _failed(self, property: Property, error: Exception) -> tuple[PropertyVerdict, str]:
        """The verdict on a property that ended in ERROR, and why."""
        if failures := failures_in(error):
            note, cut = self.reporter.note(failures), self.context.tallies[property.name].cut
            known = self.context.tallies[property.name].explained
            return "failed", "; ".join(filter(None, [note, known, cut]))
        if isinstance(error, (EngineError, KitError)):
            return "engine lost", first_line(str(error))
        return "kit error", first_line(f"rsp-conformance: internal error: {error}")

    def _passed(self, property: Property) -> tuple[PropertyVerdict, str, str]:
        """The verdict on a property that found no failure, and why."""
        tally = self.context.tallies[property.name]
        marks = [mark for mark in self._marks if tally.marked[str(mark)]]
        too_few = tally.too_few(self._work(property).passes.examples)
        if tally.found:
            shown = ", ".join(f"{id} ({number})" for id, number in tally.found.most_common())
            reason = f"wrong for causes that were found before: {shown}"
            return "failed", reason, reason
        if marks or tally.known:
            given = [f"{mark}: {mark.reason}" for mark in marks]
            reason = "; ".join(filter(None, [tally.explained, *given]))
            return "xfailed", reason, reason
        if too_few and not tally.compared and not tally.unasked:
            reason = f"nothing was compared: {too_few}"
            return "failed", tally.cut or reason, reason
        note = "; ".join(filter(None, (tally.cut, tally.left_out)))
        return "not tested" if too_few else "passed", note, too_few or ""

    # --- the passes ------------------------------------------------------------------------

    def _test(self, property: Property, coming: Iterable[Property], call: Test) -> None:
        """Ask ahead, replay what was saved, then CALL the test that judges and shrinks."""
        __tracebackhide__ = True
        subject = self.context.subject
        applicable = [p for p in coming if selection.not_applicable(p, subject) is None]
        self._prime(property, 1 + len(applicable))
        self._look_ahead(property, applicable)
        works = [self._work(property)]
        try:
            errors = self._rounds(property, call, works, 1 + len(applicable))
        finally:
            for work in works:
                work.count()
                self._smallest += work.smallest.values()
        if not self._deferred:
            self._confirm(property, [])
        if errors:
            alone = len(errors) == 1
            raise errors[0] if alone else BaseExceptionGroup("behind each other", errors)

    def _rounds(
        self, property: Property, call: Test, works: list[Work], shares: int
    ) -> list[BaseException]:
        """The failures of PROPERTY, round by round; CALL is the test of the first.

        A deep run looks behind what it finds: it sets the causes aside, and goes on with the same
        cases and then with fresh ones (added to WORKS), until nothing new comes or time is up.
        """
        errors: list[BaseException] = []
        number = self._number[property.name] = 1
        try:
            while number <= MOST_ROUNDS:
                error = self._round(property, call)
                errors += [error] if error is not None else []
                fresh_is_clean = error is None and works[-1].number == number
                if not self._deep or fresh_is_clean or self._is_over():
                    break
                if error is not None and not self._set_aside(property):
                    break
                number = self._number[property.name] = number + 1
                self.context.asking.budget.renew(property.name)
                if error is None or works[-1].is_explained():
                    works.append(self._work(property, number))
                    self._prime(property, shares)
                call = self.test_of(property)
        except EngineBroken:
            if not errors:
                raise
        return errors

    def _round(self, property: Property, call: Test) -> BaseException | None:
        """What CALL raises of failures, confirmed; the first time what was saved comes first."""
        __tracebackhide__ = True
        work, first = self._work(property), self._number[property.name] == 1
        work.subject = None  # for what is known by now
        try:
            self.context.emit(Working(property.name, "judging"))
            if first and not work.is_over():
                work.passes.replay(lambda case: self._body(property, case))
            if work.drawn or not work.passes.cut:
                call()
                if work.subject and work.subject.passed_over:
                    # No failure came of the cases that should show it: then any case counts.
                    work.subject = Subject()
                    call()
        except (Unsatisfiable, SkipTest):
            pass
        except BaseException as error:
            failures = failures_in(error)
            if not failures:
                raise
            unknown = [f for f in failures if not self._is_known(f.finding)]
            self._confirm(property, unknown)
            if len(unknown) == len(failures):
                return error
            return BaseExceptionGroup("beside what is known", unknown) if unknown else None
        return None

    def _is_known(self, finding: Finding) -> bool:
        """Whether FINDING, which is shrunk, has the fingerprint of a known cause; count it then."""
        known = self.context.known.covering(finding)
        if known:
            tally = self.context.tallies[finding.property_name]
            tally.enter(unsupported=None, compared=False, known=known)
            self._keeper.drop(finding)
        return bool(known)

    def _is_over(self) -> bool:
        return self._ends is not None and time.monotonic() >= self._ends

    def _set_aside(self, property: Property) -> bool:
        """Find causes behind what PROPERTY has shown; whether some are known from now on."""
        context, evidence = self.context, self.evidence()
        context.emit(Working(property.name, "looking for what stands behind the failures"))
        subject = None if context.asking.broken else context.subject
        with context.ledger.timed("causes"):
            causes = find_causes(
                evidence,
                subject,
                seconds=SEARCHING,
                known=context.known.hypothesis,
                predictions=self._predictions,
            )
        sites = {f.id for f in map(fingerprint, evidence.symptoms) if f.site}
        before = len(context.known.causes)
        for cause in causes:
            # One without a counterexample of its own is left to the next round, which shrinks it.
            if cause.id in self._causes or not cause.file:
                continue
            self._causes.add(cause.id)
            context.emit(CauseSetAside(property.name, cause.to_json()))
            known = KnownCause.of(cause, found=True)
            # The fingerprint of a wrong answer is that of its shrunk case: others have another.
            if known.hypothesis or known.fingerprint in sites:
                context.known.add(known)
        return len(context.known.causes) > before

    def _work(self, property: Property, number: int = 1) -> Work:
        """The work on PROPERTY's cases; a greater NUMBER begins that of fresh ones."""
        if property.name not in self._works or number > 1:
            self._works[property.name] = Work(
                property, self.context, self._examples, self._ends, number
            )
        return self._works[property.name]

    def _prime(self, property: Property, shares: int) -> None:
        """Generate and ask; SHARES properties are to be served from the time that is left."""
        work = self._work(property)
        if work.drawn is not None:
            return
        context, until, drawing = self.context, None, None
        if self._ends is not None:
            now = time.monotonic()
            share = max(0.0, self._ends - now) / shares
            until, drawing = now + share, now + share * DRAWING
        context.emit(Working(property.name, "generating cases"))
        with context.ledger.timed("generation"):
            work.drawn = tuple(work.passes.generate(drawing))
        context.memory.prime(
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
            if context.opinions.confirmed(property.name) or not context.asking.budget.answered:
                return
            try:
                self._prime(later, 1 + len(coming) - number)
            except EngineBroken:
                return  # which the property itself will say when its turn comes

    def _body(self, property: Property, case: Example, *, alone: bool = False) -> None:
        """Raise what is wrong with the engine's answer to CASE, unless it is known or expected."""
        __tracebackhide__ = True
        budget = self.context.asking.budget
        finding = find(
            property, case, self.context, alone=alone and not budget.has_failed(property.name)
        )
        if finding is None:
            return
        if explained(property, case, finding, self.context):
            return
        if (mark := self._expected(finding)) is not None:
            self.context.tallies[property.name].marked[str(mark)] += 1
            return
        if not selection.is_about(property, self.context.subject, case):
            subject = self._subject(property)
            if subject.keeps(finding.kind):
                subject.passed_over += 1
                return
        if not budget.has_failed(property.name):
            self.context.emit(Working(property.name, "shrinking a counterexample"))
        budget.failed(property.name, finding.kind)
        finding = replace(finding, number=self._number[property.name])
        self._keeper.keep(finding, self.context.subject)
        raise failure_of(finding)

    def _expected(self, finding: Finding) -> Mark | None:
        """The mark that expects FINDING."""
        return next((mark for mark in self._marks if mark.covers(finding)), None)

    def _subject(self, property: Property) -> Subject:
        """What the cases drawn for PROPERTY show, by whether they are about its subject."""
        work, context = self._work(property), self.context
        if work.subject is None:
            kinds: dict[bool, set[str]] = {True: set(), False: set()}
            for case in work.drawn or ():
                finding = find(property, case, context)
                if finding is None or explained(property, case, finding, context):
                    continue
                if self._expected(finding) is None:
                    about = selection.is_about(property, context.subject, case)
                    kinds[about].add(finding.kind)
            work.subject = Subject(frozenset(kinds[True]), frozenset(kinds[False] - kinds[True]))
        return work.subject

    def _confirm(self, property: Property, failures: Sequence[ConformanceFailure]) -> None:
        """Have Spark's verdicts on all cases, and every other opinion on FAILURES."""
        try:
            self.context.opinions.confirm(property.name)
            shrunk = [failure.finding for failure in failures]
            confirm(failures, self.context, self._judged_by)
            for before, failure in zip(shrunk, failures, strict=True):
                if failure.finding.kind != before.kind:
                    self._keeper.drop(before)
                for shown in (failure, *failure.beside):
                    self._show(shown)
        except KitDisagreement:
            # Nothing is left that accuses the engine.
            for failure in failures:
                self._keeper.drop(failure.finding)
            raise

    def _show(self, failure: ConformanceFailure) -> None:
        """Write a confirmed FAILURE down, and tell of it."""
        number = self._number[failure.finding.property_name]
        finding = failure.finding = replace(failure.finding, number=number)
        path = self._keeper.keep(finding, self.context.subject)
        self._found[path] = finding
        elements, file = len(finding.case.elements), str(path)
        same_as = self.reporter.same_as(finding) or ""
        self.context.emit(
            FindingConfirmed(
                finding.property_name, finding.kind, elements, file, failure.confirmed, same_as
            )
        )


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

    context = SuiteContext(engine, seed=seed, opinion=confirm_by_reference, emit=emit, known=known)
    keeper = Keeper(Path(folder), engine.hello.engine, {}, str(seed))
    judged_by = "the specification and `reference`"
    run = Run(
        context,
        keeper,
        judged_by=judged_by,
        examples=examples,
        deep=deep,
        max_seconds=max_seconds,
    )
    for property in properties:
        if run.skip(property) is not None:
            continue
        try:
            run.run(property)
        except Exception as error:
            # What it is stands in the events.
            if not failures_in(error) and not isinstance(error, KitDisagreement):
                raise
    run.finish()
    return tuple(events)
