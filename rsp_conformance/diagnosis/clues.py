"""What a diagnosis has to explain, and what it is compared with.

A clue is an answer of the engine that is wrong, or several that contradict each other, or an answer
that is right. Clues are looked at by turns, one of each shape of case: what few answers show comes
as early as what most of them do.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom, wrong_form
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus

MOST_SORTED: Final = 1_500
"""Of more answers of a kind than these a sample is looked at: finding their shapes takes time."""


@dataclass(frozen=True, slots=True, eq=False)
class Clue:
    """Answers to one case, or to several whose answers contradict each other.

    Attributes:
        property_name: the property that asked for them.
        observations: what was asked, and what came.
        symptom: the failure that they were made small from, if they are one.
        is_fresh: whether the diagnosis asked for them, and not the run.
    """

    property_name: str
    observations: tuple[Observation, ...]
    symptom: Symptom | None = None
    is_fresh: bool = False

    @classmethod
    def of(cls, symptom: Symptom) -> Clue:
        """Return what the cases of a failure that was made small have shown."""
        return cls(symptom.property_name, symptom.observations, symptom)

    @property
    def size(self) -> tuple[int, int]:
        """By what clues are ordered: elements of the stream, and the length of the query."""
        return self.observations[0].size

    @property
    def order(self) -> tuple[bool, tuple[int, int], tuple[str, ...]]:
        """The key of small clues first, the same in every process; those made small come first."""
        return self.symptom is None, self.size, tuple(own.digest for own in self.observations)

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the engine was asked."""
        return tuple(own.stimulus for own in self.observations)

    @property
    def varies(self) -> bool:
        """Whether they are two answers to one case."""
        return len({*self.stimuli}) < len(self.observations)

    @property
    def alone(self) -> Answered | None:
        """Its one answer, if it is that of a case that was not made small."""
        if self.symptom is not None or len(self.observations) > 1:
            return None
        return Answered(self.observations[0], False, self.property_name)

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
        evidence: what the run has seen.
        predictions: takes over the verdicts, and knows the shapes of cases.

    Attributes:
        is_held_to: whether the engine is checked against its profile. While its profile is sought,
            no answer is right or wrong: all of them are in ``wrong``, to be explained.
        wrong: wrong answers, in the order in which they are looked at; none of a wrong form.
        shrunk: all failures that were made small and have answers.
        right: right answers likewise, then those of relations, which nobody has judged.
        judged: how many of ``right``, the first ones, were judged.
        failing: the properties that have failed with some stimuli.
        is_unstable: whether the engine has answered a case in two ways.
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
        wrong = [*shrunk, *kinds[False]]
        self.wrong = _varied((own for own in wrong if not own.is_of_wrong_form), predictions)
        judged = _varied(kinds[True], predictions)
        self.right = [*judged, *_varied(kinds[None], predictions)]
        self.judged = len(judged)
        self.is_sampled = len(shrunk) + len(kinds[False]) > MOST_SORTED
        self.is_unstable = any(own.kind == "unstable" for own in evidence.symptoms)
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
        """Take in answers that the diagnosis has asked for; they are looked at first."""
        clues = [Clue(property_name, (own,), is_fresh=True) for own in answered]
        if correct:
            self.right[:0] = clues
            self.judged += len(clues)
        else:
            self.wrong[:0] = clues


def _varied(clues: Iterable[Clue], predictions: Predictions) -> list[Clue]:
    """Clues by turns, one of each shape: a kind of case that is silent or not; small ones first."""
    clues = [*clues]
    if len(clues) > MOST_SORTED:
        clues = random.Random(0).sample(clues, MOST_SORTED)
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
