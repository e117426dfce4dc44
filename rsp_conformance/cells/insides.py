"""Which operator stands directly inside which: "Join.right > Union", "LeftJoin.condition > Exists".

A cell also says whether operator and operand share a variable that may be unbound: the sides of a
join, the condition of a FILTER and its pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from rsp_conformance.cells.labels import label, marked, tests, unsure
from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import clause_expressions, clauses, mentioned, parts

Outer: TypeAlias = "algebra.Pattern | None"
"""The pattern whose solutions an expression is evaluated on."""


def insides(node: Any, outer: Outer = None) -> Iterator[str]:
    """Return the cells below a node whose expressions are applied to solutions of ``outer``."""
    yield from (marked(cell, shares) for cell, shares in _directly(node, outer))
    outer = _solutions_of(node, outer)
    for role, part in _expressions(node):
        for test in tests([part]):
            yield marked(f"{role} > {label(test)}", _shares(outer, test.pattern))
    below: list[Any] = parts(node)
    if isinstance(node, Query):
        below = [node.pattern, *clause_expressions(node)]
    for inner in below:
        if isinstance(inner, algebra.Pattern | Query):
            yield from insides(inner)
        elif isinstance(inner, Operation | FunctionCall | Exists | Aggregate):
            yield from insides(inner, outer)


def _directly(node: Any, outer: Outer) -> Iterator[tuple[str, bool]]:
    """Return what stands directly in a node, and whether they share what may be unbound."""
    name = label(node)
    match node:
        case Query(pattern=inner):
            yield f"Query > {label(inner)}", False
        case algebra.SubSelect(query):
            yield f"SubSelect > {label(query.pattern)}", False
        case (
            algebra.Join(left, right)
            | algebra.LeftJoin(left, right)
            | algebra.Union(left, right)
            | algebra.Minus(left, right)
        ):
            shares = bool(unsure(left, right))
            yield f"{type(node).__name__}.left > {label(left)}", shares
            yield f"{type(node).__name__}.right > {label(right)}", shares
        case algebra.Filter(expression, inner) | algebra.Extend(inner, _, expression):
            yield f"{name} > {label(inner)}", not unsure(inner).isdisjoint(mentioned(expression))
        case algebra.Graph(where, inner) | algebra.Window(where, inner):
            shares = isinstance(where, Variable) and where.name in unsure(inner)
            yield f"{name} > {label(inner)}", shares
        case algebra.Service(_, inner):
            yield f"Service > {label(inner)}", False
        case Exists(inner):
            yield f"{name} > {label(inner)}", _shares(outer, inner)


def _shares(outer: Outer, inner: algebra.Pattern) -> bool:
    return outer is not None and not unsure(outer).isdisjoint(mentioned(inner))


def _solutions_of(node: Any, outer: Outer) -> Outer:
    """Return what a node's expressions are evaluated on; an expression's own: ``outer``."""
    match node:
        case algebra.LeftJoin(left, _):
            return left
        case algebra.Filter() | algebra.Extend() | Query():
            return node.pattern
        case _:
            return outer


_ROLES = {
    algebra.Filter: "Filter.condition",
    algebra.LeftJoin: "LeftJoin.condition",
    algebra.Extend: "Extend.expression",
}


def _expressions(node: Any) -> Iterator[tuple[str, Expression]]:
    """Return the expressions directly at a pattern or a query, each with what it is there."""
    if isinstance(node, Query):
        for clause, expressions in clauses(node).items():
            yield from ((clause, expression) for expression in expressions)
    elif isinstance(node, algebra.LeftJoin | algebra.Filter):
        if node.condition is not None:
            yield _ROLES[type(node)], node.condition
    elif isinstance(node, algebra.Extend):
        yield _ROLES[type(node)], node.expression
