"""The seam to the diagnosis: a run adds what it has seen, and asks what explains it.

A run asks three questions: ``add`` takes note of records and of failures that are shown,
``improve`` looks for causes, and ``explain`` says which causes explain a record. What else stands
here makes one of them cheaper (``thin``), undoes one (``forget``, ``set_apart``), or asks one about
a known cause (``is_known``, ``showing``, ``held``) or at the end (``last``).

A cause that ``improve`` finds while a run goes on is excluded only if more than a few answers
support it. At the end the run looks at everything once more, beginning with the causes that it
has found before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain, islice
from operator import or_
from typing import Final

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.fingerprint import unexplained, wrong_operators
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses, together
from rsp_conformance.diagnosis.mutants import is_mute
from rsp_conformance.diagnosis.naming import GROWING, MOST_QUESTIONS, SUPPORTED, find_causes
from rsp_conformance.diagnosis.search import MOST_RIGHT
from rsp_conformance.diagnosis.wrong_values import Columns, computed, without
from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.setting import Setting
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record, Shown

SEARCHING: Final = 10_000
"""The predictions for each search in a deep run."""
SEARCHING_BRIEFLY: Final = 3_000
"""The predictions for each search in any other run while it goes on."""
FEW_QUESTIONS: Final = 1
"""The questions to the engine in such a search: the run goes on asking in any case."""
MOST_SEARCHING: Final = 5_000
"""All these searches together take at most so many predictions, or one for each record, ..."""
PER_SHOWN: Final = SEARCHING_BRIEFLY
"""... or so many for each wrong answer that is shown. To show it costs up to 300 smaller trials of
30 ms, as much as 4,500 predictions: a cause that is found in time saves that for all it explains.
"""
SHARE: Final = 3
"""At the end of a run naming causes takes at most so many predictions for each of its records.

