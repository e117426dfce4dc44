"""Clauses around basic patterns: MINUS, EXISTS, subqueries and VALUES.

MINUS and NOT EXISTS differ if MINUS shares no variable with the pattern before it, and in FILTERs
inside: MINUS does not see the variables outside (SPARQL 1.1, 8.3.3). Excluded is what SPARQL 1.1
leaves open about EXISTS: variables that BIND, VALUES, MINUS or a subquery inside it mention.

A subquery is evaluated by itself, before the pattern around it, and shows its projection alone. A
hidden variable and a variable of the same name outside are different (SPARQL 1.1, 12).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Join,
    Pattern,
    SubSelect,
    TriplePattern,
    Values,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Variable
from rsp_conformance.model.query import GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import mentioned
from rsp_conformance.strategies import expressions
from rsp_conformance.strategies.expressions import apply
from rsp_conformance.strategies.modifiers import subquery
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    TRUTH,
    Places,
    QueryBuilder,
)

MINUS = ("linked", "unshared", "filtered", "linked", "same", "unshared")
"""The shapes of the pattern within MINUS, the simplest first."""

_EXISTS = ("linked", "filtered", "linked", "same", "filtered", "unshared")


def inner_pattern(
    builder: QueryBuilder, places: Places, shapes: Sequence[str] = _EXISTS
) -> Pattern:
    """Draw the pattern within MINUS or EXISTS.

    It shares the first subject with the pattern before it, or subject and object, or nothing, or
    its FILTER mentions a variable outside. Its own variables are hidden.

    Args:
        builder: the query so far.
        places: the windows and graphs in which the pattern is matched.
        shapes: the shapes to draw from, the simplest first.
    """
    before = tuple(builder.kinds)
    first = builder.slots[0].pattern
    shape = builder.pick(shapes)
    equal = builder.pick(("!=", "="))
    outer = [v for v in builder.of_kind(RESOURCE, NUMBER) if v != first.subject]
    kind = RESOURCE if not outer or shape != "filtered" else builder.kinds[outer[0]]
    condition = None
    if shape == "unshared":
        subject = builder.fresh(RESOURCE)
        pattern = builder.triple(places, subject, RESOURCE)
    elif (
        shape == "same"
        and isinstance(first.object, Variable)
        and (known := builder.known[first.object]) != NAME  # in ?x ?p ?p
    ):
        again = TriplePattern(first.subject, builder.predicate(known), first.object)
        pattern = builder.add(places, again)
    else:
        pattern = builder.triple(places, first.subject, kind)
        if shape == "filtered" and outer and builder.limits.allow("filter", "inner-filters"):
            assert isinstance(pattern.object, Variable)
            # `=` between a number and a text may be an error or false: it is open.
            compare = {"!=": "<", "=": ">="}[equal] if kind == NUMBER else equal
            condition = apply(compare, pattern.object, outer[0])
    builder.hide(*builder.since(before))
    group = BGP((pattern,))
    return group if condition is None else Filter(condition, group)


def where_exists(builder: QueryBuilder, group: Pattern, inner: Pattern) -> Pattern:
    """Return ``group`` with EXISTS of ``inner`` as a FILTER, as part of one, or as a value.

    Args:
        builder: the query so far.
        group: the pattern that is filtered, or extended by the value.
        inner: the pattern within EXISTS.
    """
    if not builder.limits.allow("positive-exists"):
        return Filter(Exists(inner, negated=True), group)
    exists = Exists(inner, builder.pick((True, True, False)))
    use = builder.pick(("", "", "", "", "||", "!", "bind"))
    if use == "bind" and builder.limits.allow("bind"):
        return Extend(group, builder.fresh(TRUTH), exists)
    if use == "!" and builder.limits.allow("filter-not"):
        return Filter(apply("!", exists), group)
    simple = None
    if use == "||":
        simple = expressions.simple_condition(builder, tuple(builder.kinds))
    return Filter(exists if simple is None else apply("||", simple, exists), group)


_SUBQUERIES = (
    *("all", "first", "reuse", "distinct", "count", "limit", "reuse", "reuse"),
    *("any", "any", "any", "any"),
)


def in_subquery(builder: QueryBuilder, pattern: Pattern, places: Places | None = None) -> Pattern:
    """Return a pattern as a subquery, which hides some of its variables.

    The query's first subject stays in scope, because other patterns link to it.

    Args:
        builder: the query so far.
        pattern: the pattern.
        places: the places in which the pattern is matched. With them, a hidden variable may be used
            again beside the subquery, as a different variable; None rules that out.
    """
    shape = builder.pick(_SUBQUERIES)
    visible = [v for v in map(Variable, in_scope(pattern)) if v in builder.kinds]
    kept = _kept(builder, visible)
    others = [v for v in visible if v not in kept]
    if shape == "any":
        return _modified(builder, pattern, kept)
    if shape == "count" and builder.limits.allow("group-by"):
        return SubSelect(_grouped(builder, pattern, kept, others))
    if shape == "limit" and builder.limits.allow("order", "limit") and _ordered(builder, visible):
        return SubSelect(_limited(builder, pattern, visible))
    if shape == "distinct" and builder.limits.allow("distinct"):
        builder.hide(*others)
        return SubSelect(_plain(pattern, kept, distinct=True))
    if shape in ("first", "reuse", "distinct"):
        builder.hide(*others)
        inner = SubSelect(_plain(pattern, kept))
        again = next((v for v in others if builder.known[v] == RESOURCE), None)
        if shape == "first" or places is None or again is None:
            return inner
        builder.show(again)
        beside = TriplePattern(kept[0], builder.predicate(RESOURCE), again)
        return Join(inner, BGP((builder.add(places, beside),)))
    return SubSelect(_plain(pattern, visible))


def _modified(builder: QueryBuilder, pattern: Pattern, kept: Sequence[Variable]) -> SubSelect:
    """The pattern as a subquery with any modifiers, which in most cases shows ``kept``."""
    visible = set(in_scope(pattern))
    others = {v: k for v, k in builder.kinds.items() if v.name not in visible}
    builder.kinds = {v: k for v, k in builder.kinds.items() if v not in others}
    inner = SubSelect(subquery(builder, pattern, next(iter(kept), None), whole=False))
    shown = {v: builder.known[v] for v in map(Variable, in_scope(inner))}
    sure = certain(inner)
    builder.kinds = others | shown
    builder.unbound.update(v for v in shown if v.name not in sure)
    return inner


def counted(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """Return a subquery that counts the solutions: one row, whatever the window contains."""
    builder.hide(*map(Variable, in_scope(pattern)))
    number = Projection(builder.fresh(NUMBER), Aggregate("COUNT", None))
    return SubSelect(Query(pattern, projection=(number,)))


def _kept(builder: QueryBuilder, visible: Sequence[Variable]) -> list[Variable]:
    """The variables that a smaller projection still shows: those of the query's first subject."""
    subjects = set(mentioned(builder.slots[0].pattern.subject))
    return [v for v in visible if v.name in subjects] or list(visible[:1])


