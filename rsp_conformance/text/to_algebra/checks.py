"""What SPARQL forbids in SELECT and GROUP BY beyond the grammar (SPARQL 1.1, 18.2.4, 19.8)."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import GroupKey, Projection, Query
from rsp_conformance.model.variables import (
    group_variables,
    in_scope,
    is_grouped,
    outside_aggregates,
)
from rsp_conformance.text.to_algebra.context import Context


def check_group_keys(
    context: Context, pattern: Pattern, keys: Sequence[tuple[GroupKey, Token | None]]
) -> None:
    """``GROUP BY (… AS ?v)`` needs a variable that is not in scope."""
    named = [token for _, token in keys if token is not None]
    taken = set(in_scope(pattern)) if named else set()
    for token in named:
        if token[1:] in taken:
            context.error(
                token,
                f"GROUP BY cannot assign {token}: it is already in scope; take another variable",
                expected="a variable that is not in scope",
            )
        taken.add(token[1:])


def check_selection(
    context: Context,
    query: Query,
    items: Sequence[tuple[Projection, Token]],
    star: Token | None,
) -> None:
    """SELECT assigns fresh variables, and of a grouped query shows only what groups have."""
    grouped = is_grouped(query)
    if grouped and star is not None:
        context.error(
            star,
            "SELECT * cannot stand with GROUP BY or aggregates; name the variables",
            expected="variables of GROUP BY, or aggregates",
        )
    taken = set(in_scope(query.pattern)) if any(p.expression for p, _ in items) else set()
    shown = set(group_variables(query))
    for projection, token in items:
        name = projection.variable.name
        if projection.expression is None:
            if grouped and name not in shown:
                _not_grouped(context, token, name)
            taken.add(name)
            continue
        if name in taken:
            context.error(
                token,
                f"SELECT cannot assign {token}: it is already in scope; take another variable",
                expected="a variable that is not in scope",
            )
        if grouped:
            for part in outside_aggregates(projection.expression):
                if isinstance(part, Variable) and part.name not in shown:
                    _not_grouped(context, token, part.name)
        taken.add(name)
        shown.add(name)


def _not_grouped(context: Context, token: Token, name: str) -> None:
    context.error(
        token,
        f"?{name} is not in GROUP BY; add it there, or aggregate it, as in (SAMPLE(?{name}) AS ?v)",
        expected="a variable of GROUP BY, or an aggregate",
    )
