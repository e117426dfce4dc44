"""Ans(Q): the answer of a fully defined query (RSP-QL Definition 24)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from rsp_conformance.model.algebra import Pattern, Window
from rsp_conformance.model.answers import Evaluation, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import r2s
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.dataset import dataset
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.reporting import Reporter


def answer(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) up to ``until``, for z = STARTS, one t0 a window in the order of declaration.

    Raises Unsupported where the query goes beyond the evaluator or the profile, ValueError where
    query and dials do not fit together (a duration that is no whole instant, a report policy that
    names an unknown window).
    """
    return Answering(case, dials).answer(starts)


class Answering:
    """Answers of one case for several z; R2R is done once for every distinct dataset."""

    def __init__(self, case: Case, dials: Dials) -> None:
        check(case, dials)
        self.case = case
        self.dials = dials
        self.undetermined: str | None = None
        """Why SPARQL leaves some answer open, once one has been met."""
        self._solutions: dict[tuple[object, ...], Relation] = {}
        self._changes = case.background.changes()

    def answer(self, starts: Vector) -> tuple[Evaluation, ...]:
        """Ans(Q_z) for z = STARTS; see ``answer``."""
        query = self.case.query
        evaluations: list[Evaluation] = []
        before: list[r2s.Row] = []
        for moment, contents in Reporter(self.case, self.dials, starts).evaluations():
            relation = self._relation(moment.t, contents)
            if relation.undetermined:
                self.undetermined = relation.undetermined[0]
            now = r2s.Ordered(relation.rows, relation.ties)
            streamed = r2s.apply(query.operator, now, before, self.dials.r2s)
            before = list(relation.rows)
            shown = form_content(
                query,
                replace(
                    relation,
                    rows=list(streamed.rows),
                    ties=None if streamed.ties is None else tuple(streamed.ties),
                ),
            )
            if self.dials.empty_answers or not is_empty(shown):
                evaluations.append(Evaluation(moment.t, shown))
        return tuple(evaluations)

    def _relation(self, t: int, contents: tuple[Content, ...]) -> Relation:
        period = bisect_right(self._changes, t)
        key = (period, *(content.elements for content in contents))
        if key not in self._solutions:
            self._solutions[key] = solutions(
                self.case.query, dataset(self.case, self.dials, t, contents)
            )
        return self._solutions[key]


def check(case: Case, dials: Dials) -> None:
    """Raise Unsupported where the evaluator or the profile does not take the query."""
    query = case.query
    refuse(query)
    if query.operator is not None and query.operator.letter not in dials.stream_operators:
        raise Unsupported(f"{query.operator.value} under this profile")
    if dials.windows_in == "default" and _has_window(query.pattern):
        raise Unsupported("WINDOW under a profile that merges windows into the default graph")


def _has_window(pattern: Pattern) -> bool:
    return any(isinstance(part, Window) for part in subpatterns(pattern))
