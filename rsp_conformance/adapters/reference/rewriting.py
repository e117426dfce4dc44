"""Patterns with parts put in place of others, for the faults of query evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rsp_conformance.model.algebra import (
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    Union,
    Window,
)
from rsp_conformance.model.query import Query


def rewrite(query: Query, change: Callable[[Pattern], Pattern]) -> Query:
    """QUERY with CHANGE applied to every part of its pattern, the innermost first."""
    return replace(query, pattern=_rewrite(query.pattern, change))


def _rewrite(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    match pattern:
        case Join() | LeftJoin() | Union() | Minus():
            pattern = replace(
                pattern, left=_rewrite(pattern.left, change), right=_rewrite(pattern.right, change)
            )
        case Filter() | Extend() | Graph() | Window():
            pattern = replace(pattern, pattern=_rewrite(pattern.pattern, change))
        case SubSelect(query):
            pattern = SubSelect(rewrite(query, change))
    return change(pattern)
