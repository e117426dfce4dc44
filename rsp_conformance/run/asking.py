"""Asks the engine, with patience that is bounded.

**What is sought.** All answers of an engine that answers, and an end in reasonable time with an
engine that hangs or dies. A case that hangs costs its whole time limit, and a case that kills the
driver costs a restart; a property with 100 such cases would take nearly an hour.

**How.** Each property may lose some cases (`MOST_LOST`), fewer that cost a whole time limit
(`MOST_HUNG`), and some seconds; then it is asked no further. A run that has lost `MOST_IN_ALL`
seconds stops a property at its first lost case. Once a case has hung for the whole time limit,
later cases get only a part of it (`Asker.patience`). An engine that has answered no case of
`SILENT_PROPERTIES` properties ends the run.

**What it guarantees.** No engine is called wrong out of impatience: a case that exceeds only a
part of the time limit may be slow, so it is left out. Before any case has hung for the whole limit,
each case of a property gets all of it. Every stop says why (`Asker.ends`). No stimulus is asked
twice, unless a trial has it twice or a caller asks for it.

**What it costs.** At worst `MOST_SECONDS` of lost time a property, up to `MOST_IN_ALL` seconds, and
one lost case for each property after that.
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
"""The kinds of failure that cost the driver its life, or as much time."""
HUNG = "timeout"
"""The kind of failure that costs a whole time limit."""
MOST_LOST = 10
"""A property is stopped after so many lost cases."""
MOST_HUNG = 2
"""A property is stopped after so many cases that have cost a whole time limit."""
MOST_SECONDS = 60.0
"""A property is stopped after so many seconds spent on lost cases."""
MOST_IN_ALL = 300.0
"""If a run has lost more seconds, a property is stopped after one lost case, which is not run
again."""
IMPATIENCE = 0.1
"""The part of the time limit that a case gets once another has hung for the whole limit."""
MARGIN = 20
"""A case gets at least so many times as long as the slowest answer took."""
SHRINKING_PATIENCE = 0.2
"""The most of the time limit that a case gets while a failure that does not hang is shrunk."""
SILENT_PROPERTIES = 3
"""The run ends if the engine has answered no case of so many properties."""
TOO_SLOW = "it takes longer than others, once one has hung: it may only be slow"
"""Why a case is left out that exceeds its part of the time limit."""
TIME_UP = "the time was up"
"""Why nothing more is asked if the time of a property is over."""


@dataclass(slots=True)
class Losses:
    """The cost of asking the cases of one property.

    Attributes:
        lost: the number of cases that the engine did not survive, or not answer in time.
        hung: the number of those that cost a whole time limit.
        kinds: the lost cases by their kind of failure.
        seconds: the time that they cost.
        answered: the number of cases that were answered.
        single: whether the property has one case, which is not asked if the run lost too much time.
    """

    lost: int = 0
    hung: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    answered: int = 0
    single: bool = False


class _Batch(Iterator[Observation]):
    """Answers as they come; they can be waited for before they are wanted."""

    def __init__(self, answers: Iterable[Observation]) -> None:
        self._answers = iter(answers)
        self._waiting = deque[Observation]()

    def __next__(self) -> Observation:
        return self._waiting.popleft() if self._waiting else next(self._answers)

    def finish(self) -> None:
        """Wait for all answers."""
        self._waiting.extend(self._answers)


class Asker:
    """Asks one engine in a run, and remembers its answers.

    Args:
        subject: the engine.
        impatient: whether a property is stopped after one lost case, because a run before met
            others.

    Attributes:
        subject: the engine.
        broken: why it can't be asked any more; None as long as it can.
        hung: the first case that hung for the whole time limit.
        seconds: the time spent waiting for the engine.
        losses: the losses of each property.
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
        """Forget the answers; their cost still counts."""
        self._seen.clear()

    @property
    def has_answered(self) -> bool:
        """Whether the engine has answered any case."""
        return any(own.answered for own in self.losses.values())

    @property
    def patience(self) -> float:
        """The part of the time limit that a case gets, now that others have taken theirs."""
        if not self._limit:
            return 1.0
        return min(1.0, max(IMPATIENCE, MARGIN * self._slowest / self._limit))

    @property
    def is_spent(self) -> bool:
        """Whether the run has lost so much time that a lost case is not run again."""
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
        """Count how cases of a property ended in another process.

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
        """Ask for the stimuli of a property that are not answered yet, as many at once as possible.

        A caller that asks for something else meanwhile waits for the answers that are still to
        come.

        Args:
            name: the property's name.
            stimuli: the stimuli; a stimulus that comes twice is asked twice.
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
        """Ask the variants of a smaller trial that were not asked yet.

        Args:
            trial: the trial.
            hanging: whether it is shrunk because it hangs: then a variant that takes as long as
                others may is taken for hanging.

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
        """Take note that the engine answered no case of a property, if it has not.

        Raises:
            EngineBroken: it has answered no case of several properties.
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
        """Ask a stimulus now, even if its answer is remembered.

        Args:
            stimulus: the stimulus.
            patience: the part of the time limit that it gets.

        Raises:
            EngineBroken: the engine can't be asked any more.
        """
        return self._alone(stimulus, Losses(), patience)

    def _alone(self, stimulus: Stimulus, losses: Losses, patience: float) -> Observation:
        """Ask a stimulus after all that the engine is being asked."""
        self._batch.finish()
        (own,) = self._ask([stimulus], losses, patience)
        return own

    def _ask(
        self, stimuli: Iterable[Stimulus], losses: Losses, patience: float
    ) -> Generator[Observation]:
        """Ask stimuli; losses are counted at once."""
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
"""How an engine lost a case, by the kind of failure."""


def did(kinds: Counter[str]) -> str:
    """Return how an engine lost cases, and how often, in words."""
    return ", ".join(f"{WORDS.get(kind, kind)} ({n})" for kind, n in kinds.most_common())
