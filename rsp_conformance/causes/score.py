"""How well a hypothesis explains the answers of a run, beside another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeAlias

from rsp_conformance.causes.probes import Probe, Probes
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting

LOSS_WEIGHT = 4
"""A loss weighs as much as so many gains."""
Stages: TypeAlias = Sequence[tuple[int, int, int]]
STAGES: Final[Stages] = ((10, 4, 24), (30, 2, 12), (150, 2, 12))
"""Rivals are held on so many cases, with a part of the best's gains they go on, so many of them.

The first few cases tell little, and spare the others where a part explains hardly any.
"""
FEW_STAGES: Final = STAGES[:2]
"""Enough in a brief search."""
MOST_TRIED = 4
"""Of right answers so many times as many are gone through for those on which they bear."""


@dataclass(slots=True)
class Score:
    """How a hypothesis fares beside another one.

    ``gains`` of the answers asked it explains, ``told`` of them not by silence; ``gained`` says
    which, by identity. One in ``step`` was asked, so that ``explained`` are gained if all were.
    """

    hypothesis: Setting
    part: Setting
    gains: int = 0
    told: int = 0
    explained: int = 0
    step: int = 1
    losses: int = 0
    held: int = 0
    properties: Counter[str] = field(default_factory=Counter)
    gained: frozenset[int] = frozenset()

    @property
    def value(self) -> int:
        """Gains less losses, weighed, if all were asked."""
        return self.explained - LOSS_WEIGHT * self.losses

    @property
    def order(self) -> tuple[int, int, int, str]:
        """The best first; of equals mutants before dials, which have no text of their own."""
        return -self.value, len(self.part), len(self.part.dials), str(self.part)

    def is_equal_to(self, other: Score) -> bool:
        """Whether nothing that was asked tells it from OTHER: both explain the same answer, too.

        Two that explain as many answers, but others, may both be true.
        """
        if self is other:
            return True
        same = bool(self.gained & other.gained)
        return same and (self.value, self.losses) == (other.value, other.losses)

    @property
    def is_hopeless(self) -> bool:
        """Whether the engine sides against it more often than other defects may explain."""
        return self.losses > 2 + max(self.gains, self.held) // 10


@dataclass(frozen=True, slots=True)
class Contest:
    """Scores hypotheses on PROBES in STAGES, until IS_OVER."""

    probes: Probes
    stages: Stages
    is_over: Callable[[], bool]

    def contenders(
        self, found: Setting, parts: Sequence[Setting], left: Sequence[Probe]
    ) -> list[Score] | None:
        """Of PARTS those that beside FOUND explain most of LEFT, asked of more and more.

        None if the time is over before all were asked.
        """
        scores = [Score(found | part, part) for part in parts]
        complete = False
        for most, share, rivals in self.stages:
            made = [replace(score) for score in scores]
            for score in made:
                self._count_gains(score, left, most)
            made.sort(key=lambda s: s.order)
            # What was asked of one part in so many may explain one more of them.
            best = made[0].explained if made else 0
            made = [score for score in made if share * (score.explained + score.step) > best]
            made = self._held(found, made[:rivals], most)
            if self.is_over():
                return scores if complete and len(scores) == 1 else None
            scores, complete = made, True
        return [score for score in scores if score.gains]

    def _count_gains(self, score: Score, left: Sequence[Probe], most: int) -> None:
        """Ask SCORE of MOST of the probes LEFT on which its part may bear."""
        bearing = [p for p in left if self._may_show(score.part, p)]
        score.step = max(1, -(-len(bearing) // most))
        asked = bearing[:: score.step]
        explained = [
            p for p in asked if not self.is_over() and self.probes.explains(score.hypothesis, p)
        ]
        score.gains, score.told = len(explained), sum(p.speaks for p in explained)
        score.explained = score.step * score.gains
        score.gained = frozenset(map(id, explained))
        score.properties = Counter(p.property_name for p in explained)

    def _may_show(self, part: Setting, probe: Probe) -> bool:
        visible = self.probes.predictions.visible
        return bool(part.dials) or any({*part.mutants} & visible(o) for o in probe.observations)

    def _held(self, found: Setting, scores: list[Score], most: int) -> list[Score]:
        """SCORES after each was held against FOUND; the hopeless are left out.

        Each is asked of MOST right answers on which it bears.
        """
        for score in scores:
            score.held = score.losses = 0
        among = frozenset(name for score in scores for name in score.part.mutants)
        for observation in islice(self.probes.predicted(found), MOST_TRIED * most):
            for score in scores:
                if score.held < most and self._may_bear(
                    score.hypothesis, found, observation, among
                ):
                    score.held += 1
                    score.losses += self.is_lost(found, score.hypothesis, observation)
            scores = [score for score in scores if not score.is_hopeless]
            if all(score.held >= most for score in scores) or self.is_over():
                break
        return scores

    def _may_bear(
        self, one: Setting, other: Setting, observation: Observation, among: frozenset[str]
    ) -> bool:
        """Whether ONE, which is OTHER and some of AMONG, may have a case answered otherwise."""
        showing, shown = self.probes.predictions.showing, self.probes.predictions.shown
        if showing(one, observation) == showing(other, observation):
            return False
        more = {*one.mutants} - {*other.mutants}
        return one.dials != other.dials or bool(more & shown(other, observation, among))

    def is_lost(self, old: Setting, new: Setting, observation: Observation) -> bool:
        """Whether OLD predicts the engine's answer, and NEW another one."""
        agrees = self.probes.predictions.agrees
        return agrees(new, observation) is False and bool(agrees(old, observation))
