"""Asking the engine: within a budget, and no more once it is gone.

A case that hangs costs its whole time limit, one that kills the driver a restart. What may be
spent on them is bounded for each property, and an engine that never answers ends the run.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import EngineBroken
from rsp_conformance.suite.events import Working
from rsp_conformance.suite.exchange import Exchange
from rsp_conformance.suite.tally import ENOUGH, Ledger, Tally

LOST = frozenset({"timeout", "died", "protocol-error", "too many rows"})
"""Kinds of failure that cost the driver its life, or as much time."""
HUNG = "timeout"
"""The kind of failure that costs a whole time limit."""
NEVER_SHRUNK = frozenset({"too many rows"})
"""Kinds of failure whose first case is shown as it is: every further flood costs as much."""

MOST_LOST = 10
"""So many lost cases a property bears while it asks its cases, ..."""
MOST_HUNG = 2
"""... so many of them that have cost a whole time limit, ..."""
MOST_SECONDS = 60.0
"""... and so many seconds spent on them, and ..."""
MOST_IN_ALL = 300.0
"""... beyond so many in the whole run, one lost case a property, which is not run again."""
NEARLY_ALL = 0.8
"""A property is not asked on where causes that are known explain this part of its first cases."""
SHRINKING = 60.0
"""Seconds for shrinking, for each kind of failure that a property shows, ..."""
SHRINKING_HUNG = 10.0
"""... and for the case that hangs that is shrunk."""
MOST_SMALLER = 300
"""So many smaller cases are asked at most, whatever time there is, if the run is not thorough."""
MOST_IN_VAIN = 80
"""So many of them in a row may be no failures: what else there is to take away is little."""
IMPATIENCE = 0.1
"""Once a case has hung for the whole time limit others have this part of it, ..."""
MARGIN = 20
"""... or so many times as long as the slowest answer took, if that is more and not to be shrunk."""
SHRINKING_PATIENCE = 0.2
"""While a failure of another kind is shrunk, a case has this part of the time limit at most."""
TIME_UP = "the time was up"
"""Why a property was cut that had no more time."""
SILENT_PROPERTIES = 3
"""An engine that has answered no case of so many properties is given up."""


@dataclass(slots=True)
class Budget:
    """What is left of a run's patience.

    ``shrinking`` is the budget for each kind of failure, in seconds. A ``thorough`` run asks on
    where nearly all is explained by then.
    """

    shrinking: float = SHRINKING
    thorough: bool = False
    lost_seconds: float = 0.0
    answered: bool = False
    _has_shrunk_hanging: bool = False
    _silent: dict[str, int] = field(default_factory=dict)
    _deadlines: dict[str, float] = field(default_factory=dict)
    _kinds: dict[str, set[str]] = field(default_factory=dict)
    _slowed: Counter[str] = field(default_factory=Counter)
    _smaller: Counter[str] = field(default_factory=Counter)
    _in_vain: Counter[str] = field(default_factory=Counter)

    def ends(self, tally: Tally, until: float | None) -> str:
        """Why a property asks its cases no further, in a few words; empty where it goes on."""
        if until is not None and time.monotonic() >= until:
            return TIME_UP
        unanswered = bool(self._silent) and not (self.answered or tally.answered)
        strict = unanswered or self.lost_seconds + tally.lost_seconds > MOST_IN_ALL
        most_lost, most_hung = (1, 1) if strict else (MOST_LOST, MOST_HUNG)
        too_long = tally.hung >= most_hung or tally.lost_seconds >= MOST_SECONDS
        if tally.lost >= most_lost or too_long:
            return f"the engine hung or died on {tally.lost}"
        known = tally.explained >= ENOUGH and tally.explained >= NEARLY_ALL * tally.judged
        return "nearly all fails for what is known" if known and not self.thorough else ""

    @property
    def is_spent(self) -> bool:
        """Whether so much was lost in the whole run that a lost case is not run again."""
        return self.lost_seconds > MOST_IN_ALL

    def learn(self, property_name: str, tally: Tally) -> None:
        """Take note of what asking a property's cases cost.

        Raises EngineBroken where the engine has not answered a case of several properties.
        """
        self.lost_seconds += tally.lost_seconds
        self.answered = self.answered or bool(tally.answered)
        if self.answered or not tally.lost:
            return
        self._silent[property_name] = tally.lost
        if len(self._silent) >= SILENT_PROPERTIES:
            raise EngineBroken(
                f"the engine hung or died on every one of its first {sum(self._silent.values())} "
                f"cases, of {len(self._silent)} properties"
            )

    def failed(self, property_name: str, kind: str, tally: Tally) -> None:
        """Take note of a failure: shrinking begins, and has more time for each new kind.

        Where cases have hung, as the property's TALLY says, each that is asked may hang as well:
        then nothing is shrunk but the first hanging case of the run.
        """
        kinds = self._kinds.setdefault(property_name, set())
        self._in_vain[property_name] = 0
        if kind in kinds:
            return
        kinds.add(kind)
        start = max(time.monotonic(), self._deadlines.get(property_name, 0.0))
        silent = len(self._silent) > 1 and not self.answered
        hangs = tally.hung > 0 and (kind != HUNG or self._has_shrunk_hanging)
        hopeless = silent or hangs or kind in NEVER_SHRUNK
        self._has_shrunk_hanging |= kind == HUNG
        most = min(self.shrinking, SHRINKING_HUNG) if kind == HUNG else self.shrinking
        self._deadlines[property_name] = start + (0.0 if hopeless else most)

    def slowed(self, property_name: str) -> None:
        """Take note of a case that took too long while another kind of failure was shrunk."""
        self._slowed[property_name] += 1
        if self._slowed[property_name] >= MOST_HUNG:
            self.end_shrinking(property_name)

    def asked_smaller(self, property_name: str) -> None:
        """Take note of a case that is asked while a failure is shrunk."""
        self._smaller[property_name] += 1
        self._in_vain[property_name] += 1
        many = self._smaller[property_name] >= MOST_SMALLER
        if (many or self._in_vain[property_name] >= MOST_IN_VAIN) and not self.thorough:
            self.end_shrinking(property_name)

    def end_shrinking(self, property_name: str) -> None:
        """Give a property no more time for shrinking, until it is renewed."""
        self._deadlines[property_name] = time.monotonic()

    def renew(self, property_name: str) -> None:
        """Give a property its time for shrinking again, for what it finds from now on."""
        self._kinds.pop(property_name, None)
        self._smaller.pop(property_name, None)
        self._in_vain.pop(property_name, None)
        self._deadlines.pop(property_name, None)

    def has_failed(self, property_name: str) -> bool:
        """Whether a property has failed already."""
        return property_name in self._kinds

    def shrinks_hanging(self, property_name: str) -> bool:
        """Whether a property has failed by a case that hangs."""
        return HUNG in self._kinds.get(property_name, ())

    def shrunk_enough(self, property_name: str) -> bool:
        """Whether a property's time for shrinking is over."""
        return time.monotonic() >= self._deadlines.get(property_name, float("inf"))


