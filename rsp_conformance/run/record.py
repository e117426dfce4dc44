"""Records: the result of a trial, in one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from rsp_conformance.model.digest import digest_of
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome

if TYPE_CHECKING:  # Whoever only counts records does without Hypothesis.
    from rsp_conformance.run.trials import Drawn

Why: TypeAlias = Literal["drawn", "smaller", "again", "behind"]
"""Why a trial was asked: it was drawn, it is smaller than a failing trial, to confirm one, or to
look behind one."""


@dataclass(frozen=True)
class Record:
    """A trial with the engine's answers and the verdicts of the reference model.

    Attributes:
        drawn: the trial, with its place.
        outcome: its outcome.
        kind: the kind of failure; empty if there is no failure.
        answers: the engine's answers, one for each variant, or a function that restores them; empty
            if it was not asked.
        correct: the verdict on each of them; None for an answer that is not judged by itself.
        reason: why it has this outcome, for outcomes that need a reason.
        ground: why the answers had to agree, for relations that have several grounds.
        is_test: whether a correct engine has something to get wrong in it.
        why: why it was asked.
        written: its digest, if it was read and not made.
    """

    drawn: Drawn
    outcome: Outcome
    kind: str = ""
    answers: tuple[Observation, ...] | Callable[[], tuple[Observation, ...]] = ()
    correct: tuple[bool | None, ...] = ()
    reason: str = ""
    ground: str = ""
    is_test: bool = True
    why: Why = "drawn"
    written: str = ""

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        """The engine's answers, one for each variant."""
        return self.answers() if callable(self.answers) else self.answers

    @property
    def judged(self) -> Iterator[tuple[Observation, bool | None]]:
        """The engine's answers, each with the verdict on it."""
        return zip(self.observations, self.correct, strict=True)

    @property
    def property_name(self) -> str:
        """The name of the property."""
        return self.drawn.property

    @cached_property
    def digest(self) -> str:
        """A digest of the trial and the answers; equal in every process for equal records."""
        if self.written:
            return self.written
        answers = (own.digest for own in self.observations)
        return digest_of(self.property_name, self.drawn.trial.digest, *answers)

    @property
    def size(self) -> tuple[int, int, int]:
        """The sort key of records: those that are easy to read come first."""
        elements, text = self.observations[0].size if self.observations else (0, 0)
        return elements, len(self.observations), text

    @property
    def counts(self) -> bool:
        """Whether it counts among the trials that a property wants."""
        return self.is_test and self.drawn.place >= 0

    @property
    def is_plain(self) -> bool:
        """Whether it has one case, asked once."""
        return len(self.observations) == 1

    @property
    def is_answered(self) -> bool:
        """Whether it is wrong by whole answers, each of which a cause may predict."""
        return self.outcome is Outcome.WRONG
