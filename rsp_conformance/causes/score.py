"""How well a hypothesis explains the answers of a run, beside another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from rsp_conformance.causes.hypothesis import Hypothesis
from rsp_conformance.causes.probes import Probe, Probes
from rsp_conformance.judge.engine_under_test import Observation

LOSS_WEIGHT = 4
"""A loss weighs as much as so many gains."""
SAMPLE = 30
"""On so many cases rivals are held first, ..."""
MOST_HELD = 150
"""... and then on so many, ..."""
MOST_RIVALS = 12
"""... so many of the best."""
MOST_TRIED = 4
"""Of right answers so many times as many are gone through for those on which they bear."""


@dataclass(slots=True)
class Score:
    """How a hypothesis fares beside another one."""

    hypothesis: Hypothesis
    part: Hypothesis
    gains: int = 0
    told: int = 0
    explained: int = 0
    losses: int = 0
    held: int = 0
    properties: Counter[str] = field(default_factory=Counter)

    @property
    def value(self) -> int:
        """Gains less losses, weighed, if all were asked."""
        return self.explained - LOSS_WEIGHT * self.losses

    @property
    def order(self) -> tuple[int, int, int, str]:
        """The best first; of equals mutants before dials, which have no text of their own."""
        return -self.value, len(self.part), len(self.part.dials), str(self.part)

    def is_equal_to(self, other: Score) -> bool:
        """Whether nothing that was asked tells it from OTHER."""
        return (self.value, self.losses) == (other.value, other.losses)

    @property
    def is_hopeless(self) -> bool:
        """Whether the engine sides against it more often than other defects may explain."""
        return self.losses > 2 + max(self.gains, self.held) // 10


@dataclass(frozen=True, slots=True)
class Contest:
    """Scores hypotheses on PROBES, until IS_OVER."""

    probes: Probes
    is_over: Callable[[], bool]

    def contenders(
        self, found: Hypothesis, parts: Sequence[Hypothesis], left: Sequence[Probe]
    ) -> list[Score] | None:
        """Of PARTS those that beside FOUND explain most of LEFT, asked of more and more.

        None if the time is over before all were asked.
        """
        scores = [Score(found | part, part) for part in parts]
        complete = False
        for most in (SAMPLE, MOST_HELD):
            made = [replace(score) for score in scores]
            for score in made:
                self._count_gains(score, left, most)
            made = sorted((s for s in made if s.gains), key=lambda s: s.order)
            made = [s for s in made if 2 * s.explained >= made[0].explained][:MOST_RIVALS]
            made = self._held(found, made, most)
            if self.is_over():
                return scores if complete and len(scores) == 1 else None
            scores, complete = made, True
        return scores

    def _count_gains(self, score: Score, left: Sequence[Probe], most: int) -> None:
        """Ask SCORE of MOST of the probes LEFT on which its part may bear."""
        bearing = [p for p in left if self._may_show(score.part, p)]
        step = max(1, -(-len(bearing) // most))
        asked = bearing[::step]
        explained = [
            p for p in asked if not self.is_over() and self.probes.explains(score.hypothesis, p)
        ]
        score.gains, score.told = len(explained), sum(p.speaks for p in explained)
        score.explained = step * score.gains
        score.properties = Counter(p.property_name for p in explained)

    def _may_show(self, part: Hypothesis, probe: Probe) -> bool:
        visible = self.probes.predictions.visible
        return bool(part.dials) or any({*part.mutants} & visible(o) for o in probe.observations)

    def _held(self, found: Hypothesis, scores: list[Score], most: int) -> list[Score]:
        """SCORES after each was held against FOUND; the hopeless are left out.

        Each is asked of MOST right answers on which it bears.
        """
        for score in scores:
            score.held = score.losses = 0
        for observation in islice(self.probes.predicted(found), MOST_TRIED * most):
            for score in scores:
                if score.held < most and self._may_bear(score.hypothesis, found, observation):
                    score.held += 1
                    score.losses += self.is_lost(found, score.hypothesis, observation)
            scores = [score for score in scores if not score.is_hopeless]
            if all(score.held >= most for score in scores) or self.is_over():
                break
        return scores

    def _may_bear(self, one: Hypothesis, other: Hypothesis, observation: Observation) -> bool:
        """Whether ONE, which is OTHER and more, may have a case answered otherwise."""
        showing, shown = self.probes.predictions.showing, self.probes.predictions.shown
        if showing(one, observation) == showing(other, observation):
            return False
        more = {*one.mutants} - {*other.mutants}
        return one.dials != other.dials or bool(more & shown(other, observation))

    def is_lost(self, old: Hypothesis, new: Hypothesis, observation: Observation) -> bool:
        """Whether OLD predicts the engine's answer, and NEW another one."""
        agrees = self.probes.predictions.agrees
        return agrees(new, observation) is False and bool(agrees(old, observation))