class Asking:
    """The engine under test, as a run asks it; ``broken`` says why it cannot be asked any more.

    ``hung`` is the first case that hung for the whole time limit. From then on others have less,
    and one that takes more is left out: nobody is accused of what may only be slow. By EXCHANGE
    this holds for all workers of a run.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        ledger: Ledger,
        budget: Budget | None = None,
        exchange: Exchange | None = None,
    ) -> None:
        self.subject = subject
        self.budget = budget or Budget()
        self.broken: EngineBroken | None = None
        self.hung: Observation | None = None
        self._limit = 0.0
        self._slowest = 0.0
        self._ledger = ledger
        self._exchange = exchange

    def batch(
        self, property_name: str, stimuli: Sequence[Stimulus], until: float | None
    ) -> Iterator[Observation]:
        """Ask STIMULI of a property, as many at once as the engine allows.

        Nothing is sent after UNTIL (``time.monotonic()``), or once the budget is spent.
        """
        tally = self._ledger.tallies[property_name]
        waiting = deque(stimuli)

        def within_budget(hung: Observation | None) -> Iterator[Stimulus]:
            while waiting and self.hung is hung:  # otherwise the patience is another one
                tally.cut = tally.cut or self.budget.ends(tally, until)
                if tally.cut:
                    return
                number = 1 + len(stimuli) - len(waiting)
                if number % 10 == 1:
                    self._ledger.emit(Working(property_name, "asking", number, len(stimuli)))
                yield waiting.popleft()

        while waiting and not tally.cut:
            patience = self.patience
            for observation in self._ask(within_budget(self.hung), tally, patience):
                if patience == 1.0 or not has_hung(observation):
                    yield observation

    def learn(self, property_name: str) -> None:
        """Charge the budget with what a property's batch cost; raises as ``Budget.learn``."""
        try:
            self.budget.learn(property_name, self._ledger.tallies[property_name])
        except EngineBroken as error:
            self.broken = error
            raise

    def now(self, property_name: str, stimulus: Stimulus) -> Observation | None:
        """Ask STIMULUS of a property now; None where that takes too long beside a case that hung.

        The same where another kind of failure is shrunk: what is slow there is no smaller case of
        it. Where a hanging case is shrunk, what takes as long is taken for hanging, too.
        """
        patience, tally = self.patience, self._ledger.tallies[property_name]
        shrinks_hanging = self.budget.shrinks_hanging(property_name)
        if self.budget.has_failed(property_name):
            self.budget.asked_smaller(property_name)
            # What hangs has the whole limit once more when it is shrunk.
            part = IMPATIENCE if shrinks_hanging else SHRINKING_PATIENCE
            patience = min(patience, part)
        (observation,) = self._ask([stimulus], tally, patience)
        if shrinks_hanging or patience == 1.0 or not has_hung(observation):
            return observation
        self.budget.slowed(property_name)
        return None

    def again(
        self, stimulus: Stimulus, tally: Tally | None = None, *, patience: float = 1.0
    ) -> Observation:
        """Ask STIMULUS now, whatever is known of it; it may take PATIENCE of the time limit."""
        (observation,) = self._ask([stimulus], tally or Tally(), patience)
        return observation

    @property
    def patience(self) -> float:
        """The part of the time limit that a case may take, now that others have taken theirs."""
        if not self._limit and self._exchange is not None:
            self._limit = self._exchange.hung
        if not self._limit:
            return 1.0
        return min(1.0, max(IMPATIENCE, MARGIN * self._slowest / self._limit))

    def stops_shrinking(self, property_name: str) -> bool:
        """Whether nothing more is asked to make a property's failures smaller."""
        # A failure that was found is shown even if the engine is gone since.
        broken = self.broken is not None and self.budget.has_failed(property_name)
        return broken or self.budget.shrunk_enough(property_name)

    def _ask(
        self, stimuli: Iterable[Stimulus], tally: Tally, patience: float = 1.0
    ) -> Iterator[Observation]:
        """Put STIMULI to the engine; what is lost is counted at once."""
        if self.broken is not None:
            raise self.broken
        started = time.perf_counter()
        try:
            for observation in self.subject.ask_many(stimuli, patience=patience):
                took = time.perf_counter() - started
                self._ledger.seconds["engine"] += took
                if observation.failure is not None and observation.failure.kind in LOST:
                    tally.lost_seconds += took
                    hung = has_hung(observation)
                    if hung and not self._limit and patience == 1.0:
                        self.hung, self._limit = observation, took
                        if self._exchange is not None:
                            self._exchange.leave_hung(took)
                    # Before any has hung for its whole limit, it may only be slow.
                    if not hung or self._limit:
                        tally.lost += 1
                        tally.hung += hung
                else:
                    tally.answered += 1
                    self._slowest = max(self._slowest, took)
                yield observation
                started = time.perf_counter()
        except EngineBroken as error:
            self.broken = error
            raise


def has_hung(observation: Observation) -> bool:
    """Whether the engine gave no answer in its time."""
    return observation.failure is not None and observation.failure.kind == HUNG