A prediction takes about 2 ms of processor time, so with those on the way that is a quarter of the
30 ms that a record takes in a run of rsp-js: drawing, asking, judging and shrinking."""
LEAST: Final = 5_000
"""The predictions that naming causes at the end may take in any case."""
MOST: Final = 60_000
"""The most predictions that naming causes at the end may take."""


class Diagnosis:
    """The causes of the failures of one run.

    Args:
        subject: the engine, which may be asked fresh cases.
        given: the causes that the user knows.
        deep: whether more time is spent on each search.

    Attributes:
        known: the known causes, given or found.
        causes: the causes that the run has found, by their ids, in that order.
        wrong: for each shown failure of wrong values alone, the operators that compute them.
    """

    def __init__(
        self, subject: EngineUnderTest, given: Iterable[KnownCause] = (), *, deep: bool = False
    ) -> None:
        self.known = KnownCauses(given)
        self.causes: dict[str, Cause] = {}
        self.wrong: Sequence[frozenset[str]] = ()
        self._given = tuple(self.known.causes)
        self._searched_for = 0
        self._subject = subject
        self._deep = deep
        self._records: list[Record] = []
        self._fresh: list[Record] = []
        self._came = 0
        self._rights = 0
        self._has_rows = False
        self._symptoms: dict[str, Symptom] = {}
        self._beside: list[Symptom] = []
        self._uncertain: tuple[Cause, ...] = ()
        self._next_search = 1
        self._next_records = 0
        self._in_vain = 0

    # --- add ---------------------------------------------------------------------------------

    def add(self, records: Sequence[Record], passed: int = 0) -> None:
        """Add records; their answers are looked at when they are needed.

        Args:
            records: the records.
            passed: the number of further records, which are only counted.
        """
        self._fresh += records
        self._came += len(records) + passed
        self._rights += sum(own.outcome is Outcome.RIGHT for own in records)

    def thin(self, most: int) -> bool:
        """Keep a sample of at most so many right answers, and so many others.

        Returns:
            Whether any were dropped: as long as there are few, all are kept.
        """
        self._look()
        if len(self._records) <= 4 * most:
            return False
        right = [own for own in self._records if own.outcome is Outcome.RIGHT]
        others = [own for own in self._records if own.outcome is not Outcome.RIGHT]
        open = [own for own in others if not self.explain(own, briefly=True)]
        chance = random.Random(self._came)
        held = (chance.sample(own, min(len(own), most)) for own in (right, open))
        self._records, self._fresh = [], [*chain(*held)]
        self.known.forget()
        return True

    def held(self, cause: Cause, most: int = MOST_RIGHT) -> Cause:
        """Return a cause with its counts on right answers that have come since it was found.

        Args:
            cause: the cause.
            most: the most right answers that it is checked against.
        """
        if not cause.setting:
            return cause
        self._look()
        agrees = self.known.predictions.agrees
        others = self.known.setting.without(cause.setting)
        right = (own for own in self._records if own.outcome is Outcome.RIGHT)
        asked = [own for record in islice(right, most) for own in record.observations]
        said = [(agrees(cause.setting, own), own) for own in asked]
        passing = sum(fits is not None for fits, _ in said)
        if passing < cause.passing:
            return cause
        against = sum(fits is False and agrees(others, own) is True for fits, own in said)
        return replace(cause, contradicts=against, passing=passing, right=self._rights)

    def _look(self) -> None:
        """Look at the answers of records that have come since the last time.

        A cause with which the engine never gives a row is dropped once the engine has given one.
        """
        fresh, self._fresh = self._fresh, []
        self._records += fresh
        for own in fresh:
            self._has_rows = self._has_rows or any(o.has_rows for o in own.observations)
            for observation, correct in own.judged:
                self.known.predictions.know(observation, correct)
        if self._has_rows:
            for id in [id for id, cause in self.causes.items() if is_mute(cause.setting)]:
                del self.causes[id]
                self.known.take_back(id)

    def explained_part(self, records: Sequence[Record]) -> float:
        """Return the part of some records that are right, or that a search explains.

        The causes that it finds are not kept.

        Args:
            records: the records, of one case each.
        """
        answered = [
            Answered(own, correct, record.property_name)
            for record in records
            for own, correct in record.judged
            if correct is not None
        ]
        if not answered:
            return 0.0
        known, predictions = self.known.setting, self.known.predictions
        causes = find_causes(
            Evidence.of((), answered),
            budget=SEARCHING_BRIEFLY,
            known=known,
            predictions=predictions,
        )
        whole = reduce(or_, (own.setting for own in causes if own.explains >= SUPPORTED), known)
        right = sum(
            bool(own.correct or predictions.agrees(whole, own.observation)) for own in answered
        )
        return right / len(answered)

    def set_apart(self, is_spoilt: Callable[[Record], bool]) -> None:
        """Leave out records that an unexplained bug has spoilt, from now on.

        They say nothing about other bugs, and any name would seem to explain few of them.
        """
        self._look()
        self._records = [own for own in self._records if not is_spoilt(own)]

    def add_shown(self, shown: Shown) -> None:
        """Add a failure that was shrunk and is shown."""
        finding = shown.finding
        focus = property_named(finding.property_name).focus
        symptom = Symptom.of(finding, file=shown.file, focus=focus)
        self._symptoms[shown.file] = symptom
        if not wrong_operators(symptom):  # Few settings predict these, and few trials show one.
            self._next_search = min(self._next_search, self._there + self._in_vain)

    def forget(self, file: str) -> None:
        """Forget a failure that was shown and is taken back."""
        self._symptoms.pop(file, None)

    @property
    def _there(self) -> int:
        return len(self._symptoms) + len(self._beside)

    # --- explain -----------------------------------------------------------------------------

    def explain(
        self,
        record: Record,
        finding: Callable[[], Finding] | None = None,
        *,
        briefly: bool = False,
    ) -> tuple[KnownCause, ...]:
        """Return the known causes that explain a failing record; none if something else is wrong.

        Args:
            record: the record.
            finding: returns the failure, for causes that are known by a fingerprint.
            briefly: whether to pass over a record like others that no cause has explained.
        """
        known = self.known
        if not known.causes:
            return ()
        if any(is_mute(cause.setting) for cause in self.causes.values()):
            self._look()
        found: tuple[KnownCause, ...] = ()
        if record.is_answered:
            found = known.explain_all(record.observations, briefly=briefly)
        if found or finding is None or not any(cause.fingerprint for cause in known.causes):
            return found
        return known.covering(finding())

    def has_known_values(self, observation: Observation) -> bool:
        """Whether an answer is wrong only in columns that operators of `wrong` compute.

        Besides, it may be wrong as known causes explain.
        """
        rest = self._without_wrong(observation)
        if rest is observation:
            return False
        if self.known.predictions.agrees(Setting(), rest):
            return True
        return bool(self.known.causes) and self.known.explain(rest, briefly=True) is not None

    def _without_wrong(self, observation: Observation) -> Observation:
        """An observation without the columns that operators of `wrong` compute."""
        if not self.wrong:
            return observation
        columns = computed(observation.stimulus.case.query)
        known = [n for n, own in columns.items() if any(wrong <= own for wrong in self.wrong)]
        return without(observation, Columns(known)) if known else observation

    def showing(self, record: Record) -> tuple[str, ...]:
        """Return the ids of the known causes that show in the case of a record as well."""
        if not record.is_answered or not self.known.causes:
            return ()
        return tuple(cause.id for cause in self.known.showing(record.observations))

    # --- improve -----------------------------------------------------------------------------

    def improve(self, *, asking: bool = True, now: bool = False) -> list[Cause]:
        """Look for causes of the unexplained failures; return the causes that have become known.

        Args:
            asking: whether the engine can be asked.
            now: search even if little has come since the last search.
        """
        before = {*self.causes}
        for cause in self._searched(asking=asking, now=now):
            if cause.id in self.causes or not cause.is_explained:
                continue
            if _is_possible(cause) if self._deep and cause.file else _is_sure(cause):
                self.exclude(cause)
        self._uncertain = tuple(own for own in self._uncertain if own.id not in self.causes)
        fresh = [cause for id, cause in self.causes.items() if id not in before]
        if fresh:
            self._next_search = self._there + 1
            self._in_vain = 0
        return fresh

    def exclude(self, cause: Cause) -> None:
        """Know a cause from now on; if it explains a known crash file, as that known cause."""
        self.causes[cause.id] = cause
        self.known.add(self.known.solved_by(cause) or KnownCause.of(cause, found=True))

    def fingerprinted(self, shown: Shown) -> Cause:
        """Return the cause of a failure by its fingerprint, for a failure that no cause explains.

        A failure without an answer is excluded so, because no cause predicts it. A wrong answer is
        not: the fingerprint is that of the small case, and others have another.
        """
        symptom = Symptom.of(shown.finding, file=shown.file)
        (cause,) = unexplained([symptom])
        if any(own.failure for own in symptom.observations):
            self.exclude(cause)
        return cause

    def is_known(self, finding: Finding, *, asking: bool = True) -> tuple[KnownCause, ...]:
        """Return the given causes by which a shrunk failure is known, if it is.

        A wrong answer that a cause explains is known if the cause also explains the crash file of a
        known cause. A wrong answer that no cause explains is known by its fingerprint.
        """
        known, symptom = self.known, Symptom.of(finding)
        if not symptom.is_judged:
            return known.with_fingerprint(symptom)
        if not known.unexplained and not known.with_fingerprint(symptom):
            return ()
        self._beside.append(symptom)
        causes = self._searched(asking=asking, now=True)
        for cause in filter(_is_possible, causes):
            if (solved := known.solved_by(cause)) is not None:
                self.causes[cause.id] = cause
                known.add(solved)
        sure = [KnownCause.of(cause, found=True) for cause in causes if _is_sure(cause)]
        alike = known.explain_all(symptom.observations)
        if not alike and not known.beside(sure).explain_all(symptom.observations):
            alike = known.cover(finding)
        if not alike:
            self._beside.remove(symptom)
            self._next_search = 1
        return tuple(cause for cause in alike if not cause.found)

    def _searched(self, *, asking: bool, now: bool = False) -> tuple[Cause, ...]:
        """The causes that a search finds for unexplained failures; none if no search is due."""
        there = self._there
        due = self._deep or now or there >= self._next_search or self._has_doubled
        if not due or (self._has_searched_enough and not (self._deep or now)):
            return ()
        before = self.known.predictions.asked
        causes = find_causes(
            self.evidence(unexplained=True),
            self._subject if asking else None,
            budget=SEARCHING if self._deep else SEARCHING_BRIEFLY,
            questions=MOST_QUESTIONS if self._deep else FEW_QUESTIONS,
            known=self.known.setting,
            before=self._uncertain,
            predictions=self.known.predictions,
        )
        self._searched_for += self.known.predictions.asked - before
        self._in_vain += 1  # `improve` sets it back if it finds a cause.
        self._uncertain = tuple(c for c in causes if c.is_explained and c.id not in self.causes)
        self._next_search = 2 * there
        self._next_records = 2 * self._came
        return causes

    @property
    def _has_doubled(self) -> bool:
        """Whether as many records have come since the last search as before."""
        return 0 < self._next_records <= self._came

    @property
    def is_due(self) -> bool:
        """Whether a search may find what the last one did not, because enough has come since."""
        return self._has_doubled and not self._has_searched_enough

    @property
    def _has_searched_enough(self) -> bool:
        judged = (symptom for symptom in self._symptoms.values() if symptom.is_judged)
        shown = sum(not wrong_operators(symptom) for symptom in judged)
        return self._searched_for > max(MOST_SEARCHING, self._came, PER_SHOWN * shown)

    # --- at the end --------------------------------------------------------------------------

    def last(self, ran: Collection[str], *, asking: bool = True) -> tuple[tuple[Cause, ...], int]:
        """Name the causes of all failures that the run has seen.

        Args:
            ran: the properties that were run.
            asking: whether the engine can be asked.

        Returns:
            The causes, and how many predictions were asked if they were too few to look for more.
        """
        least = SEARCHING if self._deep else LEAST
        budget = min(max(least, SHARE * self._came), MOST)
        before = self.known.predictions.asked
        given = together(cause for cause in self.known.causes if not cause.found)
        with unhurried_garbage():
            found = find_causes(
                self.evidence(),
                self._subject if asking else None,
                budget=budget,
                known=given,
                before=(*self.causes.values(), *self._uncertain),
                predictions=self.known.predictions,
            )
        asked = self.known.predictions.asked - before
        named = []
        for cause in found:
            if names := tuple(name for name in cause.properties if name in ran):
                named.append(replace(cause, properties=names))
        return tuple(named), asked if asked >= GROWING * budget else 0

    def behind(
        self, failures: Iterable[Shown], causes: Iterable[Cause]
    ) -> Iterator[tuple[Shown, tuple[str, ...]]]:
        """Yield the failures that causes explain, each with the ids of its causes.

        Args:
            failures: failures that are shown.
            causes: the causes that the run has named in the end; those that the user knows count
                as well.
        """
        named = [KnownCause.of(cause) for cause in causes if cause.is_explained]
        known = KnownCauses([*self._given, *named], self.known.predictions)
        for own in failures:
            observations = Symptom.of(own.finding).observations
            if ids := tuple(cause.id for cause in known.explain_all(observations)):
                yield own, ids

    def evidence(self, *, unexplained: bool = False) -> Evidence:
        """Return the evidence of the run, or only the unexplained part."""
        self._look()
        answered = (
            Answered(own, correct, record.property_name, self.known.has_explained(own))
            for record in self._records
            for own, correct in record.judged
        )
        if unexplained:
            answered = (self._masked(own) for own in answered if not own.is_explained)
        beside: Sequence[Symptom] = self._beside if unexplained else ()  # Then they are known.
        symptoms = [*self._symptoms.values(), *beside]
        return Evidence.of(symptoms, answered)

    def _masked(self, answered: Answered) -> Answered:
        """A wrong answer without columns that are known to be wrong, to see what else is."""
        own = answered.observation
        if answered.correct is not False or (rest := self._without_wrong(own)) is own:
            return answered
        correct = self.known.predictions.agrees(Setting(), rest)
        return replace(answered, observation=rest, correct=correct)

    def seen_and_gone(self, shown: Collection[str]) -> tuple[str, ...]:
        """Return the ids of the given causes that should have shown somewhere, and did not.

        Args:
            shown: the ids of those that have shown.
        """
        self._look()
        right = [own for record in self._records for own, correct in record.judged if correct]
        gone = (cause.id for cause in self._given if self.known.is_gone(cause, right))
        return tuple(id for id in gone if id not in shown)


def _is_sure(cause: Cause) -> bool:
    """Whether a cause is unexplained, or more than a few cases support it."""
    return not cause.is_explained or (cause.explains >= SUPPORTED and _is_possible(cause))


def _is_possible(cause: Cause) -> bool:
    """Whether a cause may be excluded while a run goes on; dials that only compare less wait."""
    return not cause.setting.forgives
