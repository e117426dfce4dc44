"""A query made smaller, step by step, as long as something holds of it.

A step puts a part of an operator in its place, or leaves out something that may be missing: a
triple, a row of VALUES, a clause. What it makes need not be a query that SPARQL allows; that is for
the condition to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rsp_conformance.model.algebra import (
    BGP,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    Values,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Operation, Variable
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.variables import in_scope, is_grouped
from rsp_conformance.model.walk import children

_PARTS = ("triples", "rows")
"""Fields whose members may be left out."""


def shrunk(query: Query, holds: Callable[[Query], bool], most: int) -> Query:
    """The smallest query that MOST attempts lead to, QUERY itself for none; HOLDS of each."""
    attempts = 0
    shrinking = True
    while shrinking:
        shrinking = False
        for smaller in _smaller(query):
            attempts += 1
            if attempts > most:
                return query
            if holds(smaller):
                query, shrinking = smaller, True
                break
    return query


def _smaller(node: Any) -> Iterator[Any]:
    """What one step makes of NODE, the largest steps first."""
    if isinstance(node, Query):
        yield from _smaller_queries(node)
    elif isinstance(node, Pattern):
        yield from _smaller_patterns(node)
    elif isinstance(node, Operation):
        yield from node.arguments
    if not is_dataclass(node) or isinstance(node, type):
        return
    for field in fields(node):
        value = getattr(node, field.name)
        for changed in _changed(value, field.name):
            yield _scoped(replace(node, **{field.name: changed}))


def _changed(value: Any, name: str) -> Iterator[Any]:
    if isinstance(value, (Query, Pattern, Operation, Exists, Aggregate)):
        yield from _smaller(value)
    elif isinstance(value, tuple) and name in (*_PARTS, "arguments", "having"):
        for place, member in enumerate(value):
            rest = value[:place], value[place + 1 :]
            if name in _PARTS and len(value) > 1:
                yield (*rest[0], *rest[1])
            for changed in _smaller(member) if name != "rows" else ():
                yield (*rest[0], changed, *rest[1])


def _scoped(node: Any) -> Any:
    """A query that shows all that is in scope, unless it has groups: what was shown may be gone."""
    if isinstance(node, Query) and not is_grouped(node):
        scope = set(in_scope(node.pattern))
        shown = tuple([p for p in node.projection or () if p.variable.name in scope])
        return replace(node, projection=shown or node.projection)
    return node


def _smaller_queries(query: Query) -> Iterator[Query]:
    for left_out in (
        replace(query, limit=None, offset=None, order_by=()),
        replace(query, distinct=False),
        replace(query, having=()),
        replace(query, offset=None),
    ):
        if left_out != query:
            yield left_out
    inner = query.pattern
    if isinstance(inner, SubSelect):
        yield inner.query
    if is_grouped(query):
        names = in_scope(inner)
        if names:
            shown = tuple([Projection(Variable(name)) for name in names])
            yield replace(query, group_by=None, having=(), projection=shown)


def _smaller_patterns(pattern: Pattern) -> Iterator[Pattern]:
    if isinstance(pattern, SubSelect):
        yield pattern.query.pattern
    elif isinstance(pattern, (LeftJoin, Minus)):
        yield from (pattern.left, pattern.right, Join(pattern.left, pattern.right))
    elif not isinstance(pattern, (BGP, Values)):
        yield from children(pattern)
    if isinstance(pattern, LeftJoin) and pattern.condition is not None:
        yield replace(pattern, condition=None)
