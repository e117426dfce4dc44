"""A run: trials to the engine, answers to the judges, records to the ledger, causes to the reader.

What a worker does is *draw, ask, judge* (`Session.work`); it decides nothing. Whoever has the
ledger sorts failing records by their cause, makes one trial of each cause small, has it confirmed
and writes it down. In one process that happens after every block, so that the first cause is shown
soon; with workers it happens in the controller as their records come.

    source ──drawn──▶ asker ──answers──▶ judging ──record──▶ ledger ──▶ listeners
                                                               │
                                  diagnosis ◀──failing records─┘
                                      │ causes, or nothing
                                      ▼
                        shrinking → confirming → keeper → ledger
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from rsp_conformance.causes.cause import CAUSES, UNEXPLAINED, Cause
from rsp_conformance.causes.evidence import Symptom
from rsp_conformance.causes.fingerprint import fingerprint
from rsp_conformance.causes.known import KnownCause
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.usage import query_features
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run import selection
from rsp_conformance.run.asking import HUNG, Asker
from rsp_conformance.run.confirming import Confirming
from rsp_conformance.run.diagnosis import Diagnosis
from rsp_conformance.run.events import (
    AS_BEFORE,
    CaseJudged,
    CauseSetAside,
    CausesFound,
    FindingConfirmed,
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
from rsp_conformance.run.judging import Judging, differs
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinions, judged_answers
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record, Shown
from rsp_conformance.run.report import FailureReport, first_line
from rsp_conformance.run.shrinking import SHRINKING, SHRINKING_HUNG, Limits, shrunk
from rsp_conformance.run.tally import ENOUGH, Tally
from rsp_conformance.run.trials import Drawn, by_seed, failed_before
from rsp_conformance.run.work import Work
from rsp_conformance.run.xfails import Mark

EXAMPLES = 100
"""The trials of a property."""
BLOCK = 25
"""So many trials are asked at once: afterwards their failures are looked at."""
MOST_PLACES = 20
"""So many trials are drawn at most for each that is wanted: others were drawn before, or show
nothing."""
NEARLY_ALL = 0.8
"""A property is not asked on if known causes explain this part of its trials."""
NEVER_SHRUNK = frozenset({"too many rows"})
"""Kinds of failure whose first case is shown as it is: each further flood costs as much."""
ROUNDS, DEEP_ROUNDS = 3, 10
"""So many failures of a property are made small, if no cause explains them; in a deep run more."""
LAST_ROUNDS = 30
"""So many failures of all properties are made small at the end, if they were left before."""
UNSTEADY = 3
"""After so many failures that did not come again, a failure is asked again before it is made
small."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run is to do.

    Attributes:
        seed: the seed; the same seed draws the same trials.
        examples: the trials of a property that count.
        max_seconds: the time for all properties together; None for any time.
        marks: the failures that are expected.
        known: the causes that the user knows.
        deep: whether to look for more behind each cause that is found, and to ask on if nearly all
            fails for what is known.
        shrinking: the seconds for each failure that is made small.
        judged_by: who judges, in words.
        before: the folder whose crash files are asked first; None for none.
    """

    seed: int | str = 0
    examples: int = EXAMPLES
    max_seconds: float | None = None
    marks: tuple[Mark, ...] = ()
    known: tuple[KnownCause, ...] = ()
    deep: bool = False
    shrinking: float = SHRINKING
    judged_by: str = "the specification and `reference`"
    before: Path | None = None


class Session:
    """One run against one engine.

    Args:
        subject: the engine.
        settings: what the run is to do.
        keeper: writes failures down.
        ledger: takes note of everything.
        opinions: the other judges.

    Attributes:
        diagnosis: what stands behind the failures.
        reporter: writes the text of what failed.
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
        self.keeper = keeper
        self.ledger = ledger
        self.opinions = opinions
        self.asker = Asker(subject)
        self.judging = Judging(subject, self.asker.again)
        self.diagnosis = Diagnosis(subject, settings.known, deep=settings.deep)
        self.reporter = FailureReport(keeper)
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._confirming = Confirming(self.asker, self.judging, opinions, settings.judged_by)
        self._ends = (
            None if settings.max_seconds is None else time.monotonic() + settings.max_seconds
        )
        self._open: defaultdict[str, list[Record]] = defaultdict(list)
        self._unexplained: list[tuple[Record, str]] = []
        self._alike: dict[int, tuple[KnownCause, ...]] = {}
        self._ran: dict[str, Property] = {}
        self._numbers: Counter[str] = Counter()
        self._work: Work | None = None
        self._has_shrunk_hanging = False
        self.disputes: dict[str, str] = {}
        self._unsteady = 0
        hello, profile = subject.hello, subject.profile
        judges, seed = settings.judged_by, str(settings.seed)
        ledger.tell(RunStarted(hello.engine, hello.version, profile.name, judges, seed))

    # --- the run -----------------------------------------------------------------------------

    def skip(self, property: Property) -> PropertyFinished | None:
        """Return how a property ends that the engine can't be asked for; None if it can."""
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
        """Test one property: block by block, with what stands behind its failures.

        Args:
            property: the property.
            shares: how many properties are to be served from the time that is left.

        Raises:
            EngineBroken: there is no engine any more.
        """
        work, until = self._begun(property), self._until(shares)
        self._ran[property.name] = property
        try:
            for block in self._blocks(work, until):
                self._add(property, block)
                self._name(property.name, until)
            self._heed(property.name)
        except EngineBroken as error:
            work.broken = first_line(str(error))
            self.end(work)
            raise
        return self.end(work)

    def work(self, property: Property, shares: int = 1) -> Work:
        """Draw, ask and judge the trials of a property; nothing is decided.

        Raises:
            EngineBroken: there is no engine any more.
        """
        before, work = dict(self.seconds), self._begun(property)
        for _ in self._blocks(work, self._until(shares)):
            pass
        work.seconds = {name: s - before.get(name, 0.0) for name, s in self.seconds.items()}
        return work

    @property
    def current(self) -> Work:
        """The work on the property that is under way, or was last."""
        assert self._work is not None
        return self._work

    def _begun(self, property: Property) -> Work:
        self.ledger.begin(property.name)
        self.ledger.tell(PropertyStarted(property.name))
        self._work = Work(property)
        return self._work

    def take(self, work: Work) -> PropertyFinished:
        """Take over what a worker has found of a property, and say what it comes to."""
        property = work.property
        self._ran[property.name] = property
        for phase, seconds in work.seconds.items():
            self.seconds[phase] += seconds
        kinds = (own.kind if own.answers else None for own in work.records)
        self.asker.take(property.name, kinds)
        self._add(property, work.records)
        with suppress(EngineBroken):  # Then nothing is made small any more.
            self._name(property.name, self._until(1))
        return self.end(work)

    def _until(self, shares: int) -> float | None:
        """When the time of a property is over."""
        if self._ends is None:
            return None
        now = time.monotonic()
        return now + max(0.0, self._ends - now) / shares

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += time.perf_counter() - started

    # --- draw, ask, judge --------------------------------------------------------------------

    def _blocks(self, work: Work, until: float | None) -> Iterator[list[Record]]:
        """The records of a property, block by block, until as many trials count as are wanted."""
        property, name = work.property, work.property.name
        wanted, tests, met = self.settings.examples, 0, set[str]()
        losses = self.asker.losses[name]
        drawing = self._drawing(property)
        while tests < wanted and not work.cut:
            self.ledger.tell(Working(name, "generating cases", tests, wanted))
            block: list[Drawn] = []
            drawing_ends = self._half_way(until)
            with self._timed("generation"):
                for drawn in drawing:
                    if drawn.trial.digest not in met:
                        met.add(drawn.trial.digest)
                        block.append(drawn)
                        tests += drawn.place >= 0 and self.judging.is_test(property, drawn)
                    if len(block) >= BLOCK or tests >= wanted or self._is_over(drawing_ends):
                        break
            if not block:
                break
            records = [*self._judged(property, block, until, tests)]
            work.records += records
            yield records
            work.losses = dict(losses.kinds)
            work.cut = self.asker.ends(name, until) or self._known_by_now(work)
        work.undrawn = max(0, wanted - tests) if work.cut else 0
        self.asker.learn(name)

    def _drawing(self, property: Property) -> Iterator[Drawn]:
        before = self.settings.before
        places = range(MOST_PLACES * self.settings.examples)
        drawn = by_seed(property, self.subject, self.settings.seed, places)
        if before is None:
            return drawn
        return chain(failed_before(property, self.subject, before), drawn)

    def _half_way(self, until: float | None) -> float | None:
        """When a block is drawn no further: what was drawn is to be asked as well."""
        return None if until is None else (time.monotonic() + until) / 2

    def _is_over(self, until: float | None) -> bool:
        return until is not None and time.monotonic() >= until

    def _known_by_now(self, work: Work) -> str:
        """Why a property is asked no further of which nearly all fails for what is known."""
        if self.settings.deep or not self.diagnosis.known.causes:
            return ""
        told = [own for own in work.records if own.is_test and own.outcome.compares]
        accusing = (own for own in told if own.outcome.accuses)
        known = sum(bool(self._causes_of(own, briefly=True)) for own in accusing)
        enough = known >= ENOUGH and known >= NEARLY_ALL * len(told)
        return "nearly all fails for what is known" if enough else ""

    def _is_asked(self, property: Property, drawn: Drawn) -> bool:
        """Whether a trial may show anything: a plain case of which nothing is expected may."""
        return property.relation is None or self.judging.is_test(property, drawn)

    def _judged(
        self, property: Property, block: Sequence[Drawn], until: float | None, done: int
    ) -> Iterator[Record]:
        """The records of a block, each as soon as it is answered."""
        name, left = property.name, dict[str, Drawn]()
        self.ledger.tell(Working(name, "asking", done, self.settings.examples))
        for drawn in block:
            if self._is_asked(property, drawn):
                left[drawn.trial.digest] = drawn
            else:
                yield Record(drawn, Outcome.VACUOUS, is_test=False)
        stimuli = (stimulus for own in left.values() for stimulus in own.trial.stimuli)
        before = self.asker.seconds
        started = time.perf_counter()
        asked: Iterable[object] = self.asker.all(name, stimuli, until)
        if property.relation is not None:  # It may ask again: one batch at a time.
            asked = [*asked]
        for _ in chain(asked, [None]):
            for key, drawn in [*left.items()]:
                if (seen := self.asker.seen(drawn.trial)) is not None:
                    del left[key]
                    record = self.judging.record(property, drawn, seen)
                    elements = len(drawn.trial.variants[0].case.elements)
                    self.ledger.tell(CaseJudged(name, record.outcome, record.kind, elements))
                    yield record
        self.seconds["engine"] += self.asker.seconds - before
        spent = time.perf_counter() - started - (self.asker.seconds - before)
        self.seconds["comparison"] += spent
        for drawn in left.values():
            test = self.judging.is_test(property, drawn)
            yield Record(drawn, Outcome.UNASKED, is_test=test)

    # --- what stands behind failing records ----------------------------------------------------

    def _add(self, property: Property, records: Sequence[Record]) -> None:
        """Put records into the ledger, and failing ones among those that wait for a cause."""
        for own in records:
            self.ledger.add(own)
            if own.outcome is Outcome.DISPUTED:
                self._disputed(property.name, own.reason)
            elif own.outcome.accuses:
                self._open[property.name].append(own)
        self.diagnosis.add(records)
        if self.opinions.spark is not None:
            judged = (own for own in records if any(c is not None for c in own.correct))
            pairs = [p for own in judged for p in judged_answers(own.observations, own.correct)]
            self.opinions.submit(property.name, pairs)

    def _heed(self, name: str) -> None:
        """Heed those of Spark's verdicts on a property that are there; nobody waits for others."""
        try:
            self.opinions.heed(name)
        except KitDisagreement as error:
            self._disputed(name, str(error))

    def _causes_of(self, own: Record, *, briefly: bool = False) -> tuple[KnownCause, ...]:
        """The known causes that explain a failing record."""
        if not self.diagnosis.known.causes:
            return ()
        if (alike := self._alike.get(id(own))) is not None:
            return alike
        needed = self.diagnosis.uses_fingerprints
        finding = self.judging.finding(own) if needed else None
        return self.diagnosis.explain(own, finding, briefly=briefly)

    def _mark_of(self, own: Record) -> Mark | None:
        """The mark that expects a failing record."""
        if not self.settings.marks:
            return None
        finding = self.judging.finding(own)
        return next((mark for mark in self.settings.marks if mark.covers(finding)), None)

    def _waiting(self, name: str) -> list[Record]:
        """The failing records of a property, or of all, that nothing explains, small ones first.

        A record about the property's subject comes first. A record that departs as another one
        does that is shown without a cause is taken for the same.
        """
        properties = [name] if name else [*self._open]
        self._unexplained = [own for own in self._unexplained if not self._causes_of(own[0])]
        for one in properties:
            self._open[one] = [
                own
                for own in self._open[one]
                if not self._causes_of(own, briefly=not self.settings.deep)
                and self._mark_of(own) is None
            ]
        left = [
            own for one in properties for own in self._open[one] if not self._like_unexplained(own)
        ]
        return sorted(left, key=self._readable)

    def _readable(self, own: Record) -> tuple[object, ...]:
        """The key by which a failing record is chosen to be shown.

        Those that were made small by an earlier run come first, then those about the subject.
        """
        return own.drawn.place >= 0, not self._is_about(own), own.size

    def _is_about(self, own: Record) -> bool:
        property = property_named(own.property_name)
        trial = own.drawn.trial
        example = trial if property.relation is not None else trial.variants[0].case
        return selection.is_about(property, self.subject, example)

    def _like_unexplained(self, own: Record) -> str:
        """The fingerprint of the failure without a cause that a record is like; empty if none."""
        if self.settings.deep:
            return ""
        for other, print in self._unexplained:
            if _is_like(own, other) or self._is_beside(own, other):
                return print
        return ""

    def _is_beside(self, own: Record, other: Record) -> bool:
        """Whether a record fails as another of its property that alone is about the subject."""
        same = own.property_name == other.property_name and own.kind == other.kind
        return same and self._is_about(other) and not self._is_about(own)

    def _name(self, name: str, until: float | None, *, last: bool = False) -> None:
        """Sort what is wrong by its cause, and show a small trial of each.

        The smallest failure that waits is made small; with all that was asked on the way it is
        searched for its cause, and what this explains waits no more.
        """
        rounds = DEEP_ROUNDS if self.settings.deep else ROUNDS
        for _ in range(LAST_ROUNDS if last else rounds):
            waiting = self._waiting(name)
            if not waiting:
                return
            own = waiting[0]
            shown = self._show_open(own, until)
            if shown is not None:
                self._explain(own, shown)
            if self._is_over(until) and not last:
                return

    def _explain(self, own: Record, shown: Shown) -> None:
        """Tell the causes that are known from now on, with that of what is shown of a record."""
        name = own.property_name
        found = [] if own.outcome is Outcome.FAILED else self._improved(name)
        if not self._causes_of(own):
            found.append(self.diagnosis.fingerprinted(shown))
        for cause in found:
            self.ledger.tell(CauseSetAside(name, CAUSES.write(Cause, cause)))

    def _improved(self, name: str) -> list[Cause]:
        """The causes that are known from now on."""
        self.ledger.tell(Working(name, "looking for what stands behind the failures"))
        with self._timed("causes"):
            return self.diagnosis.improve(asking=self.asker.broken is None)

    def _show_open(self, own: Record, until: float | None) -> Shown | None:
        """Show a failing record that nothing explains, made small; it waits no more.

        Returns:
            What is shown; None if it does not come again, or is known.
        """
        name = own.property_name
        self._open[name].remove(own)
        is_doubtful = self._unsteady >= UNSTEADY and own.outcome is Outcome.WRONG
        if is_doubtful and not self._comes_again(own):
            return None
        self.ledger.tell(Working(name, "shrinking a counterexample"))
        with self._timed("shrinking"):
            best = self._shrunk(own, until)
            if best is not own and self._causes_of(best):
                # While it was made small it was only asked briefly what known causes explain.
                best = self._shrunk(own, until, thoroughly=True)
        finding = self.judging.finding(best)
        alike = self.diagnosis.is_known(finding, asking=self.asker.broken is None)
        if alike:
            self._alike[id(own)] = alike
            self.keeper.drop(finding)
            return None
        shown = self._show(best, known=self.diagnosis.showing(best))
        self._unsteady += any(one.finding.kind == "unstable" for one in shown)
        if own.outcome is not Outcome.FAILED:
            self._unexplained.append((best, _print_of(finding)))
        return shown[0] if shown else None

    def _comes_again(self, own: Record) -> bool:
        """Whether the engine answers a trial as it did."""
        again = map(self.asker.again, own.drawn.trial.stimuli)
        return not any(differs(a, b) for a, b in zip(own.observations, again, strict=True))

    # --- one small trial ---------------------------------------------------------------------

    def _shrunk(self, own: Record, until: float | None, *, thoroughly: bool = False) -> Record:
        """The smallest trial that shows what a record shows, and nothing that is known."""
        about, kind = self._is_about(own), own.kind
        hanging = kind == HUNG
        seconds = self.settings.shrinking
        seconds = min(seconds, SHRINKING_HUNG) if hanging else seconds
        ends = time.monotonic() + (0.0 if self._is_hopeless(own) else seconds)
        self._has_shrunk_hanging = self._has_shrunk_hanging or hanging
        limits = Limits(ends if until is None else min(ends, until))
        if self.settings.deep:
            limits.most = None
        property = property_named(own.property_name)
        slow = 0

        def ask(drawn: Drawn) -> Record | None:
            nonlocal slow
            if not self._is_asked(property, drawn):
                return None
            seen = self.asker.smaller(drawn.trial, hanging=hanging)
            if seen is None:
                slow += 1
                if slow >= MOST_SLOW:
                    limits.until = 0.0
                return None
            record = self.judging.record(property, drawn, seen, "smaller")
            self.ledger.add(record)
            self.diagnosis.add([record])
            return record

        def shows(record: Record) -> bool:
            if record.kind != kind or (about and not self._is_about(record)):
                return False
            known = self._causes_of(record, briefly=not thoroughly)
            if known or self._mark_of(record) is not None:
                return False
            self.keeper.hold(self.judging.finding(record), self.subject)
            return True

        return shrunk(own, property, self.subject, limits, ask=ask, shows=shows)

    def _is_hopeless(self, own: Record) -> bool:
        """Whether making a record small costs more than it is worth."""
        losses = self.asker.losses[own.property_name]
        hangs = losses.hung > 0 and (own.kind != HUNG or self._has_shrunk_hanging)
        silent = not self.asker.has_answered and len(self._ran) > 1
        return silent or hangs or own.kind in NEVER_SHRUNK or self.asker.broken is not None

    def _show(self, record: Record, known: tuple[str, ...] = ()) -> list[Shown]:
        """Confirm a record, write it down and tell of it; nothing if the kit's judges differ."""
        name = record.property_name
        finding = self.judging.finding(record)
        self.ledger.tell(Working(name, "confirming"))
        try:
            confirmed = self._confirming.confirmed(record)
        except KitDisagreement as error:
            self.keeper.drop(finding)
            self._disputed(name, str(error))
            return []
        except LimitExceeded:
            self.keeper.drop(finding)
            return []
        self._numbers[name] += 1
        found = []
        for one in confirmed:
            number, ids = self._numbers[name], known if one is confirmed[0] else ()
            whole = replace(one.finding, number=number, known=ids)
            path = self.keeper.keep(whole, self.subject)
            shown = Shown(whole, one.confirmed, str(path))
            found.append(shown)
            if not self.ledger.is_shown(shown.file):
                self.ledger.show(shown, self._confirmed(shown))
                self.reporter.met(whole)
                self.diagnosis.add_shown(shown)
        self.keeper.drop(finding)
        return found

    def _confirmed(self, shown: Shown) -> FindingConfirmed:
        finding = shown.finding
        return FindingConfirmed(
            finding.property_name,
            finding.kind,
            len(finding.case.elements),
            shown.file,
            shown.confirmed,
            self.reporter.same_as(finding) or "",
            headline(finding),
        )

    def _disputed(self, name: str, message: str) -> None:
        """Accuse nobody of what a property has shown: the kit's implementations differ on it."""
        for own in self.ledger.take_back(name):
            self.diagnosis.forget(own.file)
            Path(own.file).unlink(missing_ok=True)
        self._open.pop(name, None)
        self.disputes.setdefault(name, message)

    # --- what becomes of it --------------------------------------------------------------------

    def tally(self, name: str, work: Work | None = None) -> Tally:
        """Count the trials of a property by their outcome."""
        tally = Tally(cut=work.cut if work else "", unasked=work.undrawn if work else 0)
        for own in self.ledger.records(name):
            causes: tuple[KnownCause, ...] = ()
            if own.outcome.accuses and self._mark_of(own) is None:
                causes = self._causes_of(own, briefly=True)
            tally.enter(own, causes)
        return tally

    def end(self, work: Work) -> PropertyFinished:
        """Say what a property comes to, by the work on it."""
        name = work.property.name
        tally = self.tally(name, work)
        marks = [mark for own in self._accusing(name) if (mark := self._mark_of(own)) is not None]
        met = [*dict.fromkeys(marks)]
        verdict, note, reason = self._verdict(work, tally, met)
        finished = PropertyFinished(
            name,
            verdict,
            note,
            reason,
            tally.counts(),
            tuple(map(str, met)),
            time.perf_counter() - work.started + sum(work.seconds.values()),
            grounds=dict(tally.grounds),
            excuses=dict(tally.excuses),
            lost=sum(work.losses.values()),
            losses=work.losses,
        )
        self.ledger.tell(finished)
        return finished

    def _accusing(self, name: str) -> Iterator[Record]:
        return (own for own in self.ledger.records(name) if own.outcome.accuses)

    def _verdict(
        self, work: Work, tally: Tally, marks: Sequence[Mark]
    ) -> tuple[PropertyVerdict, str, str]:
        """The verdict on a property, and why: for a table, and in a sentence."""
        name = work.property.name
        if work.broken:
            return "engine lost", work.broken, ""
        if work.stopped:
            return "timed out", work.stopped, work.stopped
        if name in self.disputes:
            return "kit error", first_line(self.disputes[name]), self.disputes[name]
        if shown := self.ledger.shown(name):
            note = self.reporter.note(shown)
            return "failed", "; ".join(filter(None, [note, tally.said, tally.cut])), ""
        left = filter(None, map(self._left_of, self._accusing(name)))
        found = tally.found + Counter(left)
        if found:
            told = ", ".join(f"{self._called(id)} ({n})" for id, n in found.most_common())
            reason = f"{AS_BEFORE}: {told}"
            return "failed", "; ".join(filter(None, (reason, tally.cut))), reason
        if marks or tally.known:
            given = [f"{mark}: {mark.reason}" for mark in marks]
            reason = "; ".join(filter(None, [tally.said, *given]))
            return "xfailed", reason, reason
        too_few = tally.too_few(self.settings.examples)
        if too_few and not tally.compared and not tally.unasked:
            reason = f"nothing was compared: {too_few}"
            if tally.unsupported and not tally.not_judged:
                return "skipped", reason, reason
            return "failed", tally.cut or reason, reason
        note = "; ".join(filter(None, (tally.cut, tally.left_out)))
        return "not tested" if too_few else "passed", note, too_few or ""

    def _left_of(self, own: Record) -> str:
        """The fingerprint of what stands behind a failing record that no cause explains."""
        if self._mark_of(own) is not None or self._causes_of(own, briefly=True):
            return ""
        return self._like_unexplained(own) or _print_of(self.judging.finding(own))

    def _called(self, id: str) -> str:
        """The cause that was found under an id; an unexplained one begins with its kind."""
        cause = self.diagnosis.causes.get(id)
        if cause is not None:
            return id if cause.is_explained else f"{cause.text.partition(':')[0]} {id}"
        kinds = {print: other.kind for other, print in self._unexplained}
        return f"{kinds[id]} {id}" if id in kinds else id

    def finish(self, *, waiting: bool = True, naming: bool = True) -> None:
        """End the run.

        Args:
            waiting: whether to wait for Spark's verdicts. A verdict that differs takes back what
                was found.
            naming: whether to look for the causes of all failures.
        """
        if naming and self.asker.broken is None:
            with suppress(EngineBroken):
                self._name("", self._ends, last=True)
        for name, error in self.opinions.differing() if waiting else ():
            if isinstance(error, KitDisagreement):
                self._disputed(name, str(error))
                self.ledger.tell(JudgesDisagree(name, str(error)))
            else:
                self.ledger.tell(JudgeLost(name, str(error)))
        if self.diagnosis.given:
            shown = {
                cause.id
                for own in self._accusing("")
                for cause in self._causes_of(own, briefly=True)
                if not cause.found
            }
            gone = self.diagnosis.seen_and_gone(shown)
            self.ledger.tell(KnownCausesSeen(tuple(sorted(shown)), gone))
        if naming and self.ledger.shown():
            self.ledger.tell(Working("causes", "looking for what stands behind the failures"))
            with self._timed("causes"):
                self.ledger.tell(self._causes_found())
        self.ledger.tell(RunFinished(dict(self.seconds)))

    def _causes_found(self) -> CausesFound:
        """The causes of the run; whatever goes wrong in naming them, the verdicts stand."""
        try:
            found, took = self.diagnosis.last(self._ran, asking=self.asker.broken is None)
            causes = [self._with_file(cause) for cause in found]
        except Exception as error:
            return CausesFound(said=f"{type(error).__name__}: {error}"[:400])
        return CausesFound(tuple(CAUSES.write(Cause, cause) for cause in causes), seconds=took)

    def _with_file(self, cause: Cause) -> Cause:
        """A cause with the smallest trial that it explains alone, if none of them is shown."""
        if cause.file or not cause.is_explained:
            return cause
        known = self.diagnosis.known
        if cause.id not in self.diagnosis.causes:
            self.diagnosis.set_aside(cause)
        alone = [
            own
            for own in self._accusing("")
            if own.outcome is Outcome.WRONG
            and [c.id for c in known.explain_all(own.observations, briefly=True)] == [cause.id]
        ]
        if not alone:
            return cause
        best = min(alone, key=self._readable)
        shown = self._show(self._smallest_of(cause, best))
        if not shown:
            return cause
        return replace(cause, file=shown[0].file, elements=len(shown[0].finding.case.elements))

    def _smallest_of(self, cause: Cause, own: Record) -> Record:
        """The smallest trial that a cause explains alone, from a record on."""
        property, known = property_named(own.property_name), self.diagnosis.known

        def ask(drawn: Drawn) -> Record | None:
            if not self._is_asked(property, drawn):
                return None
            seen = self.asker.smaller(drawn.trial)
            return None if seen is None else self.judging.record(property, drawn, seen, "smaller")

        def shows(record: Record) -> bool:
            explaining = known.explain_all(record.observations, briefly=True)
            return [one.id for one in explaining] == [cause.id]

        limits = Limits(time.monotonic() + min(SHRINKING_HUNG, self.settings.shrinking))
        return shrunk(own, property, self.subject, limits, ask=ask, shows=shows)


MOST_SLOW = 2
"""So many cases that take too long end that a failure of another kind is made small."""


def _is_like(own: Record, other: Record) -> bool:
    """Whether a record departs as another one that was made small, and has its query's features.

    Answers to several variants depart from each other in a way of their property's own.
    """
    if own.kind != other.kind or not other.observations:
        return False
    if len(other.observations) > 1 and own.property_name == other.property_name:
        return True
    less = query_features(other.drawn.trial.variants[0].case.query)
    return less <= query_features(own.drawn.trial.variants[0].case.query)


def _print_of(finding: Finding) -> str:
    """The id of the fingerprint of a failure."""
    return UNEXPLAINED + fingerprint(Symptom.of(finding)).id
