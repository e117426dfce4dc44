"""Solution modifiers, drawn independently of each other, so that any two of them occur together.

They are drawn for the query and for subqueries alike: the variables that SELECT shows and computes,
or groups with aggregates and HAVING; DISTINCT or REDUCED; ORDER BY; LIMIT and OFFSET; VALUES at the
end. Most of what SPARQL leaves open is avoided: rows are cut under a total order, in which tied
rows are equal, or so that none is cut off, and REDUCED is used if rows hardly repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rsp_conformance.model.algebra import Pattern, Values
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import IRI, XSD_STRING, Literal, Term
from rsp_conformance.model.variables import group_variables, in_scope, is_grouped, tested_names
from rsp_conformance.model.walk import mentioned
from rsp_conformance.sparql.order import ranking
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.expressions import apply
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    THING,
    TRUTH,
    QueryBuilder,
)

_SHAPES = ("all", "star", "kept", "distinct", "grouped", "limited", *("any",) * 6)
"""The shapes of a subquery; half of them allow any modifiers."""

_COLUMNS = ("all", "star", "kept", "computed", "chained", "unbound")
"""What SELECT shows: all variables, ``*``, some, a value, a value of a value, an unbound one."""

_DUPLICATES = ("", "distinct", "reduced", "")
_ORDERS = ("", "all", "one", "two", "expression", "three", "")
# LIMIT and OFFSET; None for none.
_SLICES = (
    *((None, None), (1, None), (2, None), (2, 1), (None, 1)),
    *((None, None), (3, None), (1, 2), (None, None), (None, 0), (40, None), (None, 2)),
)
_KEPT_WHOLE = ((40, None), (None, 0), (40, 0), (0, None))
"""LIMIT and OFFSET that keep every row, or none: 40 is meant to exceed the number of rows."""


@dataclass(slots=True)
class _Columns:
    """The columns of a query.

    Attributes:
        select: the columns of SELECT; None for ``*``.
        shown: the variables that are shown.
        keys: the keys of the groups; None without groups.
        having: the conditions of HAVING.
        values: expressions for ORDER BY.
    """

    select: tuple[Projection, ...] | None
    shown: list[Variable]
    keys: tuple[GroupKey, ...] | None = None
    having: tuple[Expression, ...] = ()
    values: tuple[Expression, ...] = ()


def subquery(
    builder: QueryBuilder, pattern: Pattern, hub: Variable | None, *, whole: bool
) -> Query:
    """Return a pattern as a subquery with modifiers.

    Args:
        builder: the builder; the variables in scope are those of the pattern.
        pattern: the pattern.
        hub: a variable that the subquery shows if it can.
        whole: whether it must show all its variables: inside EXISTS it is open what happens to
            others.
    """
    scope = list(builder.kinds)
    kept = [hub] if hub in builder.kinds else scope[:1]
    shape = builder.pick(_SHAPES[:2] if whole else _SHAPES)
    allow = builder.limits.allow
    query = Query(pattern)
    if not scope or shape == "all":
        return replace(query, projection=tuple(map(Projection, scope)) or None)
    if shape == "kept" or (shape == "distinct" and allow("distinct")):
        projection = tuple(map(Projection, kept))
        return replace(query, projection=projection, distinct=shape == "distinct")
    if shape == "limited" and allow("order", "limit") and _total(builder, scope):
        columns = _Columns(tuple(map(Projection, scope)), scope)
        return _cut(builder, _shown(query, columns), columns, "all", builder.pick(_SLICES[1:5]))
    if shape in ("grouped", "any") and allow("group-by"):
        return modified(builder, query, kept, grouped=True if shape == "grouped" else None)
    return modified(builder, query, kept, grouped=False) if shape == "any" else query


def modified(
    builder: QueryBuilder, query: Query, kept: Sequence[Variable], *, grouped: bool | None = None
) -> Query:
    """Return a SELECT query with modifiers.

    Args:
        builder: the builder of the query.
        query: the query, with its pattern.
        kept: the variables that a smaller projection shows.
        grouped: whether it has groups; None leaves that to a draw.
    """
    allow = builder.limits.allow
    if grouped is None:
        grouped = allow("aggregates", "joined-aggregates", "single-patterns")
        grouped = grouped and builder.pick((False, True))
    scope = list(builder.kinds)
    duplicates = builder.pick(_DUPLICATES if allow("distinct") else ("", ""))
    if grouped:
        columns = _grouped(builder, scope, kept)
    else:
        # REDUCED with all variables, so that rows differ: how often equal rows come is open.
        columns = _selected(builder, scope, scope if duplicates == "reduced" else kept)
    query = _shown(query, columns)
    order = builder.pick(_ORDERS if allow("order") else ("", ""))
    cut = builder.pick(_SLICES if allow("limit") else _SLICES[:1] * 2)
    query = replace(query, distinct=duplicates == "distinct", reduced=duplicates == "reduced")
    if allow("values") and builder.pick((False, False, True)):
        query = replace(query, values=_inline(builder, columns))
    return _cut(builder, query, columns, order, cut)


def unselected(builder: QueryBuilder, query: Query) -> Query:
    """Return a query for a form that shows no columns, without anything that SELECT computes.

    Afterwards the builder has the remaining variables in scope.
    """
    own = {p.variable.name for p in query.projection or () if p.expression is not None}
    having = tuple(test for test in query.having if own.isdisjoint(mentioned(test)))
    query = replace(query, having=having)
    order = tuple(key for key in query.order_by if own.isdisjoint(mentioned(key)))
    names = group_variables(query) if is_grouped(query) else in_scope(query.pattern)
    builder.kinds = {v: builder.known[v] for v in map(Variable, names)}
    bare = replace(query, projection=None, distinct=False, reduced=False, order_by=order)
    if (query.limit, query.offset) not in _CUTTING:
        return bare
    columns = _Columns(None, list(builder.kinds))
    return _cut(builder, replace(bare, order_by=()), columns, "", (query.limit, query.offset))


def _shown(query: Query, columns: _Columns) -> Query:
    return replace(query, projection=columns.select, group_by=columns.keys, having=columns.having)


def _value(builder: QueryBuilder, scope: Sequence[Variable]) -> tuple[Expression, str]:
    """A value to compute over ``scope``, and its kind; EXISTS is such a value."""
    if builder.tests is not None and builder.pick((False, False, False, True)):
        return builder.tests(), TRUTH
    return expressions.computed(builder, scope)


# What SELECT shows


def _selected(builder: QueryBuilder, scope: list[Variable], kept: Sequence[Variable]) -> _Columns:
    """Columns for variables of ``scope`` and for values computed from them."""
    which = builder.pick(_COLUMNS if builder.limits.allow("bind") else _COLUMNS[:3])
    shown = list(kept) if which in ("kept", "chained") else list(scope)
    if which == "star" and shown:
        return _Columns(None, shown)
    columns = [*map(Projection, shown)]
    value, kind = _value(builder, scope)
    if which in ("computed", "chained") or not shown:
        first = builder.fresh(kind)
        builder.unbound.add(first)
        columns.append(Projection(first, value))
        if which == "chained":
            # SELECT (?n + 1 AS ?m) (?m * 2 AS ?k)
            again, kind = expressions.computed(builder, (first,))
            if first.name not in mentioned(again):
                again, kind = apply("=", first, first), TRUTH
            columns.append(Projection(builder.fresh(kind), again))
    elif which == "unbound":
        nowhere = builder.fresh(RESOURCE)
        builder.unbound.add(nowhere)
        columns.append(Projection(nowhere))
    return _Columns(tuple(columns), [c.variable for c in columns], values=(value,))


_KEYS = ("one", "none", "two", "expression", "named", "one", "hidden", "two")
"""The keys of GROUP BY; ``named`` is an expression with a name, ``hidden`` a key not shown."""

_RESULTS = ("one", "two", "none", "computed", "computed", "one", "three")
"""The aggregates of a SELECT; ``computed`` is an expression over an aggregate.

