"""From the evidence of a run to its causes: the smallest hypothesis that explains the most.

A hypothesis grows part by part, a dial or a mutant at a time. The smallest case that it does not
explain is put to every simple part; those that explain it are held against all other cases: a
**gain** is an answer that it predicts with the part and not without, a **loss** the other way
round. The part with the most gains and hardly a loss is taken. Where the whole is found each part
is looked at again beside all others, and goes where nothing is lost with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Final

from rsp_conformance.causes.cause import UNEXPLAINED, Cause, text_of
from rsp_conformance.causes.evidence import Evidence, Symptom, speaks
from rsp_conformance.causes.fingerprint import fingerprint
from rsp_conformance.causes.hypothesis import Hypothesis
from rsp_conformance.causes.prediction import Predictions, differ
from rsp_conformance.causes.rivals import Rivals
from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus

NOTHING: Final = Hypothesis()
"""The engine follows its profile."""
MOST_PARTS = 8
"""A hypothesis has so many parts at most."""
MOST_HARD = 25
"""So many cases in a row may be explained by no part, until the search ends."""
MOST_PAIRED = 3
"""For so many of them pairs of parts are tried."""
MOST_SORTED = 1_500
"""Of so many answers of a kind those of the most shapes are taken."""
MOST_PROBES = 400
"""So many wrong answers, of as many shapes as there are, are to be explained."""
SAMPLE = 30
"""On so many cases rivals are held first, ..."""
MOST_RIVALS = 12
"""... and so many of the best then on all."""
FEWEST = 2
"""So many wrong answers a part has to explain at least: one may be chance."""
LOSS_WEIGHT = 4
"""A loss weighs as much as so many gains."""
MOST_ALTERNATIVES = 4
"""So many rivals that nothing tells apart are named at most."""


def find_causes(
    evidence: Evidence,
    subject: EngineUnderTest | None = None,
    *,
    seconds: float = 30.0,
    known: Hypothesis = NOTHING,
    predictions: Predictions | None = None,
) -> tuple[Cause, ...]:
    """The causes behind the symptoms of EVIDENCE, those of most properties first.

    What nothing explains comes last, grouped by fingerprint. SUBJECT, where it can be asked, tells
    rivals apart by fresh cases. SECONDS of processor time may be spent. KNOWN are causes that were
    found before: what they explain is no symptom, and they are not named again. PREDICTIONS are
    what was predicted before, on the same observations.
    """
    ends = time.process_time() + seconds
    return _Search(evidence, subject, known, ends, predictions or Predictions()).causes()


@dataclass(frozen=True, slots=True)
class _Probe:
    """Answers that are wrong, of one case or of several that contradict each other."""

    property_name: str
    observations: tuple[Observation, ...]
    symptom: Symptom | None = None

    @property
    def size(self) -> tuple[int, int]:
        """By what probes are ordered."""
        first = self.observations[0]
        return len(first.stimulus.case.elements), len(first.query_text)

    @property
    def speaks(self) -> bool:
        """Whether the engine answered anything at all."""
        return any(speaks(own.observed) for own in self.observations)


@dataclass(slots=True)
class _Score:
    """How a hypothesis fares beside another one."""

    hypothesis: Hypothesis
    part: Hypothesis
    gains: int = 0
    told: int = 0
    losses: int = 0
    held: int = 0

    @property
    def value(self) -> int:
        """Gains less losses, weighed."""
        return self.gains - LOSS_WEIGHT * self.losses

    @property
    def order(self) -> tuple[int, int, int, str]:
        """The best first; of equals mutants before dials, which have no text of their own."""
        return -self.value, len(self.part), len(self.part.dials), str(self.part)

    def is_equal_to(self, other: _Score) -> bool:
        """Whether nothing that was asked tells it from OTHER."""
        return (self.gains, self.losses) == (other.gains, other.losses)

    @property
    def is_hopeless(self) -> bool:
        """Whether the engine sides against it more often than other defects may explain."""
        return self.losses > 2 + max(self.gains, self.held) // 10


@dataclass(slots=True)
class _Search:
    evidence: Evidence
    subject: EngineUnderTest | None
    known: Hypothesis
    ends: float
    predictions: Predictions
    rivals: dict[Hypothesis, tuple[Hypothesis, ...]] = field(default_factory=dict)
    probes: list[_Probe] = field(default_factory=list)
    right: list[Observation] = field(default_factory=list)
    dismissed: set[Hypothesis] = field(default_factory=set)

    def causes(self) -> tuple[Cause, ...]:
        """The causes, as ``find_causes`` gives them."""
        self._sort_out()
        found = self._found()
        explained = [self._cause(part, found) for part in self._new(found)]
        explained.sort(key=lambda cause: (-len(cause.properties), -cause.explains, cause.id))
        rest = [s for s in self.evidence.symptoms if not self._explains(found, _probe(s))]
        return (*explained, *unexplained(rest))

    def _sort_out(self) -> None:
        """Part what is wrong even with KNOWN, the shrunk cases first, from what is right."""
        shrunk = [_probe(s) for s in self.evidence.symptoms if s.is_answered]
        wrong: list[_Probe] = []
        right: list[_Probe] = []
        unjudged: list[_Probe] = []
        for own in self.evidence.answered:
            self.predictions.know(own.observation, own.correct)
            group = {None: unjudged, True: right, False: wrong}[own.correct]
            group.append(_Probe(own.property_name, (own.observation,)))
        met: set[tuple[Stimulus, ...]] = set()
        for probe in [*sorted(shrunk, key=lambda p: p.size), *self._by_variety(wrong)]:
            if len(met) == MOST_PROBES:
                break
            asked = tuple(own.stimulus for own in probe.observations)
            if asked not in met and not self._explains(self.known, probe):
                met.add(asked)
                self.probes.append(probe)
        others = [*self._by_variety(right), *self._by_variety(unjudged)]
        self.right = [probe.observations[0] for probe in others]

    def _by_variety(self, probes: list[_Probe]) -> Iterator[_Probe]:
        """PROBES, each time one of a shape not met for long; of each the smaller first."""
        if len(probes) > MOST_SORTED:
            probes = random.Random(0).sample(probes, MOST_SORTED)
        shapes: dict[tuple[frozenset[str], bool], list[_Probe]] = {}
        for probe in sorted(probes, key=lambda p: p.size, reverse=True):
            shape = self.predictions.visible(probe.observations[0]), probe.speaks
            shapes.setdefault(shape, []).append(probe)
        while shapes:
            for shape in list(shapes):
                yield shapes[shape].pop()
                if not shapes[shape]:
                    del shapes[shape]

    # --- growing ---------------------------------------------------------------------------

    def _found(self) -> Hypothesis:
        """KNOWN, and what explains most beside it.

        A part that is dismissed in the end may have stood in the way of true ones: these are
        looked for again.
        """
        while True:
            before = len(self.dismissed)
            found = self._pruned(self._full_grown(self.known))
            if len(self.dismissed) == before or self._is_over():
                return found

    def _full_grown(self, found: Hypothesis) -> Hypothesis:
        """FOUND, and all that explains more.

        What only compares less is never contradicted: it is asked where nothing else explains more.
        """
        while True:
            grown = self._grown(found)
            if grown == found:
                grown = self._grown(found, forgiving=True)
            if grown == found:
                return found
            found = grown

    def _grown(self, found: Hypothesis, *, forgiving: bool = False) -> Hypothesis:
        """FOUND, and part by part what explains more: FORGIVING dials only, or all others."""
        hard = 0
        for probe in self.probes:
            if len(found) >= MOST_PARTS or hard >= MOST_HARD or self._is_over():
                break
            while not self._explains(found, probe) and len(found) < MOST_PARTS:
                able = [p for p in self._parts(probe, found) if p.forgives is forgiving]
                parts = [p for p in able if self._explains(found | p, probe)]
                best = self._best(found, parts)
                if best is None and hard < MOST_PAIRED and not forgiving:
                    best = self._best(found, list(self._pairs(probe, found)))
                if best is None:
                    hard += 1
                    break
                found, hard = best, 0
        return found

    def _parts(self, probe: _Probe, found: Hypothesis) -> Iterator[Hypothesis]:
        """Every simple part that FOUND has not, was not dismissed and may show in PROBE."""
        yield from (p for p in self._all_parts(probe, found) if p not in self.dismissed)

    def _all_parts(self, probe: _Probe, found: Hypothesis) -> Iterator[Hypothesis]:
        cases = [own.stimulus.case for own in probe.observations]
        seen = set().union(*map(self.predictions.visible, probe.observations))
        yield from (Hypothesis(mutants=(n,)) for n in sorted(seen) if n not in found.mutants)
        if not probe.speaks:
            return  # A dial may make any silence right.
        turned, first = {dial for dial, _ in found.dials}, probe.observations[0]
        for dial, value in dict.fromkeys(settings(cases[0], first.dials)):
            if dial not in turned and str(first.dials.text(dial)) != value:
                yield Hypothesis.of({dial: value})

    def _pairs(self, probe: _Probe, found: Hypothesis) -> Iterator[Hypothesis]:
        """Pairs of parts that explain PROBE together; each makes a difference by itself."""
        first = probe.observations[0]
        case, dials = first.stimulus.case, first.dials
        able = (p for p in self._parts(probe, found) if not p.forgives)
        moving = [p for p in able if differ(found, found | p, case, dials)]
        for one, other in combinations(moving, 2):
            if self._is_over():
                return
            if not set(dict(one.dials)) & set(dict(other.dials)):
                pair = one | other
                if self._explains(found | pair, probe):
                    yield pair

    def _best(self, found: Hypothesis, parts: Sequence[Hypothesis]) -> Hypothesis | None:
        """FOUND with the one of PARTS that explains most; None where none is credible."""
        scores = [_Score(found | part, part) for part in parts]
        left = [p for p in self.probes if not self._explains(found, p)]
        for most in (SAMPLE, MOST_PROBES):
            step = max(1, len(left) // most)
            scores = [_Score(score.hypothesis, score.part) for score in scores]
            scores = self._held(found, scores, left[::step], most)
            scores = sorted(scores, key=lambda s: s.order)[:MOST_RIVALS]
        scores = sorted((s for s in scores if self._credible(s, found)), key=lambda s: s.order)
        if not scores:
            return None
        equal = [
            s.hypothesis
            for s in scores
            if s.value == scores[0].value and s.losses == scores[0].losses
        ]
        if self.subject is not None and not self._is_over():
            equal = Rivals(self.subject, self.predictions, self.ends).left(found, equal)
        if not equal:
            return self._best(found, [s.part for s in scores if not s.is_equal_to(scores[0])])
        best, *others = [s for s in scores if s.hypothesis in equal]
        self.rivals[best.part] = tuple(s.part for s in others if len(s.part) == len(best.part))
        return best.hypothesis

    def _held(
        self, found: Hypothesis, scores: list[_Score], probes: Iterable[_Probe], most: int
    ) -> list[_Score]:
        """SCORES after each was held against FOUND; the hopeless are left out.

        Each is asked of MOST right answers on which it may bear.
        """
        for observation in self.right:
            for score in scores:
                if score.held < most and self._may_bear(score.hypothesis, found, observation):
                    score.held += 1
                    score.losses += self._is_lost(found, score.hypothesis, observation)
            scores = [score for score in scores if not score.is_hopeless]
            if all(score.held >= most for score in scores) or self._is_over():
                break
        for probe in probes:
            for score in scores:
                if self._explains(score.hypothesis, probe):
                    score.gains += 1
                    score.told += probe.speaks
            if self._is_over():
                break
        return scores

    def _may_bear(self, one: Hypothesis, other: Hypothesis, observation: Observation) -> bool:
        showing = self.predictions.showing
        return showing(one, observation) != showing(other, observation)

    def _is_lost(self, old: Hypothesis, new: Hypothesis, observation: Observation) -> bool:
        """Whether OLD predicts the engine's answer, and NEW another one."""
        if not self._may_bear(old, new, observation):
            return False
        agrees = self.predictions.agrees
        return agrees(new, observation) is False and bool(agrees(old, observation))

    def _credible(self, score: _Score, found: Hypothesis) -> bool:
        """Whether a hypothesis says more than that the engine is silent, and not only by chance."""
        if score.gains < FEWEST or score.value <= 0 or score.losses > score.gains // 10:
            return False
        if score.told:
            return True
        # All that it explains is silence: then the engine speaks wherever else it errs.
        silent = [p for p in self.probes if not p.speaks]
        unexplained_silence = sum(not self._explains(score.hypothesis, p) for p in silent)
        return not score.losses and score.gains >= 3 and unexplained_silence < score.gains

    # --- the whole -------------------------------------------------------------------------

    def _new(self, found: Hypothesis) -> list[Hypothesis]:
        return [part for part in found.parts if part not in self.known.parts]

    def _pruned(self, found: Hypothesis) -> Hypothesis:
        """FOUND without the parts that beside the others explain nothing or contradict much."""
        while True:
            for part in self._new(found):
                others = without(found, part)
                gains, losses = self._beside(found, others)
                if gains < FEWEST or losses > gains // 100 + self._is_unstable:
                    found = others
                    break
                if self._against(part, found) > gains:
                    self.dismissed.add(part)
                    found = others
                    break
            else:
                return found

    def _beside(self, found: Hypothesis, others: Hypothesis) -> tuple[int, int]:
        """What FOUND gains and loses against OTHERS."""
        gains = sum(self._gained(found, others, p) for p in self.probes)
        losses = sum(self._is_lost(others, found, o) for o in self._bearing(found, others))
        return gains, losses

    def _against(self, part: Hypothesis, found: Hypothesis) -> int:
        """On how many answers that FOUND does not predict the engine sides with FOUND less PART.

        On those that other defects have spoilt so far that they side with neither, it does not.
        """
        left = [p for p in self.probes if not self._explains(found, p)]
        if part.forgives:
            return sum(p.speaks for p in left)
        others, nearer = without(found, part), self.predictions.nearer
        sides = [nearer(found, others, own) for p in left for own in p.observations]
        return sum(side is not None and side < 0 for side in sides)

    def _bearing(self, found: Hypothesis, others: Hypothesis) -> list[Observation]:
        """So many right answers on which the difference between FOUND and OTHERS may bear."""
        return list(
            islice((o for o in self.right if self._may_bear(found, others, o)), MOST_PROBES)
        )

    def _gained(self, found: Hypothesis, others: Hypothesis, probe: _Probe) -> bool:
        if not any(self._may_bear(found, others, own) for own in probe.observations):
            return False
        return self._explains(found, probe) and not self._explains(others, probe)

    @property
    def _is_unstable(self) -> bool:
        return any(symptom.kind == "unstable" for symptom in self.evidence.symptoms)

    def _explains(self, hypothesis: Hypothesis, probe: _Probe) -> bool:
        return all(self.predictions.agrees(hypothesis, own) for own in probe.observations)

    def _is_over(self) -> bool:
        return time.process_time() >= self.ends

    def _cause(self, part: Hypothesis, found: Hypothesis) -> Cause:
        others = without(found, part)
        own = [p for p in self.probes if self._gained(found, others, p)]
        smallest = min(own, key=lambda p: (p.symptom is None, p.size))
        still = [p for p in self.probes if not self._explains(found, p)][:SAMPLE]
        held = [
            o for o in self.right[: 10 * SAMPLE] if self.predictions.agrees(found, o) is not None
        ]
        alternatives = self.rivals.get(part, ())[:MOST_ALTERNATIVES]
        text = text_of(part) + "".join(f" Or: {text_of(other)}" for other in alternatives)
        return Cause(
            id=str(part),
            hypothesis=part,
            alternatives=alternatives,
            properties=tuple(dict.fromkeys(p.property_name for p in own)),
            explains=sum(p.symptom is None for p in own),
            open=sum(_bears(found, others, p) for p in still),
            contradicts=sum(self._is_lost(others, found, o) for o in held),
            passing=len(held),
            file=smallest.symptom.file if smallest.symptom else "",
            elements=smallest.size[0],
            text=text,
        )


