"""Asking the engine: within a budget, and no more once it is gone."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite.budget import LOST, Budget
from rsp_conformance.suite.events import Working
from rsp_conformance.suite.tally import Ledger, Tally


class Asking:
    """The engine under test, as a run asks it; ``broken`` says why it cannot be asked any more."""

    def __init__(self, subject: EngineUnderTest, ledger: Ledger) -> None:
        self.subject = subject
        self.budget = Budget()
        self.broken: EngineBroken | None = None
        self._ledger = ledger

    def batch(
        self, property_name: str, stimuli: Sequence[Stimulus], until: float | None
    ) -> Iterator[Observation]:
        """Ask STIMULI of a property, as many at once as the engine allows.

        Nothing is sent after UNTIL (``time.monotonic()``), or once the budget is spent.
        """
        tally = self._ledger.tallies[property_name]

        def within_budget() -> Iterator[Stimulus]:
            for number, stimulus in enumerate(stimuli, 1):
                tally.cut = tally.cut or self.budget.ends(tally, until)
                if tally.cut:
                    return
                if number % 10 == 1:
                    self._ledger.emit(Working(property_name, "asking", number, len(stimuli)))
                yield stimulus

        yield from self._ask(within_budget(), tally)

    def again(self, stimulus: Stimulus, tally: Tally | None = None) -> Observation:
        """Ask STIMULUS now, whatever is known of it."""
        (observation,) = self._ask([stimulus], tally or Tally())
        return observation

    def learn(self, property_name: str) -> None:
        """Charge the budget with what a property's batch cost; raises as ``Budget.learn``."""
        try:
            self.budget.learn(property_name, self._ledger.tallies[property_name])
        except EngineBroken as error:
            self.broken = error
            raise

    def stops_shrinking(self, property_name: str) -> bool:
        """Whether nothing more is asked to make a property's failures smaller."""
        # A failure that was found is shown even if the engine is gone since.
        broken = self.broken is not None and self.budget.has_failed(property_name)
        return broken or self.budget.shrunk_enough(property_name)

    def _ask(self, stimuli: Iterable[Stimulus], tally: Tally) -> Iterator[Observation]:
        """Put STIMULI to the engine; what is lost is counted at once."""
        if self.broken is not None:
            raise self.broken
        started = time.perf_counter()
        try:
            for observation in self.subject.ask_many(stimuli):
                took = time.perf_counter() - started
                self._ledger.seconds["engine"] += took
                if observation.failure is not None and observation.failure.kind in LOST:
                    tally.lost += 1
                    tally.lost_seconds += took
                else:
                    tally.answered += 1
                yield observation
                started = time.perf_counter()
        except EngineBroken as error:
            self.broken = error
            raise