An expression over an aggregate's name is open (`open_points.GROUP_NAMES`).
"""

_HAVING = ("", "", "aggregate", "key", "name", "both", "tests", "")


def _grouped(builder: QueryBuilder, scope: list[Variable], kept: Sequence[Variable]) -> _Columns:
    """Groups by some of ``scope``, with aggregates and HAVING."""
    allow = builder.limits.allow
    which = builder.pick(_KEYS if allow("group-by") else ("none", "none"))
    keys, named = _keys(builder, scope, kept, which)
    rest = [v for v in scope if v not in named] or scope
    columns = [] if which == "hidden" else [*map(Projection, named)]
    results = builder.pick(_RESULTS if allow("several-aggregates") else ("one", "one"))
    if results == "none" and not (columns and keys):
        results = "one"
    count = {"none": 0, "two": 2, "three": 3}.get(results, 1)
    # SAMPLE and GROUP_CONCAT take variables with a single value per group.
    single = [v for v in named if v in builder.known and v in scope]
    found = dict.fromkeys(expressions.aggregate(builder, rest, single) for _ in range(count))
    first = next(iter(found), Aggregate("COUNT", None))
    names: list[Variable] = []
    for aggregate in found:
        value = aggregate
        if results == "computed" and allow("bind", "typed-literals"):
            value = Operation("IF", (apply(">", value, _ONE), vocabulary.RESOURCES[0], value))
            value = value if allow("other-functions") else apply(">", aggregate, _ONE)
        names.append(builder.fresh(_kind_of(builder, aggregate)))
        columns.append(Projection(names[-1], value))
    having = _having(builder, first, named, names) if allow("having", "typed-literals") else ()
    shown = [c.variable for c in columns]
    return _Columns(tuple(columns), shown, keys or None, having, (*named, first))


_ONE = vocabulary.integer(1)
_STRING = IRI(XSD_STRING)


def _keys(
    builder: QueryBuilder, scope: list[Variable], kept: Sequence[Variable], which: str
) -> tuple[tuple[GroupKey, ...], list[Variable]]:
    """The keys of GROUP BY, and the variables that they bind."""
    if which == "none" or not scope:
        return (), []
    if which in ("expression", "named") and builder.limits.allow("bind"):
        value, kind = _value(builder, scope)
        resources = [v for v in scope if builder.known[v] == RESOURCE]
        # A call by IRI is the only key without brackets that is not a variable.
        calls = which == "expression" and builder.limits.allow("other-functions")
        if calls and resources and builder.pick((False, False, True)):
            return (GroupKey(FunctionCall(_STRING, (resources[-1],))),), []
        if which == "named":
            name = builder.fresh(kind)
            return (GroupKey(value, name),), [name]
        if not isinstance(value, Variable | IRI | Literal):
            return (GroupKey(value),), []
    first = builder.pick([*kept, *scope])
    chosen = [first]
    if which == "two":
        more = builder.pick((1, 1, 1, 2))
        chosen += [builder.pick([v for v in scope if v != first] or [first]) for _ in range(more)]
    chosen = [*dict.fromkeys(chosen)]
    return tuple(map(GroupKey, chosen)), chosen


def _kind_of(builder: QueryBuilder, aggregate: Expression) -> str:
    """The kind of an aggregate's values."""
    if not isinstance(aggregate, Aggregate) or aggregate.name != "SAMPLE":
        text = isinstance(aggregate, Aggregate) and aggregate.name == "GROUP_CONCAT"
        return TEXT if text else NUMBER
    argument = aggregate.argument
    return builder.known.get(argument, TEXT) if isinstance(argument, Variable) else TEXT


