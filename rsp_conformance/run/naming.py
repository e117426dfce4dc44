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
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.seam import Diagnosis, Effort, Sources
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding, Shown
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.asking import is_over
from rsp_conformance.run.behind import Behind
from rsp_conformance.run.confirming import Confirming
from rsp_conformance.run.events import CauseDiscovered, Working
from rsp_conformance.run.judging import differs
from rsp_conformance.run.opinions import Opinions, judged_answers
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.report import FailureReport
from rsp_conformance.run.selection import is_about
from rsp_conformance.run.shrinking import Shrinking
from rsp_conformance.run.telling import most_telling, telling
from rsp_conformance.run.trials import Drawn, trial_of
from rsp_conformance.run.unexplained import Unexplained, print_of
from rsp_conformance.run.worker import Worker
from rsp_conformance.run.xfails import Mark

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
SAMPLED: Final = 4
"""So many wrong and so many right answers to smaller trials of one failure are evidence: they are
near copies of each other, and a search drowned in them. Of a run of rsp-js (1,031 wrong answers,
189 of them drawn) 20,000 predictions named one cause with all of them; 10,000 named seven with 94
of them, five with 378 and four with none. Eight of each failure take two fifths more predictions
than four, and name the same."""
FIRST_SAMPLED: Final = 16
"""As long as no failure is without a name there is little other evidence: then so many are."""


