"""What stands within what: the one module that walks over queries and rewrites them.

Queries, patterns, expressions, triple patterns and paths are dataclasses, and their parts are the
values of their fields. So every operator is known here once, by the types that its fields declare,
and a new one needs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar

from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.expressions import (
    Expression,
    Variable,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Triple

Node = TypeVar("Node")

_NO_PARTS = frozenset(
    ("str", "int", "bool", "Form", "StreamOperator", "Span", "tuple[WindowDeclaration, ...]")
)
"""Types of fields that say how something is written, counted or chosen, and hold no parts."""


def _names(node: Any, role: Literal["parts", "operands", "expressions"]) -> tuple[str, ...]:
    return _fields(node.__class__, role)


@cache
def _fields(kind: Any, role: str) -> tuple[str, ...]:
    """The fields of KIND that hold parts, operands of a pattern, or expressions."""
    if not is_dataclass(kind):
        return ()
    declared = [(f.name, {*str(f.type).split(" | ")}) for f in fields(kind) if f.compare]
    if role == "parts":
        return tuple([name for name, types in declared if _NO_PARTS.isdisjoint(types)])
    wanted = {"Pattern"} if role == "operands" else {"Expression", "tuple[Expression, ...]"}
    return tuple([name for name, types in declared if not wanted.isdisjoint(types)])


# Everything


def parts(node: object) -> list[Any]:
    """What stands directly within NODE, in the order of its fields; terms and variables as well.

    Declarations of windows and the prefixes of a query are none of its parts.
    """
    if isinstance(node, Triple):
        return [*node]
    found: list[Any] = []
    for name in _names(node, "parts"):
        value = getattr(node, name)
        if isinstance(value, tuple):
            _add_members(value, found)
        elif value is not None:
            found.append(value)
    return found


def _add_members(values: tuple[Any, ...], found: list[Any]) -> None:
    """Add to FOUND what is in VALUES, and in tuples among them."""
    for value in values:
        if isinstance(value, tuple):
            _add_members(value, found)
        elif value is not None:
            found.append(value)


def within(node: object) -> Iterator[Any]:
    """NODE and everything within it, outermost first, through subqueries and EXISTS."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if inner := parts(part):
            waiting += reversed(inner)


def rewritten(
    node: Node, change: Callable[[Any], Any], whole: type | tuple[type, ...] = ()
) -> Node:
    """NODE with CHANGE applied to every part of it and to itself, the innermost first.

    What stands within a part of a type that is to stay WHOLE is left as it is.
    """
    if isinstance(node, whole):
        return change(node)  # type: ignore[no-any-return]
    if isinstance(node, Triple):
        terms: list[Any] = [rewritten(part, change, whole) for part in node]
        return change(Triple(*terms))  # type: ignore[no-any-return]
    changes = {}
    for name in _names(node, "parts"):
        before = getattr(node, name)
        after = _rewritten_value(before, change, whole)
        if after is not before:
            changes[name] = after
    result: Any = replace(node, **changes) if changes else node  # type: ignore[type-var]
    return change(result)  # type: ignore[no-any-return]


def _rewritten_value(value: Any, change: Callable[[Any], Any], whole: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, frozenset):
        return frozenset([rewritten(member, change, whole) for member in value])
    if not isinstance(value, tuple):
        return rewritten(value, change, whole)
    members = tuple([_rewritten_value(member, change, whole) for member in value])
    same = all(a is b for a, b in zip(members, value, strict=True))
    return value if same else members


# Patterns


def children(pattern: Pattern) -> tuple[Pattern, ...]:
    """The direct operands of PATTERN, left to right; a subquery's pattern counts as one."""
    if isinstance(pattern, SubSelect):
        return (pattern.query.pattern,)
    return tuple([getattr(pattern, name) for name in _names(pattern, "operands")])


def with_children(pattern: Pattern, operands: tuple[Pattern, ...]) -> Pattern:
    """PATTERN with other OPERANDS in the place of its ``children``."""
    if isinstance(pattern, SubSelect):
        return SubSelect(replace(pattern.query, pattern=operands[0]))
    names = _names(pattern, "operands")
    changes: dict[str, Any] = dict(zip(names, operands, strict=True))
    return replace(pattern, **changes) if names else pattern


def rewritten_pattern(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    """PATTERN with CHANGE applied to every operand and to itself, the innermost first.

    Patterns of EXISTS stay as they are.
    """
    operands = tuple([rewritten_pattern(child, change) for child in children(pattern)])
    return change(with_children(pattern, operands))


def conditions(node: Pattern | Expression) -> tuple[Expression, ...]:
    """The expressions that stand directly at NODE: at a pattern, or as arguments."""
    found: list[Expression] = []
    _add_members(tuple([getattr(node, name) for name in _names(node, "expressions")]), found)
    return tuple(found)


def subpatterns(pattern: Pattern) -> Iterator[Pattern]:
    """PATTERN and every pattern within it, those of EXISTS and of subqueries included."""
    return (node for node in within(pattern) if isinstance(node, Pattern))


# Expressions and variables


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """EXPRESSION and everything within it, but for patterns of EXISTS."""
    yield expression
    for part in conditions(expression):
        yield from subexpressions(part)


def clause_expressions(query: Query) -> Iterator[Expression]:
    """The expressions of QUERY's own clauses: SELECT, GROUP BY, HAVING and ORDER BY."""
    yield from (p.expression for p in query.projection or () if p.expression is not None)
    yield from (key.expression for key in query.group_by or ())
    yield from (*query.having, *(key.expression for key in query.order_by))


def mentioned(node: object) -> Iterator[str]:
    """The variables anywhere in NODE, such as a query: repeated, hidden or never bound."""
    return (part.name for part in within(node) if isinstance(part, Variable))
