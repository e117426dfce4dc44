"""What a wrong answer depends on that nothing explains.

**What is sought.** Conditions without which the bug can't show, such as "windows overlap". They
help whoever looks for the bug, and say where other bugs can be seen (`behind`).

**How.** A small failing case is changed in many small ways (`simpler`), and the engine is asked
each of the changed cases. A change takes some conditions away, and perhaps adds others.

1. First come some of the `CONTROLS`: the case with other names. If one of them is right, chance or
   the names decide, and nothing is said.
2. Each change is asked once. If the answer is wrong as before, the bug does not need what the
   change took away. If it is right, it needs one of the conditions that are gone; those that it was
   seen not to need are left out. If several are left, all that can be said is "one or another", of
   at most `MOST_TOGETHER`. A change that adds a condition shows nothing so: the new one may hide
   the bug. So elements are left out until it adds none; if it still adds a condition, it counts
   only if the answer is wrong.
3. A condition that a change seems to show is checked by more cases without it: all such changes
   in turn, each with other names. One wrong answer, however it is wrong, ends this.
4. Then follow cases that do not meet the condition and have more of everything else: elements,
   rows, evaluations (`richer`), and larger failing cases that look alike. One that is wrong as
   before refutes the condition.

**What it guarantees.** "Only if" is said of a condition only if no answer without it was wrong as
before, whatever else the changes did, and if so many answers were right that chance can't be the
reason: if right and wrong answers were thrown among all cases with the condition and without it,
they would fall so in fewer than one of 1 / `CHANCE` throws. Of an engine that errs at random
nothing is said. What counts is kept (`Experiment`). There may be more conditions, and a
condition that no change can part from another is named with it, or not at all.

**What it costs.** About 40 small cases if there is one condition, and at most `MOST_ASKED`.

**What was tried.** With a single way to take each thing away, a bug that needs three rows was said
to need overlapping windows: narrower ones hold fewer rows. The shrunk case alone has nothing that
can be spared, so nearly every change makes it right; larger ones tell which of them count.

**Its numbers.** See `tests/run/test_dependence.py`, which has bugs whose condition is known, and
engines that err at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain, count, islice
from math import comb
from typing import Final

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dependence import Dependence, Experiment
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import without_one
from rsp_conformance.relations.data import renamed
from rsp_conformance.run.changes import richer, simpler
from rsp_conformance.run.conditions import Conditions, gained, in_words, weakest
from rsp_conformance.strategies.written import changed

CONTROLS: Final = 12
"""The number of cases that differ from the failing one in names alone; if all of them are wrong,
six right answers without a condition are enough for `CHANCE`, ..."""
FIRST_CONTROLS: Final = 4
"""... and so many are asked before anything else."""
CHANCE: Final = 1 / 10_000
"""The chance at which a condition is believed. A case has about ten conditions, and a run some ten
bugs without a name, so in one of a hundred runs a condition is reported by chance."""
MOST_TOGETHER: Final = 2
"""The most conditions of which it is said that one must hold; more of them tell nobody anything."""
MOST_CHANGES: Final = 60
"""The most changes that are asked once, ..."""
MOST_ALIKE: Final = 4
"""... and the most of them that take the same conditions away."""
MOST_ASKED: Final = 120
"""The most cases that are asked for one failure."""
LARGER: Final = 2
"""The number of larger failing cases that are changed as well."""
RICHER: Final = 2
"""The changes of which richer cases are asked for each condition."""
PER_LARGER: Final = 3
"""The changed cases of a larger one that are asked for each condition."""
MOST_TRIMMED: Final = 8
"""Of so many elements at most, one or two are left out so that a change adds no condition."""

Clause = frozenset[str]
"""Conditions of which one must hold."""


class Answer(Enum):
    """How the engine answered a changed case."""

    RIGHT = auto()
    """It was right, or wrong in a way that another cause explains."""
    SAME = auto()
    """It was wrong as for the failing case."""
    OTHER = auto()
    """It was wrong in another way."""


Ask = Callable[[Case], Answer | None]
"""Asks the engine a case; None if the answer can't be judged, or nothing is to be asked."""