def _plain(pattern: Pattern, shown: Sequence[Variable], *, distinct: bool = False) -> Query:
    return Query(pattern, projection=tuple(map(Projection, shown)), distinct=distinct)


def _grouped(
    builder: QueryBuilder, pattern: Pattern, kept: Sequence[Variable], others: Sequence[Variable]
) -> Query:
    aggregate = expressions.aggregate(builder, others, average=False)
    builder.hide(*others)
    value = Projection(builder.fresh(NUMBER), aggregate)
    return Query(
        pattern,
        projection=(*map(Projection, kept), value),
        group_by=tuple(map(GroupKey, kept)) or None,
    )


def _ordered(builder: QueryBuilder, variables: Sequence[Variable]) -> bool:
    """Whether the terms of variables have a single order: IRIs, or nothing if one is unbound."""
    return not builder.plan.has("blank-nodes") and all(
        builder.kinds[v] in (RESOURCE, NAME) for v in variables
    )


def _limited(builder: QueryBuilder, pattern: Pattern, variables: Sequence[Variable]) -> Query:
    """The first rows under a total order: tied rows are equal."""
    descending = builder.pick((False, True))
    return Query(
        pattern,
        projection=tuple(map(Projection, variables)),
        order_by=tuple(OrderKey(v, descending) for v in variables),
        limit=builder.pick((1, 2, 2)),
    )


_DATA_SHAPES = (
    *("one", "undef", "two", "two-undef", "new"),
    *("new-undef", "none", "twice", "undef", "two-undef"),
)

Row = tuple[Term | None, ...]


def inline_data(builder: QueryBuilder) -> Values:
    """Draw rows of VALUES over one or two variables in scope, sometimes with a new one.

    UNDEF is compatible with every value of its variable, and leaves a new variable unbound.
    """
    known = builder.bound(RESOURCE, TEXT, NUMBER)
    known = [v for v in known if _written(builder, v)]
    shape = builder.pick(_DATA_SHAPES)
    number = builder.pick((0, 1))
    variables = list(islice(cycle(known), number, number + 2))
    if not variables:
        fresh = builder.fresh(RESOURCE)
        return Values((fresh,), ((_written(builder, fresh)[0],),))
    first, second = variables
    one, other = (list(islice(cycle(_written(builder, v)), 2)) for v in variables)
    if shape in ("two", "two-undef") and first != second:
        rows: tuple[Row, ...] = ((one[0], other[0]), (one[1], other[1]))
        if shape == "two-undef":
            rows = ((one[0], None), (None, other[1]))
        return Values((first, second), rows)
    if shape.startswith("new"):
        fresh = builder.fresh(RESOURCE)
        a, b = islice(cycle(_written(builder, fresh)), 2)
        if shape == "new-undef":
            builder.unbound.add(fresh)
        return Values((first, fresh), ((one[0], a), (one[1], None if shape == "new-undef" else b)))
    return Values((first,), _rows_of_one(shape, one))


def _rows_of_one(shape: str, terms: list[Term]) -> tuple[Row, ...]:
    one, two = terms
    match shape:
        case "undef" | "two-undef":
            return ((one,), (None,))
        case "none":
            return ((None,),)
        case "twice":
            return ((one,), (one,), (two,))
        case _:
            return ((one,),)


def _written(builder: QueryBuilder, variable: Variable) -> list[Term]:
    """The terms for a variable that a query can write."""
    return [term for term in builder.domain(variable) if isinstance(term, (IRI, Literal))]
