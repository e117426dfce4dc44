"""The answers that a diagnosis has to explain, and those that it is checked against.

A clue is a wrong answer of the engine, several answers that contradict each other, or a right
answer. Clues are looked at in turns, one of each shape of case, so a bug that few answers show is
found as early as one that most of them show. Shrunk cases take turns with answers as they were
first asked: small cases show single bugs, but most of them are shrunk because nothing explained
them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import zip_longest
from typing import Final

from rsp_conformance.diagnosis.evidence import Evidence, Symptom, wrong_form
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus

MOST_SORTED: Final = 1_500
"""Of more answers of a kind a sample of so many is looked at: finding their shapes takes time.

It is those with the smallest digests, whatever the order in which workers hand in their records,
and while a run goes on most of the sample stays.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Clue:
    """Answers to one case, or to several whose answers contradict each other.

    Attributes:
        property_name: the property that asked for them.
        observations: the cases with the answers.
        symptom: the failure whose shrunk cases they are, if they are.
        is_fresh: whether the diagnosis asked for them, and not the run.
    """

    property_name: str
    observations: tuple[Observation, ...]
    symptom: Symptom | None = None
    is_fresh: bool = False

    @classmethod
    def of(cls, symptom: Symptom) -> Clue:
        """Return the answers to the shrunk cases of a failure."""
        return cls(symptom.property_name, symptom.observations, symptom)

    @property
    def size(self) -> tuple[int, int]:
        """The size by which clues are ordered: stream elements, and the length of the query."""
        return self.observations[0].size

    @property
    def content(self) -> tuple[tuple[str, ...], str]:
        """The digests of its answers and its property, the same in every process."""
        return tuple(own.digest for own in self.observations), self.property_name

    @property
    def order(self) -> tuple[tuple[int, int], tuple[tuple[str, ...], str]]:
        """A sort key, the same in every process: small clues first."""
        return self.size, self.content

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """The stimuli that the engine was asked."""
        return tuple(own.stimulus for own in self.observations)

    @property
    def varies(self) -> bool:
        """Whether these are two answers to one case."""
        return len({*self.stimuli}) < len(self.observations)

    @property
    def is_counted(self) -> bool:
        """Whether it is one of the run's wrong answers, as it was first asked."""
        return self.symptom is None and not self.is_fresh

    @property
    def is_of_wrong_form(self) -> bool:
        """Whether an answer has another form than its query asks for."""
        return any(map(wrong_form, self.observations))

    @property
    def speaks(self) -> bool:
        """Whether the engine answered anything at all."""
        return any(own.speaks for own in self.observations)


class Clues:
    """The clues of a run.

    Args:
        evidence: the answers and failures of the run.
        predictions: takes over the verdicts, and knows the shapes of cases.

    Attributes:
        is_held_to: whether the engine is checked against its profile. While its profile is sought,
            no answer is right or wrong: all of them are in ``wrong``, to be explained.
        wrong: wrong answers, in the order in which they are looked at, but for those of a wrong
            form.
        shrunk: all shrunk failures that have answers.
        right: right answers in the same order, then those of relations, which nobody has judged.
        judged: how many of ``right``, the first ones, were judged.
        failing: the properties that have failed with some stimuli.
        unsteady: the stimuli that the engine answered in two ways.
        by_chance: the part of the failures that are unstable: the engine answered in two ways.
        has_rows: whether the engine has ever given a row.
        is_sampled: whether there are more wrong answers than are looked at.
        all_wrong: how many answers of the run are wrong; ``wrong`` may be a sample.
        all_right: how many are right.
    """

    is_held_to = True

    def __init__(self, evidence: Evidence, predictions: Predictions) -> None:
        shrunk = [Clue.of(own) for own in evidence.symptoms if own.is_answered]
        self.shrunk = shrunk
        kinds: dict[bool | None, list[Clue]] = {True: [], False: [], None: []}
        for own in evidence.answered:
            predictions.know(own.observation, own.correct)
            kinds[own.correct].append(Clue(own.property_name, (own.observation,)))
        self.failing: defaultdict[tuple[Stimulus, ...], list[str]] = defaultdict(list)
        for clue in shrunk:
            self.failing[clue.stimuli].append(clue.property_name)
        turns = zip_longest(_varied(shrunk, predictions), _varied(kinds[False], predictions))
        wrong = (own for turn in turns for own in turn if own is not None)
        self.wrong = [own for own in wrong if not own.is_of_wrong_form]
        judged = _varied(kinds[True], predictions)
        self.right = [*judged, *_varied(kinds[None], predictions)]
        self.judged = len(judged)
        self.is_sampled = len(shrunk) + len(kinds[False]) > MOST_SORTED
        unstable = [own for own in evidence.symptoms if own.kind == "unstable"]
        self.unsteady = {one.stimulus for own in unstable for one in own.observations}
        self.by_chance = len(unstable) / max(1, len(evidence.symptoms))
        self.has_rows = evidence.has_rows
        self.all_wrong, self.all_right = len(kinds[False]), len(kinds[True])

    @classmethod
    def to_explain(cls, groups: Iterable[Iterable[Observation]], predictions: Predictions) -> Clues:
        """Return the answers of an engine whose profile is sought.

        Args:
            groups: the answers; those of the first group are looked at first.
            predictions: knows the shapes of cases.
        """
        found = cls(Evidence(), predictions)
        found.is_held_to = False
        for group in groups:
            found.wrong += _varied((Clue("", (own,)) for own in group), predictions)
        found.has_rows = any(clue.speaks for clue in found.wrong)
        return found

    def add(self, property_name: str, answered: Sequence[Observation], *, correct: bool) -> None:
        """Add answers that the diagnosis has asked for; they are looked at first.

        Args:
            property_name: the property for which they were asked.
            answered: the answers.
            correct: whether they are right.
        """
        clues = [Clue(property_name, (own,), is_fresh=True) for own in answered]
        if correct:
            self.right[:0] = clues
            self.judged += len(clues)
        else:
            self.wrong[:0] = clues


def _varied(clues: Iterable[Clue], predictions: Predictions) -> list[Clue]:
    """Clues in turns, one of each shape: the mutants that may show, and silence or not."""
    clues = nsmallest(MOST_SORTED, clues, key=lambda own: own.content)
    shapes: defaultdict[tuple[tuple[str, ...], bool], list[Clue]] = defaultdict(list)
    for clue in sorted(clues, key=lambda own: own.order, reverse=True):
        visible = predictions.visible(clue.observations[0])
        shapes[tuple(sorted(visible)), clue.speaks].append(clue)
    queues = sorted(shapes.values(), key=lambda queue: queue[-1].order)
    ordered = list[Clue]()
    while queues:
        ordered += [queue.pop() for queue in queues]
        queues = [queue for queue in queues if queue]
    return ordered
