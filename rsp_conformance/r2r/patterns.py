"""Graph patterns, compiled to functions of a scope (SPARQL 1.1, 18.6; RSP-QL Definition 16).

Evaluation is bottom-up, as the algebra is defined: what stands inside GRAPH, WINDOW, OPTIONAL or
a group sees no binding of what stands outside. So ``GRAPH ?g { … FILTER(?g = :a) }`` has no
solutions, because ?g is bound by GRAPH and not by the pattern inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.r2r.bgp import compile_bgp
from rsp_conformance.r2r.expressions import Frame, compile_expression, compile_test
from rsp_conformance.r2r.joins import join, left_join
from rsp_conformance.r2r.relation import Row
from rsp_conformance.r2r.scope import Scope

Evaluation: TypeAlias = Callable[[Scope], list[Row]]


class PatternCompiler:
    """Compiles the patterns of one query; ``slots`` grows with every variable met."""

    def __init__(self, base: str | None) -> None:
        self.slots: dict[str, int] = {}
        self.width = 0
        self.base = base

    def slot(self, name: str) -> int:
        """The place of the variable NAME in rows."""
        if name not in self.slots:
            self.slots[name] = self.hidden()
        return self.slots[name]

    def hidden(self) -> int:
        """A new place that no variable has."""
        self.width += 1
        return self.width - 1

    def frame(self) -> Frame:
        """What expressions are compiled against.

        It shares the table of slots; a variable that the pattern of an expression does not bind is
        unbound in every row of that pattern, so that the table need not know about scopes.
        """
        return Frame(self.slots, self.base)

    def compile(self, pattern: Pattern) -> Evaluation:
        """PATTERN as a function; ``Unsupported`` for an operator that is not evaluated."""
        match pattern:
            case BGP():
                matcher = compile_bgp(pattern, self.slot, self.hidden, lambda: self.width)
                return lambda scope: matcher(scope.active)
            case Join(left, right):
                return self._join(left, right)
            case LeftJoin():
                return self._left_join(pattern)
            case Union(left, right):
                first, second = self.compile(left), self.compile(right)
                return lambda scope: first(scope) + second(scope)
            case Filter(condition, inner):
                evaluate = self.compile(inner)
                test = compile_test(condition, self.frame())
                return lambda scope: [row for row in evaluate(scope) if test(row) is True]
            case Extend():
                return self._extend(pattern)
            case Graph(name, inner):
                return self._graph(name, inner)
            case Window(name, inner):
                return self._window(name, inner)
            case Values():
                return self.values(pattern)
            case _:
                raise Unsupported(type(pattern).__name__)

    def shared(self, left: Pattern, right: Pattern) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Slots of shared variables: those that both sides always bind, and the others."""
        common = [name for name in in_scope(left) if name in set(in_scope(right))]
        always = certain(left) & certain(right)
        return (
            tuple(self.slot(name) for name in common if name in always),
            tuple(self.slot(name) for name in common if name not in always),
        )

    def _join(self, left: Pattern, right: Pattern) -> Evaluation:
        first, second = self.compile(left), self.compile(right)
        always, possible = self.shared(left, right)

        def evaluate(scope: Scope) -> list[Row]:
            rows = first(scope)
            return join(rows, second(scope), always, possible) if rows else rows

        return evaluate

    def _left_join(self, pattern: LeftJoin) -> Evaluation:
        first, second = self.compile(pattern.left), self.compile(pattern.right)
        always, possible = self.shared(pattern.left, pattern.right)
        condition = pattern.condition
        test = None if condition is None else compile_test(condition, self.frame())

        def evaluate(scope: Scope) -> list[Row]:
            rows = first(scope)
            return left_join(rows, second(scope), always, possible, test) if rows else rows

        return evaluate

    def _extend(self, pattern: Extend) -> Evaluation:
        inner = self.compile(pattern.pattern)
        slot = self.slot(pattern.variable.name)
        expression = compile_expression(pattern.expression, self.frame())

        def evaluate(scope: Scope) -> list[Row]:
            return [_with(row, slot, expression(row)) for row in inner(scope)]

        return evaluate

    def _graph(self, name: IRI | Variable, pattern: Pattern) -> Evaluation:
        if isinstance(name, IRI):
            inner = self.compile(pattern)
            return lambda scope: inner(scope.in_graph(name)) if scope.knows_graph(name) else []
        slot = self.slot(name.name)
        inner = self.compile(pattern)

        def evaluate(scope: Scope) -> list[Row]:
            return [
                row
                for graph in scope.around.ranged
                for row in _bind(inner(scope.in_graph(graph)), slot, graph)
            ]

        return evaluate

    def _window(self, name: IRI | Variable, pattern: Pattern) -> Evaluation:
        if isinstance(name, IRI):
            inner = self.compile(pattern)

            def constant(scope: Scope) -> list[Row]:
                inside = scope.in_window(name)
                return [] if inside is None else inner(inside)

            return constant
        slot = self.slot(name.name)
        inner = self.compile(pattern)

        def ranging(scope: Scope) -> list[Row]:
            out: list[Row] = []
            for window in scope.around.windows:
                inside = scope.in_window(window)
                if inside is not None:
                    out += _bind(inner(inside), slot, window)
            return out

        return ranging

    def values(self, pattern: Values) -> Evaluation:
        """Inline data, the same in every scope."""
        slots = [self.slot(variable.name) for variable in pattern.variables]
        rows: list[Row] = []

        def evaluate(scope: Scope) -> list[Row]:
            if not rows:
                for data in pattern.rows:
                    row: list[Term | None] = [None] * self.width
                    for slot, term in zip(slots, data, strict=True):
                        row[slot] = term
                    rows.append(tuple(row))
            return rows

        return evaluate


def _with(row: Row, slot: int, term: Term | None) -> Row:
    """ROW with TERM at SLOT; an error leaves it unbound."""
    return row if term is None else (*row[:slot], term, *row[slot + 1 :])


def _bind(rows: list[Row], slot: int, name: Term) -> list[Row]:
    """The join of ROWS with the single solution that binds SLOT to NAME."""
    return [_with(row, slot, name) for row in rows if row[slot] is None or row[slot] == name]