def without(hypothesis: Hypothesis, part: Hypothesis) -> Hypothesis:
    """HYPOTHESIS without PART."""
    return Hypothesis(
        tuple(dial for dial in hypothesis.dials if dial not in part.dials),
        tuple(name for name in hypothesis.mutants if name not in part.mutants),
    )


def _probe(symptom: Symptom) -> _Probe:
    return _Probe(symptom.property_name, symptom.observations, symptom)


def _bears(one: Hypothesis, other: Hypothesis, probe: _Probe) -> bool:
    """Whether two hypotheses predict different answers to PROBE."""
    return any(differ(one, other, own.stimulus.case, own.dials) for own in probe.observations)


def unexplained(symptoms: Iterable[Symptom]) -> Iterator[Cause]:
    """SYMPTOMS by fingerprint, as causes without a hypothesis; those of most properties first."""
    groups: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        groups.setdefault(fingerprint(symptom).id, []).append(symptom)
    found = []
    for id, group in groups.items():
        smallest = min(group, key=lambda s: s.elements)
        cause = Cause(
            UNEXPLAINED + id,
            properties=tuple(dict.fromkeys(s.property_name for s in group)),
            file=smallest.file,
            elements=smallest.elements,
            text=str(fingerprint(smallest)),
        )
        found.append(cause)
    yield from sorted(found, key=lambda cause: (-len(cause.properties), cause.id))
