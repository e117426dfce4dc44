"""Hypotheses that a run has not told apart, told apart by fresh cases."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rsp_conformance.causes.mutants import MUTANTS
from rsp_conformance.causes.prediction import Predictions, differ
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.strategies import FOCUSES, applicable, some_cases

MOST_DRAWN = 120
"""So many cases are drawn from a focus."""
MOST_FOCI = 4
"""From so many foci cases are drawn."""
MOST_ASKED = 12
"""So many of them, on which rivals differ, the engine is asked."""
MOST_FAILED = 2
"""After so many without an answer it is left alone: each may cost a whole time limit."""
PART = 0.1
"""The part of the time that is left that one comparison may take."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """Asks SUBJECT fresh cases on which rivals differ, until ENDS (``time.process_time()``)."""

    subject: EngineUnderTest
    predictions: Predictions
    ends: float

    def left(
        self, found: Setting, rivals: Sequence[Setting], foci: Sequence[str] = ()
    ) -> tuple[list[Setting], list[Observation]]:
        """Those of RIVALS that no fresh case contradicts, each of which has FOUND within it.

        Where a case contradicts all of them, it is another defect's, and says nothing; it counts
        against them only where FOUND alone predicts the answer. Also given are the fresh answers
        that one of RIVALS predicts and FOUND does not. The properties FOCI, where what they explain
        has come from, are drawn from first.
        """
        left, siding = list(rivals), []
        ends = time.process_time() + PART * max(0.0, self.ends - time.process_time())
        asked = failed = 0
        for case in self._fresh(left, foci, ends):
            dials = self.subject.dials(case)
            others = left[1:] or [found]
            if not any(differ(left[0], other, case, dials) for other in others):
                continue
            asked += 1
            try:
                observation = self.subject.ask(Stimulus(case))
            except (EngineError, BadInput):
                break
            failed += observation.failure is not None
            agree = [rival for rival in left if self.predictions.agrees(rival, observation)]
            as_found = self.predictions.agrees(found, observation)
            if agree:
                left = agree
                siding += [observation] * (as_found is False)
            elif as_found:
                return [], []
            if asked == MOST_ASKED or failed == MOST_FAILED or time.process_time() > ends:
                break
        return left, siding

    def _fresh(self, rivals: Sequence[Setting], foci: Sequence[str], ends: float) -> Iterator[Case]:
        """Cases of FOCI and of those that have to do with RIVALS, smaller ones of each first."""
        for focus in self._foci(rivals, foci):
            features, profile = self.subject.features, self.subject.profile
            found = some_cases(features, profile, focus, MOST_DRAWN, seed=len(rivals))
            for case in sorted(found, key=lambda c: len(c.elements)):
                if time.process_time() > ends:
                    return
                yield case

    def _foci(self, rivals: Sequence[Setting], first: Sequence[str]) -> list[str]:
        """FIRST, and the foci that name or need the rivals' features; ``any`` comes last."""
        able = [
            name
            for name in FOCUSES
            if applicable(name, self.subject.features, self.subject.profile) is True
        ]
        wanted = {f for rival in rivals for name in rival.mutants for f in MUTANTS[name].features}
        own = [name for name in able if name in wanted or FOCUSES[name].needs & wanted]
        properties = (name.replace("_", "-") for name in first)
        own = [*(name for name in properties if name in able), *own]
        last = [name for name in ("windows", "any") if name in able]
        return [*dict.fromkeys([*own[: MOST_FOCI - 2], *last])]
