"""A query, compiled once and evaluated over many datasets (SPARQL 1.1, 18.2.4 and 18.2.5)."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.model.algebra import SubSelect
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import (
    certain,
    group_variables,
    in_scope,
    is_grouped,
)
from rsp_conformance.spark.worker.active_dataset import ActiveDataset, outermost
from rsp_conformance.spark.worker.bgp import picked
from rsp_conformance.spark.worker.counting import compile_counting
from rsp_conformance.spark.worker.exists import LateEvaluator, LateTest, PatternEvaluation
from rsp_conformance.spark.worker.expressions import Evaluator
from rsp_conformance.spark.worker.grouping import compile_grouping
from rsp_conformance.spark.worker.joins import join
from rsp_conformance.spark.worker.modifiers import Sorter, compile_order, modified
from rsp_conformance.spark.worker.patterns import PatternCompiler, agreeing
from rsp_conformance.spark.worker.subqueries import compile_subquery
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.readings import PLAIN, Readings, leave_open, under
from rsp_conformance.sparql.relation import Relation, Row


class QueryPlan:
    """The steps of one query, in the order in which SPARQL applies them.

    Args:
        query: the query; a subquery has a plan of its own.
        base: the base of the query around a subquery.
        known: the variables whose terms the solution that an EXISTS tests may give.
    """

    def __init__(self, query: Query, base: str | None = None, known: Iterable[str] = ()) -> None:
        refuse(query)
        compiler = PatternCompiler(query.base or base, _subquery, known)
        self.query = query
        self.slots = compiler.slots
        self._compiler = compiler
        visible = in_scope(query.pattern)
        always = certain(query.pattern)
        self.rows: PatternEvaluation
        self.open = open_points.open_by_itself(query)
        """The points that the query leaves open whatever it is evaluated over."""
        if is_grouped(query):
            grouped = compile_counting(query, compiler) or compile_grouping(query, compiler)
            self.rows, frame = grouped
            visible, always = group_variables(query), frozenset()
        else:
            self.rows, frame = compiler.compile(query.pattern), compiler.frame()
        self.having: list[LateTest] = [compiler.test(having, frame) for having in query.having]
        self.values: tuple[PatternEvaluation, tuple[int, ...], tuple[int, ...]] | None = None
        if query.values is not None:
            columns = in_scope(query.values)
            both = always & certain(query.values)
            shared = [name for name in columns if name in visible]
            self.values = (
                compiler.values(query.values),
                tuple(compiler.slot(name) for name in shared if name in both),
                tuple(compiler.slot(name) for name in shared if name not in both),
            )
            visible = tuple(dict.fromkeys((*visible, *columns)))
        self.definitions: list[tuple[int, LateEvaluator]] = []
        for projection in query.projection or ():
            if projection.expression is not None:
                defined = compiler.expression(projection.expression, frame)
                self.definitions.append((compiler.slot(projection.variable.name), defined))
        self.sorter: Sorter | None = None
        if query.order_by:
            self.sorter = compile_order(
                [(compiler.expression(k.expression, frame), k.descending) for k in query.order_by]
            )
        selects = query.form is Form.SELECT and query.projection is not None
        self.variables: tuple[str, ...] = visible
        if selects:
            assert query.projection is not None
            self.variables = tuple(projection.variable.name for projection in query.projection)
        self.project = picked([compiler.slot(name) for name in self.variables])

    def solutions(self, dataset: Dataset, readings: Readings = PLAIN) -> Relation:
        """The query's solutions over a dataset, under some readings of open points."""
        with under(readings) as ledger:
            found = self.relation(outermost(dataset))
        return found.noted(ledger)

    def relation(self, dataset: ActiveDataset) -> Relation:
        """The query's solutions over an active dataset, whose given row is one of this plan."""
        query = self.query
        rows = self.rows(dataset)
        for point in self.open:
            leave_open(point)
        for late in self.having:
            test = late(dataset)
            rows = [row for row in rows if test(row) is True]
        if self.values is not None:
            data, always, possible = self.values
            rows = join(rows, data(dataset), always, possible)
        if self.definitions:
            rows = _define(
                rows, [(slot, late(dataset)) for slot, late in self.definitions], dataset
            )
        keys = None if self.sorter is None else self.sorter(rows, dataset)
        return modified(query, self.variables, rows, keys, project=self.project)

    def row(self, terms: dict[str, Term]) -> Row:
        """A row of this plan that gives variables these terms."""
        row: list[Term | None] = [None] * self._compiler.width
        for name, term in terms.items():
            row[self.slots[name]] = term
        return tuple(row)


def _subquery(pattern: SubSelect, outer: PatternCompiler, tested: bool) -> PatternEvaluation:
    known = tuple(outer.slots) if outer.correlated else ()
    return compile_subquery(QueryPlan(pattern.query, outer.base, known), known, outer, tested)


def _define(
    rows: list[Row], definitions: list[tuple[int, Evaluator]], dataset: ActiveDataset
) -> list[Row]:
    """The rows with the variables that SELECT defines; each may use those before it."""
    if dataset.given is None:
        return [_defined(row, definitions) for row in rows]
    for slot, evaluate in definitions:
        if dataset.given[slot] is None:
            rows = [_defined(row, [(slot, evaluate)]) for row in rows]
        else:
            rows = agreeing([(row, slot, evaluate(row)) for row in rows], dataset)
    return rows


def _defined(row: Row, definitions: list[tuple[int, Evaluator]]) -> Row:
    for slot, evaluate in definitions:
        term = evaluate(row)
        if term is not None:
            row = (*row[:slot], term, *row[slot + 1 :])
    return row
