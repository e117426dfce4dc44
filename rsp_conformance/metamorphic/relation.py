"""What a relation is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from hypothesis.strategies import SearchStrategy

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.metamorphic.conditions import Condition, first_reason
from rsp_conformance.metamorphic.first_difference import first_difference
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.finding import Contradiction


class MetamorphicRelation(ABC):
    """Something that holds between the answers of one engine to several cases.

    ``name`` is stable; the test is ``rsp::test_<family>[<name>]``. ``statement`` is the relation in
    one sentence, ``title`` in a few words, and ``source`` the definition that it follows from. It
    needs ``features`` of an engine, and ``conditions`` of its dials. ``labels`` name the two
    variants, of which it says that they have the same answers.

    A relation is true in the semantics wherever ``not_applicable`` has no objection and ``trials``
    makes a trial: for every z ∈ Z, that variants share as ``Variant.follows`` says, the answers
    Ans(Q_z) of its variants do not contradict each other.
    """

    family: str = "relation"
    name: str
    title: str
    statement: str
    source: str
    features: tuple[str, ...] = ("select",)
    conditions: tuple[Condition, ...] = ()
    labels: tuple[str, str]

    @property
    def property_name(self) -> str:
        """The name of its property: ``relation[shift]``, ``law[FWPush]``."""
        return f"{self.family}[{self.name}]"

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Why the engine, or its profile, leaves no such relation, or None."""
        return first_reason(subject, self.conditions, *self.features)

    @abstractmethod
    def trials(self, subject: EngineUnderTest) -> SearchStrategy[Trial]:
        """Trials within the features and the profile of SUBJECT."""

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """How the answers in OBSERVATIONS, one a variant, contradict each other, if they do.

        Every observation is a whole answer: neither a failure nor unsupported.
        """
        return first_difference(observations, self.labels)
