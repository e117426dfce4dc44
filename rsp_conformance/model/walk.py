"""Walking over patterns and expressions."""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
)


def children(pattern: Pattern) -> tuple[Pattern, ...]:
    """The direct operands of PATTERN, left to right; a subquery's pattern counts as one."""
    match pattern:
        case BGP() | Values():
            return ()
        case Join(left, right) | LeftJoin(left, right, _) | Union(left, right) | Minus(left, right):
            return (left, right)
        case Filter(_, inner) | Extend(inner, _, _) | Graph(_, inner) | Window(_, inner):
            return (inner,)
        case Service(_, inner, _):
            return (inner,)
        case SubSelect(query):
            return (query.pattern,)


def conditions(pattern: Pattern) -> tuple[Expression, ...]:
    """The expressions that stand at PATTERN itself, not in its operands."""
    match pattern:
        case Filter(condition, _):
            return (condition,)
        case LeftJoin(_, _, condition) if condition is not None:
            return (condition,)
        case Extend(_, _, expression):
            return (expression,)
        case _:
            return ()


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """EXPRESSION and everything within it, but for patterns of EXISTS."""
    yield expression
    match expression:
        case Operation(_, arguments) | FunctionCall(_, arguments, _):
            for argument in arguments:
                yield from subexpressions(argument)
        case Aggregate(_, argument, _, _) if argument is not None:
            yield from subexpressions(argument)


def subpatterns(pattern: Pattern) -> Iterator[Pattern]:
    """PATTERN and every pattern within it, those of EXISTS and of subqueries included."""
    yield pattern
    for expression in conditions(pattern):
        for part in subexpressions(expression):
            if isinstance(part, Exists):
                yield from subpatterns(part.pattern)
    for child in children(pattern):
        yield from subpatterns(child)
