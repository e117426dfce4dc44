"""A campaign: units to Spark, batches to the folder, failures to the search for causes.

One thread keeps Spark busy: it chooses units, has them run and writes the batch down. The main
thread names the causes of failures, so that workers never wait for a search.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from rsp_conformance import __version__, limits
from rsp_conformance.campaigns.choice import Choice, Schedule
from rsp_conformance.campaigns.named import NamedCauses
from rsp_conformance.campaigns.signature import Coverage
from rsp_conformance.campaigns.store import Batch, NotWritten, Run, Store, writing
from rsp_conformance.campaigns.unit import (
    ACCUSING,
    Brought,
    EngineSource,
    UnitResult,
    drawing_of,
    foci_of,
)
from rsp_conformance.campaigns.worker import UnitWork
from rsp_conformance.campaigns.workers import Workers
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.recount import held
from rsp_conformance.diagnosis.seam import Effort
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.run.asking import LOST
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import Event, Working
from rsp_conformance.run.last import Last, noted
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.ledger_file import check_same
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.naming import Naming
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.plan_opinion import JUDGED_BY, confirm_by_both
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.trials import Drawn
from rsp_conformance.run.worker import Worker

UNIT: Final = 40
"""The cases of a unit."""
JOB: Final = 8.0
"""Seconds that a batch should take."""
SHRINKING: Final = 20.0
"""Seconds that one case is shrunk for, at most."""
LAST: Final = 60.0
"""Seconds in which a campaign that is over names what still waits, ..."""
BEHIND: Final = 60.0
"""... looks behind what has no name, as long as it takes to ask some hundred cases, ..."""
RECOUNTING: Final = 30.0
"""... and counts by their causes the failures that had none when they were judged, ..."""
RECOUNTED_AT_ONCE: Final = 2.0
"""... if it was interrupted for so many seconds."""
DISAGREEMENT: Final = "the kit's own judges differ"
"""How a problem begins that is a bug of the kit."""
MOST_HELD: Final = 600
"""So many right answers are compared with causes, and so many wrong ones wait for a name; of more a
sample does."""
MOST_RESTORED: Final = 200
"""So many failures without a cause are read back when a run goes on, ..."""
MOST_RECOUNTED: Final = 1_000
"""... and so many at its end."""
SAMPLE: Final = 20
"""One right answer in so many is kept whole once there are MOST_HELD."""


@dataclass(frozen=True, slots=True)
class CampaignConfig:
    """What a campaign is to do.

    ``known`` are causes that the user knows. ``resume`` goes on with the folder's last run, if
    there is one. An empty ``seed`` takes a random one.
    """

    source: EngineSource
    folder: Path
    master: str = "local[*]"
    seed: str = ""
    budget: Budget = Budget()
    known: tuple[KnownCause, ...] = ()
    resume: bool = False


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """How far a campaign is; ``rate`` is cases per second, ``part`` of what it is to do, 0 to 1."""

    cases: int
    rate: float
    causes: int
    new: int
    points: int
    part: float
    doing: str = ""


Tell = Callable[[CampaignProgress], None]


def fuzz(config: CampaignConfig, tell: Tell = lambda _: None) -> tuple[Store, int]:
    """Run a campaign.

    Args:
        config: what to run.
        tell: hears how far it is.

    Returns:
        The campaign's folder, and the number of its run there.

    Raises:
        BadInput: it cannot be run.
        EngineError: there is no engine.
        KeyboardInterrupt: the user interrupted it; the batches so far are written.
    """
    with ExitStack() as stack:
        subject = config.source.meet()
        stack.callback(subject.close)
        store = Store(config.folder, config.source.spec, dict(config.source.options))
        stack.enter_context(store.locked())
        own = begun(config, store, subject)
        workers = Workers(config.master)
        campaign = Campaign(config, store, subject, workers, own)
        # An interrupt leaves no time to end Spark in peace.
        stack.callback(lambda: workers.stop(now=campaign.is_interrupted))
        workers.check(config.source, subject)
        campaign.go(tell)
        return store, own[0].number


def begun(
    config: CampaignConfig, store: Store, subject: EngineUnderTest
) -> tuple[Run, list[Batch]]:
    """The run that goes on, with its batches, or a new one."""
    runs = store.runs()
    own = _as_new(config, subject, 1 + (runs[-1][0].number if runs else 0))
    if config.resume and runs:
        run, batches = runs[-1]
        _check_same(run, own if config.seed else replace(own, seed=run.seed))
        store.clear(run.number)
        return run, batches
    store.clear(own.number)
    return own, []


def _as_new(config: CampaignConfig, subject: EngineUnderTest, number: int) -> Run:
    """The run that would begin now."""
    hello, profile = subject.hello, subject.profile.name
    seed = config.seed or str(random.SystemRandom().getrandbits(32))
    return Run(
        number,
        datetime.now(UTC).isoformat(timespec="seconds"),
        hello.engine,
        hello.version or "",
        profile,
        __version__,
        seed,
        JUDGED_BY,
        tuple(cause.id for cause in config.known),
        ", ".join(f"{name}={value}" for name, value in sorted(config.source.dials)),
        drawing_of(subject),
    )


def _check_same(run: Run, now: Run) -> None:
    """Raise BadInput if a run is not of what is there now."""
    each = (
        ("version", run.version, now.version),
        ("profile", run.profile, now.profile),
        ("--dial", run.dials, now.dials),
        ("seed", run.seed, now.seed),
        ("rsp-conformance", run.kit, now.kit),
        ("drawing", run.drawing, now.drawing),
    )
    why = {"drawing": " (equal seeds draw other cases)"}
    check_same("--resume", f"run {run.number}", each, why)


class Campaign:
    """One run under way: OWN is what has begun, with the batches that it has already."""

    def __init__(
        self,
        config: CampaignConfig,
        store: Store,
        subject: EngineUnderTest,
        workers: Workers,
        own: tuple[Run, Sequence[Batch]],
    ) -> None:
        run, batches = own
        self.is_interrupted = False
        self._config = config
        self._store = store
        self._subject = subject
        self._workers = workers
        self._run = run
        self._lines = Lines(subject)
        others = (own for own in store.runs() if own[0].number != run.number)
        earlier = (b for own, found in others if own.version == run.version for b in found)
        choice = Choice(foci_of(subject), f"{run.seed}:{run.number}")
        self.coverage = Coverage(point for batch in earlier for point in batch.covered)
        self.schedule = Schedule(choice, self.coverage)
        for batch in batches:
            self.schedule.restore(batch.units, batch.covered, batch.met)
        self._asked = sum(batch.asked for batch in batches)
        self._before = max((batch.wall for batch in batches), default=0.0)
        self._number = max((batch.number for batch in batches), default=0)
        self._rights = 0
        self.named = NamedCauses(cause.id for cause in config.known)
        settings = RunSettings(
            seed=run.seed, known=config.known, shrinking=SHRINKING, judged_by=JUDGED_BY
        )
        ledger = Ledger(self.named, self._hear)
        keeper = Keeper(config.folder, config.source.spec, dict(config.source.options), run.seed)
        self._worker = Worker(subject, settings, ledger)
        self.named.restore(store.causes(run.number) if batches else ())
        given = {cause.id for cause in config.known}
        self.naming = Naming(
            self._worker,
            keeper,
            Opinions(opinion=confirm_by_both),
            found=[c for own in self.named if (c := own.cause).is_explained and c.id not in given],
            most=MOST_HELD,
        )
        self._last = Last(self.naming)
        self.problems: list[str] = []
        self._tell: Tell = lambda _: None
        self._doing = ""
        self._kept: SimpleQueue[list[UnitResult]] = SimpleQueue()
        self._started = time.monotonic()
        self._first = self._asked
        self._rate = 0.0
        self._seconds = 0.0
        self._over = threading.Event()
        self._failed: list[BaseException] = []
        if batches:
            self._restore()
        self._known = self.naming.known

    def go(self, tell: Tell) -> None:
        """Run to the end; raises what ended it."""
        self._tell = tell
        self._started = time.monotonic()
        producer = threading.Thread(target=self._produce, name="campaign", daemon=True)
        producer.start()
        try:
            while producer.is_alive() or not self._kept.empty():
                self._name()
            if not self._is_full:
                self._finish_naming()
        except BaseException:
            self.is_interrupted = True
            self._over.set()
            self._workers.stop(now=True)
            producer.join(2.0)
            with suppress(NotWritten):
                self._recount(RECOUNTED_AT_ONCE)
                self._end("interrupted")
            raise
        if self._failed:
            with suppress(NotWritten):
                self._end("lost")
            raise self._failed[0]
        self._end("examples" if self._left.trials == 0 else "time")

    @property
    def _is_full(self) -> bool:
        """Whether the folder takes no more."""
        return any(isinstance(error, NotWritten) for error in self._failed)

    # --- the thread that keeps Spark busy --------------------------------------------------

    def _produce(self) -> None:
        limits.allow(limits.seconds())
        try:
            while not self._over.is_set() and (sizes := self._sizes()):
                units = self.schedule.units(sizes)
                started = time.monotonic()
                work = UnitWork(
                    self._config.source,
                    self._known,
                    self.schedule.met,
                    limits.seconds(),
                    1 if self._rights < MOST_HELD else SAMPLE,
                    self.schedule.has_lost,
                )
                results = self._workers.run(work, units)
                asked = sum(result.asked for result in results)
                self._rate = asked / max(time.monotonic() - started, 0.01)
                self._commit(results)
                kept = (own for result in results for own in result.kept)
                self._rights += sum(own.outcome is Outcome.RIGHT for own in kept)
                self._kept.put(results)
        except BaseException as error:  # handed to the main thread
            if not self._over.is_set():
                self._failed.append(error)

    def _sizes(self) -> list[int]:
        """The sizes of the next batch's units; none if the campaign is over.

        All have UNIT cases but the last of the run, which has what is left of the budget, and those
        for which there is no time.
        """
        cores, left = self._workers.handle.partitions, self._left
        if left.is_spent:
            return []
        number, size = 2 * cores, UNIT
        seconds = JOB if left.seconds is None else min(JOB, left.seconds)
        if self._rate:
            # As many units as there are cores, or a multiple: they run side by side.
            each = max(1, int(self._rate * seconds / cores))
            number, size = max(1, each // UNIT) * cores, UNIT if seconds == JOB else min(UNIT, each)
        number = min(number, self.schedule.left)
        if left.trials is None:
            return [size] * number
        return [size] * min(number, left.trials // size) or [left.trials]

    def _commit(self, results: Sequence[UnitResult]) -> None:
        """Take note of what results bring, and write them as one batch."""
        covered: list[str] = []
        units = []
        for result in results:
            new = [point for row in result.rows for point in self.coverage.add(row.signature)]
            covered += new
            units.append(_brought(result, len(new)))
            self.schedule.add(units[-1])
        self._number += 1
        batch = Batch(
            self._number,
            self._wall(),
            dict(sum((Counter(result.seconds) for result in results), Counter())),
            Counter(row.verdict for result in results for row in result.rows),
            tuple(units),
            tuple(covered),
            tuple(f"unit {r.unit.number}: {r.lost}" for r in results if r.lost),
            met=Counter(t for r in results for row in r.rows for t in row.signature.traits),
        )
        self._store.write(self._run, batch, results)
        self._asked += batch.asked

    # --- the main thread -------------------------------------------------------------------

    def _restore(self) -> None:
        """Go on from the causes of a run that was stopped, and from what it has kept.

        What nothing explains is asked again: so it is known for what it is.
        """
        right = [*self._kept_whole(Outcome.RIGHT, MOST_HELD)]
        self._rights = len(right)
        given = {cause.id for cause in self._config.known}
        for own in self.named:
            if own.cause.file and (own.cause.id in given or not own.cause.is_explained):
                self._ask_again(Path(own.cause.file))
        for record in (*right, *self._kept_whole(Outcome.WRONG, MOST_RESTORED)):
            self.naming.add(property_named(record.property_name), [record])

    def _ask_again(self, file: Path) -> None:
        """Ask for the case of a crash file again."""
        with suppress(KitError, EngineError, OSError):
            crash = read(file)
            property = property_named(crash.property_name)
            drawn = Drawn(property.name, -1, b"", crash.trial)
            self.naming.add(property, [*self._worker.judged(property, [drawn])])

    def _name(self) -> None:
        """Take what has come, and show one failure; waits if there is nothing to do."""
        while True:
            try:
                self._take(self._kept.get(timeout=0 if not self._kept.empty() else 0.01))
            except Empty:
                break
        named = self._step(partial(self.naming.name, "", None, 1))
        if not named and not self._step(self._last.look_behind):
            self._doing = ""
            self._over.wait(0.2)
        self.naming.thin()
        self._publish()

    def _take(self, results: Iterable[UnitResult]) -> None:
        for result in results:
            passed = result.asked - len(result.kept)
            self.naming.add(result.unit.property, result.kept, passed)

    def _step(self, do: Callable[[], object]) -> bool:
        """Do a bit of the naming; whatever goes wrong in it, the verdicts stand."""
        started = time.process_time()
        try:
            with writing(self._config.folder):
                return bool(do())
        except EngineError:  # Nothing is made small any more.
            return False
        except NotWritten:
            raise
        except Exception as error:
            said = f"causes were not named: {type(error).__name__}: {error}"
            if said not in self.problems:
                self.problems.append(said)
            return False
        finally:
            self._seconds += time.process_time() - started

    def _publish(self) -> None:
        """Let workers know what has been named, and the user how far the campaign is."""
        self._known = self.naming.known
        if self.named.has_changed:
            self._write_causes()
        self._say(self._doing)

    def _finish_naming(self) -> None:
        """Name what still waits, for some seconds."""
        last = time.monotonic() + LAST
        left = partial(self.naming.name, "", last, 1)
        while time.monotonic() < last and self._step(left):
            self._publish()
        last = max(last, time.monotonic()) + BEHIND
        self._step(partial(self._last.look_behind, last))
        self._step(partial(self.naming.improve, "", Effort.NOW))
        self._step(partial(self._hold, last + RECOUNTING))
        self._step(self._note)
        self._recount(RECOUNTING)
        self._publish()

    def _hold(self, last: float) -> None:
        """Compare causes with all right answers that are kept whole, until an instant."""
        kept = takewhile(
            lambda _: time.monotonic() < last, self._kept_whole(Outcome.RIGHT, MOST_HELD)
        )
        right = (own for record in kept for own in record.observations)
        causes = [own.cause for own in self.named]
        counted = held(self.naming.diagnosis, causes, right)
        for own, cause in zip(self.named, counted, strict=True):
            own.cause = cause
            if time.monotonic() >= last:
                break

    def _note(self) -> None:
        """Note in each crash file by which causes its failure is explained."""
        self.named.note(noted(self.naming, [own.cause for own in self.named]))

    def _recount(self, seconds: float) -> None:
        """Count by their causes the failures that had none when they were judged."""
        last = time.monotonic() + seconds
        naming, found = self.naming, []
        wrong = self._kept_whole(Outcome.WRONG, MOST_RECOUNTED)
        for own in takewhile(lambda _: time.monotonic() < last, wrong):
            ids = [cause.id for cause in naming.causes_of(own)] or [naming.left_of(own)]
            found += [(id, own.property_name) for id in ids]
        self.named.count(found)

    def _write_causes(self) -> None:
        self.named.without_lost_files()
        self._store.write_causes(self._run, self._number, self.named.rows())

    def _hear(self, event: Event) -> None:
        if isinstance(event, Working):
            self._say(event.doing)

    def _end(self, how: str) -> None:
        """Write the run's last batch, which says how it ended."""
        if len(self.named):
            self._write_causes()
        self._number += 1
        differ = (f"{DISAGREEMENT}: {said}" for said in self.naming.ledger.disputes.values())
        lost = [*self.problems, *differ, *(str(error)[:500] for error in self._failed)]
        seconds = {"naming": self._seconds}
        batch = Batch(self._number, self._wall(), seconds, {}, lost=tuple(lost), ended=how)
        self._store.write(self._run, batch, [])

    @property
    def _left(self) -> Budget:
        """What is left of the budget."""
        return self._config.budget.after(self._asked, self._wall())

    def _wall(self) -> float:
        return self._before + time.monotonic() - self._started

    def _say(self, doing: str) -> None:
        self._doing = doing
        rate = (self._asked - self._first) / max(time.monotonic() - self._started, 0.01)
        self._tell(
            CampaignProgress(
                self._asked,
                rate,
                len(self.named),
                self.named.new,
                len(self.coverage),
                self._config.budget.part(self._asked, self._wall()),
                doing,
            )
        )

    def _kept_whole(self, outcome: Outcome, most: int) -> Iterator[Record]:
        """Yield at most so many records of the run without a cause."""
        return islice(self._store.records(self._run.number, outcome, self._lines), most)


def _brought(result: UnitResult, points: int) -> Brought:
    return Brought(
        number=result.unit.number,
        focus=result.unit.focus,
        cases=result.asked,
        points=points,
        failures=sum(row.verdict in ACCUSING for row in result.rows),
        lost=sum(row.kind in LOST for row in result.rows),
    )
