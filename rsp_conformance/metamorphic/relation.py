"""What a relation is, and a trial of it: cases that an engine is asked, which belong together."""

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
    """Variants that a relation holds between, the first one being what the others came from."""

    variants: tuple[Variant, ...]

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the engine is asked, in order."""
        return tuple(variant.stimulus for variant in self.variants)

    def __repr__(self) -> str:
        """The variants as a paper shows them, one below the other."""
        return "\n".join(f"{variant.label}:\n{variant.case!r}" for variant in self.variants)


def pair(case: Case, other: Case, label: str) -> Trial:
    """A trial of two variants, CASE and the OTHER that LABEL describes."""
    return Trial((Variant("as it is", Stimulus(case)), Variant(label, Stimulus(other))))


Draws: TypeAlias = Callable[[st.DrawFn], Trial]
Incomparable: TypeAlias = Callable[[Sequence[Observation]], str | None]
"""Why the answers to the variants of a trial say nothing of each other, or None."""
Ground: TypeAlias = Callable[[Sequence[Observation]], str]
"""On what ground answers are compared, in a word or two."""
Contradicts: TypeAlias = Callable[[Trial, Sequence[Observation]], Contradiction | None]
"""How answers, one a variant, contradict each other. Each is a whole answer, no failure."""


def read_differently(observations: Sequence[Observation]) -> str | None:
    """That one engine reads the queries of its variants under different dials."""
    if len({replace(observation.dials, unit=1) for observation in observations}) > 1:
        return "the profile reads the variants' queries differently"
    return None


@dataclass(frozen=True)
class MetamorphicRelation:
    """Something that holds between the answers of one engine to several cases.

    ``name`` is stable; the test is ``rsp::test_<family>[<name>]``. ``statement`` is the relation in
    one sentence, ``title`` in a few words, and ``source`` the definition that it follows from. It
    needs ``features`` of an engine, and ``conditions`` of its dials; ``refuses`` says what else an
    engine lacks. ``draws`` makes trials within the features and the profile of an engine, and
    ``incomparable`` says of which answers nothing is asserted, and ``ground``, of a relation that
    has several, why something is of the others.

    A relation is true in the semantics wherever ``not_applicable`` has no objection and ``trials``
    makes a trial: for every z ∈ Z, that variants share as ``Variant.follows`` says, the answers
    Ans(Q_z) of its variants do not contradict each other.
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
        """The name of its property: ``relation[shift]``, ``law[FWPush]``."""
        return f"{self.family}[{self.name}]"

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Why the engine, or its profile, leaves no such relation, or None."""
        return first_reason(subject, self.conditions, *self.features) or self.refuses(subject)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """Trials within the features and the profile of SUBJECT."""
        make = self.draws(subject)

        @st.composite
        def drawn(draw: st.DrawFn) -> Trial:
            return make(draw)

        return drawn()


_WORDS = read_table(__name__, "relations.toml")


def described(
    name: str, draws: Callable[[EngineUnderTest], Draws], contradiction: Contradicts, **more: Any
) -> MetamorphicRelation:
    """The relation NAME between whole cases, whose words ``relations.toml`` has."""
    words = _WORDS[name]
    return MetamorphicRelation(name, draws=draws, contradiction=contradiction, **words, **more)
