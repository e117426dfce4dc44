"""The one module that walks over queries and rewrites them.

Queries, patterns, expressions, triple patterns and paths are dataclasses, and their parts are the
values of their fields. The declared types of the fields decide which fields hold parts, operands
or expressions, so a new operator needs no code here. The types are examined once per class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import chain
from typing import Any, TypeVar
from typing import Literal as OneOf

from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.expressions import Exists, Expression, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple

Node = TypeVar("Node")

_NO_PARTS = frozenset(
    ("str", "int", "bool", "Form", "StreamOperator", "Span", "tuple[WindowDeclaration, ...]")
)
"""Types of fields that hold no parts: they say how something is written, counted or chosen."""


def _names(node: Any, role: OneOf["parts", "operands", "expressions"]) -> tuple[str, ...]:
    return _fields(node.__class__, role)


@cache
def _fields(kind: Any, role: str) -> tuple[str, ...]:
    """The names of a class's fields that hold parts, operands of a pattern, or expressions."""
    if not is_dataclass(kind):
        return ()
    declared = [(f.name, {*str(f.type).split(" | ")}) for f in fields(kind) if f.compare]
    if role == "parts":
        return tuple([name for name, types in declared if _NO_PARTS.isdisjoint(types)])
    wanted = {"Pattern"} if role == "operands" else {"Expression", "tuple[Expression, ...]"}
    return tuple([name for name, types in declared if not wanted.isdisjoint(types)])


_LEAVES = frozenset((IRI, BlankNode, Literal, Variable))
"""Classes of most parts, which have none themselves; not to look into them saves a tenth."""


# Everything


def parts(node: object) -> list[Any]:
    """The direct parts of a node, in the order of its fields, terms and variables included.

    The declarations of windows and the prefixes of a query do not count as parts.
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
    """Add the members of ``values``, and of tuples among them, to ``found``."""
    for value in values:
        if isinstance(value, tuple):
            _add_members(value, found)
        elif value is not None:
            found.append(value)


def within(node: object, whole: type | tuple[type, ...] = ()) -> Iterator[Any]:
    """A node and everything within it, outermost first, subqueries and EXISTS included.

    Args:
        node: a query, pattern, expression, triple or another value with parts.
        whole: types of parts that are yielded without what is within them.
    """
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if part.__class__ not in _LEAVES and not isinstance(part, whole):
            waiting += reversed(parts(part))


def rewritten(
    node: Node, change: Callable[[Any], Any], whole: type | tuple[type, ...] = ()
) -> Node:
    """Rewrite a node: apply a function to every part of it and then to the node itself.

    Args:
        node: a query, pattern, expression, triple or another value with parts.
        change: the function; it gets a part whose own parts have been rewritten already.
        whole: types of parts whose own parts stay as they are. ``change`` is still applied to the
            part itself.
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


def substituted(node: Node, others: Mapping[Any, Any], whole: type | tuple[type, ...] = ()) -> Node:
    """Put other parts in the place of some.

    Args:
        node: a query, pattern, expression, triple or another value with parts.
        others: the other part for each that is replaced.
        whole: as for ``rewritten``.
    """
    kinds = {part.__class__ for part in others}
    return rewritten(
        node, lambda part: others.get(part, part) if part.__class__ in kinds else part, whole
    )


# Patterns


def children(pattern: Pattern) -> tuple[Pattern, ...]:
    """The direct operands of a pattern, left to right; a subquery has one, its pattern."""
    if isinstance(pattern, SubSelect):
        return (pattern.query.pattern,)
    return tuple([getattr(pattern, name) for name in _names(pattern, "operands")])


def with_children(pattern: Pattern, operands: tuple[Pattern, ...]) -> Pattern:
    """Replace the ``children`` of a pattern by other operands."""
    if isinstance(pattern, SubSelect):
        return SubSelect(replace(pattern.query, pattern=operands[0]))
    names = _names(pattern, "operands")
    changes: dict[str, Any] = dict(zip(names, operands, strict=True))
    return replace(pattern, **changes) if names else pattern


def rewritten_pattern(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    """Rewrite a pattern: apply a function to every operand, innermost first, and to itself.

    Patterns of EXISTS stay as they are.
    """
    operands = tuple([rewritten_pattern(child, change) for child in children(pattern)])
    return change(with_children(pattern, operands))


def conditions(node: Pattern | Expression) -> tuple[Expression, ...]:
    """The direct expressions of a node: of a pattern, or the arguments of an expression."""
    found: list[Expression] = []
    _add_members(tuple([getattr(node, name) for name in _names(node, "expressions")]), found)
    return tuple(found)


def subpatterns(pattern: Pattern) -> Iterator[Pattern]:
    """A pattern and every pattern within it, those of EXISTS and of subqueries included."""
    return (node for node in within(pattern) if isinstance(node, Pattern))


# Expressions and variables


def subexpressions(expression: Expression) -> Iterator[Any]:
    """An expression and all expressions and terms within it, except in patterns of EXISTS."""
    return within(expression, whole=Exists)


def clauses(query: Query) -> dict[str, list[Expression]]:
    """The expressions of a query's own clauses, by clause."""
    return {
        "SELECT": [p.expression for p in query.projection or () if p.expression is not None],
        "GROUP BY": [key.expression for key in query.group_by or ()],
        "HAVING": [*query.having],
        "ORDER BY": [key.expression for key in query.order_by],
    }


def clause_expressions(query: Query) -> Iterator[Expression]:
    """The expressions of a query's own clauses: SELECT, GROUP BY, HAVING and ORDER BY."""
    return chain.from_iterable(clauses(query).values())


def mentioned(node: object) -> Iterator[str]:
    """The names of all variables in a node, with repetitions, hidden and unbound ones included."""
    return (part.name for part in within(node) if isinstance(part, Variable))
