"""The seam to the diagnosis: a run adds what it has seen, and asks what explains it.

A run does three things: ``add`` takes note of records, ``improve`` looks for causes of the failures
that are shown, and ``explain`` says which causes explain an answer. ``known`` is what is known by
then, as a value. All else follows from these: which records are kept, when a search is due, and
which causes are given up.

A cause that ``improve`` finds while a run goes on is excluded only if more than a few answers
support it. At the end the run looks at everything once more, beginning with the causes that it
has found before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import chain
from typing import Final, Generic, Protocol, TypeVar

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.fingerprint import unexplained, wrong_operators
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses, together
from rsp_conformance.diagnosis.mutants import is_mute
from rsp_conformance.diagnosis.naming import GROWING, MOST_QUESTIONS, find_causes
from rsp_conformance.diagnosis.wrong_values import Operators, without_operators
from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import Finding, Shown
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.setting import Setting

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


class Seen(Protocol):
    """A record of a run, as far as a diagnosis reads it."""

    @property
    def outcome(self) -> Outcome:
        """The outcome of its trial."""

    @property
    def property_name(self) -> str:
        """The property that it was asked for."""

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The engine's answers."""

    @property
    def judged(self) -> Iterator[tuple[Observation, bool | None]]:
        """The engine's answers, each with the verdict on it."""

    @property
    def is_answered(self) -> bool:
        """Whether it is wrong by whole answers."""


Record = TypeVar("Record", bound=Seen)


class Effort(Enum):
    """How hard ``improve`` looks for causes."""

    MORE = auto()
    """It searches if as many records have come since the last search as before it."""
    DUE = auto()
    """It also searches if as many failures are shown again."""
    NOW = auto()
    """It searches in any case."""
    END = auto()
    """It names the causes of all that the run has seen."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the causes of a run's failures.

    Attributes:
        causes: the causes that the user has given, and those that the run has found.
        found: the causes that the run has found, by their ids, in that order.
        fresh: those that have become known now; at the end all that are named.
        predictions: how many predictions the end took, if they were too few to look for more.
    """

    causes: tuple[KnownCause, ...]
    found: Mapping[str, Cause]
    fresh: tuple[Cause, ...] = ()
    predictions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources(Generic[Record]):
    """What a diagnosis asks of the run.

    Attributes:
        engine: returns the engine if it can be asked fresh cases.
        shown: returns the failures that are shown now.
        finding: returns what is wrong with a failing record.
        focus: returns the focus that the cases of a property are drawn from, if they are.
        operators: returns sets of operators, each of which computes wrong values of a shown
            failure for no named cause.
    """

    engine: Callable[[], EngineUnderTest | None]
    shown: Callable[[], Iterable[Shown]]
    finding: Callable[[Record], Finding]
    focus: Callable[[str], str]
    operators: Callable[[], Collection[Operators]]


