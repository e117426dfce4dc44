"""Metamorphic relations, and their trials: related cases that an engine is asked together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.trial import Trial
from rsp_conformance.relations.conditions import DialCondition, first_reason

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
        compares: the numbers of variants that a trial may have.
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
    compares: tuple[int, ...] = (2,)

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
