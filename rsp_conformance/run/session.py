"""A run: trials to the engine, answers to the judges, records to the ledger, causes to the reader.

A worker *draws, asks and judges* (`Session.work`); it decides nothing. The process with the ledger
sorts failing records by their cause, shrinks one trial of each cause, has it confirmed and writes
it down. In one process that happens after every block, so that the first cause is shown soon; with
workers it happens in the controller as their records come.

    source ──drawn──▶ asker ──answers──▶ judging ──record──▶ ledger ──▶ listeners
                                                               │
                                  diagnosis ◀──failing records─┘
                                      │ causes, or nothing
                                      ▼
                        shrinking → confirming → keeper → ledger
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.recount import gone
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run import selection
from rsp_conformance.run.events import (
    AS_BEFORE,
    NOT_SHRUNK,
    UNBROKEN,
    JudgeLost,
    JudgesDisagree,
    KnownCausesSeen,
    PropertyFinished,
    PropertyStarted,
    PropertyVerdict,
    RunFinished,
    RunStarted,
    Working,
)
from rsp_conformance.run.last import Last
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.naming import LAST_SEARCHES, Naming
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.report import first_line
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.tally import ENOUGH, Tally
from rsp_conformance.run.work import Work
from rsp_conformance.run.worker import BLOCK, Worker
from rsp_conformance.run.xfails import Mark
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.judging import told

NEARLY_ALL = 0.8
"""A property is asked no further if known causes explain this part of its trials."""
ENOUGH_WRONG = 30
"""A property is asked no further after so many failures that no given cause explains. Of rsp-js the
100 cases of each property gave 75 wrong answers, 5,500 in all, and asking, judging and explaining
them took half of the run; a search for causes looks at 1,500."""


class Session:
    """One run against one engine.

    Args:
        subject: the engine.
        settings: the settings of the run.
        keeper: writes failures down.
        ledger: keeps records and events.
        opinions: the other judges.

    Attributes:
        worker: draws, asks and judges.
        naming: finds the causes of the failures.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        settings: RunSettings,
        keeper: Keeper,
        ledger: Ledger,
        opinions: Opinions,
    ) -> None:
        self.subject = subject
        self.settings = settings
        self.ledger = ledger
        self.opinions = opinions
        self.worker = Worker(subject, settings, ledger)
        self.naming = Naming(self.worker, keeper, opinions)
        self._began = time.monotonic()
        self._named = 0.0
        self._asked = 0
        self._ends = settings.budget.ends(self._began)
        self._work: Work | None = None
        hello, profile = subject.hello, subject.profile
        judges, seed = settings.judged_by, str(settings.seed)
        ledger.tell(RunStarted(hello.engine, hello.version, profile.name, judges, seed))

    # --- the run -----------------------------------------------------------------------------

    def skip(self, property: Property) -> PropertyFinished | None:
        """Return how a property ends for which the engine can't be asked; None if it can."""
        reason = selection.not_applicable(property, self.subject)
        if reason is None:
            return None
        missing = reason.features if isinstance(reason, MissingFeatures) else ()
        finished = PropertyFinished(
            property.name, "skipped", str(reason), str(reason), missing=missing
        )
        self.ledger.tell(finished)
        return finished

    def all(self, properties: Sequence[Property], *, naming: bool = True) -> None:
        """Test properties, as far as the engine can be asked for them, and end the run.

        Args:
            properties: the properties, in order.
            naming: whether to look for the causes of all failures in the end.

        Raises:
            EngineBroken: there is no engine any more.
        """
        for place, property in enumerate(properties):
            if self.skip(property) is None:
                self.run(property, len(properties) - place)
        self.finish(naming=naming)

    def run(self, property: Property, shares: int = 1) -> PropertyFinished:
        """Test one property block by block, and find the causes of its failures.

        Args:
            property: the property.
            shares: how many properties must share the time that is left.

        Raises:
            EngineBroken: there is no engine any more.
        """
        work, until = self._begun(property), self._until(shares)
        self._asked += 1
        is_put_off, added = False, 0
        try:
            for start in range(0, len(work.records), BLOCK):  # Those of a killed run.
                block = work.records[start : start + BLOCK]
                added += len(block)
                self._take(property, block)
                is_put_off = len(block) < BLOCK
                if not is_put_off:
                    self._name(property, until, shares)
            for block in self._blocks(work, until):
                added += len(block)
                self._add(property, block)
                is_put_off = until is not None and work.compared < ENOUGH
                if not is_put_off:
                    self._name(property, until, shares)
            if is_put_off:
                self._name(property, until, shares)
            self.naming.heed(property.name)
        except BaseException as error:
            # An interrupt, a time limit of pytest's or a lost engine: what the block that it cuts
            # off has shown by then counts.
            self._add(property, work.records[added:])
            if isinstance(error, EngineBroken):
                work.broken = first_line(str(error))
                self.end(work)
            raise
        self.ledger.end(work)
        return self.end(work)

    def work(self, property: Property, shares: int = 1) -> Work:
        """Draw, ask and judge the trials of a property; nothing is decided.

        Args:
            property: the property.
            shares: how many properties must share the time that is left.

        Raises:
            EngineBroken: there is no engine any more.
        """
        before, work = dict(self.ledger.seconds), self._begun(property)
        for _ in self._blocks(work, self._until(shares)):
            pass
        work.seconds = {name: s - before.get(name, 0.0) for name, s in self.ledger.seconds.items()}
        return work

    def _blocks(self, work: Work, until: float | None) -> Iterator[list[Record]]:
        ends = self._says_no_more if work.property.entry is None else self._has_failed
        return self.worker.blocks(work, until, ends, last=self._ends)

    @property
    def current(self) -> Work:
        """The work on the property that is being run, or was run last."""
        assert self._work is not None
        return self._work

    def _begun(self, property: Property) -> Work:
        self.worker.judging.meet(property)
        again = self.naming.anew(property.name)
        if again:
            self.worker.asker.forget()
        self._work = self.ledger.begin(property)
        self.ledger.tell(PropertyStarted(property.name, again))
        return self._work

    def take(self, work: Work) -> PropertyFinished:
        """Take over a worker's work on a property, and give the verdict on the property."""
        property = work.property
        self.worker.judging.meet(property)
        for phase, seconds in work.seconds.items():
            self.ledger.seconds[phase] += seconds
        if self.naming.anew(property.name):
            self.ledger.tell(PropertyStarted(property.name, again=True))
        self.ledger.anew(property.name)
        self._take(property, work.records)
        self.ledger.end(work)
        with suppress(EngineBroken):  # Then nothing is made small any more.
            self.naming.name(property.name, self._until(1))
        return self.end(work)

    def _take(self, property: Property, records: Sequence[Record]) -> None:
        """Take over records that another process has made."""
        kinds = (own.kind if own.answers else None for own in records)
        self.worker.asker.take(property.name, kinds)
        self._add(property, records)

    def _add(self, property: Property, records: Sequence[Record]) -> None:
        """Put records into the ledger; for failures of a suite's test no causes are searched."""
        if property.entry is None:
            self.naming.add(property, records)
        else:
            for own in records:
                self.ledger.add(own)

    def _name(self, property: Property, until: float | None, shares: int) -> None:
        """Find the causes of a property's failures, as far as the time of the run allows it now.

        The cases of every property come first: as long as those to come need all that is left,
        going by those that were asked, failures wait, and are named when the run ends.
        """
        if until is None or self._ends is None:
            self.naming.name(property.name, until)
            return
        begins = time.monotonic()
        each = (begins - self._began - self._named) / self._asked
        spare = self._ends - begins - each * (shares - 1)
        if spare > 0.0 or shares == 1:
            self.naming.name(property.name, min(until, begins + spare))
            self._named += time.monotonic() - begins

    def _until(self, shares: int) -> float | None:
        """When the time of a property is over."""
        if self._ends is None:
            return None
        now = time.monotonic()
        return now + max(0.0, self._ends - now) / shares

    def _says_no_more(self, work: Work) -> str:
        """Why a property is asked no further: further trials would fail like those before."""
        if self.settings.deep:
            return ""
        told = [own for own in work.records if own.is_test and own.outcome.compares]
        accusing = (own for own in told if own.outcome.accuses)
        causes = [self.naming.causes_of(own, briefly=True) for own in accusing]
        known = sum(map(bool, causes))
        if known >= ENOUGH and known >= NEARLY_ALL * len(told):
            return "nearly all fails for what is known"
        wrong = sum(all(cause.found for cause in own) for own in causes)
        return f"it has failed {wrong} times" if wrong >= ENOUGH_WRONG else ""

    def _has_failed(self, work: Work) -> str:
        """Why a test of a suite is asked no further: it fails, and not for known causes."""
        left = (own for own in work.records if own.outcome is not Outcome.RIGHT)
        is_known = all(own.outcome.accuses and self.naming.causes_of(own) for own in left)
        return "" if is_known else "it has failed"

    # --- what becomes of it --------------------------------------------------------------------

    def tally(self, name: str, work: Work | None = None) -> Tally:
        """Count the trials of a property by their outcome."""
        tally = Tally(cut=work.cut if work else "", unasked=work.undrawn if work else 0)
        for own in self.ledger.records(name):
            causes: tuple[KnownCause, ...] = ()
            if own.outcome.accuses and self.naming.mark_of(own) is None:
                causes = self.naming.causes_of(own, briefly=True)
            tally.enter(own, causes)
        return tally

    def end(self, work: Work) -> PropertyFinished:
        """Give the verdict on a property, by the work on it."""
        name = work.property.name
        self.naming.show_again(name)
        tally = self.tally(name, work)
        marks = [
            mark
            for own in self.naming.accusing(name)
            if (mark := self.naming.mark_of(own)) is not None
        ]
        met = [*dict.fromkeys(marks)]
        verdict, note, reason = self._verdict(work, tally, met)
        finished = PropertyFinished(
            name,
            verdict,
            note,
            reason,
            tally.counts(),
            (*tally.causes, *tally.found),
            marks=tuple(map(str, met)),
            seconds=time.perf_counter() - work.started + sum(work.seconds.values()),
            grounds=dict(tally.grounds),
            excuses=dict(tally.excuses),
            lost=sum(work.losses.values()),
            losses=work.losses,
        )
        self.ledger.tell(finished)
        return finished

    def _verdict(
        self, work: Work, tally: Tally, marks: Sequence[Mark]
    ) -> tuple[PropertyVerdict, str, str]:
        """The verdict on a property, and why: for a table, and in a sentence."""
        name = work.property.name
        if work.broken:
            return "engine lost", work.broken, ""
        if work.stopped:
            wrong = sum(own.outcome.accuses for own in self.ledger.records(name))
            share = f"wrong: {wrong} of {tally.compared + tally.known}"
            note = f"{work.stopped}; {share}" if wrong else work.stopped
            return "timed out", note, work.stopped
        if work.property.entry is not None:
            return self._on_test(work.property, work.property.entry)
        if dispute := self.ledger.disputes.get(name):
            return "kit error", first_line(dispute), dispute
        unbroken = self._unbroken(work.property)
        if shown := self.ledger.shown(name):
            note = self.naming.reporter.note(shown)
            return "failed", "; ".join(filter(None, [note, unbroken, tally.said, tally.cut])), ""
        left = filter(None, map(self.naming.left_of, self.naming.accusing(name)))
        found = tally.found + Counter(left)
        if found:
            by, names = AS_BEFORE, Counter({self.naming.called(id): n for id, n in found.items()})
            if any(map(self.naming.is_new, found)):
                by, names = NOT_SHRUNK, Counter(own.kind for own in self.naming.accusing(name))
            reason = f"{by}: {', '.join(f'{own} ({n})' for own, n in names.most_common())}"
            return "failed", "; ".join(filter(None, (reason, unbroken, tally.cut))), reason
        if marks or tally.known:
            given = [f"{mark}: {mark.reason}" for mark in marks]
            reason = "; ".join(filter(None, [tally.said, *given]))
            return "xfailed", reason, reason
        too_few = tally.too_few(self.settings.examples)
        if too_few and not tally.compared and not tally.unasked:
            reason = f"nothing was compared: {too_few}"
            if tally.unsupported and not tally.not_judged:
                said = f"the engine supports no case: {tally.refusal}"
                return "skipped", said, said
            # It was cut off, by an interrupt for one, before the engine could be right.
            return ("not tested", tally.cut, reason) if tally.cut else ("failed", reason, reason)
        note = "; ".join(filter(None, (tally.cut, tally.left_out)))
        return "not tested" if too_few else "passed", note, too_few or ""

    def _unbroken(self, property: Property) -> str:
        """Say that no answers contradict a relation, if its failures are missing answers alone."""
        if property.relation is None:
            return ""
        found = {own.outcome for own in self.naming.accusing(property.name)}
        return UNBROKEN if found == {Outcome.FAILED} else ""

    def _on_test(self, property: Property, entry: SuiteCase) -> tuple[PropertyVerdict, str, str]:
        """The verdict on a test of a suite: that of the trial that says most."""
        found = [
            (own, self.naming.causes_of(own) if own.outcome.accuses else ())
            for own in self.ledger.records(property.name)
        ]

        def weight(of: tuple[Record, tuple[KnownCause, ...]]) -> int:
            own, known = of
            if own.outcome.accuses:
                return 1 if known else 3
            return {Outcome.RIGHT: -1, Outcome.UNASKED: 2}.get(own.outcome, 0)

        own, known = max(found, key=weight)
        if own.outcome.accuses:
            pacing = own.drawn.trial.stimuli[0].pacing
            text = told(entry, pacing, property.definition, own.reason)
            if known:
                ids = dict.fromkeys(cause.id for _, causes in found for cause in causes)
                return "xfailed", f"known: {'; '.join(ids)}", text
            return "failed", first_line(own.reason), text
        match own.outcome:
            case Outcome.RIGHT:
                return "passed", "", ""
            case Outcome.UNSUPPORTED:
                return "skipped", own.reason, own.reason
            case Outcome.UNASKED:
                return "not tested", f"not asked: {own.reason}", own.reason
        return "not tested", f"not judged: {own.reason}", own.reason

    def finish(self, *, waiting: bool = True, naming: bool = True) -> None:
        """End the run.

        Args:
            waiting: whether to wait for Spark's verdicts. A verdict that differs takes back the
                failures of its property.
            naming: whether to look for the causes of all failures.
        """
        if naming and self.worker.asker.broken is None:
            with suppress(EngineBroken):
                self.naming.name("", self._ends, LAST_SEARCHES)
        for name, error in self.opinions.differing() if waiting else ():
            if isinstance(error, KitDisagreement):
                self.naming.disputed(name, str(error))
                self.ledger.tell(JudgesDisagree(name, str(error)))
            else:
                self.ledger.tell(JudgeLost(name, str(error)))
        if self.settings.known:
            shown = {
                cause.id
                for own in self.naming.accusing()
                for cause in self.naming.causes_of(own, briefly=True)
                if not cause.found
            }
            judged = chain.from_iterable(own.judged for own in self.ledger.records(why=""))
            right = (own for own, correct in judged if correct)
            missed = gone(self.naming.diagnosis, self.settings.known, right)
            missed = tuple(id for id in missed if id not in shown)
            self.ledger.tell(KnownCausesSeen(tuple(sorted(shown)), missed))
        if naming and self.ledger.shown():
            self.ledger.tell(Working("causes", "looking for the causes of failures"))
            with self.ledger.timed("causes"):
                self.ledger.tell(Last(self.naming).causes_found(self._ends))
        self.ledger.tell(RunFinished(dict(self.ledger.seconds)))
