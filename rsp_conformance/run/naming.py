"""The causes of a run's failing records: one small trial of each cause is shown.

**What is sought.** A reader wants each bug once, by its name, with a case that can be read. A bug
shows in many records, and a record may show several bugs.

**How.** Failing records wait. A record that a known cause explains waits no more. Of the others the
smallest is shrunk; a smaller trial counts only if no known cause explains it, so that it shows
something new. With a few of those on the way it is searched for its cause (`diagnosis`), and
records that the cause explains wait no more. Then the next smallest has its turn. A failure that no
cause explains is shown by its fingerprint, and records that differ as it does count as the same.

**What it guarantees.** Nothing is shown that was not confirmed (`confirming`): all judges agree,
and the failure came again. A property on which the judges differ reports nothing, and is taken
back.

**What it costs.** The engine is asked up to 300 smaller trials for each failure that is shown, and
each is judged. So a property has a few turns, and the rest waits for the end of the run.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.cause import CAUSES, UNEXPLAINED, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import fingerprint, wrong_operators
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.wrong_values import computed
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.usage import query_features
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run import selection
from rsp_conformance.run.asking import HUNG, is_over
from rsp_conformance.run.behind import MOST, NEARLY_ALL, Behind
from rsp_conformance.run.confirming import Confirming
from rsp_conformance.run.diagnosis import Diagnosis
from rsp_conformance.run.events import CauseDiscovered, CausesFound, FindingConfirmed, Working
from rsp_conformance.run.judging import differs
from rsp_conformance.run.opinions import Opinions, judged_answers
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record, Shown
from rsp_conformance.run.report import FailureReport
from rsp_conformance.run.shrinking import SHRINKING_HUNG, Limits, shrunk
from rsp_conformance.run.trials import Drawn, trial_of
from rsp_conformance.run.worker import Worker
from rsp_conformance.run.xfails import Mark

NEVER_SHRUNK = frozenset({"too many rows"})
"""The kinds of failure whose first case is shown as it is: each further flood costs as much."""
SEARCHES, DEEP_SEARCHES = 3, 10
"""The failures of a property that are shrunk if no cause explains them; in a deep run more."""
MANY_UNEXPLAINED: Final = 8
"""After so many wrong answers that no cause explains, wrong values apart, a run shows no more as it
goes on, and so many at the end: nobody reads more before some are fixed. Of rsp-js, whose SPARQL
engine has dozens of small bugs, a run with one more for each property took 27 minutes and told 55
groups."""
LAST_SEARCHES = 30
"""The most failures of all properties that are shrunk at the end, of those that were left."""
UNSTEADY = 3
"""After so many failures that did not come again, a failure is asked again before it is shrunk."""
FEW_CHOICES: Final = 5
"""Of so many small failures the most telling one is shrunk."""
SAMPLED: Final = 4
"""So many wrong and so many right answers to smaller trials of one failure are evidence: they are
near copies of each other, and a search drowned in them. Of a run of rsp-js (1,031 wrong answers,
189 of them drawn) 20,000 predictions named one cause with all of them; 10,000 named seven with 94
of them, five with 378 and four with none. Eight of each failure take two fifths more predictions
than four, and name the same."""
FIRST_SAMPLED: Final = 16
"""As long as no failure is without a name there is little other evidence: then so many are."""
MOST_SLOW = 2
"""After so many cases that take too long, a failure that does not hang is shrunk no further."""


@dataclass(frozen=True, slots=True)
class _Unexplained:
    """A failure that is shown, and that no cause explains.

    Attributes:
        record: its small trial.
        print: the id of its cause, by its fingerprint.
        operators: the operators of its wrong columns, if nothing else is wrong.
    """

    record: Record
    print: str
    operators: frozenset[str] = frozenset()


class Naming:
    """Sorts the failing records of one run by their cause, and shows a small trial of each.

    Args:
        worker: asks and judges smaller trials.
        keeper: writes failures down.
        opinions: the other judges.

    Attributes:
        diagnosis: the causes of the failures.
        reporter: writes the text of a failure.
        disputes: how the kit's implementations differ, by property.
    """

    def __init__(self, worker: Worker, keeper: Keeper, opinions: Opinions) -> None:
        self.worker = worker
        self.keeper = keeper
        self.opinions = opinions
        self.settings = worker.settings
        self.ledger = worker.ledger
        self.subject = worker.subject
        self.diagnosis = Diagnosis(self.subject, self.settings.known, deep=self.settings.deep)
        self.reporter = FailureReport(keeper, self._shows)
        self.disputes: dict[str, str] = {}
        self._confirming = Confirming(
            worker.asker, worker.judging, opinions, self.settings.judged_by
        )
        self._open: defaultdict[str, list[Record]] = defaultdict(list)
        self._unexplained: list[_Unexplained] = []
        self._alike: dict[str, tuple[KnownCause, ...]] = {}
        self._ran: dict[str, None] = {}
        self._numbers: Counter[str] = Counter()
        self._has_shrunk_hanging = False
        self._unsteady = 0
        self._needs: dict[str, str] = {}

    # --- what comes ----------------------------------------------------------------------------

    def add(self, property: Property, records: Sequence[Record], passed: int = 0) -> None:
        """Put records into the ledger, and failing ones among those that wait for a cause.

        Args:
            property: their property.
            records: the records.
            passed: as for `Diagnosis.add`.
        """
        self._ran[property.name] = None
        for own in records:
            self.ledger.add(own)
            if own.outcome is Outcome.DISPUTED:
                self.disputed(property.name, own.reason)
            elif own.outcome.accuses:
                self._open[property.name].append(own)
        self.diagnosis.add(records, passed)
        if self.opinions.spark is not None:
            judged = (own for own in records if any(c is not None for c in own.correct))
            pairs = [p for own in judged for p in judged_answers(own.observations, own.correct)]
            self.opinions.submit(property.name, pairs)

    def thin(self, most: int) -> None:
        """Keep a sample of at most so many records of each kind, as a run of hours needs to.

        All of them must be kept elsewhere, such as on disk.
        """
        for name, waiting in self._open.items():
            if len(waiting) > most:
                self._open[name] = random.Random(len(waiting)).sample(waiting, most)
        if self.diagnosis.thin(most):
            self.ledger.forget()
            self.worker.forget()

    def heed(self, name: str) -> None:
        """Check the verdicts of Spark on a property that have come; wait for no others."""
        try:
            self.opinions.heed(name)
        except KitDisagreement as error:
            self.disputed(name, str(error))

    def disputed(self, name: str, message: str) -> None:
        """Take back all failures of a property: the kit's implementations differ on it."""
        for own in self.ledger.take_back(name):
            self.diagnosis.forget(own.file)
            Path(own.file).unlink(missing_ok=True)
        self._open.pop(name, None)
        self.disputes.setdefault(name, message)

    # --- which causes explain it ----------------------------------------------------------------

    def causes_of(self, own: Record, *, briefly: bool = False) -> tuple[KnownCause, ...]:
        """The known causes that explain a failing record."""
        if self._alike and (alike := self._alike.get(own.digest)) is not None:
            return alike
        finding = partial(self.worker.judging.finding, own)
        return self.diagnosis.explain(own, finding, briefly=briefly)

    def mark_of(self, own: Record) -> Mark | None:
        """The mark that expects a failing record."""
        if not self.settings.marks:
            return None
        finding = self.worker.judging.finding(own)
        return next((mark for mark in self.settings.marks if mark.covers(finding)), None)

    def accusing(self, name: str = "") -> Iterator[Record]:
        """Yield the failing records of a property, or of all."""
        return (own for own in self.ledger.records(name) if own.outcome.accuses)

    def left_of(self, own: Record) -> str:
        """The fingerprint of a failing record that no cause explains; empty if one does."""
        if self.mark_of(own) is not None or self.causes_of(own, briefly=True):
            return ""
        return self._like_unexplained(own) or print_of(self.worker.judging.finding(own))

    def _shows(self, finding: Finding) -> tuple[str, ...]:
        """The ids of the known causes that explain a failure; of its group if none does."""
        symptom = Symptom.of(finding)
        explain = self.diagnosis.known.explain_all
        known = explain(symptom.observations) if symptom.is_answered else ()
        return tuple(own.id for own in known) or (print_of(finding),)

    def called(self, id: str) -> str:
        """The name of a cause by its id; an unexplained cause begins with its kind of failure."""
        cause = self.diagnosis.causes.get(id)
        if cause is not None:
            return id if cause.is_explained else f"{cause.text.partition(':')[0]} {id}"
        kinds = {own.print: own.record.kind for own in self._unexplained}
        return f"{kinds[id]} {id}" if id in kinds else id

    def is_new(self, id: str) -> bool:
        """Whether a fingerprint is that of no failure that was made small."""
        shown = (own.print for own in self._unexplained)
        return id not in self.diagnosis.causes and id not in shown

    def _waiting(self, name: str) -> list[Record]:
        """The failing records of a property, or of all, that nothing explains, small ones first.

        Records about the property's subject come first. A record that differs in the same way as
        one that is shown without a cause counts as the same.
        """
        properties = [name] if name else [*self._open]
        self._know([own for own in self._unexplained if not self.causes_of(own.record)])
        for one in properties:
            self._open[one] = [
                own
                for own in self._open[one]
                if self._has_known_values(own)
                or (
                    not self.causes_of(own, briefly=not self.settings.deep)
                    and self.mark_of(own) is None
                )
            ]
        left = [
            own for one in properties for own in self._open[one] if not self._like_unexplained(own)
        ]
        return sorted(left, key=self._readable)

    def _readable(self, own: Record) -> tuple[object, ...]:
        """A sort key for failing records that are to be shown.

        Records that an earlier run has shrunk come first, then those about the subject.
        """
        empty = not own.drawn.trial.variants[0].case.elements
        return own.drawn.place >= 0, not self._is_about(own), empty, own.size

    def _telling(self, own: Record) -> int:
        """How much a reader learns: 2 if rows come or should, 1 if only elements do, else 0.

        Two empty answers at two instants look like one that is late, whatever the cause.
        """
        if own.outcome is not Outcome.WRONG or not _is_plain(own):
            return 2
        if not own.observations[0].stimulus.case.elements:
            return 0
        verdict = self.worker.judging.finding(own).verdict
        parted = None if verdict is None else verdict.divergence
        answers = () if parted is None else (parted.expected, parted.observed)
        return 1 + any(answer is not None and not is_empty(answer.content) for answer in answers)

    def _most_telling(self, records: Iterable[Record]) -> Record | None:
        """Of the first few records the one from which a reader learns most; the first of equals."""
        few = [*islice(records, FEW_CHOICES)]
        if few and few[0].drawn.place < 0:  # It was made small by an earlier run.
            return few[0]
        return max(few, key=self._telling, default=None)

    def _is_about(self, own: Record) -> bool:
        property = property_named(own.property_name)
        trial = own.drawn.trial
        example = trial if property.relation is not None else trial.variants[0].case
        return selection.is_about(property, self.subject, example)

    def _like_unexplained(self, own: Record) -> str:
        """The fingerprint of the failure without a cause that a record is like; empty if none."""
        if self.settings.deep:
            return ""
        values = self._has_known_values(own)
        for other in self._unexplained:
            if other.operators:
                alike = values and any(other.operators <= o for o in computed_by(own).values())
            else:
                alike = _is_like(own, other.record)
            if alike or self._is_beside(own, other.record):
                return other.print
        return ""

    def _has_known_values(self, own: Record) -> bool:
        """Whether a record is wrong in values alone that operators of shown failures compute."""
        if self.settings.deep or own.outcome is not Outcome.WRONG or not _is_plain(own):
            return False
        return self.diagnosis.has_known_values(own.observations[0])

    def _know(self, unexplained: Sequence[_Unexplained]) -> None:
        """Take note of the failures that are shown, and that no cause explains."""
        self._unexplained = [*unexplained]
        self.diagnosis.wrong = [own.operators for own in unexplained if own.operators]

    def _is_beside(self, own: Record, other: Record) -> bool:
        """Whether a record fails like another of its property, and is not about the subject."""
        same = own.property_name == other.property_name and own.kind == other.kind
        return same and self._is_about(other) and not self._is_about(own)

    # --- one after the other -------------------------------------------------------------------

    def name(self, name: str, until: float | None, searches: int | None = None) -> bool:
        """Sort failures by their cause, and show a small trial of each.

        Args:
            name: the property; empty for all.
            until: nothing is shrunk after this instant (``time.monotonic()``).
            searches: how many failures are shown; None for as many as a property may show, as long
                as there is time.

        Returns:
            Whether anything waited.
        """
        if self._unexplained and self.diagnosis.is_due:
            self._tell(name, self._improved(name))
        number = self._searches if searches is None else searches
        if not name and self._has_many_unexplained:
            number = min(number, MANY_UNEXPLAINED)
        for done in range(number):
            waiting = self._waiting(name)
            if name and self._has_many_unexplained:
                waiting = [own for own in waiting if own.outcome is Outcome.FAILED]
            own = self._most_telling(waiting)
            if own is None:
                return done > 0
            shown = self._show_open(own, until)
            if shown is not None:
                self._explain(own, shown)
            if (searches is None or done >= SEARCHES) and is_over(until):
                break
        return True

    @property
    def _searches(self) -> int:
        """The number of failures of a property that are shrunk."""
        return DEEP_SEARCHES if self.settings.deep else SEARCHES

    @property
    def _has_many_unexplained(self) -> bool:
        wrong = sum(not own.operators for own in self._unexplained)
        return wrong >= MANY_UNEXPLAINED and not self.settings.deep

    def _explain(self, own: Record, shown: Shown) -> None:
        """Tell the causes that have become known, with that of the failure that is shown."""
        name = own.property_name
        found = [] if own.outcome is Outcome.FAILED else self._improved(name)
        if not self.causes_of(own):
            found.append(self.diagnosis.fingerprinted(shown))
        self._tell(name, found)

    def improve(self) -> None:
        """Search what no cause explains once more, and tell the causes that are found."""
        self._tell("", self._improved("", now=True))

    def _tell(self, name: str, causes: Iterable[Cause]) -> None:
        for cause in causes:
            self.ledger.tell(CauseDiscovered(name, CAUSES.write(Cause, cause)))

    def _improved(self, name: str, *, now: bool = False) -> list[Cause]:
        """The causes that have become known."""
        self.ledger.tell(Working(name, "looking for the causes of failures"))
        with self.ledger.timed("causes"):
            found = self.diagnosis.improve(asking=self.worker.asker.broken is None, now=now)
        return [self._with_file(cause) for cause in found]

    def _show_open(self, own: Record, until: float | None) -> Shown | None:
        """Shrink and show a failing record that no cause explains; it waits no more.

        Returns:
            The failure that is shown; None if it does not come again, or is known.
        """
        name = own.property_name
        self._open[name].remove(own)
        is_uncertain = self._unsteady >= UNSTEADY and own.outcome is Outcome.WRONG
        if is_uncertain and not self._comes_again(own):
            return None
        self.ledger.tell(Working(name, "shrinking a counterexample"))
        with self.ledger.timed("shrinking"):
            best = self._shrunk(own, until)
            if best is not own and self.causes_of(best):
                # While it was made small it was only asked briefly what known causes explain.
                best = self._shrunk(own, until, thoroughly=True)
        finding = self.worker.judging.finding(best)
        alike = self.diagnosis.is_known(finding, asking=self.worker.asker.broken is None)
        if alike:
            self._alike[own.digest] = alike
            self.keeper.drop(finding)
            return None
        shown = self._show(best, known=self.diagnosis.showing(best))
        self._unsteady += any(one.finding.kind == "unstable" for one in shown)
        if own.outcome is not Outcome.FAILED:
            operators = wrong_operators(Symptom.of(finding))
            one = _Unexplained(best, print_of(finding), operators)
            self._know([*self._unexplained, one])
        return shown[0] if shown else None

    def _comes_again(self, own: Record) -> bool:
        """Whether the engine answers a trial again as it did."""
        again = map(self.worker.asker.again, own.drawn.trial.stimuli)
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
        slow, smaller = 0, list[Record]()

        def ask(drawn: Drawn) -> Record | None:
            nonlocal slow
            if not self.worker.is_asked(property, drawn):
                return None
            seen = self.worker.asker.smaller(drawn.trial, hanging=hanging)
            if seen is None:
                slow += 1
                if slow >= MOST_SLOW:
                    limits.until = 0.0
                return None
            record = self.worker.judging.record(property, drawn, seen, "smaller")
            self.ledger.add(record)
            smaller.append(record)
            return record

        telling = self._telling(own)

        def shows(record: Record) -> bool:
            if record.kind != kind or (about and not self._is_about(record)):
                return False
            if self._telling(record) < telling or self._has_known_values(record):
                return False
            known = self.causes_of(record, briefly=not thoroughly)
            if known or self.mark_of(record) is not None:
                return False
            self.keeper.hold(self.worker.judging.finding(record), self.subject)
            return True

        found = shrunk(own, property, self.subject, limits, ask=ask, shows=shows)
        most = max(SAMPLED, FIRST_SAMPLED // (1 + len(self._unexplained)))
        right = [record for record in smaller if record.outcome is Outcome.RIGHT]
        others = [record for record in smaller if record.outcome is not Outcome.RIGHT]
        sample = [*sampled(right, most), *sampled(others, most)]
        self.diagnosis.add(sample, passed=len(smaller) - len(sample))
        return found

    def _is_hopeless(self, own: Record) -> bool:
        """Whether shrinking a record costs more than it is worth."""
        losses = self.worker.asker.losses[own.property_name]
        hangs = losses.hung > 0 and (own.kind != HUNG or self._has_shrunk_hanging)
        silent = not self.worker.asker.has_answered and len(self._ran) > 1
        return silent or hangs or own.kind in NEVER_SHRUNK or self.worker.asker.broken is not None

    def _show(self, record: Record, known: tuple[str, ...] = ()) -> list[Shown]:
        """Confirm a record, write it down and tell of it; nothing if the kit's judges differ."""
        name = record.property_name
        finding = self.worker.judging.finding(record)
        self.ledger.tell(Working(name, "confirming"))
        try:
            confirmed = self._confirming.confirmed(record)
        except KitDisagreement as error:
            self.keeper.drop(finding)
            self.disputed(name, str(error))
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
                self.reporter.remember(whole)
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

    # --- behind what has no name ---------------------------------------------------------------

    def look_behind(self) -> None:
        """Search for bugs behind an unexplained one that spoils most failing answers (`behind`)."""
        wrong = [own for own in self.accusing() if own.outcome is Outcome.WRONG]
        left = [own for own in wrong if self._is_left(own)]
        if len(left) < MANY_UNEXPLAINED or 2 * len(left) < len(wrong):
            return
        left.sort(key=self._readable)
        self.ledger.tell(Working("", "looking behind what nothing explains"))
        behind = Behind(self._in_place, self._is_left)
        with self.ledger.timed("causes"):
            for way in behind.ways(left):
                found = [*behind.without(way, left[:MOST])]
                if self.diagnosis.explained_part(found) >= NEARLY_ALL:
                    break
            else:
                return
            self.diagnosis.set_apart(self._is_spoilt)
            for own in found:
                self.ledger.add(own)
            self.diagnosis.add(found)
        small = [own for own in self._unexplained if _is_plain(own.record)]
        self.improve()
        for one in small:
            if any(not self._is_left(other) for other in behind.without(way, [one.record])):
                self._needs[one.print] = way.needs

    def _is_spoilt(self, own: Record) -> bool:
        """Whether a record is wrong and no known cause explains it."""
        return own.outcome is Outcome.WRONG and not self.causes_of(own, briefly=True)

    def _is_left(self, own: Record) -> bool:
        """Whether the answer to a single case is wrong, and no known cause explains it."""
        return _is_plain(own) and self.mark_of(own) is None and self._is_spoilt(own)

    def _in_place(self, own: Record, case: Case) -> Record | None:
        """The record of another case that takes the place of a record's."""
        property = property_named(own.property_name)
        return self._asked(property, Drawn(property.name, -1, b"", trial_of(property, case)))

    def _asked(self, property: Property, drawn: Drawn) -> Record | None:
        """The record of a trial in place of a larger one; None if it is not asked."""
        if not self.worker.is_asked(property, drawn):
            return None
        seen = self.worker.asker.smaller(drawn.trial)
        if seen is None:
            return None
        return self.worker.judging.record(property, drawn, seen, "smaller")

    # --- in the end ----------------------------------------------------------------------------

    def causes_found(self, until: float | None = None) -> CausesFound:
        """The causes of the run. Whatever goes wrong in naming them, the verdicts stand.

        Args:
            until: after this instant (``time.monotonic()``) nothing is asked to look behind
                unexplained failures.
        """
        try:
            if self.worker.asker.broken is None and not is_over(until):
                with suppress(EngineBroken):
                    self.look_behind()
            found, asked = self.diagnosis.last(self._ran, asking=self.worker.asker.broken is None)
            named = [self._with_need(self._with_file(cause)) for cause in found]
            causes = [*self.noted(named)]
        except Exception as error:
            return CausesFound(said=f"{type(error).__name__}: {error}"[:400])
        return CausesFound(tuple(CAUSES.write(Cause, cause) for cause in causes), predictions=asked)

    def noted(self, causes: Sequence[Cause]) -> Iterator[Cause]:
        """Note in each crash file by which causes its failure is explained.

        Args:
            causes: the causes of the run.

        Yields:
            The causes, each with those that explain its smallest case.
        """
        together = dict[str, tuple[str, ...]]()
        for shown, ids in self.diagnosis.behind(self.ledger.shown(), causes):
            together[shown.file] = ids
            self.keeper.explain(Path(shown.file), ids)
        for own in causes:
            yield replace(own, together=together.get(own.file, ()))

    def _with_need(self, cause: Cause) -> Cause:
        """A cause with the condition under which it shows, if one was found."""
        needs = self._needs.get(cause.id)
        return cause if needs is None else replace(cause, text=f"{cause.text}; only if {needs}")

    def _with_file(self, cause: Cause) -> Cause:
        """A cause with a small trial that it explains alone, if none of them is shown yet."""
        if cause.file or not cause.is_explained:
            return cause
        if cause.id not in self.diagnosis.causes:
            self.diagnosis.exclude(cause)
        known = self.diagnosis.known
        behind = (own for own in self.ledger.records(why="smaller") if not own.drawn.data)
        accusing = chain(self.accusing(), behind)
        wrong = (own for own in accusing if own.outcome is Outcome.WRONG)
        alone = (
            own
            for own in sorted(wrong, key=self._readable)
            if [c.id for c in known.explain_all(own.observations, briefly=True)] == [cause.id]
        )
        best = self._most_telling(alone)
        if best is None or not (shown := self._show(self._smallest_of(cause, best))):
            return cause
        found = replace(cause, file=shown[0].file, elements=len(shown[0].finding.case.elements))
        self.diagnosis.causes[cause.id] = found
        return found

    def _smallest_of(self, cause: Cause, own: Record) -> Record:
        """The smallest trial that a cause explains alone, shrunk from a record."""
        property, known = property_named(own.property_name), self.diagnosis.known

        telling = self._telling(own)

        def shows(record: Record) -> bool:
            explaining = known.explain_all(record.observations, briefly=True)
            if [one.id for one in explaining] != [cause.id]:
                return False
            return self._telling(record) >= telling

        limits = Limits(time.monotonic() + min(SHRINKING_HUNG, self.settings.shrinking))
        ask = partial(self._asked, property)
        return shrunk(own, property, self.subject, limits, ask=ask, shows=shows)


def sampled(records: Sequence[Record], most: int) -> list[Record]:
    """Return some of many records, from the first to the last at even distances."""
    step = max(1.0, (len(records) - 1) / (most - 1))
    return [records[round(place * step)] for place in range(min(most, len(records)))]


def _is_plain(own: Record) -> bool:
    """Whether a record has one case, asked once."""
    return len(own.observations) == 1


def computed_by(own: Record) -> Mapping[str, frozenset[str]]:
    """Return the computed columns of a record's first query, with their operators."""
    return computed(own.observations[0].stimulus.case.query)


def _is_like(own: Record, other: Record) -> bool:
    """Whether a record differs like a shrunk one, and has at least the features of its query.

    Answers to several variants differ from each other in a way of their property's own.
    """
    if own.kind != other.kind or not other.observations:
        return False
    if len(other.observations) > 1 and own.property_name == other.property_name:
        return True
    less = query_features(other.drawn.trial.variants[0].case.query)
    return less <= query_features(own.drawn.trial.variants[0].case.query)


def print_of(finding: Finding) -> str:
    """Return the id of a cause that is known by the fingerprint of a failure."""
    return UNEXPLAINED + fingerprint(Symptom.of(finding)).id