class Diagnosis(Generic[Record]):
    """The causes of the failures of one run.

    Args:
        sources: the run.
        given: the causes that the user knows.
        found: causes that an earlier part of the run has found.
        deep: whether more time is spent on each search.
        most: as a run of hours needs it, a sample of at most so many right answers, and so many
            others, is kept; None for all.

    Attributes:
        predictions: what settings predict of the engine's answers.
    """

    def __init__(
        self,
        sources: Sources[Record],
        given: Iterable[KnownCause] = (),
        found: Iterable[Cause] = (),
        *,
        deep: bool = False,
        most: int | None = None,
    ) -> None:
        self._run = sources
        self._causes = KnownCauses(given)
        self.predictions = self._causes.predictions
        self._found: dict[str, Cause] = {}
        self._deep = deep
        self._most = most
        self._searched_for = 0
        self._records: list[Record] = []
        self._fresh: list[Record] = []
        self._came = 0
        self._has_rows = False
        self._symptoms: dict[str, Symptom] = {}
        self._beside: list[Symptom] = []
        self._uncertain: tuple[Cause, ...] = ()
        self._suspected: dict[Setting, int] = {}
        self._is_spoilt: Callable[[Record], bool] = lambda _: False
        self._next_search = 1
        self._next_records = 0
        self._in_vain = 0
        for cause in found:
            self._exclude(cause)

    @property
    def known(self) -> Known:
        """What is known by now."""
        return Known(self._causes.causes, {**self._found})

    # --- add ---------------------------------------------------------------------------------

    def add(
        self,
        records: Sequence[Record],
        passed: int = 0,
        *,
        leaving_out: Callable[[Record], bool] | None = None,
    ) -> None:
        """Add records; their answers are looked at when they are needed.

        Args:
            records: the records.
            passed: the number of further records, which are only counted.
            leaving_out: whether an unexplained bug has spoilt a record. From now on such records
                are left out, also if they come later: they say nothing about other bugs, and any
                name would seem to explain few of them.
        """
        if leaving_out is not None:
            self._look()
            self._is_spoilt = leaving_out
            self._records = [own for own in self._records if not leaving_out(own)]
        elif self._most is not None and len(self._records) + len(self._fresh) > 4 * self._most:
            self._thin(self._most)
        self._fresh += records
        self._came += len(records) + passed

    def drop(self, name: str) -> None:
        """Drop the records of a property, which is asked anew."""
        self._look()
        self._records = [own for own in self._records if own.property_name != name]

    def _thin(self, most: int) -> None:
        """Keep a sample of at most so many right answers, and so many that nothing explains."""
        self._look()
        right = [own for own in self._records if own.outcome is Outcome.RIGHT]
        others = [own for own in self._records if own.outcome is not Outcome.RIGHT]
        open = [own for own in others if not self.explain(own, briefly=True)]
        chance = random.Random(self._came)
        held = (chance.sample(own, min(len(own), most)) for own in (right, open))
        self._records, self._fresh = [], [*chain(*held)]
        self._causes.forget()

    def _look(self) -> None:
        """Look at the answers of records that have come since the last time.

        A cause with which the engine never gives a row is dropped once the engine has given one.
        """
        fresh, self._fresh = self._fresh, []
        for own in fresh:
            self._has_rows = self._has_rows or any(o.has_rows for o in own.observations)
            for observation, correct in own.judged:
                self.predictions.know(observation, correct)
        if self._has_rows:
            for id in [id for id, cause in self._found.items() if is_mute(cause.setting)]:
                del self._found[id]
                self._causes.take_back(id)
        self._records += [own for own in fresh if not self._is_spoilt(own)]

    # --- explain -----------------------------------------------------------------------------

    def explain(
        self,
        own: Observation | Finding | Record,
        *,
        briefly: bool = False,
        searching: bool = False,
    ) -> tuple[KnownCause, ...]:
        """Return the known causes that explain a failure; none if something else is wrong.

        Args:
            own: an answer, a failing record, or a failure that was made small. Of a record the
                fingerprint may be known as well.
            briefly: whether to pass over an answer like others that no cause has explained.
            searching: whether to search for whether one of the given causes is behind a failure
                that was made small; then only these are returned.
        """
        if searching and isinstance(own, Finding):
            return self._given_behind(own)
        known = self._causes
        if not known.causes:
            return ()
        if any(is_mute(cause.setting) for cause in self._found.values()):
            self._look()
        found = known.explain_all(_answers(own), briefly=briefly)
        if found or isinstance(own, Observation | Finding):
            return found
        if not any(cause.fingerprint for cause in known.causes):
            return ()
        return known.covering(self._run.finding(own))

    def known_values(self, own: Observation) -> Collection[Operators]:
        """Return the operators of shown failures that compute all that is wrong in an answer.

        Args:
            own: the answer.

        Returns:
            No operators if more is wrong, and known causes do not explain that.
        """
        rest, found = without_operators(own, self._run.operators())
        if not found or self.predictions.agrees(Setting(), rest):
            return found
        return found if self.explain(rest, briefly=True) else ()

    def showing(self, own: Record) -> tuple[KnownCause, ...]:
        """Return the known causes that alone change the answer to the case of a record."""
        return self._causes.showing(_answers(own))

    # --- improve -----------------------------------------------------------------------------

    def improve(
        self, effort: Effort = Effort.DUE, own: Record | None = None, shown: Shown | None = None
    ) -> Known:
        """Look for causes of the unexplained failures.

        Args:
            effort: how hard to look.
            own: a failing record for which a failure is shown now.
            shown: that failure. If no cause explains the record, its fingerprint is one.
        """
        if effort is Effort.END:
            return self._last()
        self._see_shown()
        before = {*self._found}
        if own is None or own.outcome is not Outcome.FAILED:
            for cause in self._searched(effort):
                if cause.id in self._found or not cause.is_explained:
                    continue
                if _is_possible(cause) if self._deep and cause.file else _is_sure(cause):
                    self._exclude(cause)
            self._uncertain = tuple(own for own in self._uncertain if own.id not in self._found)
        fresh = [cause for id, cause in self._found.items() if id not in before]
        if fresh:
            self._next_search = self._there + 1
            self._in_vain = 0
        if own is not None and shown is not None and not self.explain(own):
            fresh.append(self._fingerprinted(shown))
        return replace(self.known, fresh=tuple(fresh))

    def _exclude(self, cause: Cause) -> None:
        """Know a cause from now on; if it explains a known crash file, as that known cause."""
        self._found[cause.id] = cause
        self._causes.add(self._causes.solved_by(cause) or KnownCause.of(cause, found=True))

    def _fingerprinted(self, shown: Shown) -> Cause:
        """The cause of a failure by its fingerprint, for a failure that no cause explains.

        A failure without an answer is excluded so, because no cause predicts it. A wrong answer is
        not: the fingerprint is that of the small case, and others have another.
        """
        symptom = Symptom.of(shown.finding, file=shown.file)
        (cause,) = unexplained([symptom])
        if any(own.failure for own in symptom.observations):
            self._exclude(cause)
        return cause

    def _given_behind(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The given causes by which a shrunk failure is known, if it is.

        A wrong answer that a cause explains is known if the cause also explains the crash file of a
        known cause. A wrong answer that no cause explains is known by its fingerprint.
        """
        known, symptom = self._causes, Symptom.of(finding)
        if not symptom.is_judged:
            return known.with_fingerprint(symptom)
        if not known.unexplained and not known.with_fingerprint(symptom):
            return ()
        self._see_shown()
        self._beside.append(symptom)
        causes = self._searched(Effort.NOW)
        for cause in filter(_is_possible, causes):
            if (solved := known.solved_by(cause)) is not None:
                self._found[cause.id] = cause
                known.add(solved)
        sure = [KnownCause.of(cause, found=True) for cause in causes if _is_sure(cause)]
        alike = known.explain_all(symptom.observations)
        if not alike and not known.beside(sure).explain_all(symptom.observations):
            alike = known.cover(finding)
        if not alike:
            self._beside.remove(symptom)
            self._next_search = 1
        return tuple(cause for cause in alike if not cause.found)

    def _searched(self, effort: Effort) -> tuple[Cause, ...]:
        """The causes that a search finds for unexplained failures; none if no search is due."""
        there = self._there
        if effort is not Effort.NOW and not self._is_due(effort):
            return ()
        before = self.predictions.asked
        causes = find_causes(
            self._evidence(unexplained=True),
            self._run.engine(),
            budget=SEARCHING if self._deep else SEARCHING_BRIEFLY,
            questions=MOST_QUESTIONS if self._deep else FEW_QUESTIONS,
            known=self._causes.setting,
            before=self._uncertain,
            predictions=self.predictions,
        )
        self._searched_for += self.predictions.asked - before
        self._in_vain += 1  # `improve` sets it back if it finds a cause.
        self._uncertain = tuple(c for c in causes if c.is_explained and c.id not in self._found)
        for own in self._uncertain:
            most = max(own.explains, self._suspected.get(own.setting, 0))
            self._suspected[own.setting] = most
        self._next_search = 2 * there
        self._next_records = 2 * self._came
        return causes

    def _is_due(self, effort: Effort) -> bool:
        """Whether a search may find what the last one did not, because enough has come since."""
        has_doubled = 0 < self._next_records <= self._came
        if effort is Effort.DUE:
            if self._deep:
                return True
            has_doubled = has_doubled or self._there >= self._next_search
        judged = (symptom for symptom in self._symptoms.values() if symptom.is_judged)
        shown = sum(not wrong_operators(symptom) for symptom in judged)
        most = max(MOST_SEARCHING, self._came, PER_SHOWN * shown)
        return has_doubled and self._searched_for <= most

    @property
    def _there(self) -> int:
        return len(self._symptoms) + len(self._beside)

    def _see_shown(self) -> None:
        """Take note of the failures that are shown now, and forget those that were taken back."""
        shown = {own.file: own for own in self._run.shown()}
        self._symptoms = {file: own for file, own in self._symptoms.items() if file in shown}
        for file, one in shown.items():
            if file not in self._symptoms:
                focus = self._run.focus(one.finding.property_name)
                own = self._symptoms[file] = Symptom.of(one.finding, file=file, focus=focus)
                if not wrong_operators(own):  # Few settings predict these, and few trials show one.
                    self._next_search = min(self._next_search, self._there + self._in_vain)

    def _evidence(self, *, unexplained: bool = False) -> Evidence:
        """The evidence of the run, or only the unexplained part."""
        self._look()
        answered = (
            Answered(own, correct, record.property_name, self._causes.has_explained(own))
            for record in self._records
            for own, correct in record.judged
        )
        if unexplained:
            answered = (self._masked(own) for own in answered if not own.is_explained)
        beside: Sequence[Symptom] = self._beside if unexplained else ()  # Then they are known.
        return Evidence.of([*self._symptoms.values(), *beside], answered)

    def _masked(self, answered: Answered) -> Answered:
        """A wrong answer without columns that are known to be wrong, to see what else is."""
        own = answered.observation
        if answered.correct is not False:
            return answered
        rest, found = without_operators(own, self._run.operators())
        if not found:
            return answered
        correct = self.predictions.agrees(Setting(), rest)
        return replace(answered, observation=rest, correct=correct)

    # --- at the end --------------------------------------------------------------------------

    def _last(self) -> Known:
        """Name the causes of all failures; a cause without a crash file can then be explained."""
        self._see_shown()
        least = SEARCHING if self._deep else LEAST
        budget = min(max(least, SHARE * self._came), MOST)
        before = self.predictions.asked
        with unhurried_garbage():
            found = find_causes(
                self._evidence(),
                self._run.engine(),
                budget=budget,
                known=together(cause for cause in self._causes.causes if not cause.found),
                before=(*self._found.values(), *self._uncertain),
                suspected=sorted(self._suspected, key=self._suspected.__getitem__, reverse=True),
                predictions=self.predictions,
            )
        asked = self.predictions.asked - before
        for cause in found:
            if cause.is_explained and not cause.file and cause.id not in self._found:
                self._exclude(cause)
        too_few = asked if asked >= GROWING * budget else 0
        return replace(self.known, fresh=tuple(found), predictions=too_few)


def _answers(own: Observation | Seen | Finding) -> Sequence[Observation]:
    """The answers of a failure, for causes to predict; none if any of them is not whole."""
    if isinstance(own, Observation):
        return (own,)
    seen = Symptom.of(own) if isinstance(own, Finding) else own
    return seen.observations if seen.is_answered else ()


def _is_sure(cause: Cause) -> bool:
    """Whether a cause is unexplained, or more than a few cases support it."""
    return not cause.is_explained or (cause.is_supported and _is_possible(cause))


def _is_possible(cause: Cause) -> bool:
    """Whether a cause may be excluded while a run goes on; dials that only compare less wait."""
    return not cause.setting.forgives
