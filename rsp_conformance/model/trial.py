"""Trials: what an engine is asked at a time, one to three variants of a case.

A plain case is a trial of one variant, a repeated one of two that are equal. The answers to several
variants must agree in a way that a metamorphic relation states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.case import Case
from rsp_conformance.model.digest import Digested

PACINGS: Final = ("burst", "settled")
"""Whether elements are pushed at once, or each when the engine has answered those before."""


@dataclass(frozen=True, slots=True)
class Stimulus(Digested):
    """What an engine is asked.

    Attributes:
        case: the case.
        pacing: how its elements are pushed, one of `PACINGS`.
        unit: the milliseconds of an instant; None for the profile's number.
        second: whether it is for the other one of two engines.
    """

    case: Case
    pacing: str = "burst"
    unit: int | None = None
    second: bool = False

    __hash__ = CachedHash.__hash__


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the cases of a trial.

    Attributes:
        label: what was done to the first variant, in a few words ("every time 6 later").
        stimulus: the case, with how it is sent.
        follows: for each window, the position of the window of the first variant that starts with
            it; None if each starts with the first variant's window in the same position.
        scale: the factor by which the first variant's times were multiplied.
    """

    label: str
    stimulus: Stimulus
    follows: tuple[int, ...] | None = None
    scale: int = 1

    @property
    def case(self) -> Case:
        """The case that the engine is asked."""
        return self.stimulus.case


@dataclass(frozen=True, slots=True)
class Trial(Digested):
    """Variants whose answers are judged together; the others were made from the first."""

    variants: tuple[Variant, ...]

    __hash__ = CachedHash.__hash__

    @classmethod
    def of(cls, asked: Case | Trial) -> Trial:
        """The trial of one variant that a case is; a trial is itself."""
        return asked if isinstance(asked, Trial) else cls((Variant("", Stimulus(asked)),))

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What is sent to the engine, in order."""
        return tuple(variant.stimulus for variant in self.variants)

    def __repr__(self) -> str:
        """Show the variants in the papers' notation, one below the other."""
        return "\n".join(f"{variant.label}:\n{variant.case!r}" for variant in self.variants)


def pair(case: Case, other: Case, label: str) -> Trial:
    """Make a trial of two variants.

    Args:
        case: the case of the first variant, ``as it is``.
        other: the case that was made from it.
        label: says in a report what was changed.
    """
    return Trial((Variant("as it is", Stimulus(case)), Variant(label, Stimulus(other))))
