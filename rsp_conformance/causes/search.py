"""From the evidence of a run to its causes: the smallest hypothesis that explains the most."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from rsp_conformance.causes.cause import UNEXPLAINED, Cause, text_of
from rsp_conformance.causes.evidence import Answered, Evidence, Symptom, speaks
from rsp_conformance.causes.fingerprint import fingerprint
from rsp_conformance.causes.hypothesis import MUTANTS, Hypothesis
from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Stimulus

NOTHING: Final = Hypothesis()
"""The engine follows its profile."""
MOST_SYMPTOMS = 60
"""So many different shrunk cases are asked about every simple hypothesis."""
MOST_PARTS = 8
"""A hypothesis has so many parts at most."""


def find_causes(
    evidence: Evidence,
    subject: EngineUnderTest | None = None,
    *,
    seconds: float = 30.0,
    known: Hypothesis = NOTHING,
) -> tuple[Cause, ...]:
    """The causes behind the symptoms of EVIDENCE, those of most properties first.

    What nothing explains comes last, grouped by fingerprint. SUBJECT, where it can be asked, tells
    rivals apart by fresh cases. SECONDS of processor time may be spent. KNOWN are causes that were
    found before: what they explain is no symptom, and they are not named again.
    """
    return _Search(evidence, known, time.process_time() + seconds).causes()


@dataclass(slots=True)
class _Search:
    evidence: Evidence
    known: Hypothesis
    ends: float
    predictions: Predictions = field(default_factory=Predictions)

    def causes(self) -> tuple[Cause, ...]:
        found = self._hypothesis()
        explained = [self._cause(part, found) for part in self._new(found)]
        explained.sort(key=lambda cause: (-len(cause.properties), cause.id))
        rest = [s for s in self.evidence.symptoms if not self._predicts(found, s)]
        return (*(cause for cause in explained if cause.properties), *unexplained(rest))

    def _new(self, found: Hypothesis) -> list[Hypothesis]:
        return [part for part in found.parts if part not in self.known.parts]

    def _predicts(self, hypothesis: Hypothesis, symptom: Symptom) -> bool:
        return symptom.is_answered and all(
            self.predictions.agrees(hypothesis, own) for own in symptom.observations
        )

    def _hypothesis(self) -> Hypothesis:
        """KNOWN and what else explains most, found step by step."""
        found = self.known
        while len(found) < MOST_PARTS and time.process_time() < self.ends:
            rest = [s for s in self._distinct() if not self._predicts(found, s)]
            scored = []
            for part in self._candidates(rest):
                new = found | part
                gain = [s for s in rest if self._predicts(new, s)]
                told = any(speaks(o.observed) for s in gain for o in s.observations)
                if gain and told:
                    scored.append((-len(gain), str(part), new))
            better = next(
                (new for _, _, new in sorted(scored) if not self._contradicted(found, new)), None
            )
            if better is None:
                break
            found = better
        return found

    def _distinct(self) -> Iterator[Symptom]:
        met: set[tuple[Stimulus, ...]] = set()
        for symptom in sorted(self.evidence.symptoms, key=lambda s: s.elements):
            key = tuple(o.stimulus for o in symptom.observations)
            if symptom.is_answered and key not in met and len(met) < MOST_SYMPTOMS:
                met.add(key)
                yield symptom

    def _candidates(self, symptoms: Iterable[Symptom]) -> list[Hypothesis]:
        found = {Hypothesis(mutants=(name,)): None for name in MUTANTS}
        for symptom in symptoms:
            first = symptom.observations[0]
            for dial, value in settings(first.stimulus.case, first.dials):
                found[Hypothesis.of({dial: value})] = None
        return list(found)

    def _contradicted(self, old: Hypothesis, new: Hypothesis) -> bool:
        """Whether the engine sides with OLD against NEW where it was right."""
        return any(
            own.correct
            and self.predictions.agrees(old, own.observation)
            and self.predictions.agrees(new, own.observation) is False
            for own in self.evidence.answered
        )

    def _cause(self, part: Hypothesis, found: Hypothesis) -> Cause:
        others = Hypothesis.of(
            dict(set(found.dials) - set(part.dials)), set(found.mutants) - set(part.mutants)
        )
        own = [
            s
            for s in self.evidence.symptoms
            if self._predicts(found, s) and not self._predicts(others, s)
        ]
        smallest = min(own, key=lambda s: s.elements, default=None)
        agrees = self.predictions.agrees
        wrong = [own for own in self.evidence.answered if own.correct is False]
        right: list[Answered] = [own for own in self.evidence.answered if own.correct]
        explains = sum(
            bool(agrees(found, w.observation)) and not agrees(others, w.observation) for w in wrong
        )
        return Cause(
            id=str(part),
            hypothesis=part,
            properties=tuple(dict.fromkeys(s.property_name for s in own)),
            explains=explains,
            contradicts=sum(agrees(found, r.observation) is False for r in right),
            passing=len(right),
            file=smallest.file if smallest else "",
            elements=smallest.elements if smallest else 0,
            text=text_of(part),
        )


def unexplained(symptoms: Iterable[Symptom]) -> Iterator[Cause]:
    """SYMPTOMS by fingerprint, as causes without a hypothesis; those of most properties first."""
    groups: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        groups.setdefault(fingerprint(symptom).id, []).append(symptom)
    found = []
    for id, group in groups.items():
        smallest = min(group, key=lambda s: s.elements)
        names = tuple(dict.fromkeys(s.property_name for s in group))
        text = str(fingerprint(smallest))
        found.append(
            Cause(
                UNEXPLAINED + id,
                properties=names,
                file=smallest.file,
                elements=smallest.elements,
                text=text,
            )
        )
    yield from sorted(found, key=lambda cause: (-len(cause.properties), cause.id))