class Naming:
    """Sorts the failing records of one run by their cause, and shows a small trial of each.

    Args:
        worker: asks and judges smaller trials.
        keeper: writes failures down.
        opinions: the other judges.
        found: causes that an earlier part of the run has found.
        most: so many records of each kind are held in a run of hours, which needs all of them kept
            elsewhere, such as on disk; None for all.

    Attributes:
        diagnosis: the causes of the failures.
        unexplained: the failures that are shown without a cause.
        behind: the conditions of these failures, and which of them are set apart.
        reporter: writes the text of a failure.
        ran: the properties that were run.
    """

    def __init__(
        self,
        worker: Worker,
        keeper: Keeper,
        opinions: Opinions,
        *,
        found: Iterable[Cause] = (),
        most: int | None = None,
    ) -> None:
        self.worker = worker
        self.keeper = keeper
        self.opinions = opinions
        self.settings = worker.settings
        self._most = most
        self.ledger = worker.ledger
        self.subject = worker.subject
        self.unexplained = Unexplained(self.subject)
        sources: Sources[Record] = Sources(
            engine=lambda: None if worker.asker.broken else self.subject,
            shown=self.ledger.shown,
            finding=worker.judging.finding,
            focus=lambda name: property_named(name).focus,
            operators=lambda: self.unexplained.operators,
        )
        self.diagnosis = Diagnosis(
            sources,
            self.settings.known,
            found,
            deep=self.settings.deep,
            most=most,
        )
        self.reporter = FailureReport(keeper, self._shows)
        self._confirming = Confirming(worker, keeper, opinions, self.reporter)
        self.behind = Behind(self.subject, self._in_place, self.is_left, self._departs)
        self._shrinking = Shrinking(worker, self.behind.away)
        self._open: defaultdict[str, list[Record]] = defaultdict(list)
        self._alike: dict[str, tuple[KnownCause, ...]] = {}
        self.ran: set[str] = set()
        self._unsteady = 0
        self._shown_for: dict[str, tuple[str, int]] = {}
        self._superseded: dict[str, list[Shown]] = {}

    # --- what comes ----------------------------------------------------------------------------

    def anew(self, name: str) -> bool:
        """Put aside what a property has shown, if it was asked before; return whether it was."""
        if name not in self.ran:
            return False
        self._superseded[name] = self.ledger.shown(name)
        self._open.pop(name, None)
        self.unexplained.keep(lambda own: own.property_name != name)
        self.diagnosis.drop(name)
        return True

    def show_again(self, name: str) -> None:
        """Show those failures of a property again whose cause shows again, but in no small trial.

        A cause that was found when the property was asked before leaves nothing to be shrunk.
        """
        if not (before := self._superseded.pop(name, [])):
            return
        causes = ((own, self.causes_of(own, briefly=True)) for own in self.accusing(name))
        left = {id for own, found in causes for id in _ids(found) or [self.left_of(own)]}
        left.difference_update(*(self._shows(own.finding) for own in self.ledger.shown(name)))
        for own in before:
            if left.intersection(shows := self._shows(own.finding)):
                self._confirming.tell(own)
                left.difference_update(shows)

    def add(self, property: Property, records: Sequence[Record], passed: int = 0) -> None:
        """Put records into the ledger, and failing ones among those that wait for a cause.

        Args:
            property: their property.
            records: the records.
            passed: as for `Diagnosis.add`.
        """
        self.ran.add(property.name)
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

    def add_behind(self, records: Sequence[Record]) -> None:
        """Take note of records of trials that were drawn away from what is set apart.

        They show what is behind it, and tell nothing about how often a property fails.

        Args:
            records: the records. Those that the failures which are set apart have spoilt are
                evidence no more.
        """
        for own in records:
            self.ledger.add(own)
            if own.outcome.accuses:
                self._open[own.property_name].append(own)
        self.diagnosis.add(records, leaving_out=self.is_apart)

    def thin(self) -> None:
        """Hold at most so many records as `most` says."""
        if (most := self._most) is None:
            return
        for name, waiting in self._open.items():
            if len(waiting) > most:
                self._open[name] = random.Random(len(waiting)).sample(waiting, most)
        if self.ledger.size > 4 * most:
            self.ledger.release()
            self.worker.forget()

    def heed(self, name: str) -> None:
        """Check the verdicts of Spark on a property that have come; wait for no others."""
        try:
            self.opinions.heed(name)
        except KitDisagreement as error:
            self.disputed(name, str(error))

    def disputed(self, name: str, message: str) -> None:
        """Take back all failures of a property: the kit's implementations differ on it."""
        for own in self.ledger.withdraw(name, message):
            Path(own.file).unlink(missing_ok=True)
        self._open.pop(name, None)

    @property
    def known(self) -> tuple[KnownCause, ...]:
        """The causes that are known by now, given or found."""
        return self.diagnosis.known.causes

    # --- which causes explain it ----------------------------------------------------------------

    def causes_of(self, own: Record, *, briefly: bool = False) -> tuple[KnownCause, ...]:
        """The known causes that explain a failing record."""
        if self._alike and (alike := self._alike.get(own.digest)) is not None:
            return alike
        return self.diagnosis.explain(own, briefly=briefly)

    def mark_of(self, own: Record) -> Mark | None:
        """The mark that expects a failing record."""
        if not self.settings.marks:
            return None
        finding = self.worker.judging.finding(own)
        return next((mark for mark in self.settings.marks if mark.covers(finding)), None)

    def accusing(self, name: str = "") -> Iterator[Record]:
        """Yield the failing records of a property, or of all."""
        return (own for own in self.ledger.records(name) if own.outcome.accuses)

    def wrong(self) -> list[Record]:
        """Return the wrong records of all properties, also those that only wait."""
        waiting = chain.from_iterable(self._open.values())
        accusing = {own.digest: own for own in chain(self.accusing(), waiting)}
        return [own for own in accusing.values() if own.outcome is Outcome.WRONG]

    def is_left(self, own: Record) -> bool:
        """Return whether the answer to a single case is wrong, and no known cause explains it."""
        return own.is_plain and self.mark_of(own) is None and self._is_spoilt(own)

    def is_apart(self, own: Record) -> bool:
        """Return whether a record is wrong as a failure that is set apart may make it."""
        return bool(self.behind.apart(own)) and self._is_spoilt(own)

    def _is_spoilt(self, own: Record) -> bool:
        """Whether a record is wrong and no known cause explains it."""
        return own.outcome is Outcome.WRONG and not self.causes_of(own, briefly=True)

    def _departs(self, own: Record) -> tuple[str, str]:
        """How the answer of a wrong record departs from the expected one."""
        return own.kind, Symptom.of(self.worker.judging.finding(own)).difference

    def _in_place(self, own: Record, case: Case) -> Record | None:
        """The record of another case that takes the place of a record's."""
        property = property_named(own.property_name)
        drawn = Drawn(property.name, -1, b"", trial_of(property, case))
        return self.worker.smaller(property, drawn)

    def left_of(self, own: Record) -> str:
        """The fingerprint of a failing record that no cause explains; empty if one does."""
        if self.mark_of(own) is not None or self.causes_of(own, briefly=True):
            return ""
        return self._like_unexplained(own) or print_of(self.worker.judging.finding(own))

    def reported_as(self, own: Record) -> tuple[str, ...]:
        """Return the ids under which a failing record is reported: of its causes, or of its group.

        A record that is like none that was shrunk has none yet.
        """
        if self.mark_of(own) is not None:
            return ()
        causes = self.causes_of(own, briefly=True)
        found = tuple(cause.id for cause in causes) or (self._like_unexplained(own),)
        return tuple(filter(None, found))

    def _shows(self, finding: Finding) -> tuple[str, ...]:
        """The ids of the known causes that explain a failure; of its group if none does."""
        return _ids(self.diagnosis.explain(finding)) or (print_of(finding),)

    def called(self, id: str) -> str:
        """The name of a cause by its id; an unexplained cause begins with its kind of failure."""
        cause = self.diagnosis.known.found.get(id)
        if cause is not None:
            return id if cause.is_explained else f"{cause.text.partition(':')[0]} {id}"
        return f"{self.unexplained.kind(id)} {id}".lstrip()

    def is_new(self, id: str) -> bool:
        """Whether a fingerprint is that of no failure that was made small."""
        return id not in self.diagnosis.known.found and not self.unexplained.kind(id)

    def _waiting(self, name: str) -> list[Record]:
        """The failing records of a property, or of all, that nothing explains, small ones first.

        Records about the property's subject come first. A record that differs in the same way as
        one that is shown without a cause counts as the same.
        """
        properties = [name] if name else [*self._open]
        self.unexplained.keep(lambda own: not self.causes_of(own))
        for one in properties:
            self._open[one] = [
                own
                for own in self._open[one]
                if self._known_values(own)
                or (
                    not self.causes_of(own, briefly=not self.settings.deep)
                    and self.mark_of(own) is None
                )
            ]
        left = [
            own for one in properties for own in self._open[one] if not self._like_unexplained(own)
        ]
        return sorted(left, key=self.readable)

    def readable(self, own: Record) -> tuple[object, ...]:
        """Return a sort key for failing records that are to be shown.

        Records that an earlier run has shrunk come first, then those about the subject.
        """
        empty = not own.drawn.trial.variants[0].case.elements
        return own.drawn.place >= 0, not is_about(own, self.subject), empty, own.size

    def _like_unexplained(self, own: Record) -> str:
        """The fingerprint of the failure without a cause that a record is like; empty if none."""
        if self.is_apart(own):
            return self.behind.apart(own)
        if self.settings.deep:
            return ""
        return self.unexplained.like(own, self._known_values(own))

    def _known_values(self, own: Record) -> Collection[frozenset[str]]:
        """The operators of shown failures that compute all that is wrong in a record."""
        if self.settings.deep or own.outcome is not Outcome.WRONG or not own.is_plain:
            return ()
        return self.diagnosis.known_values(own.observations[0])

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
        if self.unexplained.groups:
            self.improve(name, Effort.MORE)
        number = self.searches if searches is None else searches
        if not name and self._has_many_unexplained:
            number = min(number, MANY_UNEXPLAINED)
        for done in range(number):
            waiting = self._waiting(name)
            if name and self._has_many_unexplained:
                waiting = [own for own in waiting if own.outcome is Outcome.FAILED]
            own = most_telling(waiting, self.worker.judging)
            if own is None:
                return done > 0
            shown = self._show_open(own, until)
            if shown is not None:
                self.improve(own.property_name, Effort.DUE, own, shown)
            if (searches is None or done >= SEARCHES) and is_over(until):
                break
        return True

    @property
    def searches(self) -> int:
        """The number of failures of a property that are shrunk."""
        return DEEP_SEARCHES if self.settings.deep else SEARCHES

    @property
    def _has_many_unexplained(self) -> bool:
        return self.unexplained.wrong >= MANY_UNEXPLAINED and not self.settings.deep

    def improve(
        self, name: str, effort: Effort, own: Record | None = None, shown: Shown | None = None
    ) -> None:
        """Look for causes, and tell those that have become known.

        Args:
            name: the property that is shown; empty for all.
            effort: as for `Diagnosis.improve`.
            own: the same.
            shown: the same.
        """
        self.ledger.tell(Working(name, "looking for the causes of failures"))
        with self.ledger.timed("causes"):
            found = self.diagnosis.improve(effort, own, shown).fresh
        for cause in [self.with_file(cause) for cause in found]:
            self.ledger.tell(CauseDiscovered(name, CAUSES.write(Cause, cause)))

    def _show_open(self, own: Record, until: float | None) -> Shown | None:
        """Shrink and show a failing record that no cause explains; then it waits no more.

        If it is stopped from outside, it still waits.

        Returns:
            The failure that is shown; None if it does not come again, or is known.
        """
        shown, name = self._shown_small(own, until), own.property_name
        self._open[name] = [other for other in self._open[name] if other is not own]
        return shown

    def _shown_small(self, own: Record, until: float | None) -> Shown | None:
        name = own.property_name
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
        alike = self.diagnosis.explain(finding, searching=True)
        if alike:
            self._alike[own.digest] = alike
            self.keeper.drop(finding)
            return None
        shown = self._show(best, self.diagnosis.showing(best))
        self._unsteady += any(one.finding.kind == "unstable" for one in shown)
        if own.outcome is not Outcome.FAILED:
            self.unexplained.add(best, finding)
        return shown[0] if shown else None

    def _comes_again(self, own: Record) -> bool:
        """Whether the engine answers a trial again as it did."""
        again = map(self.worker.asker.again, own.drawn.trial.stimuli)
        return not any(differs(a, b) for a, b in zip(own.observations, again, strict=True))

    # --- one small trial ---------------------------------------------------------------------

    def _shrunk(self, own: Record, until: float | None, *, thoroughly: bool = False) -> Record:
        """The smallest trial that shows what a record shows, and nothing that is known."""
        about, least = is_about(own, self.subject), telling(own, self.worker.judging)

        def shows(record: Record) -> bool:
            if record.kind != own.kind or (about and not is_about(record, self.subject)):
                return False
            if telling(record, self.worker.judging) < least or self._known_values(record):
                return False
            known = self.causes_of(record, briefly=not thoroughly)
            if known or self.mark_of(record) is not None:
                return False
            self.keeper.hold(self.worker.judging.finding(record), self.subject)
            return True

        found, smaller = self._shrinking.smallest(own, shows, until, is_first=len(self.ran) < 2)
        most = max(SAMPLED, FIRST_SAMPLED // (1 + len(self.unexplained.groups)))
        right = [record for record in smaller if record.outcome is Outcome.RIGHT]
        others = [record for record in smaller if record.outcome is not Outcome.RIGHT]
        sample = [*sampled(right, most), *sampled(others, most)]
        self.diagnosis.add(sample, passed=len(smaller) - len(sample))
        return found

    def _show(self, record: Record, known: Iterable[KnownCause] = ()) -> list[Shown]:
        """Show a record if it is confirmed; nothing if the kit's judges differ."""
        try:
            return self._confirming.show(record, tuple(own.id for own in known))
        except KitDisagreement as error:
            self.disputed(record.property_name, str(error))
            return []

    def with_file(self, cause: Cause) -> Cause:
        """Return a cause with a small trial that it explains alone, if none is shown yet."""
        if cause.file or not cause.is_explained:
            return cause
        if (shown_for := self._shown_for.get(cause.id)) is not None:
            return replace(cause, file=shown_for[0], elements=shown_for[1])
        accusing = chain(self.accusing(), self.ledger.records(why="behind"))
        wrong = (own for own in accusing if own.outcome is Outcome.WRONG)
        alone = (own for own in sorted(wrong, key=self.readable) if self._is_by(cause, own))
        judging = self.worker.judging
        if (best := most_telling(alone, judging)) is None:
            return cause
        least = telling(best, judging)
        small = self._shrinking.shortly(
            best, lambda own: self._is_by(cause, own) and telling(own, judging) >= least
        )
        if not (shown := self._show(small)):
            return cause
        own = shown[0]
        self._shown_for[cause.id] = own.file, len(own.finding.case.elements)
        return replace(cause, file=own.file, elements=len(own.finding.case.elements))

    def _is_by(self, cause: Cause, own: Record) -> bool:
        """Whether a cause explains a record, and no other cause is needed."""
        return [one.id for one in self.diagnosis.explain(own, briefly=True)] == [cause.id]


def _ids(causes: Iterable[KnownCause]) -> tuple[str, ...]:
    return tuple(cause.id for cause in causes)


def sampled(records: Sequence[Record], most: int) -> list[Record]:
    """Return some of many records, from the first to the last at even distances."""
    step = max(1.0, (len(records) - 1) / (most - 1))
    return [records[round(place * step)] for place in range(min(most, len(records)))]