def _having(
    builder: QueryBuilder, aggregate: Expression, keys: list[Variable], names: list[Variable]
) -> tuple[Expression, ...]:
    """Conditions on groups: on an aggregate, on a key, on a name that SELECT assigns.

    HAVING is evaluated before SELECT (18.2.4.2), so such a name is unbound, and ``||`` meets an
    error.
    """
    which = builder.pick(_HAVING)
    if which == "tests" and builder.tests is not None:
        test = builder.tests()
        if {*tested_names(test)} <= {key.name for key in keys}:
            return (test,)
        which = "aggregate"  # BOUND of what is no key is open (`open_points.BOUND_OF_GROUPS`).
    several = apply(builder.pick((">=", "!=")), aggregate, _ONE)
    if which == "key" and keys:
        return (apply("!=", keys[0], vocabulary.RESOURCES[1]),)
    if which == "both" and keys:
        return (several, apply("!=", keys[0], vocabulary.RESOURCES[1]))
    if which == "name" and names:
        return (apply("||", several, apply(">", names[0], vocabulary.integer(9))),)
    return (several,) if which == "aggregate" else ()


# Orders, slices and VALUES


def _cut(
    builder: QueryBuilder,
    query: Query,
    columns: _Columns,
    order: str,
    cut: tuple[int | None, int | None],
) -> Query:
    """The query with ORDER BY, LIMIT and OFFSET; if rows are cut off, under a total order."""
    if cut in _CUTTING:
        if builder.limits.allow("order") and columns.shown and _total(builder, columns.shown):
            order = "all"
        else:
            cut = _KEPT_WHOLE[_SLICES.index(cut) % len(_KEPT_WHOLE)]
    query = replace(query, limit=cut[0], offset=cut[1])
    if not order or not columns.shown:
        return query
    descending = builder.pick((False, True))
    if order == "all":
        keys: list[Expression] = [*columns.shown]
    elif order == "expression":
        keys = [*columns.values[-1:]] or [columns.shown[0]]
        if builder.tests is not None and builder.pick((False, False, True)):
            keys = [builder.tests()]
    else:
        scope = columns.shown if columns.keys or query.distinct else [*builder.kinds]
        number = {"one": 1, "two": 2, "three": 3}[order]
        keys = [*scope[-number:]]
    # The first key goes in one direction, the others in the other direction.
    turned = [OrderKey(key, descending is (n == 0)) for n, key in enumerate(keys)]
    if order == "all":
        turned = [OrderKey(key, descending) for key in keys]
    return replace(query, order_by=tuple(turned))