@dataclass(frozen=True, slots=True)
class Change:
    """A changed case.

    Attributes:
        case: the case.
        lost: the conditions of the failing case that it does not meet.
        gained: the conditions that it meets, and the failing case does not.
    """

    case: Case
    lost: Clause
    gained: Clause


@dataclass(frozen=True, slots=True)
class Found:
    """The conditions of a bug.

    Attributes:
        needs: the conditions; of each clause one must hold.
        dependence: the same in words, with the experiments.
    """

    needs: tuple[Clause, ...] = ()
    dependence: Dependence = field(default_factory=Dependence)

    def meets(self, case: Case, dials: Dials, observed: Iterable[Observed] = ()) -> bool:
        """Return whether a case meets all conditions; False if there are none.

        Args:
            case: the case.
            dials: the dials in force.
            observed: an engine's answers, which may meet the conditions in place of the right ones.
        """
        own = Conditions(case, dials, observed)
        return bool(self.needs) and all(any(map(own.meet, clause)) for clause in self.needs)


class Experiments:
    """Finds what a wrong answer depends on.

    Args:
        ask: asks the engine a case.
        dials_of: the dials in force for a case; None if the engine does not support it.
    """

    def __init__(self, ask: Ask, dials_of: Callable[[Case], Dials | None]) -> None:
        self._ask = ask
        self._dials_of = dials_of
        self._left = MOST_ASKED
        self._asked = Counter[Clause]()
        self._right = Counter[Clause]()
        self._other = Counter[Clause]()

    def find(self, case: Case, larger: Sequence[Case] = ()) -> Found:
        """Find the conditions of a wrong answer.

        Args:
            case: the failing case, a small one.
            larger: further failing cases that seem to fail for the same reason.
        """
        names = (renamed(case, str(n)) for n in count(1))
        if not self._fails(islice(names, FIRST_CONTROLS)):
            return self._found(())
        changes = [*islice(self.changes(case), MOST_CHANGES)]
        asked = [(own, self._answer_to(own, own.lost)) for own in changes]
        right = [own for own, said in asked if said is Answer.RIGHT and not own.gained]
        clauses = [
            own
            for own in _clauses(asked)
            if self._is_confirmed(own, right) and not self._is_refuted(own, right, larger)
        ]
        if clauses and self._fails(islice(names, CONTROLS - FIRST_CONTROLS)):
            return self._found(clauses)
        return self._found(())

    def changes(self, case: Case) -> Iterator[Change]:
        """Yield the changes of a case that take a condition away, each case once."""
        dials = self._dials_of(case)
        if dials is None:
            return
        try:
            whole = Conditions(case, dials).all
        except ValueError:
            return
        met, alike = {case}, Counter[tuple[Clause, Clause]]()
        for other in simpler(case, dials):
            change = None if other in met else self._change(whole, other)
            met.add(other)
            if change is None or not change.lost or alike[change.lost, change.gained] >= MOST_ALIKE:
                continue
            alike[change.lost, change.gained] += 1
            if change.gained:
                change = self._trimmed(whole, change)
                met.add(change.case)
            yield change

    def _change(self, whole: Clause, other: Case) -> Change | None:
        """A changed case of one that meets some conditions; None if it can't be asked."""
        dials = self._dials_of(other)
        if dials is None:
            return None
        try:
            found = Conditions(other, dials).all
        except ValueError:
            return None
        return Change(other, whole - found, gained(whole, found))

    def _trimmed(self, whole: Clause, change: Change) -> Change:
        """The change without elements that make it gain a condition; itself if there are none."""
        elements = change.case.elements
        if len(elements) > MOST_TRIMMED:
            return change
        fewer = [*without_one(elements)]
        pairs = (less for own in fewer for less in without_one(own))
        for kept in dict.fromkeys(chain(fewer, pairs)):
            own = self._change(whole, changed(change.case, elements=kept))
            if own is not None and own.lost == change.lost and not own.gained:
                return own
        return change

    # --- what is asked -----------------------------------------------------------------------

    def _answer_to(self, change: Change, lost: Clause) -> Answer | None:
        return self._answer(change.case, lost, counts_if_right=not change.gained)

    def _answer(self, case: Case, lost: Clause, *, counts_if_right: bool = True) -> Answer | None:
        if self._left <= 0:
            return None
        self._left -= 1
        found = self._ask(case)
        if found is not None and (counts_if_right or found is not Answer.RIGHT):
            self._asked[weakest(lost)] += 1
            self._right[weakest(lost)] += found is Answer.RIGHT
            self._other[weakest(lost)] += found is Answer.OTHER
        return found

    def _fails(self, controls: Iterable[Case]) -> bool:
        """Whether all of some cases with all conditions are wrong as before."""
        return all(self._answer(own, frozenset()) is Answer.SAME for own in controls)

    def _is_confirmed(self, clause: Clause, right_ones: Sequence[Change]) -> bool:
        """Whether more cases without any condition of a clause are all right."""
        own = [one for one in right_ones if clause <= one.lost]
        right = self._right[clause]
        turns = ((one, n) for n in count(1) for one in own)
        while chance(CONTROLS, right) > CHANCE:
            one, number = next(turns)
            if self._answer(renamed(one.case, f"{number}x"), clause) is not Answer.RIGHT:
                return False
            right += 1
        return True

    def _is_refuted(
        self, clause: Clause, right_ones: Sequence[Change], larger: Sequence[Case]
    ) -> bool:
        """Whether a case without any condition of a clause is wrong if it has more of the rest.

        A larger failing case may show another bug as well: only an answer that is wrong as before
        counts.
        """
        own = [one for one in right_ones if clause <= one.lost][:RICHER]
        more = (case for one in own for case in richer(one.case) if self._lacks(clause, case))
        if any(self._answer(case, clause) in (Answer.SAME, Answer.OTHER) for case in more):
            return True
        for case in larger[:LARGER]:
            changes = (one for one in self.changes(case) if clause <= one.lost)
            for other in islice(changes, PER_LARGER):
                if self._answer_to(other, clause) is Answer.SAME:
                    return True
        return False

    def _lacks(self, clause: Clause, case: Case) -> bool:
        """Whether a case can be asked, and meets no condition of a clause."""
        dials = self._dials_of(case)
        return dials is not None and not any(map(Conditions(case, dials).meet, clause))

    def _found(self, clauses: Sequence[Clause]) -> Found:
        experiments = tuple(
            Experiment(in_words(lost), number, self._right[lost], self._other[lost])
            for lost, number in self._asked.items()
        )
        words = tuple(" or ".join(in_words(clause)) for clause in clauses)
        return Found(tuple(clauses), Dependence(words, experiments))


def _clauses(asked: Sequence[tuple[Change, Answer | None]]) -> list[Clause]:
    """The smallest sets of conditions of which one seems to be needed."""
    spared = frozenset[str]().union(*(own.lost for own, said in asked if said is Answer.SAME))
    found = {
        weakest(own.lost - spared) for own, said in asked if said is Answer.RIGHT and not own.gained
    }
    wrong = [own.lost for own, said in asked if said in (Answer.SAME, Answer.OTHER)]
    return sorted(
        (
            clause
            for clause in found
            if 0 < len(clause) <= MOST_TOGETHER
            and not any(other < clause for other in found if other)
            and not any(clause <= lost for lost in wrong)
        ),
        key=lambda clause: (len(clause), sorted(clause)),
    )


def chance(wrong: int, right: int) -> float:
    """The chance that so many wrong and right answers are parted by a condition that says nothing.

    Args:
        wrong: the answers to cases with the condition, all of them wrong.
        right: the answers to cases without it, all of them right.
    """
    return 1 / comb(wrong + right, right)
