"""The variables that a pattern can bind, and those that it certainly binds (SPARQL 1.1, 18.2.1).

Table 1 of *Uncertainty* calls them pVars and cVars. The functions at the end are about the
variables and aggregates of grouped queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

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
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    Operation,
    Variable,
)
from rsp_conformance.model.paths import SequencePath
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import mentioned, within


def in_scope(pattern: Pattern) -> tuple[str, ...]:
    """The variables in scope (pVars), in the order in which they first appear in the text."""
    return tuple(dict.fromkeys(_names(pattern)))


def _names(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case BGP():
            yield from mentioned(pattern)
        case Join(left, right) | LeftJoin(left, right) | Union(left, right):
            yield from _names(left)
            yield from _names(right)
        case Minus(left, _):
            yield from _names(left)
        case Filter(_, inner):
            yield from _names(inner)
        case Extend(inner, variable, _):
            yield from _names(inner)
            yield variable.name
        case Graph(name, inner) | Window(name, inner) | Service(name, inner):
            if isinstance(name, Variable):
                yield name.name
            yield from _names(inner)
        case Values(variables, _):
            yield from (variable.name for variable in variables)
        case SubSelect(query):
            yield from selected(query)


def selected(query: Query) -> tuple[str, ...]:
    """The variables that a SELECT query yields."""
    if query.projection is not None:
        return tuple(p.variable.name for p in query.projection)
    names = in_scope(query.pattern)
    if query.values is None:
        return names
    return tuple(dict.fromkeys((*names, *in_scope(query.values))))


def certain(pattern: Pattern) -> frozenset[str]:
    """The variables that every solution binds (cVars), whatever the data are.

    Variables that BIND introduces are excluded, because their expressions may be errors.
    """
    match pattern:
        case BGP():
            return frozenset(_names(pattern))
        case Join(left, right):
            return certain(left) | certain(right)
        case LeftJoin(left, _) | Minus(left, _):
            return certain(left)
        case Union(left, right):
            return certain(left) & certain(right)
        case Filter(_, inner) | Extend(inner, _, _):
            return certain(inner)
        case Graph(name, inner) | Window(name, inner):
            bound = {name.name} if isinstance(name, Variable) else set()
            return certain(inner) | bound
        case Values(variables, rows):
            return frozenset(
                variable.name
                for position, variable in enumerate(variables)
                if all(row[position] is not None for row in rows)
            )
        case SubSelect(query):
            return _certainly_selected(query)
        case _:
            return frozenset()


def _certainly_selected(query: Query) -> frozenset[str]:
    """The variables that every solution of a subquery binds.

    A variable that SELECT or GROUP BY defines by an expression is excluded: it may be an error.
    """
    always = certain(query.pattern)
    if query.group_by is not None:
        keys = {k.expression for k in query.group_by if k.variable is None}
        always &= frozenset(key.name for key in keys if isinstance(key, Variable))
    if query.values is not None:
        always |= certain(query.values)
    computed = {p.variable.name for p in query.projection or () if p.expression is not None}
    return (always & frozenset(selected(query))) - computed


# Groups


def is_grouped(query: Query) -> bool:
    """Whether a query has groups: GROUP BY, or aggregates, which alone make a single group."""
    return query.group_by is not None or bool(group_aggregates(query))


def group_variables(query: Query) -> tuple[str, ...]:
    """The variables that GROUP BY binds."""
    keys = [key.variable or key.expression for key in query.group_by or ()]
    return tuple(dict.fromkeys(key.name for key in keys if isinstance(key, Variable)))


@lru_cache(maxsize=4096)
def group_aggregates(query: Query) -> tuple[Aggregate, ...]:
    """The different aggregates of SELECT, HAVING and ORDER BY."""
    used = _used_on_groups(query)
    return tuple(dict.fromkeys(part for part in used if isinstance(part, Aggregate)))


def unaggregated(query: Query) -> tuple[str, ...]:
    """The variables that SELECT, HAVING and ORDER BY use outside aggregates, except SELECT's own.

    SELECT's own variables are those that it defines by an expression.
    """
    defined = {p.variable.name for p in query.projection or () if p.expression is not None}
    names = (part.name for part in _used_on_groups(query) if isinstance(part, Variable))
    return tuple(dict.fromkeys(name for name in names if name not in defined))


def reads_own_names(query: Query) -> bool:
    """Whether an expression in SELECT reads a variable that SELECT defines further left."""
    given: set[str] = set()
    for projection in query.projection or ():
        if projection.expression is not None:
            if not given.isdisjoint(mentioned(projection.expression)):
                return True
            given.add(projection.variable.name)
    return False


def aggregates_key_names(query: Query) -> bool:
    """Whether an aggregate of a query reads a name that GROUP BY gives to an expression."""
    given = {key.variable.name for key in query.group_by or () if key.variable is not None}
    return any(not given.isdisjoint(mentioned(own)) for own in group_aggregates(query))


def tests_sampled_names(query: Query) -> bool:
    """Whether HAVING asks BOUND of a variable that is no key of the groups.

    18.2.4.1 puts Sample in place of such a variable, and BOUND takes none.
    """
    keys = group_variables(query)
    tested = (name for own in query.having for name in tested_names(own))
    return is_grouped(query) and any(name not in keys for name in tested)


def tested_names(expression: Expression) -> Iterator[str]:
    """The arguments of BOUND in an expression, except within aggregates and EXISTS."""
    for part in within(expression, whole=(Aggregate, Exists)):
        if isinstance(part, Operation) and part.name == "BOUND":
            yield from mentioned(part)


def counts_nodes_between(query: Query) -> bool:
    """Whether COUNT(DISTINCT *) counts the solutions of a path ``p/q`` that is no part of another.

    18.2.2.4 gives the node between p and q a variable, and 18.5.1 counts whole solutions.
    """
    whole = Aggregate("COUNT", None, distinct=True) in group_aggregates(query)
    return whole and any(
        isinstance(part, TriplePattern) and isinstance(part.predicate, SequencePath)
        for part in within(query.pattern, whole=(SubSelect, Exists))
    )


def makes_of_samples(query: Query) -> bool:
    """Whether the template of a query with groups has a variable that is no key of the groups."""
    keys = group_variables(query)
    made = query.template if is_grouped(query) else ()
    return any(name not in keys for triple in made for name in mentioned(triple))


def _used_on_groups(query: Query) -> Iterator[Variable | Aggregate]:
    shown = (p.expression or p.variable for p in query.projection or ())
    for expression in (*shown, *query.having, *(key.expression for key in query.order_by)):
        yield from outside_aggregates(expression)


def outside_aggregates(expression: Expression) -> Iterator[Variable | Aggregate]:
    """The variables and aggregates of an expression, except those within aggregates and EXISTS."""
    parts = within(expression, whole=(Aggregate, Exists))
    return (part for part in parts if isinstance(part, (Variable, Aggregate)))