_CUTTING = frozenset(_SLICES) - {(None, None), *_KEPT_WHOLE}


def _total(builder: QueryBuilder, variables: Sequence[Variable]) -> bool:
    """Whether SPARQL orders all terms of the variables, so that tied rows are equal (15.1)."""
    for kind in {builder.known[v] for v in variables}:
        if kind in (NAME, TRUTH):
            continue
        if kind == THING:  # data may have more of them than the domain
            return False
        variable = next(v for v in variables if builder.known[v] == kind)
        order = ranking(builder.domain(variable))
        if kind == RESOURCE and builder.plan.has("blank-nodes"):
            return False
        if order is None or order.mixed:
            return False
    return True


def _inline(builder: QueryBuilder, columns: _Columns) -> Values | None:
    """VALUES over a variable of the query's pattern or of its groups."""
    computed = {c.variable for c in columns.select or () if c.expression is not None}
    for variable in columns.shown:
        if variable in computed or builder.known[variable] not in (RESOURCE, NUMBER, TEXT):
            continue
        terms: list[Term | None] = []
        terms += [t for t in builder.domain(variable) if isinstance(t, IRI | Literal)]
        if terms:
            rows = builder.pick((terms[:1], terms[:2], [*terms[:1], None], terms))
            return Values((variable,), tuple((term,) for term in rows))
    return None
