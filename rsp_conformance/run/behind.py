"""The bugs behind an unexplained bug.

**What is sought.** If the broadest of several bugs has no mutant, it spoils nearly every answer,
and answers that two bugs have spoilt tell nothing about the other: an engine that keeps the rows of
earlier evaluations was never found to ignore VALUES as well. So cases are needed in which the broad
bug can't show.

**How.** For each failure that nothing explains and that is shown, small experiments tell under
which conditions it shows (`dependence`). If most of what is wrong has no name, the failure whose
conditions most of these records meet is *set apart*: records that meet all of them, and that are
wrong without a name, count as the same failure, and are no evidence for or against other causes.
Then fresh trials are drawn for the properties that fail so, away from it: a trial that meets all
conditions loses one of them, by the first change of it (`changes`) that takes one away; a trial of
several cases is passed over. What is wrong there has its turn like all other failures: it is made
small, away from the bug as well, and searched for its cause. This is done again for what is left.

**What it guarantees.** It is said that a bug shows *only if* something holds only as `dependence`
promises. A bug behind it is named by the same search, with the same promise, as all others, and
shown by a case that the engine's features and restrictions allow.

**What it costs.** The experiments, `MOST_EXPERIMENTS` in a run, and `MOST_AWAY` trials for each bug
that is set apart, of which there are `ROUNDS` at most: a few percent of the cases of a run.

**What it does not find.** A bug that shows only together with the broad bug: a bug of the second
evaluation stays behind one that needs two evaluations. Nor is a bug set apart whose conditions
can't be told: there is nothing to take away then.

**Its numbers** were chosen, and not tuned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.model.case import Case
from rsp_conformance.model.dependence import NOTHING_FOUND, Dependence
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.usage import case_features
from rsp_conformance.run.asking import is_over
from rsp_conformance.run.changes import KINDS, simpler
from rsp_conformance.run.dependence import Answer, Experiments, Found
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.trials import Drawn, by_seed, trial_of
from rsp_conformance.run.worker import MOST_PLACES
from rsp_conformance.test_suite.declined import declinable

MOST_EXPERIMENTS: Final = 600
"""The most experiments of a run: about as many cases as shrinking two failures may take."""
ROUNDS: Final = 3
"""The most bugs of a run that are set apart."""
MOST_AWAY: Final = 150
"""The trials that are drawn away from each of them, ..."""
MOST_OF_PROPERTY: Final = 50
"""... and the most of them for one property."""
DRAWN_FOR_ONE: Final = 3
"""The trials that are drawn for each that is asked: for some, nothing can be taken away."""

AskCase = Callable[[Record, Case], Record | None]
"""Asks a case in place of that of a record, and judges the answer; None if it is not asked."""


class Behind:
    """Finds the conditions of unexplained failures, and what is away from them.

    Args:
        subject: the engine.
        ask: asks a case in place of another.
        is_left: whether a record is wrong and nothing explains it.
        departs: how the answer of a wrong record departs from the expected one.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        ask: AskCase,
        is_left: Callable[[Record], bool],
        departs: Callable[[Record], Hashable],
    ) -> None:
        self._subject = subject
        self._ask = ask
        self._is_left = is_left
        self._departs = departs
        self._left = MOST_EXPERIMENTS
        self._found: dict[str, Found] = {}
        self._apart: dict[str, Found] = {}
        self._meets: dict[tuple[str, str], bool] = {}
        self._helped = Counter[str]()

    # --- conditions --------------------------------------------------------------------------

    def knows(self, id: str) -> bool:
        """Return whether the conditions of a failure were looked for."""
        return id in self._found

    def find(
        self, id: str, own: Record, larger: Iterable[Record], until: float | None = None
    ) -> None:
        """Find the conditions of a failure that nothing explains.

        Args:
            id: the failure's id.
            own: its small record.
            larger: larger records that seem to fail for the same reason.
            until: nothing is asked after this instant (``time.monotonic()``).
        """
        self._found[id] = Found()
        before = self._departs(own)

        def answer(case: Case) -> Answer | None:
            if self._left <= 0 or is_over(until):
                return None
            self._left -= 1
            found = self._ask(own, case)
            if found is None or found.outcome not in (Outcome.RIGHT, Outcome.WRONG):
                return None
            if not self._is_left(found):
                return Answer.RIGHT
            return Answer.SAME if self._departs(found) == before else Answer.OTHER

        others = [_case(record) for record in larger]
        self._found[id] = Experiments(answer, self._taken).find(_case(own), others)

    def dependence(self, id: str) -> Dependence:
        """Return what a failure depends on, as far as it is known."""
        found = self._found.get(id)
        return NOTHING_FOUND if found is None else found.dependence

    def _taken(self, case: Case) -> Dials | None:
        """The dials in force for a case; None if it has what the engine does not take."""
        features, dials = self._subject.features, self._subject.dials(case)
        if not case_features(case) <= features or not features.isdisjoint(declinable(case, dials)):
            return None
        return dials

    # --- set apart ---------------------------------------------------------------------------

    @property
    def has_apart(self) -> bool:
        """Whether a failure is set apart."""
        return bool(self._apart)

    def is_set_apart(self, id: str) -> bool:
        """Return whether a failure is set apart."""
        return id in self._apart

    @property
    def is_full(self) -> bool:
        """Whether no more failures are set apart."""
        return len(self._apart) >= ROUNDS

    def broadest(self, left: Sequence[Record]) -> str:
        """Return the id of the failure whose conditions most records meet.

        Args:
            left: failing records without a name.

        Returns:
            The id; empty if there is none whose conditions at least half of the records meet.
        """
        met = {
            id: sum(self._meets_all(id, own) for own in left)
            for id, found in self._found.items()
            if found.needs and id not in self._apart
        }
        best = max(met, key=met.__getitem__, default="")
        return best if best and 2 * met[best] >= len(left) else ""

    def set_apart(self, id: str) -> None:
        """Count a failing record without a name that meets all conditions of a failure as that."""
        self._apart[id] = self._found[id]

    def apart(self, own: Record) -> str:
        """Return the id of the failure that is set apart and may have spoilt a record.

        If another bug gives rows that are not expected, the conditions may hold of these.
        """
        return next((id for id in self._apart if self._meets_all(id, own)), "")

    def _meets_all(self, id: str, own: Record) -> bool:
        key = id, own.digest
        if key not in self._meets:
            self._meets[key] = any(
                self._found[id].meets(one.stimulus.case, one.dials, one.observed)
                for one in own.observations
            )
        return self._meets[key]

    # --- away --------------------------------------------------------------------------------

    def away(self, property: Property, drawn: Drawn) -> Drawn | None:
        """Return a trial in which nothing shows that is set apart.

        Args:
            property: the property that the trial was drawn for.
            drawn: the trial.

        Returns:
            The trial itself if nothing can show; else a changed one, with the bytes of the trial.
            None if no change of it is known that helps.
        """
        stimuli = drawn.trial.stimuli
        if not any(self._shows(own.case, self._subject.dials_of(own)) for own in stimuli):
            return drawn
        if len(drawn.trial.variants) > 1:
            return None
        case = drawn.trial.variants[0].case
        for kind in sorted(KINDS, key=lambda kind: -self._helped[kind]):
            others = simpler(case, self._subject.dials(case), (kind,))
            for other in sorted(others, key=_length):  # Short ones are soon evaluated.
                dials = self._taken(other)
                if dials is None or self._shows(other, dials):
                    continue
                if not is_vacuous(other, dials, property.needs):
                    self._helped[kind] += 1
                    return replace(drawn, source=trial_of(property, other))
        return None

    def _shows(self, case: Case, dials: Dials) -> bool:
        return any(found.meets(case, dials) for found in self._apart.values())

    def drawn_away(self, properties: Sequence[Property], seed: int | str) -> Iterator[Drawn]:
        """Draw fresh trials of properties in which nothing shows that is set apart.

        Args:
            properties: the properties.
            seed: the seed of the run; the trials are others than those of the run.
        """
        each = min(MOST_OF_PROPERTY, MOST_AWAY // len(properties) or 1)
        turns = [self._drawn_away(own, seed, each) for own in properties[:MOST_AWAY]]
        while turns:  # In turn, for the time may be up before all are drawn.
            for turn in [*turns]:
                found = next(turn, None)
                if found is None:
                    turns.remove(turn)
                else:
                    yield found

    def _drawn_away(self, property: Property, seed: int | str, most: int) -> Iterator[Drawn]:
        first = MOST_PLACES * 1_000 * (1 + len(self._apart))  # No run asks for so many trials.
        places = range(first, first + DRAWN_FOR_ONE * most)
        drawn = by_seed(property, self._subject, seed, places)
        away = (self.away(property, own) for own in drawn)
        return islice((own for own in away if own is not None), most)


def _length(case: Case) -> int:
    return case.until - case.registered


def _case(own: Record) -> Case:
    return own.observations[0].stimulus.case
