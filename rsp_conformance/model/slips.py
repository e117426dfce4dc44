"""Probable slips in a query: legal, but hardly ever meant.

There are two: a window without a declaration, and a name of SELECT in HAVING. The kit answers such
a query as the specifications say. It remarks on the slip when it shows the answers, and tests it as
an explanation of wrong answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import group_variables, outside_aggregates
from rsp_conformance.model.walk import rewritten, substituted, within


def undeclared_windows(query: Query) -> tuple[IRI, ...]:
    """The names after WINDOW that the query does not declare; each is empty (SEMANTICS 4)."""
    named = (part.name for part in within(query.pattern) if isinstance(part, Window))
    unknown = (name for name in named if isinstance(name, IRI) and query.window(name) is None)
    return tuple(dict.fromkeys(unknown))


def names_in_having(query: Query) -> Mapping[Variable, Expression]:
    """The variables that HAVING uses and SELECT defines, with their expressions in SELECT.

    SPARQL 1.1 applies HAVING to the groups (18.2.4.2), before SELECT extends the solutions
    (18.2.4.4). So such a variable is unbound in HAVING, and the condition is an error. Subqueries
    are included.
    """
    found: dict[Variable, Expression] = {}
    for part in within(query):
        if isinstance(part, Query):
            defined = _defined(part)
            for condition in part.having:
                used = (v for v in outside_aggregates(condition) if isinstance(v, Variable))
                found |= {variable: defined[variable] for variable in used if variable in defined}
    return found


def with_names_in_having(query: Query) -> Query:
    """The query as an engine reads it if its HAVING knows the names of SELECT."""

    def known(part: Any) -> Any:
        if not isinstance(part, Query) or not part.having:
            return part
        defined = _defined(part)
        conditions = (substituted(c, defined, (Aggregate, Exists)) for c in part.having)
        return replace(part, having=tuple(conditions))

    return rewritten(query, known) if names_in_having(query) else query


def _defined(query: Query) -> dict[Variable, Expression]:
    """The variables that SELECT defines and GROUP BY does not, each in terms of the groups."""
    defined: dict[Variable, Expression] = {}
    grouped = group_variables(query)
    for item in query.projection or ():
        if item.expression is not None and item.variable.name not in grouped:
            defined[item.variable] = substituted(item.expression, defined)
    return defined
