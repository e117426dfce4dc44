"""Subqueries: a SELECT inside a pattern, of which the projected variables can be seen (18.2.4.4).

A subquery is evaluated over the dataset and the active graph of its place, WINDOW and GRAPH
included, and before the pattern around it (12: bottom-up). Inside EXISTS the terms of the tested
solution stand for its variables, also for those that it does not project: 18.6 says "every
occurrence". Engines may take these for variables of the subquery's own, so both are evaluated, and
if it makes a difference that is noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import selected
from rsp_conformance.model.walk import mentioned
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.exists import PatternEvaluation
from rsp_conformance.spark.worker.patterns import PatternCompiler
from rsp_conformance.sparql.open_points import ASSIGNED_GIVEN, HIDDEN_GIVEN
from rsp_conformance.sparql.readings import leave_open
from rsp_conformance.sparql.relation import Relation, Row

if TYPE_CHECKING:
    from rsp_conformance.spark.worker.plan import QueryPlan


def compile_subquery(
    plan: QueryPlan, known: Sequence[str], outer: PatternCompiler, tested: bool
) -> PatternEvaluation:
    """Compile a subquery to rows of the query around it.

    Args:
        plan: the plan of the subquery.
        known: the variables whose terms may be given.
        outer: the compiler around it.
        tested: whether it is the whole of an EXISTS: then only whether there are rows matters.
    """
    slots = [outer.slot(name) for name in plan.variables]
    hidden = _hidden(plan.query)

    def uncorrelated(dataset: ActiveDataset) -> list[Row]:
        empty: Row = (None,) * outer.width
        return _rows(plan.relation(dataset.correlated(None)), slots, empty)[0]

    def evaluate(dataset: ActiveDataset) -> list[Row]:
        given = dataset.given
        if given is None:
            return uncorrelated(dataset)
        terms: dict[str, Term] = {}
        for name in known:
            term = given[outer.slots[name]]
            if term is not None:
                terms[name] = term
        found = plan.relation(dataset.correlated(plan.row(terms)))
        if not hidden.isdisjoint(terms):
            visible = {name: term for name, term in terms.items() if name not in hidden}
            other = plan.relation(dataset.correlated(plan.row(visible)))
            if bool(other.rows) != bool(found.rows) or not (
                tested or Counter(other.rows) == Counter(found.rows)
            ):
                leave_open(HIDDEN_GIVEN)
        rows, agree = _rows(found, slots, given)
        if not agree:
            leave_open(ASSIGNED_GIVEN)
        return rows

    return evaluate


def _rows(found: Relation, slots: Sequence[int], given: Row) -> tuple[list[Row], bool]:
    """The solutions as rows that extend a given row, and whether all of them could."""
    out: list[Row] = []
    for terms in found.rows:
        row = list(given)
        for slot, term in zip(slots, terms, strict=True):
            if term is not None:
                if row[slot] is not None and row[slot] != term:
                    break
                row[slot] = term
        else:
            out.append(tuple(row))
    return out, len(out) == len(found.rows)


def _hidden(query: Query) -> frozenset[str]:
    """The variables anywhere in a query that it does not project."""
    return frozenset(mentioned(query)) - frozenset(selected(query))
