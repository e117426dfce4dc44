"""The work of a worker: draw the trials of a property, ask the engine, judge the answers.

A worker decides nothing. Any process can be one, since the bytes of a trial follow from its place
alone: the process that runs pytest, a worker of pytest-xdist, or a task of Spark's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import PACINGS
from rsp_conformance.run.asking import TIME_UP, TOO_SLOW, Asker, is_over
from rsp_conformance.run.events import CaseJudged, Working
from rsp_conformance.run.judging import Judging
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.tally import ENOUGH
from rsp_conformance.run.trials import Drawn, by_seed, failed_before, of_test
from rsp_conformance.run.work import Work

BLOCK = 25
"""The number of trials that are asked at once; then their failures are looked at."""
DRAWN_FOR_ONE = 2
"""The number of trials that are drawn for each that is compared: in nearly half of them nothing is
expected."""
MOST_PLACES = 20
"""The most trials that are drawn for each that is wanted: others were drawn before, or show
nothing."""


class Worker:
    """Draws, asks and judges the trials of properties for one engine.

    Args:
        subject: the engine.
        settings: the settings of the run.
        ledger: gets how far the work is.
        impatient: as for `Asker`.

    Attributes:
        asker: asks the engine.
        judging: the reference model.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        settings: RunSettings,
        ledger: Ledger,
        *,
        impatient: bool = False,
    ) -> None:
        self.subject = subject
        self.settings = settings
        self.ledger = ledger
        self.asker = Asker(subject, impatient=impatient)
        self.judging = Judging(subject, self.asker.again)

    def forget(self) -> None:
        """Forget answers and verdicts."""
        self.asker.forget()
        self.judging.forget()

    def blocks(
        self,
        work: Work,
        until: float | None,
        ends: Callable[[Work], str] = lambda _: "",
        *,
        last: float | None = None,
    ) -> Iterator[list[Record]]:
        """Yield the records of a property, block by block, until enough trials count.

        Each goes into the ledger as soon as it is judged.

        Args:
            work: the work on the property, to which the records are added.
            until: nothing is asked after this instant (``time.monotonic()``), if enough trials were
                compared by then.
            ends: returns why no more needs to be asked; empty as long as it does.
            last: nothing at all is asked after this instant.

        Raises:
            EngineBroken: there is no engine any more.
        """
        property, name = work.property, work.property.name
        met = {own.drawn.trial.digest for own in work.records}
        wanted, tests = self._wanted(property), sum(own.counts for own in work.records)
        losses = self.asker.losses[name]
        losses.single = property.entry is not None
        drawing = self._drawing(work)
        if work.records and not (work.is_whole or len(work.records) % BLOCK):
            work.cut = ends(work)
        while tests < wanted and not (work.cut or work.is_whole):
            self.ledger.tell(Working(name, "generating cases", tests, wanted))
            block: list[Drawn] = []
            deadline = until if work.compared >= ENOUGH else last
            drawing_ends = _half_way(deadline)
            # A block that a killed run began is filled up: so it ends where it would have ended.
            most = 1 if losses.single else BLOCK - len(work.records) % BLOCK
            if is_over(until):  # Only what it lacks to be tested.
                most = min(most, DRAWN_FOR_ONE * (ENOUGH - work.compared))
            with self.ledger.timed("generation"):
                for drawn in drawing:
                    if drawn.trial.digest not in met:
                        met.add(drawn.trial.digest)
                        block.append(drawn)
                        tests += drawn.place >= 0 and self.judging.is_test(property, drawn)
                    if len(block) >= most or tests >= wanted or is_over(drawing_ends):
                        break
            if not block:
                break
            records = list[Record]()
            for record in self.judged(property, block, deadline, tests):
                self.ledger.add(record)
                work.records.append(record)
                records.append(record)
            yield records
            work.losses = dict(losses.kinds)
            deadline = until if work.compared >= ENOUGH else last
            work.cut = self.asker.ends(name, deadline) or ends(work)
        if work.is_whole:
            return
        work.undrawn = max(0, wanted - tests) if work.cut else 0
        if not losses.single:  # One case says nothing of all others.
            self.asker.learn(name)
        work.is_whole = work.cut != TIME_UP

    def _wanted(self, property: Property) -> int:
        """The number of trials that a property wants."""
        return self.settings.examples if property.entry is None else len(PACINGS)

    def _drawing(self, work: Work) -> Iterator[Drawn]:
        before, property = self.settings.before, work.property
        first = max((own.drawn.place + 1 for own in work.records), default=0)
        if property.entry is not None:
            return of_test(property, first)
        met = {own.drawn.place for own in work.records}
        places = (own for own in range(MOST_PLACES * self.settings.examples) if own not in met)
        drawn = by_seed(property, self.subject, self.settings.seed, places)
        if before is None or first > 0:
            return drawn
        return chain(failed_before(property, self.subject, before), drawn)

    def judged(
        self,
        property: Property,
        block: Sequence[Drawn],
        until: float | None = None,
        done: int = 0,
    ) -> Iterator[Record]:
        """Yield the records of a block, each as soon as it is answered.

        Args:
            property: the property.
            block: its trials.
            until: nothing is asked after this instant (``time.monotonic()``).
            done: how many trials were asked before.

        Raises:
            EngineBroken: there is no engine any more.
        """
        name, left = property.name, dict[str, Drawn]()
        self.ledger.tell(Working(name, "asking", done, self._wanted(property)))
        for drawn in block:
            if self.is_asked(property, drawn):
                left[drawn.trial.digest] = drawn
            else:
                yield Record(drawn, Outcome.VACUOUS, is_test=False)
        stimuli = (stimulus for own in left.values() for stimulus in own.trial.stimuli)
        before = self.asker.seconds
        started = time.perf_counter()
        for _ in chain(self.asker.all(name, stimuli, until), [None]):
            for key, drawn in [*left.items()]:
                if (seen := self.asker.seen(drawn.trial)) is not None:
                    del left[key]
                    record = self.judging.record(property, drawn, seen)
                    elements = len(drawn.trial.variants[0].case.elements)
                    self.ledger.tell(CaseJudged(name, record.outcome, record.kind, elements))
                    yield record
        self.ledger.seconds["engine"] += self.asker.seconds - before
        spent = time.perf_counter() - started - (self.asker.seconds - before)
        self.ledger.seconds["comparison"] += spent
        for drawn in left.values():
            test = self.judging.is_test(property, drawn)
            why = self.asker.ends(name, until) or TOO_SLOW
            yield Record(drawn, Outcome.UNASKED, reason=why, is_test=test)

    def smaller(self, property: Property, drawn: Drawn, *, hanging: bool = False) -> Record | None:
        """Return the record of a trial in place of a larger one; None if it is not asked.

        Args:
            property: the property.
            drawn: the trial.
            hanging: as for `Asker.smaller`.
        """
        if not self.is_asked(property, drawn):
            return None
        seen = self.asker.smaller(drawn.trial, hanging=hanging)
        return None if seen is None else self.judging.record(property, drawn, seen, "smaller")

    def is_asked(self, property: Property, drawn: Drawn) -> bool:
        """Return whether a trial may show anything; a plain case may even without expected rows."""
        return property.relation is None or self.judging.is_test(property, drawn)


def _half_way(until: float | None) -> float | None:
    """The instant until which a block is drawn: time is left to ask what was drawn."""
    return None if until is None else (time.monotonic() + until) / 2
