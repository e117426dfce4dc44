"""What the search for causes has to explain, and what it is held against.

Answers that are wrong, some hundred at a time and of as many shapes as there are, and answers that
are right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from rsp_conformance.causes.evidence import Answered, Evidence, Symptom
from rsp_conformance.causes.mutants import varies
from rsp_conformance.causes.prediction import Predictions, differ
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus

MOST_SORTED = 1_500
"""Of so many answers of a kind those of the most shapes are taken."""
MOST_PROBES = 300
"""So many wrong answers, of as many shapes as there are, are to be explained at a time, ..."""
FEW_PROBES = 80
"""... and so many in a brief search: what explains most of what is wrong shows in few of it."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Answers that are wrong, of one case or of several that contradict each other.

    ``symptom`` is there where they are a failure that was shrunk; ``is_fresh`` says that the search
    has asked for them, and not the run, and ``is_explained`` that causes which the run has found
    explain them.
    """

    property_name: str
    observations: tuple[Observation, ...]
    symptom: Symptom | None = None
    is_fresh: bool = False
    is_explained: bool = False

    @classmethod
    def of(cls, symptom: Symptom) -> Probe:
        """What the cases of SYMPTOM have shown."""
        return cls(symptom.property_name, symptom.observations, symptom)

    @property
    def digests(self) -> tuple[str, ...]:
        """The digests of its observations."""
        return tuple(own.digest for own in self.observations)

    @property
    def size(self) -> tuple[int, int]:
        """By what probes are ordered."""
        return self.observations[0].size

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
        """Its one answer, if it is that of a case that was not shrunk."""
        if self.symptom is not None or len(self.observations) > 1:
            return None
        return Answered(self.observations[0], False, self.property_name)

    @property
    def is_counted(self) -> bool:
        """Whether it is one of the run's wrong answers, as it was first asked."""
        return self.symptom is None and not self.is_fresh

    def tells_apart(self, one: Setting, other: Setting) -> bool:
        """Whether two hypotheses predict different answers."""
        return any(differ(one, other, o.stimulus.case, o.dials) for o in self.observations)

    @property
    def speaks(self) -> bool:
        """Whether the engine answered anything at all."""
        return any(own.speaks for own in self.observations)


@dataclass(slots=True)
class Probes:
    """The probes of EVIDENCE; what hypotheses make of them is asked of PREDICTIONS.

    Attributes:
        most: so many wrong answers are to be explained at a time.
        wrong: what is to be explained, so far.
        right: right answers, and those of laws and relations, which nobody has judged.
        judged: how many of RIGHT, its first ones, the specification has judged.
        failing: the properties that have failed with some stimuli.
        all_met: whether every wrong answer has been looked at, and none passed over.
    """

    evidence: Evidence
    predictions: Predictions
    most: int = MOST_PROBES
    wrong: list[Probe] = field(default_factory=list)
    right: list[Observation] = field(default_factory=list)
    judged: int = 0
    failing: dict[tuple[Stimulus, ...], list[str]] = field(default_factory=dict)
    all_met: bool = False
    _passed_over: bool = False
    _waiting: Iterator[Probe] = iter(())

    def __post_init__(self) -> None:
        """Part what is wrong, the shrunk cases first, from what is right."""
        shrunk = [Probe.of(s) for s in self.evidence.symptoms if s.is_answered]
        wrong: list[Probe] = []
        right: list[Probe] = []
        unjudged: list[Probe] = []
        for own in self.evidence.answered:
            self.predictions.know(own.observation, own.correct)
            group = {None: unjudged, True: right, False: wrong}[own.correct]
            group.append(
                Probe(own.property_name, (own.observation,), is_explained=own.is_explained)
            )
        for probe in shrunk:
            self.failing.setdefault(probe.stimuli, []).append(probe.property_name)
        self._waiting = chain(sorted(shrunk, key=lambda p: p.size), self._by_variety(wrong))
        others = [*self._by_variety(right), *self._by_variety(unjudged)]
        self.right = [probe.observations[0] for probe in others]
        self.judged = min(len(right), MOST_SORTED)

    def fill(
        self,
        found: Setting,
        is_over: Callable[[], bool] = lambda: False,
        *,
        unexplained: bool = False,
    ) -> bool:
        """Have ``most`` that FOUND does not explain, if so many wait, until IS_OVER.

        Whether any were waiting. What shows in few answers is met where the causes of many are
        found. If UNEXPLAINED, what the run has explained waits no more.
        """
        there, met = len(self.wrong), {probe.stimuli for probe in self.wrong}
        left = len(self.left(found))
        while left < self.most and not is_over():
            probe = next(self._waiting, None)
            if probe is None:
                wrong = sum(own.correct is False for own in self.evidence.answered)
                self.all_met = wrong <= MOST_SORTED and not self._passed_over
                break
            if unexplained and probe.is_explained:
                self._passed_over = True
                continue
            if probe.stimuli not in met and not self.explains(found, probe):
                met.add(probe.stimuli)
                self.wrong.append(probe)
                left += 1
        return len(self.wrong) > there

    def _by_variety(self, probes: list[Probe]) -> Iterator[Probe]:
        """PROBES, each time one of a shape not met for long; of each the smaller first."""
        if len(probes) > MOST_SORTED:
            probes = random.Random(0).sample(probes, MOST_SORTED)
        shapes: dict[tuple[frozenset[str], bool], list[Probe]] = {}
        for probe in sorted(probes, key=lambda p: p.size, reverse=True):
            shape = self.predictions.visible(probe.observations[0]), probe.speaks
            shapes.setdefault(shape, []).append(probe)
        while shapes:
            for shape in list(shapes):
                yield shapes[shape].pop()
                if not shapes[shape]:
                    del shapes[shape]

    def explains(self, hypothesis: Setting, probe: Probe) -> bool:
        """Whether HYPOTHESIS predicts all answers of PROBE, and two to one case where they are."""
        if probe.varies and not varies(hypothesis):
            return False
        return all(self.predictions.agrees(hypothesis, own) for own in probe.observations)

    def left(self, found: Setting) -> list[Probe]:
        """The wrong answers that FOUND does not explain."""
        return [probe for probe in self.wrong if not self.explains(found, probe)]

    def predicted(self, found: Setting) -> Iterator[Observation]:
        """Right answers, and by turns wrong ones that FOUND explains."""
        wrong = (p.observations[0] for p in self.wrong if self.explains(found, p))
        pairs = zip_longest(self.right, wrong)
        return (own for pair in pairs for own in pair if own is not None)

    @property
    def held(self) -> list[Observation]:
        """The right answers on which the whole is held in the end."""
        return self.right[:MOST_PROBES]
