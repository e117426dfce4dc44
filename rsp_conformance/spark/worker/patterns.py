"""Graph patterns, compiled to functions of a dataset (SPARQL 1.1, 18.6; RSP-QL Definition 16).

Evaluation is bottom-up, as the algebra is defined: a pattern inside GRAPH, WINDOW, OPTIONAL or a
group sees no binding from outside. So ``GRAPH ?g { … FILTER(?g = :a) }`` has no solutions, because
?g is bound by GRAPH and not by the pattern inside.

EXISTS alone looks outside: every leaf of its pattern starts with the solution that is tested
(``ActiveDataset.given``), so that its terms stand wherever its variables do. docs/semantics.md says
why, and what SPARQL leaves open there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Term
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.bgp import CompiledBGP
from rsp_conformance.spark.worker.exists import LateEvaluator, LateTest, PatternEvaluation, late
from rsp_conformance.spark.worker.expressions import Frame, compile_expression, compile_test
from rsp_conformance.spark.worker.joins import join, left_join, minus, without_partners
from rsp_conformance.sparql.open_points import (
    ASSIGNED_GIVEN,
    EMPTY_GRAPHS,
    GRAPH_OF_WINDOW,
    MINUS_OF_GIVEN,
)
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.relation import Row

CompileSubquery: TypeAlias = Callable[[SubSelect, "PatternCompiler", bool], PatternEvaluation]
"""Compiles a subquery, from the compiler around it and whether it is the whole of an EXISTS."""


class PatternCompiler:
    """Compiles the patterns of one query.

    Args:
        base: the base of the query.
        subquery: compiles a query inside, whose rows are its own.
        known: the variables whose terms may be given from outside: those around the EXISTS in which
            the query stands.

    Attributes:
        slots: the place of each variable that was met.
        width: the length of rows.
        correlated: whether terms may be given from outside.
        counted: whether the number of solutions matters; inside EXISTS it does not.
    """

    def __init__(
        self, base: str | None, subquery: CompileSubquery, known: Iterable[str] = ()
    ) -> None:
        self.slots: dict[str, int] = {}
        self.width = 0
        self.base = base
        self.correlated = False
        self.counted = True
        self._subquery = subquery
        for name in known:
            self.correlated = True
            self.slot(name)

    def slot(self, name: str) -> int:
        """The place of a variable in rows."""
        if name not in self.slots:
            self.slots[name] = self.hidden()
        return self.slots[name]

    def hidden(self) -> int:
        """A new place that no variable has."""
        self.width += 1
        return self.width - 1

    def frame(self) -> Frame:
        """The frame against which expressions are compiled.

        It shares the table of slots. A variable that the pattern of an expression does not bind is
        unbound in every row of that pattern, so the table need not know about scopes.
        """
        return Frame(self.slots, self.base)

    def expression(self, expression: Expression, frame: Frame | None = None) -> LateEvaluator:
        """Compile an expression over rows of a frame; None for that of the pattern."""
        return late(compile_expression, expression, frame or self.frame(), self._compile_correlated)

    def test(self, expression: Expression, frame: Frame | None = None) -> LateTest:
        """Compile the effective boolean value of an expression over rows of a frame."""
        return late(compile_test, expression, frame or self.frame(), self._compile_correlated)

    def _compile_correlated(self, pattern: Pattern) -> PatternEvaluation:
        """The pattern of an EXISTS."""
        before = self.correlated, self.counted
        self.correlated, self.counted = True, False
        if isinstance(pattern, SubSelect):
            evaluation = self._subquery(pattern, self, True)
        else:
            evaluation = self.compile(pattern)
        self.correlated, self.counted = before
        return evaluation

    def compile(self, pattern: Pattern) -> PatternEvaluation:
        """Compile a pattern to a function.

        Raises:
            Unsupported: it has an operator that is not evaluated.
        """
        match pattern:
            case BGP():
                return self.bgp(pattern)
            case Join(left, right):
                return self._join(left, right)
            case LeftJoin():
                return self._left_join(pattern)
            case Minus(left, right):
                return self._minus(left, right)
            case Union(left, right):
                first, second = self.compile(left), self.compile(right)
                return lambda dataset: first(dataset) + second(dataset)
            case Filter(condition, inner):
                return self._filter(condition, inner)
            case Extend():
                return self._extend(pattern)
            case Graph(name, inner):
                return self._graph(name, inner)
            case Window(name, inner):
                return self._window(name, inner)
            case Values():
                return self.values(pattern)
            case SubSelect():
                return self._subquery(pattern, self, False)
            case _:
                raise Unsupported(type(pattern).__name__)

    def bgp(self, pattern: BGP) -> CompiledBGP:
        """A basic graph pattern over the slots of this query."""
        return CompiledBGP(
            pattern, self.slot, self.hidden, lambda: self.width, counted=self.counted
        )

    def shared(self, left: Pattern, right: Pattern) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The slots of shared variables: those that both sides always bind, and the others."""
        common = [name for name in in_scope(left) if name in set(in_scope(right))]
        always = certain(left) & certain(right)
        return (
            tuple(self.slot(name) for name in common if name in always),
            tuple(self.slot(name) for name in common if name not in always),
        )

    def _join(self, left: Pattern, right: Pattern) -> PatternEvaluation:
        first, second = self.compile(left), self.compile(right)
        always, possible = self.shared(left, right)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            rows = first(dataset)
            return join(rows, second(dataset), always, possible) if rows else rows

        return evaluate

    def _filter(self, condition: Expression, pattern: Pattern) -> PatternEvaluation:
        inner = self.compile(pattern)
        ready = self.test(condition)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            test = ready(dataset)
            return [row for row in inner(dataset) if test(row) is True]

        return evaluate

    def _left_join(self, pattern: LeftJoin) -> PatternEvaluation:
        first, second = self.compile(pattern.left), self.compile(pattern.right)
        always, possible = self.shared(pattern.left, pattern.right)
        condition = pattern.condition
        ready = None if condition is None else self.test(condition)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            rows = first(dataset)
            if not rows:
                return rows
            test = None if ready is None else ready(dataset)
            return left_join(rows, second(dataset), always, possible, test)

        return evaluate

    def _minus(self, left: Pattern, right: Pattern) -> PatternEvaluation:
        first, second = self.compile(left), self.compile(right)
        always, possible = self.shared(left, right)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            rows = first(dataset)
            if not rows:
                return rows
            given = dataset.given
            if given is None or all(given[slot] is None for slot in self.slots.values()):
                return minus(rows, second(dataset), always, possible)
            # Every row on both sides binds what is given, so that their domains are not disjoint.
            others = second(dataset)
            kept = without_partners(rows, others, always, possible)
            free = [
                tuple([slot for slot in slots if given[slot] is None])
                for slots in (always, possible)
            ]
            if len(kept) < len(minus(rows, others, free[0], free[1])):
                leave_open(MINUS_OF_GIVEN)
            return kept

        return evaluate

    def _extend(self, pattern: Extend) -> PatternEvaluation:
        inner = self.compile(pattern.pattern)
        slot = self.slot(pattern.variable.name)
        ready = self.expression(pattern.expression)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            expression = ready(dataset)
            if dataset.given is None or dataset.given[slot] is None:
                return [_with(row, slot, expression(row)) for row in inner(dataset)]
            return agreeing([(row, slot, expression(row)) for row in inner(dataset)], dataset)

        return evaluate

    def _graph(self, name: IRI | Variable, pattern: Pattern) -> PatternEvaluation:
        if isinstance(name, IRI):
            inner = self.compile(pattern)
            return lambda dataset: inner(dataset.in_graph(name)) if name in dataset.graphs else []
        slot = self.slot(name.name)
        inner = self.compile(pattern)

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            given = None if dataset.given is None else dataset.given[slot]
            if given is None:
                rows: list[Row] = []
                for graph in dataset.ranged:
                    found = inner(dataset.in_graph(graph))
                    if found and not _is_there(graph, dataset):
                        continue
                    rows += _bind(found, slot, graph)
                return rows
            if not isinstance(given, (IRI, BlankNode)) or given not in dataset.graphs:
                return []
            if given not in dataset.ranged:
                leave_open(GRAPH_OF_WINDOW)
            return inner(dataset.in_graph(given))

        return evaluate

    def _window(self, name: IRI | Variable, pattern: Pattern) -> PatternEvaluation:
        if isinstance(name, IRI):
            inner = self.compile(pattern)

            def constant(dataset: ActiveDataset) -> list[Row]:
                inside = dataset.in_window(name)
                return [] if inside is None else inner(inside)

            return constant
        slot = self.slot(name.name)
        inner = self.compile(pattern)

        def ranging(dataset: ActiveDataset) -> list[Row]:
            out: list[Row] = []
            given = None if dataset.given is None else dataset.given[slot]
            for window in dataset.windows:
                if given is not None and given != window:
                    continue
                inside = dataset.in_window(window)
                if inside is not None:
                    out += _bind(inner(inside), slot, window)
            return out

        return ranging

    def values(self, pattern: Values) -> PatternEvaluation:
        """Inline data, the same in every dataset."""
        slots = [self.slot(variable.name) for variable in pattern.variables]
        rows: list[Row] = []

        def evaluate(dataset: ActiveDataset) -> list[Row]:
            if not rows:
                made: list[Row] = []
                for data in pattern.rows:
                    row: list[Term | None] = [None] * self.width
                    for slot, term in zip(slots, data, strict=True):
                        row[slot] = term
                    made.append(tuple(row))
                rows[:] = made
            return rows if dataset.given is None else join([dataset.given], rows, (), tuple(slots))

        return evaluate


def _is_there(graph: GraphName, dataset: ActiveDataset) -> bool:
    """Whether a graph is there to be ranged over; for an empty graph that is an open point."""
    if graph in dataset.windows or dataset.ranged[graph].counts:
        return True
    return reading(EMPTY_GRAPHS, "there", "not there") == "there"


def agreeing(assigned: list[tuple[Row, int, Term | None]], dataset: ActiveDataset) -> list[Row]:
    """The rows in which a variable that has a term already is assigned the same term.

    This happens only inside EXISTS; elsewhere SPARQL's grammar forbids it (18.2.1).
    """
    kept = [row for row, slot, term in assigned if term is None or term == row[slot]]
    if len(kept) < len(assigned):
        leave_open(ASSIGNED_GIVEN)
    return kept


def _with(row: Row, slot: int, term: Term | None) -> Row:
    """A row with a term at a slot; an error leaves the slot unbound."""
    return row if term is None else (*row[:slot], term, *row[slot + 1 :])


def _bind(rows: list[Row], slot: int, name: Term) -> list[Row]:
    """The join of rows with the single solution that binds a slot to a name."""
    return [_with(row, slot, name) for row in rows if row[slot] is None or row[slot] == name]
