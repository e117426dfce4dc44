"""Asks the engine, with patience that is bounded.

A case that hangs costs its whole time limit, and a case that kills the driver costs a restart. So
each property bears a number of lost cases, and a run a number of lost seconds; then no more is
asked. Once a case has hung for the whole limit, other cases have a part of the limit, and a case
that exceeds this part is left out: it may only be slow, which accuses nobody. An engine that has
answered no case of several properties ends the run.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus, Trial
from rsp_conformance.protocol import EngineBroken

LOST = frozenset({"timeout", "died", "protocol-error", "too many rows"})
"""Kinds of failure that cost the driver its life, or as much time."""
HUNG = "timeout"
"""The kind of failure that costs a whole time limit."""
MOST_LOST = 10
"""A property bears so many lost cases, ..."""
MOST_HUNG = 2
"""... so many of them that have cost a whole time limit, ..."""
MOST_SECONDS = 60.0
"""... and so many seconds spent on them; and ..."""
MOST_IN_ALL = 300.0
"""... beyond so many in the whole run, a property bears one lost case, which is not run again."""
IMPATIENCE = 0.1
"""Once a case has hung for the whole time limit, others have this part of it, ..."""
MARGIN = 20
"""... or so many times as long as the slowest answer took, if that is more."""
SHRINKING_PATIENCE = 0.2
"""While a failure that does not hang is made small, a case has this part of the limit at most."""
SILENT_PROPERTIES = 3
"""An engine that has answered no case of so many properties is given up."""
TOO_SLOW = "it takes longer than others, once one has hung: it may only be slow"
"""Why a case is left out that takes its part of the time limit."""
TIME_UP = "the time was up"
"""Why no more is asked if the time of a property is over."""


@dataclass(slots=True)
class Losses:
    """What it cost to ask the cases of one property.

    Attributes:
        lost: the cases that the engine did not survive, or not answer in time.
        hung: those among them that cost a whole time limit.
        kinds: the lost cases by their kind of failure.
        seconds: the time that they cost.
        answered: the cases that were answered.
        single: whether the property has one case, which is not asked if the run lost too much time.
    """

    lost: int = 0
    hung: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    answered: int = 0
    single: bool = False


class _Batch(Iterator[Observation]):
    """Answers as they come, which can be waited for before they are wanted."""

    def __init__(self, answers: Iterable[Observation]) -> None:
        self._answers = iter(answers)
        self._waiting = deque[Observation]()

    def __next__(self) -> Observation:
        return self._waiting.popleft() if self._waiting else next(self._answers)

    def finish(self) -> None:
        """Wait for all answers."""
        self._waiting.extend(self._answers)


class Asker:
    """Asks one engine in a run, and remembers its answers: no stimulus is asked twice unless meant.

    Args:
        subject: the engine.
        impatient: whether a property bears one lost case alone, for others have been met before.

    Attributes:
        subject: the engine.
        broken: why it can't be asked any more; None as long as it can.
        hung: the first case that hung for the whole time limit.
        seconds: the time spent waiting for the engine.
    """

    def __init__(self, subject: EngineUnderTest, *, impatient: bool = False) -> None:
        self.subject = subject
        self._impatient = impatient
        self.broken: EngineBroken | None = None
        self.hung: Observation | None = None
        self.seconds = 0.0
        self.losses: defaultdict[str, Losses] = defaultdict(Losses)
        self._limit = 0.0
        self._slowest = 0.0
        self._silent: set[str] = set()
        self._seen: defaultdict[Stimulus, list[Observation]] = defaultdict(list)
        self._batch = _Batch(())

    def forget(self) -> None:
        """Remember no answers; what they have cost still counts."""
        self._seen.clear()

    @property
    def has_answered(self) -> bool:
        """Whether the engine has answered any case."""
        return any(own.answered for own in self.losses.values())

    @property
    def patience(self) -> float:
        """The part of the time limit that a case may take, now that others have taken theirs."""
        if not self._limit:
            return 1.0
        return min(1.0, max(IMPATIENCE, MARGIN * self._slowest / self._limit))

    @property
    def is_spent(self) -> bool:
        """Whether so much time was lost in the run that a lost case is not run again."""
        return sum(own.seconds for own in self.losses.values()) > MOST_IN_ALL

    def seen(self, trial: Trial) -> tuple[Observation, ...] | None:
        """Return the answers to the variants of a trial, or None if one of them was not asked."""
        places = Counter[Stimulus]()
        found = []
        for stimulus in trial.stimuli:
            answers = self._seen.get(stimulus, ())
            if len(answers) <= places[stimulus]:
                return None
            found.append(answers[places[stimulus]])
            places[stimulus] += 1
        return tuple(found)

    def take(self, name: str, ended: Iterable[str | None]) -> None:
        """Take note of how an engine fared on cases of a property in another process.

        Args:
            name: the property's name.
            ended: the kind of failure of each case; empty for an answer, None if it was not asked.
        """
        own = self.losses[name]
        for kind in ended:
            if kind in LOST:
                own.lost += 1
                own.kinds[kind] += 1
                own.hung += kind == HUNG
            elif kind is not None:
                own.answered += 1

    def all(
        self,
        name: str,
        stimuli: Iterable[Stimulus],
        until: float | None = None,
    ) -> Iterator[Observation]:
        """Ask for the stimuli of a property that are not answered yet, as many at once as it takes.

        Whoever asks for something else meanwhile waits for the answers that are still to come.

        Args:
            name: the property's name.
            stimuli: what to ask; a stimulus that comes twice is asked twice.
            until: nothing is sent after this instant (``time.monotonic()``).

        Raises:
            EngineBroken: the engine can't be asked any more.
        """
        left = deque(
            stimulus
            for stimulus, number in Counter(stimuli).items()
            for _ in range(number - len(self._seen.get(stimulus, ())))
        )

        def patiently(hung: Observation | None) -> Iterator[Stimulus]:
            # Once a case has hung meanwhile, the others have another patience.
            while left and self.hung is hung and not self.ends(name, until):
                yield left.popleft()

        while left and not self.ends(name, until):
            patience = self.patience
            asked = self._ask(patiently(self.hung), self.losses[name], patience)
            self._batch = _Batch(asked)
            with closing(asked):
                for own in self._batch:
                    if not has_hung(own) or patience == 1.0:
                        self._seen[own.stimulus].append(own)
                    yield own

    def smaller(self, trial: Trial, *, hanging: bool = False) -> tuple[Observation, ...] | None:
        """Ask the variants of a trial that is made smaller, and were not asked yet.

        Args:
            trial: the trial.
            hanging: whether it is made smaller because it hangs: then a variant that takes as long
                as others may is taken for hanging.

        Returns:
            The answers, or None if one of them took too long to be worth waiting for.

        Raises:
            EngineBroken: the engine can't be asked any more.
        """
        patience = min(self.patience, IMPATIENCE if hanging else SHRINKING_PATIENCE)
        for stimulus, number in Counter(trial.stimuli).items():
            for _ in range(number - len(self._seen.get(stimulus, ()))):
                own = self._alone(stimulus, Losses(), patience)
                if has_hung(own) and not hanging and patience < 1.0:
                    return None
                self._seen[stimulus].append(own)
        return self.seen(trial)

    def ends(self, name: str, until: float | None = None) -> str:
        """Return why a property is asked no further, in a few words; empty if it goes on."""
        if is_over(until):
            return TIME_UP
        own = self.losses[name]
        if own.single and self.is_spent:
            kinds = sum((other.kinds for other in self.losses.values()), Counter[str]())
            return f"the engine {did(kinds)}"
        strict = self._impatient or self.is_spent or (bool(self._silent) and not self.has_answered)
        most_lost, most_hung = (1, 1) if strict else (MOST_LOST, MOST_HUNG)
        if own.lost >= most_lost or own.hung >= most_hung or own.seconds >= MOST_SECONDS:
            return f"the engine {did(own.kinds)}"
        return ""

    def learn(self, name: str) -> None:
        """Take note of how the engine fared on the cases of a property.

        Raises:
            EngineBroken: it has not answered a case of several properties.
        """
        if self.has_answered or not self.losses[name].lost:
            return
        self._silent.add(name)
        if len(self._silent) >= SILENT_PROPERTIES:
            kinds = sum((self.losses[one].kinds for one in self._silent), Counter[str]())
            self.broken = EngineBroken(
                f"the engine answered none of its first {kinds.total()} cases, "
                f"of {len(self._silent)} properties: it {did(kinds)}"
            )
            raise self.broken

    def again(self, stimulus: Stimulus, patience: float = 1.0) -> Observation:
        """Ask a stimulus now, whatever is known of it.

        Args:
            stimulus: what to ask.
            patience: the part of the time limit that it may take.

        Raises:
            EngineBroken: the engine can't be asked any more.
        """
        return self._alone(stimulus, Losses(), patience)

    def _alone(self, stimulus: Stimulus, losses: Losses, patience: float) -> Observation:
        """Put a stimulus to the engine, after all that it is asked already."""
        self._batch.finish()
        (own,) = self._ask([stimulus], losses, patience)
        return own

    def _ask(
        self, stimuli: Iterable[Stimulus], losses: Losses, patience: float
    ) -> Generator[Observation]:
        """Put stimuli to the engine; what is lost is counted at once."""
        if self.broken is not None:
            raise self.broken
        started = time.perf_counter()
        try:
            for own in self.subject.ask_many(stimuli, patience=patience):
                took = time.perf_counter() - started
                self.seconds += took
                self._count(own, losses, took, patience)
                yield own
                started = time.perf_counter()
        except EngineBroken as error:
            self.broken = error
            raise

    def _count(self, own: Observation, losses: Losses, took: float, patience: float) -> None:
        if own.failure is None or own.failure.kind not in LOST:
            losses.answered += 1
            self._slowest = max(self._slowest, took)
            return
        losses.seconds += took
        hung = has_hung(own)
        if hung and not self._limit and patience == 1.0:
            self.hung, self._limit = own, took
        # Before any case has hung for its whole limit, it may only be slow.
        if not hung or self._limit:
            losses.lost += 1
            losses.kinds[own.failure.kind] += 1
            losses.hung += hung


def is_over(until: float | None) -> bool:
    """Return whether an instant has come (``time.monotonic()``); None never comes."""
    return until is not None and time.monotonic() >= until


def has_hung(observation: Observation) -> bool:
    """Return whether the engine gave no answer in its time."""
    return observation.failure is not None and observation.failure.kind == HUNG


WORDS: Mapping[str, str] = {
    HUNG: "did not answer in time",
    "died": "died",
    "protocol-error": "broke the protocol",
    "too many rows": "flooded",
}
"""What an engine did on a lost case, by the kind of failure."""


def did(kinds: Counter[str]) -> str:
    """Return what an engine did on lost cases, and how often, by their kinds."""
    return ", ".join(f"{WORDS.get(kind, kind)} ({n})" for kind, n in kinds.most_common())
