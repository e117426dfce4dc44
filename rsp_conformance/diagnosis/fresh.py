"""Fresh cases, asked of the engine, on which two settings differ.

A run's own answers may not tell two settings apart, and one answer that a setting alone predicts
may be chance. That it predicts others is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.prediction import Predictions, differ
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.strategies import FOCUSES, applicable, some_cases

MOST_DRAWN: Final = 120
"""So many cases are drawn from a focus."""
MOST_FOCI: Final = 4
"""From so many foci cases are drawn."""
MOST_ASKED: Final = 12
"""So many of them, on which the settings differ, the engine is asked."""
MOST_FAILED: Final = 2
"""After so many without an answer it is left alone: each may cost a whole time limit."""
COST: Final = 2
"""So many predictions it takes to find out whether two settings differ on a case."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """Asks an engine fresh cases.

    Attributes:
        subject: the engine.
        predictions: what is spent on comparing settings counts among them.
    """

    subject: EngineUnderTest
    predictions: Predictions

    def answers(
        self, one: Setting, other: Setting, properties: Sequence[str], budget: int
    ) -> list[Observation]:
        """Return what the engine answers to fresh cases on which two settings differ.

        Args:
            one: a setting.
            other: another one.
            properties: those whose cases are drawn first.
            budget: as many predictions may be spent.
        """
        found: list[Observation] = []
        failed = 0
        ends = self.predictions.asked + budget
        for case in self._cases((one, other), properties):
            if self.predictions.asked >= ends:
                break
            self.predictions.asked += COST
            if not differ(one, other, case, self.subject.dials(case)):
                continue
            try:
                observation = self.subject.ask(Stimulus(case))
            except (EngineError, BadInput):
                break
            if observation.is_answered:
                found.append(observation)
            else:
                failed += 1
            if len(found) + failed == MOST_ASKED or failed == MOST_FAILED:
                break
        return found

    def _cases(self, settings: Sequence[Setting], properties: Sequence[str]) -> Iterator[Case]:
        """Cases of properties and of those that have to do with settings, smaller ones first."""
        for focus in self._foci(settings, properties):
            features, profile = self.subject.features, self.subject.profile
            found = some_cases(features, profile, focus, MOST_DRAWN, seed=len(settings))
            yield from sorted(found, key=lambda case: len(case.elements))

    def _foci(self, settings: Sequence[Setting], first: Sequence[str]) -> list[str]:
        """The foci of properties, and those that settings' features name or need; `any` is last."""
        able = [
            name
            for name in FOCUSES
            if applicable(name, self.subject.features, self.subject.profile) is True
        ]
        wanted = {f for own in settings for name in own.mutants for f in MUTANTS[name].features}
        own = [name for name in able if name in wanted or FOCUSES[name].needs & wanted]
        properties = (name.replace("_", "-") for name in first)
        own = [*(name for name in properties if name in able), *own]
        last = [name for name in ("windows", "any") if name in able]
        return [*dict.fromkeys([*own[: MOST_FOCI - 2], *last])]
