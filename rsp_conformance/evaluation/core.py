"""The part of a query that a library answers: everything but the solution modifiers.

ORDER BY, DISTINCT, REDUCED, LIMIT and OFFSET are left out, because a library's answer does not
tell which rows are tied; what ORDER BY compares becomes columns of its own. Queries with groups are
rewritten into what every library takes: a variable that is no key stands for SAMPLE of it (SPARQL
1.1, 18.2.4.1), and where SELECT or ORDER BY use what SELECT has defined, the groups become a
subquery.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rsp_conformance.model.algebra import SubSelect
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, GroupKey, Projection, Query
from rsp_conformance.model.variables import in_scope
from rsp_conformance.r2r.grouping import (
    free_variables,
    is_grouped,
    key_variables,
    query_aggregates,
)

_HIDDEN = "rsp_hidden_"


@dataclass(frozen=True, slots=True)
class Core:
    """A query in two parts: what a library is asked, and the order of its rows.

    ``query`` is a SELECT without modifiers; its first columns are ``variables``, those of the
    relation. ``keys`` are ORDER BY's, each a column of ``query`` and whether it descends.
    """

    query: Query
    variables: tuple[str, ...]
    keys: tuple[tuple[str, bool], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns of ``query``."""
        return tuple(column.variable.name for column in self.query.projection or ())


def core_of(query: Query) -> Core:
    """What a library is asked of QUERY."""
    shown = _shown(query)
    columns = [*shown]
    keys = []
    for number, key in enumerate(query.order_by):
        name = key.expression
        if not (isinstance(name, Variable) and any(c.variable == name for c in shown)):
            name = Variable(f"{_HIDDEN}order_{number}")
            columns.append(Projection(name, key.expression))
        keys.append((name.name, key.descending))
    plain = replace(
        query,
        form=Form.SELECT,
        projection=tuple(columns),
        template=(),
        distinct=False,
        reduced=False,
        order_by=(),
        limit=None,
        offset=None,
    )
    asked = _grouped(plain, query) if is_grouped(query) else plain
    return Core(asked, tuple(column.variable.name for column in shown), tuple(keys))


def implicit_samples(query: Query) -> tuple[Aggregate, ...]:
    """SAMPLE of every variable that QUERY, which has groups, uses and does not group by."""
    kept = {*key_variables(query), *_defined(query), *_inline(query)}
    names: dict[str, None] = {}
    for projection in query.projection or ():
        if projection.expression is None:
            names[projection.variable.name] = None
        else:
            names |= dict.fromkeys(free_variables(projection.expression))
    for condition in (*query.having, *(key.expression for key in query.order_by)):
        names |= dict.fromkeys(free_variables(condition))
    bound = set(in_scope(query.pattern))
    return tuple(Aggregate("SAMPLE", Variable(n)) for n in names if n in bound and n not in kept)


def _shown(query: Query) -> tuple[Projection, ...]:
    """The columns of the relation: those of a SELECT, all in scope for ASK and CONSTRUCT."""
    if query.form is Form.SELECT and query.projection is not None:
        return query.projection
    names = key_variables(query) if is_grouped(query) else in_scope(query.pattern)
    return tuple(Projection(Variable(n)) for n in dict.fromkeys((*names, *_inline(query))))


def _inline(query: Query) -> tuple[str, ...]:
    return () if query.values is None else in_scope(query.values)


def _defined(query: Query) -> set[str]:
    return {p.variable.name for p in query.projection or () if p.expression is not None}


def _grouped(plain: Query, query: Query) -> Query:
    """PLAIN, which is QUERY without modifiers, with nothing in it but keys and aggregates."""
    samples = {a.argument: a for a in implicit_samples(query)}

    def sampled(part: Expression) -> Expression | None:
        return samples.get(part)

    having = tuple(_replaced(condition, sampled) for condition in plain.having)
    columns = plain.projection or ()
    defined = _defined(query)
    uses_defined = any(
        name in defined
        for column in columns
        if column.expression is not None
        for name in free_variables(column.expression)
    )
    bare = any(c.expression is None and c.variable in samples for c in columns)
    if not uses_defined and not bare:
        defining = tuple(
            column
            if column.expression is None
            else replace(column, expression=_replaced(column.expression, sampled))
            for column in columns
        )
        return replace(plain, projection=defining, having=having)
    hidden: dict[Expression, Variable] = {}
    for aggregate in (*query_aggregates(query), *samples.values()):
        hidden.setdefault(aggregate, Variable(f"{_HIDDEN}{len(hidden)}"))
    names = dict.fromkeys((*key_variables(query), *_inline(query)))
    inner = replace(
        plain,
        projection=(
            *(Projection(Variable(name)) for name in names),
            *(Projection(name, aggregate) for aggregate, name in hidden.items()),
        ),
        having=having,
    )

    def named(part: Expression) -> Expression | None:
        return hidden.get(samples.get(part, part))

    outer = tuple(
        Projection(c.variable, named(c.variable))
        if c.expression is None
        else replace(c, expression=_replaced(c.expression, named))
        for c in columns
    )
    return Query(SubSelect(inner), projection=outer, prefixes=query.prefixes, base=query.base)


def _replaced(expression: Expression, by: Callable[[Expression], Expression | None]) -> Expression:
    """EXPRESSION with what BY gives for its parts; the arguments of aggregates stay as they are."""
    found = by(expression)
    if found is not None:
        return found
    match expression:
        case Operation(name, arguments):
            return Operation(name, tuple(_replaced(a, by) for a in arguments))
        case FunctionCall(function, arguments, distinct):
            return FunctionCall(function, tuple(_replaced(a, by) for a in arguments), distinct)
        case _:
            return expression


def probe_of(query: Query, aggregates: tuple[Aggregate, ...]) -> Query:
    """The solutions behind the groups of QUERY: its keys, then the arguments of AGGREGATES."""
    keys: tuple[GroupKey, ...] = query.group_by or ()
    asked = [key.expression for key in keys]
    asked += [a.argument for a in aggregates if a.argument is not None]
    return Query(
        query.pattern,
        projection=tuple(
            Projection(Variable(f"{_HIDDEN}{number}"), expression)
            for number, expression in enumerate(asked)
        ),
        prefixes=query.prefixes,
        base=query.base,
    )
