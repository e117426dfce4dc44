"""Fresh cases on which two settings differ, asked of the engine.

**What is sought.** Certainty about a setting for which the run's own answers do not suffice. They
may not tell two settings apart, and if only one answer supports a setting, it may fit by chance.
It is no chance if the setting also predicts answers to cases that were chosen because the settings
differ on them.

**How.** First come the cases that the setting explains, with an element of a stream left out: of a
rare bug hardly any drawn case shows anything. Then cases are drawn from the foci that have to do
with the settings: those of the properties that failed, then those that need the same features, then
any. Small cases come first. `reference` predicts each under both settings, and the engine is asked
only those on which the predictions differ. It stops after `MOST_ASKED` cases, after `MOST_FAILED`
cases without an answer, or when the budget of predictions is spent.

**What it costs.** `COST` predictions a case that is drawn, and some cases of the engine's time.
How many cases are drawn and asked was chosen, and not tuned.

**What was tried.** Before, a part had to explain two answers of the run; a short run often has only
one of a rare bug.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Final

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.simulation import differ
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.streams import without_one
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.strategies import FOCUSES, applicable, some_cases

MOST_DRAWN: Final = 120
"""The number of cases that are drawn from a focus."""
MOST_FOCI: Final = 4
"""The number of foci from which cases are drawn."""
MOST_ASKED: Final = 12
"""The most cases that the engine is asked."""
MOST_FAILED: Final = 2
"""The most cases without an answer: each may cost a whole time limit."""
RUNS: Final = 3
"""The runs that show whether an engine is unstable on a case, as when a failure is confirmed."""
COST: Final = 2
"""The predictions that it takes to compare two settings on a case."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """Asks an engine fresh cases.

    Attributes:
        subject: the engine.
        predictions: counts the predictions that comparing settings takes.
    """

    subject: EngineUnderTest
    predictions: Predictions

    def answers(
        self,
        one: Setting,
        other: Setting,
        properties: Sequence[str],
        budget: int,
        near: Sequence[Case] = (),
    ) -> list[Observation]:
        """Return the engine's answers to fresh cases on which two settings differ.

        Args:
            one: a setting.
            other: another setting.
            properties: the properties whose cases are drawn first.
            budget: how many predictions may be spent.
            near: cases that are asked before, with an element left out.
        """
        found: list[Observation] = []
        failed = 0
        ends = self.predictions.asked + budget
        for case in chain(_shortened(near), self._cases((one, other), properties)):
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

    def again(self, stimulus: Stimulus) -> list[Observation]:
        """Return the engine's answers to a case that it is asked `RUNS` times more."""
        with suppress(EngineError, BadInput):
            return [self.subject.ask(stimulus) for _ in range(RUNS)]
        return []

    def _cases(self, settings: Sequence[Setting], properties: Sequence[str]) -> Iterator[Case]:
        """Cases of the properties and of foci that suit the settings, small cases first."""
        for focus in self._foci(settings, properties):
            features, profile = self.subject.features, self.subject.profile
            found = some_cases(features, profile, focus, MOST_DRAWN, seed=len(settings))
            yield from sorted(found, key=lambda case: len(case.elements))

    def _foci(self, settings: Sequence[Setting], first: Sequence[str]) -> list[str]:
        """The foci of properties and those that the mutants' features name or need; last, any."""
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


def _shortened(cases: Sequence[Case]) -> Iterator[Case]:
    """Cases with one stream element left out, the last one first: by turns, one of each case."""
    for turn in zip_longest(*(without_one(case.elements) for case in cases)):
        for case, fewer in zip(cases, turn, strict=True):
            if fewer is not None:
                yield replace(case, elements=fewer)
