"""Laws asserted on an engine: a query and its rewriting have the same answers.

The laws are those of ``laws``; the cases, with a query to which a law applies, come from
``strategies.law_cases``.
"""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Stimulus
from rsp_conformance.laws import HEURISTICS, LAWS, Law
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.strategies.law_cases import LawCase, law_cases
from rsp_conformance.strategies.laws import applicable_law


class LawHolds(MetamorphicRelation):
    """A query to which LAW applies answers as its rewriting does."""

    family = "law"
    features = ()

    def __init__(self, law: Law) -> None:
        self.law = law
        self.name = law.name
        self.title = law.statement
        self.statement = (
            f"a query and its rewriting by {law.name} have the same answers: {law.claim}"
        )
        self.source = law.source
        self.labels = ("the query", f"the query rewritten by {law.name}")

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Why no query for the engine shows the law."""
        reason = applicable_law(self.law, subject.features, subject.profile)
        return (None if reason is True else str(reason)) or super().not_applicable(subject)

    def trials(self, subject: EngineUnderTest) -> SearchStrategy[Trial]:
        """A query and its rewriting; both under the same dials, whatever a profile overrides."""
        drawn = law_cases(self.law, subject.features, subject.profile)

        def comparable(case: LawCase) -> bool:
            return subject.dials(case.left) == subject.dials(case.right)

        return drawn.filter(comparable).map(self._trial)

    def _trial(self, case: LawCase) -> Trial:
        return Trial(
            (
                Variant("as it is", Stimulus(case.left)),
                Variant(f"rewritten by {self.name}", Stimulus(case.right)),
            )
        )


LAW_RELATIONS: tuple[LawHolds, ...] = tuple(LawHolds(law) for law in (*LAWS, *HEURISTICS))
"""The laws of the table in its order, and the heuristics."""
