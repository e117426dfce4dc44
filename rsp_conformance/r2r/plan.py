"""A query, compiled once and evaluated over many datasets (SPARQL 1.1, 18.2.4 and 18.2.5)."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter

from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.r2r.coverage import refuse
from rsp_conformance.r2r.dataset import Dataset
from rsp_conformance.r2r.expressions import Evaluator, Test, compile_expression, compile_test
from rsp_conformance.r2r.grouping import Grouping, compile_grouping, is_grouped, key_variables
from rsp_conformance.r2r.joins import join
from rsp_conformance.r2r.modifiers import Sorter, compile_order, cut, distinct, order_rows, relation
from rsp_conformance.r2r.patterns import Evaluation, PatternCompiler
from rsp_conformance.r2r.relation import Relation, Row
from rsp_conformance.r2r.scope import outermost


class Plan:
    """The steps of one query, in the order in which SPARQL applies them."""

    def __init__(self, query: Query) -> None:
        refuse(query)
        compiler = PatternCompiler(query.base)
        self.query = query
        self.pattern: Evaluation = compiler.compile(query.pattern)
        self.grouping: Grouping | None = None
        frame = compiler.frame()
        scope = in_scope(query.pattern)
        always = certain(query.pattern)
        if is_grouped(query):
            self.grouping, frame = compile_grouping(query, compiler)
            scope, always = key_variables(query), frozenset()
        self.having: list[Test] = [compile_test(condition, frame) for condition in query.having]
        self.values: tuple[Evaluation, tuple[int, ...], tuple[int, ...]] | None = None
        if query.values is not None:
            columns = in_scope(query.values)
            both = always & certain(query.values)
            shared = [name for name in columns if name in scope]
            self.values = (
                compiler.values(query.values),
                tuple(compiler.slot(name) for name in shared if name in both),
                tuple(compiler.slot(name) for name in shared if name not in both),
            )
            scope = tuple(dict.fromkeys((*scope, *columns)))
        self.definitions: list[tuple[int, Evaluator]] = []
        for projection in query.projection or ():
            if projection.expression is not None:
                evaluate = compile_expression(projection.expression, frame)
                self.definitions.append((compiler.slot(projection.variable.name), evaluate))
        self.sorter: Sorter | None = None
        if query.order_by:
            self.sorter = compile_order(query.order_by, frame)
        selects = query.form is Form.SELECT and query.projection is not None
        self.variables: tuple[str, ...] = scope
        if selects:
            assert query.projection is not None
            self.variables = tuple(projection.variable.name for projection in query.projection)
        self.project = _projection([compiler.slot(name) for name in self.variables])

    def solutions(self, dataset: Dataset) -> Relation:
        """The query's solutions over DATASET."""
        query = self.query
        notes: list[str] = []
        rows = self.pattern(outermost(dataset))
        if self.grouping is not None:
            rows = self.grouping(rows, notes)
        for test in self.having:
            rows = [row for row in rows if test(row) is True]
        if self.values is not None:
            data, always, possible = self.values
            rows = join(rows, data(outermost(dataset)), always, possible)
        if self.definitions:
            rows = [self._define(row) for row in rows]
        keys = None if self.sorter is None else self.sorter(rows)
        rows, ties = order_rows(rows, keys, self.project)
        if query.distinct:
            rows, ties = distinct(rows, ties)
        elif query.reduced and len(set(rows)) < len(rows):
            notes.append("REDUCED, which may drop duplicates")
        if query.limit is not None or query.offset:
            rows, ties = cut(rows, ties, query.offset or 0, query.limit, notes)
        return relation(self.variables, rows, ties, notes)

    def _define(self, row: Row) -> Row:
        """ROW with the variables that SELECT defines, each of which the next may use."""
        for slot, evaluate in self.definitions:
            term = evaluate(row)
            if term is not None:
                row = (*row[:slot], term, *row[slot + 1 :])
        return row


def _projection(slots: list[int]) -> Callable[[Row], Row]:
    if len(slots) == 1:
        only = slots[0]
        return lambda row: (row[only],)
    if not slots:
        return lambda row: ()
    pick: Callable[[Row], tuple[Term | None, ...]] = itemgetter(*slots)
    return pick
