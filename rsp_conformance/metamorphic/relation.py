"""Metamorphic relations, and their trials: related cases that an engine is asked together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.metamorphic.conditions import DialCondition, first_reason
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.tables import read_table


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
class Trial:
    """Variants whose answers a relation compares; the others were made from the first."""

    variants: tuple[Variant, ...]

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


Draws: TypeAlias = Callable[[st.DrawFn], Trial]
"""Draws a trial."""
Incomparable: TypeAlias = Callable[[Sequence[Observation]], str | None]
"""Returns why the answers to the variants of a trial cannot be compared, or None."""
Ground: TypeAlias = Callable[[Sequence[Observation]], str]
"""Returns why the answers must agree, in a word or two."""
Contradicts: TypeAlias = Callable[[Trial, Sequence[Observation]], Contradiction | None]
"""Returns how complete answers, one per variant, contradict each other, or None."""


def read_differently(observations: Sequence[Observation]) -> str | None:
    """Return a reason if the profile reads the variants' queries under different dials."""
    if len({replace(observation.dials, unit=1) for observation in observations}) > 1:
        return "the profile reads the variants' queries differently"
    return None


@dataclass(frozen=True)
class MetamorphicRelation:
    """A relation between the answers of one engine to several cases.

    The relation is true in RSP-QL whenever ``not_applicable`` returns None and ``trials`` makes a
    trial: for every z ∈ Z, which the variants share as ``Variant.follows`` says, the answers
    Ans(Q_z) to its variants do not contradict each other.

    Attributes:
        name: a stable name; the test is ``rsp::test_<family>[<name>]``.
        title: the relation in a few words.
        statement: the relation in one sentence.
        source: the definition from which it follows.
        draws: makes trials within the features and the profile of an engine.
        contradiction: finds how the answers to the variants contradict each other.
        features: the features that the engine must have.
        conditions: the conditions that its dials must satisfy.
        refuses: any other reason why the relation does not apply to an engine.
        family: the family of its test: ``relation``, ``law`` or ``against``.
        incomparable: the reason why some answers must not be compared, if there is one.
        ground: why answers must agree, for a relation that has several such grounds.
    """

    name: str
    title: str
    statement: str
    source: str
    draws: Callable[[EngineUnderTest], Draws]
    contradiction: Contradicts
    features: tuple[str, ...] = ("select",)
    conditions: tuple[DialCondition, ...] = ()
    refuses: Callable[[EngineUnderTest], str | None] = lambda _: None
    family: str = "relation"
    incomparable: Incomparable = read_differently
    ground: Ground = lambda _: ""

    @property
    def property_name(self) -> str:
        """The name of the relation's property: ``relation[shift]``, ``law[FWPush]``."""
        return f"{self.family}[{self.name}]"

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Return why the relation does not apply to this engine and profile, or None."""
        return first_reason(subject, self.conditions, *self.features) or self.refuses(subject)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """Draw trials within the features and the profile of ``subject``."""
        make = self.draws(subject)

        @st.composite
        def drawn(draw: st.DrawFn) -> Trial:
            return make(draw)

        return drawn()


_WORDS = read_table(__name__, "relations.toml")


def described(
    name: str, draws: Callable[[EngineUnderTest], Draws], contradiction: Contradicts, **more: Any
) -> MetamorphicRelation:
    """Make a relation between whole cases, with the title and sentences of ``relations.toml``.

    Args:
        name: the name of the relation, and of its table in the file.
        draws: makes the function that draws trials for an engine.
        contradiction: finds how the answers contradict each other.
        more: further fields of the relation.
    """
    words = _WORDS[name]
    return MetamorphicRelation(name, draws=draws, contradiction=contradiction, **words, **more)
