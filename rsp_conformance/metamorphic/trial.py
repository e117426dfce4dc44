"""A trial of a relation: the cases that an engine is asked, which belong together."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.judge.engine_under_test import Stimulus
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Parameters


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the cases of a trial.

    ``label`` says in a few words what was done to the first one ("every time 6 later"). ``follows``
    gives for each window the position of the window of the first variant that starts with it, None
    for windows in the same places; ``scale`` is what its instants are multiplied by.
    """

    label: str
    stimulus: Stimulus
    follows: tuple[int, ...] | None = None
    scale: int = 1

    @property
    def case(self) -> Case:
        """The case that is asked."""
        return self.stimulus.case


@dataclass(frozen=True, slots=True)
class Trial:
    """Variants that a relation holds between, the first one being what the others came from.

    ``parameters`` are what the relation needs, besides the cases, to compare their answers; they
    are numbers and texts, so that a crash file can hold them.
    """

    variants: tuple[Variant, ...]
    parameters: Parameters = ()

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the engine is asked, in order."""
        return tuple(variant.stimulus for variant in self.variants)

    def parameter(self, name: str) -> int | str:
        """The parameter NAME; KeyError where there is none."""
        return dict(self.parameters)[name]

    def __repr__(self) -> str:
        """The variants as a paper shows them, one below the other."""
        shown = [f"{variant.label}:\n{variant.case!r}" for variant in self.variants]
        return "\n".join(shown)
