"""One property in a run: its cases drawn, asked, judged and shrunk, round by round."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from unittest import SkipTest

from hypothesis.errors import Unsatisfiable

from rsp_conformance.judge.failures import ConformanceFailure, failure_of
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.trial import Trial
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite import selection
from rsp_conformance.suite.checks import explained, find, showing
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import AS_BEFORE, PropertyVerdict, Working
from rsp_conformance.suite.findings import Findings
from rsp_conformance.suite.passes import Example, Test
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.report import failures_in
from rsp_conformance.suite.work import Subject, Work
from rsp_conformance.suite.xfails import Mark

MOST_ROUNDS = 10
"""So often a deep run looks behind what a property has shown, ..."""
FEW_ROUNDS = 3
"""... and any other run, as long as each round finds a cause."""

DRAWING = 0.5
"""The part of a property's time in which its cases are drawn; in the rest the engine is asked."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What is asked of a run: see `Run`; ``ends`` is when its time is up (``time.monotonic()``)."""

    examples: int | None = None
    marks: tuple[Mark, ...] = ()
    ends: float | None = None
    deferred: bool = False
    deep: bool = False


@dataclass
class PropertyRun:
    """PROPERTY against the engine of CONTEXT.

    ``number`` is that of the round, ``work`` what the run keeps of the cases drawn last. Of wrong
    answers one kind is shrunk in a round, unless the run is deep. Shrinking begins with the
    smallest case drawn that fails (a run of rsp-js takes 373 s so, and 500 if it begins with the
    first), and ends as soon as nothing more is asked: Hypothesis would go on drawing.
    """

    property: Property
    context: SuiteContext
    findings: Findings
    settings: RunSettings
    number: int = 1
    work: Work = field(init=False)
    _shrinks: str = field(default="", init=False)
    _thoroughly: bool = field(default=False, init=False)
    _beside_known: bool = field(default=False, init=False)
    _riddles: set[str] = field(default_factory=set, init=False)
    _smallest: dict[str, Example] = field(default_factory=dict, init=False)
    _raised: dict[str, ConformanceFailure] = field(default_factory=dict, init=False)
    _failing: dict[str, Example] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.work = self._fresh_work()

    def _fresh_work(self) -> Work:
        """The work on cases that are drawn in this round."""
        settings = self.settings
        return Work(self.property, self.context, settings.examples, settings.ends, self.number)

    def test(self) -> Test:
        """The Hypothesis test that judges and shrinks."""
        return self.work.passes.judge(lambda case: self._body(case, alone=True))

    def prime(self, shares: int) -> None:
        """Generate and ask; SHARES properties are to be served from the time that is left."""
        if self.work.drawn is not None:
            return
        context, until, drawing = self.context, None, None
        if self.settings.ends is not None:
            now = time.monotonic()
            share = max(0.0, self.settings.ends - now) / shares
            until, drawing = now + share, now + share * DRAWING

        def is_enough(drawn: Collection[Example]) -> bool:
            """Whether nearly all of what was DRAWN fails for what is known, once it is asked."""
            with context.ledger.timed("generation", times=-1):
                self._ask(drawn, until)
            context.emit(generating)
            return bool(context.tallies[self.property.name].cut)

        may_be_enough = context.known.causes and not context.asking.budget.thorough
        in_parts = may_be_enough and self.property.relation is None
        generating = Working(self.property.name, "generating cases")
        context.emit(generating)
        with context.ledger.timed("generation"):
            drawn = self.work.passes.generate(drawing, is_enough if in_parts else None)
        self._ask(drawn, until)
        context.asking.learn(self.property.name)

    def _ask(self, drawn: Collection[Example], until: float | None) -> None:
        """Ask for what was DRAWN, unless it was asked before; UNTIL is as for a batch."""
        property, work = self.property, self.work
        before = work.drawn or {}
        fresh = [case for case in drawn if case not in before and self._is_asked(case)]
        work.drawn = before | dict.fromkeys(fresh)
        self.context.memory.prime(
            property.name,
            work.stimuli(fresh),
            twice=property.check == "repeat",
            judging=property.relation is None,
            vacuous={*work.stimuli([case for case in fresh if not work.is_test(case)])},
            until=until,
        )

    def _is_asked(self, case: Example) -> bool:
        """Whether the engine is asked for CASE: a trial of which nothing is due says nothing."""
        return not isinstance(case, Trial) or self.work.is_test(case)

    # --- rounds ----------------------------------------------------------------------------

    def rounds(self, call: Test, shares: int) -> list[BaseException]:
        """The failures, round by round; CALL is the test of the first.

        The causes of what is found are set aside, and the same cases are judged again. A deep run
        goes on with fresh ones, until nothing new comes or time is up. SHARES is as for ``prime``.
        """
        errors: list[BaseException] = []
        works = [self.work]
        self.number, deep, left = 1, self.settings.deep, FEW_ROUNDS
        self.findings.learn()
        try:
            while self.number <= (MOST_ROUNDS if deep else left):
                self._thoroughly = False
                error = self._round(call)
                errors += [error] if error is not None else []
                is_known = error is None and self._beside_known
                left += is_known  # One that ends in what is known has found nothing.
                fresh_is_clean = error is None and not is_known and self.work.number == self.number
                if fresh_is_clean or self._is_over():
                    break
                if error is not None and not self.findings.set_aside(
                    self.property.name, briefly=not deep
                ):
                    break
                if not deep:
                    self._riddles |= self._unexplained(error)
                explained = (error is None and not is_known) or self.work.is_explained()
                if explained and not deep:
                    break
                self.number += 1
                self.context.asking.budget.renew(self.property.name)
                if explained:
                    self.work = self._fresh_work()
                    works.append(self.work)
                    self.prime(shares)
                call = self.test()
        except EngineBroken:
            if not errors:
                raise
        finally:
            for work in works:
                work.count(lambda finding: self._expected(finding) is not None)
                self.findings.smallest += work.smallest.values()
        return errors

    def _unexplained(self, error: BaseException | None) -> set[str]:
        """The kinds of the wrong answers in ERROR that nothing explains."""
        shrunk = [failure.finding for failure in failures_in(error)] if error else []
        return {f.kind for f in shrunk if not f.failure and not self.findings.is_explained(f)}

    def _is_over(self) -> bool:
        ends = self.settings.ends
        return ends is not None and time.monotonic() >= ends

    def _round(self, call: Test) -> BaseException | None:
        """What CALL raises of failures, confirmed; the first time what was saved comes first."""
        __tracebackhide__ = True
        work = self.work
        work.subject = None  # for what is known by now
        self._shrinks, self._beside_known = "", False
        self._raised = {}
        error: BaseException | None = None
        try:
            self.context.emit(Working(self.property.name, "judging"))
            if self.number == 1 and not work.is_over():
                work.passes.replay(self._saved)
            if self._is_accused():
                call()
                if work.subject and work.subject.passed_over:
                    # No failure came of the cases that should show it: then any case counts.
                    work.subject = Subject()
                    call()
        except BaseException as raised:
            error = raised
            if isinstance(raised, Unsatisfiable) or was_left(raised):
                error = grouped("as far as they were shrunk", [*self._raised.values()])
        if error is None:
            return None
        failures = failures_in(error)
        if not failures:
            raise error
        if self._is_overtaken(failures):
            return self._round(self.test())
        briefly = not self.settings.deep
        unknown = [f for f in failures if not self.findings.is_known(f.finding, briefly=briefly)]
        self._beside_known = len(unknown) < len(failures)
        for failure in unknown:
            failure.finding = self._with_known(failure.finding)
        self.findings.confirm(self.property.name, unknown, self.number)
        if len(unknown) == len(failures):
            return error
        return grouped("beside what is known", unknown)

    def _is_overtaken(self, failures: Sequence[ConformanceFailure]) -> bool:
        """Whether some of FAILURES, which are shrunk, are explained by now; all are forgotten then.

        Others have found their cause meanwhile; or it was passed over, as smaller cases are only
        asked briefly whether known causes explain them, if not THOROUGHLY. What is left is shrunk
        anew.
        """
        is_asked = self.findings.learn() or not self._thoroughly
        if not (is_asked and any(self.findings.is_explained(own.finding) for own in failures)):
            return False
        self._thoroughly = True
        for failure in failures:
            self.findings.keeper.drop(failure.finding)
        self.context.asking.budget.renew(self.property.name)
        return True

    def _with_known(self, finding: Finding) -> Finding:
        """FINDING, which is shrunk, with the known causes that show in its case as well."""
        case = self._failing.get(finding.kind)
        if case is None:
            return finding
        known = showing(self.property, case, finding, self.context)
        return replace(finding, known=tuple(cause.id for cause in known))

    # --- one case --------------------------------------------------------------------------

    def _body(self, case: Example, *, alone: bool = False) -> None:
        """Raise what is wrong with the engine's answer to CASE, unless it is known or expected."""
        __tracebackhide__ = True
        property, context = self.property, self.context
        budget = context.asking.budget
        was_drawn = case in (self.work.drawn or ())
        if self._raised and not was_drawn and context.asking.stops_shrinking(property.name):
            raise SkipTest("shrunk enough")
        is_alone = alone and not budget.has_failed(property.name)
        finding = self._new(case, alone=is_alone, briefly=not self._thoroughly)
        if finding is None:
            return
        if not selection.is_about(property, context.subject, case):
            subject = self._subject()
            if subject.keeps(finding.kind):
                subject.passed_over += 1
                return
        if was_drawn and self._smallest.get(finding.kind, case) != case:
            return
        if finding.verdict is not None and finding.kind != "unstable" and not self.settings.deep:
            # A cause shows in several kinds of wrong answers: the next round has what is left.
            self._shrinks = self._shrinks or finding.kind
            if finding.kind != self._shrinks:
                return
        if not budget.has_failed(property.name):
            context.emit(Working(property.name, "shrinking a counterexample"))
        elif self.findings.is_overtaken(finding):
            budget.end_shrinking(property.name)
        budget.failed(property.name, finding.kind, context.tallies[property.name])
        finding = replace(finding, number=self.number)
        self._failing[finding.kind] = case
        self.findings.keeper.hold(finding, context.subject)
        self._raised[finding.kind] = failure_of(finding)
        raise self._raised[finding.kind]

    def _saved(self, case: Example) -> None:
        """As ``_body``, with a CASE that an earlier run has saved; note the first that fails."""
        __tracebackhide__ = True
        try:
            self._body(case)
        except BaseException:
            self.work.saved = self.work.saved or case
            raise

    def _is_accused(self) -> bool:
        """Whether a case that was drawn shows anything new.

        If none does there is nothing to shrink, and no reason to have them generated again. The
        smallest that shows it is where shrinking begins, one that is about the subject if there is
        one; not in a deep run, which shrinks every kind that Hypothesis meets: once a case has
        failed it does not go on to the smallest of another kind.
        """
        property, work = self.property, self.work
        self._smallest = {}

        def length(case: Example) -> tuple[bool, int]:
            about = selection.is_about(property, self.context.subject, case)
            return not about, sum(len(str(s.case)) for s in work.stimuli([case]))

        drawn = [*(work.drawn or ())]
        for case in drawn if self.settings.deep else sorted(drawn, key=length):
            if work.is_over():
                return False
            if (finding := self._new(case)) is None:
                continue
            if not self.settings.deep:
                self._smallest[finding.kind] = case
                if finding.verdict is not None and finding.kind != "unstable":
                    self._shrinks = finding.kind
            return True
        return False

    def _new(self, case: Example, *, alone: bool = False, briefly: bool = False) -> Finding | None:
        """What is wrong with the engine's answer to CASE, unless it is known or expected.

        BRIEFLY is as for ``KnownCauses.explain``.
        """
        property, context = self.property, self.context
        if not self._is_asked(case):
            return None
        finding = find(property, case, context, alone=alone)
        if finding is not None and finding.kind in self._riddles:
            return None  # A smallest one is shown, and the rest comes down to it.
        causes = finding and explained(property, case, finding, context, briefly=briefly)
        if finding is None or (causes and not any(cause.found for cause in causes)):
            return None
        if (mark := self._expected(finding)) is not None:
            context.tallies[property.name].marked[str(mark)] += 1
            return None
        return None if causes else finding

    def _expected(self, finding: Finding) -> Mark | None:
        """The mark that expects FINDING."""
        return next((mark for mark in self.settings.marks if mark.covers(finding)), None)

    def _subject(self) -> Subject:
        """What the cases drawn show, by whether they are about the property's subject."""
        property, work, context = self.property, self.work, self.context
        if work.subject is None:
            kinds: dict[bool, set[str]] = {True: set(), False: set()}
            for case in work.drawn or ():
                if (finding := self._new(case, briefly=True)) is not None:
                    about = selection.is_about(property, context.subject, case)
                    kinds[about].add(finding.kind)
            work.subject = Subject(frozenset(kinds[True]), frozenset(kinds[False] - kinds[True]))
        return work.subject

    # --- what becomes of it ----------------------------------------------------------------

    def met(self) -> list[Mark]:
        """The marks that expected a failure that came."""
        tally = self.context.tallies[self.property.name]
        return [mark for mark in self.settings.marks if tally.marked[str(mark)]]

    def _called(self, id: str) -> str:
        """The cause that was found under ID; an unexplained one begins with its kind of failure."""
        cause = self.findings.causes.get(id)
        if cause is None or cause.is_explained:
            return id
        return f"{cause.text.partition(':')[0]} {id}"

    def passed(self) -> tuple[PropertyVerdict, str, str]:
        """The verdict where no failure was found, and why: for a table, and in a sentence."""
        tally, marks = self.context.tallies[self.property.name], self.met()
        too_few = tally.too_few(self.work.passes.examples)
        if tally.found:
            counts = tally.found.most_common()
            shown = ", ".join(f"{self._called(id)} ({number})" for id, number in counts)
            reason = f"{AS_BEFORE}: {shown}"
            return "failed", "; ".join(filter(None, (reason, tally.cut))), reason
        if marks or tally.known:
            given = [f"{mark}: {mark.reason}" for mark in marks]
            reason = "; ".join(filter(None, [tally.said, *given]))
            return "xfailed", reason, reason
        if too_few and not tally.compared and not tally.unasked:
            reason = f"nothing was compared: {too_few}"
            return "failed", tally.cut or reason, reason
        note = "; ".join(filter(None, (tally.cut, tally.left_out)))
        return "not tested" if too_few else "passed", note, too_few or ""


def was_left(error: BaseException) -> bool:
    """Whether Hypothesis was only left: of several failures it raises each, in a group.

    Args:
        error: what a pass of Hypothesis raised.
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(was_left, error.exceptions))
    return isinstance(error, SkipTest)


def grouped(title: str, failures: Sequence[ConformanceFailure]) -> BaseException | None:
    """FAILURES as a test raises them: one alone, several as a group; None if there are none."""
    return BaseExceptionGroup(title, failures) if len(failures) > 1 else next(iter(failures), None)
