"""Mutants of combined clauses: operators in operators, modifiers with modifiers, templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rsp_conformance.adapters.reference.mutant import PATTERN, QUERY, MutatedRun, mutant
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
)
from rsp_conformance.model.expressions import Exists, Expression, Operation, Variable
from rsp_conformance.model.query import Form, OrderKey, Projection, Query
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import certain, in_scope, is_grouped
from rsp_conformance.model.walk import mentioned, rewritten, rewritten_pattern, substituted, within

_TRUE: Final = Literal("true", XSD_BOOLEAN)


# Operators within operators


@mutant(
    PATTERN,
    "virtuoso-opensource#151: a variable of two OPTIONALs stays unbound",
    needs="optional",
    where="two OPTIONALs of one group that bind one variable",
)
def second_optional_unbound(pattern: Pattern, run: MutatedRun) -> Pattern:
    """What an OPTIONAL before it may bind is not bound by the second OPTIONAL."""
    match pattern:
        case LeftJoin(LeftJoin(first, _) as before, right, _):
            shared = set(in_scope(before)) & set(in_scope(right)) - set(in_scope(first))
            hidden = {Variable(name): Variable(f"{name}_again") for name in shared}
            return rewritten_right(pattern, hidden) if hidden else pattern
        case _:
            return pattern


def rewritten_right(pattern: LeftJoin, names: Mapping[Variable, Variable]) -> Pattern:
    """`pattern` whose right side has other `names` for its variables, which no solution shows."""
    found = LeftJoin(
        pattern.left,
        substituted(pattern.right, names),
        None if pattern.condition is None else substituted(pattern.condition, names),
    )
    shown = tuple(Projection(Variable(name)) for name in in_scope(pattern))
    return SubSelect(Query(found, projection=shown))


@mutant(
    PATTERN,
    "qlever#2193, rdf4j#879: an OPTIONAL within OPTIONAL is evaluated beside it",
    needs="optional",
    where="an OPTIONAL within OPTIONAL, whose own pattern matches alone",
)
def nested_optional_beside(pattern: Pattern, run: MutatedRun) -> Pattern:
    """An OPTIONAL in an OPTIONAL is evaluated beside it: it binds even if the outer does not."""
    match pattern:
        case LeftJoin(left, LeftJoin(right, inner, inner_condition), condition):
            return LeftJoin(LeftJoin(left, right, condition), inner, inner_condition)
        case _:
            return pattern


def _having(kind: type | tuple[type, ...], pattern: Pattern) -> bool:
    return any(isinstance(part, kind) for part in within(pattern))


@mutant(
    PATTERN,
    "engines whose OPTIONAL takes groups of triple patterns alone",
    needs="optional subqueries",
    where="OPTIONAL { SELECT }",
)
def optional_subquery_joined(pattern: Pattern, run: MutatedRun) -> Pattern:
    """OPTIONAL of a subquery leaves out solutions without a match."""
    if isinstance(pattern, LeftJoin) and _having(SubSelect, pattern.right):
        joined = Join(pattern.left, pattern.right)
        return joined if pattern.condition is None else Filter(pattern.condition, joined)
    return pattern


@mutant(
    PATTERN,
    "planners that keep one branch of an alternative that need not match",
    needs="optional union",
    where="a UNION within OPTIONAL",
)
def optional_union_first(pattern: Pattern, run: MutatedRun) -> Pattern:
    """Of a UNION within OPTIONAL the first branch alone is evaluated."""

    def first(part: Pattern) -> Pattern:
        return part.left if isinstance(part, Union) else part

    if not isinstance(pattern, LeftJoin):
        return pattern
    return replace(pattern, right=rewritten_pattern(pattern.right, first))


@mutant(
    QUERY,
    "engines that run MINUS at the top of a query alone",
    needs="minus optional | minus union | minus exists | minus subqueries",
    where="a MINUS within OPTIONAL, UNION, EXISTS or a subquery",
)
def inner_minus_ignored(query: Query, run: MutatedRun) -> Query:
    """MINUS within OPTIONAL, UNION, EXISTS or a subquery is parsed and never applied."""

    def without(part: Any) -> Any:
        return part.left if isinstance(part, Minus) else part

    def change(part: Any) -> Any:
        match part:
            case LeftJoin():
                return replace(part, right=rewritten(part.right, without))
            case Union() | Exists() | SubSelect():
                return rewritten(part, without)
            case _:
                return part

    return replace(query, pattern=rewritten(query.pattern, change))


@mutant(
    QUERY,
    "engines that evaluate EXISTS one level deep",
    needs="exists",
    where="an EXISTS within EXISTS",
)
def inner_exists_ignored(query: Query, run: MutatedRun) -> Query:
    """EXISTS within EXISTS always holds."""

    def inside(part: Any) -> Any:
        return _TRUE if isinstance(part, Exists) else part

    def change(part: Any) -> Any:
        if isinstance(part, Exists):
            return replace(part, pattern=rewritten(part.pattern, inside))
        return part

    # Whole, so that an EXISTS within is met as one, and not as what has been made of it.
    return rewritten(query, change, Exists)


@mutant(
    PATTERN,
    "engines that keep one list of binds for a group and its alternatives",
    needs="union bind",
    where="a BIND within UNION",
)
def union_bind_lost(pattern: Pattern, run: MutatedRun) -> Pattern:
    """BIND within UNION leaves its variable unbound."""
    if not isinstance(pattern, Union) or not _having(Extend, pattern):
        return pattern
    error = Operation("/", (Literal("0"), Literal("0")))

    def change(part: Pattern) -> Pattern:
        return replace(part, expression=error) if isinstance(part, Extend) else part

    return rewritten_pattern(pattern, change)


@mutant(
    PATTERN,
    "engines that flatten the groups of a query",
    needs="filter optional",
    where="a FILTER within OPTIONAL over a variable of the group around it",
)
def optional_filter_inside_only(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A FILTER of an OPTIONAL sees nothing of the group before it."""
    if not isinstance(pattern, LeftJoin) or pattern.condition is None:
        return pattern
    return LeftJoin(pattern.left, Filter(pattern.condition, pattern.right))


@mutant(
    PATTERN,
    "engines that index by predicate",
    where="a variable as predicate",
)
def predicate_variable_unbound(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A variable in the place of a predicate matches, and stays unbound."""
    if not isinstance(pattern, BGP):
        return pattern
    named = [t.predicate for t in pattern.triples if isinstance(t.predicate, Variable)]
    others = {
        name for t in pattern.triples for end in (t.subject, t.object) for name in mentioned(end)
    }
    lost = {v.name for v in named} - others
    if not lost:
        return pattern
    triples = tuple(
        replace(t, predicate=Variable(f"{t.predicate.name}_{place}"))
        if isinstance(t.predicate, Variable) and t.predicate.name in lost
        else t
        for place, t in enumerate(pattern.triples)
    )
    shown = tuple(Projection(Variable(name)) for name in in_scope(pattern) if name not in lost)
    return SubSelect(Query(BGP(triples), projection=shown or (Projection(Variable("rsp_any")),)))


# Modifiers


@mutant(
    QUERY,
    "qlever#247, 4store#133, kineo#22: ORDER BY and LIMIT are lost with GROUP BY",
    needs="group-by order",
    where="ORDER BY or LIMIT of a query with GROUP BY",
)
def grouped_order_lost(query: Query, run: MutatedRun) -> Query:
    """ORDER BY, LIMIT and OFFSET are parsed and never applied if there is GROUP BY."""
    if query.group_by is None:
        return query
    return replace(query, order_by=(), limit=None, offset=None)


@mutant(
    QUERY,
    "oxigraph#646, virtuoso-opensource#254, corese#533, qlever#247: HAVING sees SELECT's names",
    needs="having",
    where="HAVING over a name that SELECT gives",
)
def having_alias(query: Query, run: MutatedRun) -> Query:
    """A name that SELECT gives to an expression has its value in HAVING."""
    values = {p.variable: p.expression for p in query.projection or () if p.expression is not None}
    # A pattern of EXISTS has places where no expression can stand.
    return replace(query, having=tuple(substituted(own, values, Exists) for own in query.having))


@mutant(
    QUERY,
    "engines that compute the expressions of SELECT side by side",
    needs="bind",
    where="a name of SELECT that a later expression of the same SELECT reads",
)
def alias_unknown_to_select(query: Query, run: MutatedRun) -> Query:
    """A name that SELECT gives is unbound in the expressions behind it."""
    names = [p.variable for p in query.projection or () if p.expression is not None]
    if not names or is_grouped(query):
        return query
    unknown = {name: Variable(f"{name.name}_unknown") for name in names}
    columns = tuple(
        p if p.expression is None else replace(p, expression=substituted(p.expression, unknown))
        for p in query.projection or ()
    )
    return replace(query, projection=columns)


@mutant(
    QUERY,
    "engines that cut while they collect",
    needs="limit distinct",
    where="LIMIT with DISTINCT, and rows that are equal",
)
def limit_before_distinct(query: Query, run: MutatedRun) -> Query:
    """LIMIT and OFFSET are applied before DISTINCT."""
    if not query.distinct or (query.limit is None and query.offset is None):
        return query
    if query.form is not Form.SELECT or query.projection is None:
        return query
    inner = replace(
        query,
        distinct=False,
        operator=None,
        windows=(),
        name=None,
        computed_every=None,
        values=None,
    )
    shown = tuple(Projection(p.variable) for p in query.projection)
    return replace(
        query,
        pattern=SubSelect(inner),
        projection=shown,
        group_by=None,
        having=(),
        limit=None,
        offset=None,
        order_by=tuple(k for k in query.order_by if isinstance(k.expression, Variable)),
    )


@mutant(
    QUERY,
    "engines that parse more than they run",
    needs="limit",
    where="OFFSET",
)
def offset_ignored(query: Query, run: MutatedRun) -> Query:
    """OFFSET is parsed and never applied."""
    return replace(query, offset=None)


def _keyed(query: Query, change: Callable[[OrderKey], OrderKey]) -> Query:
    return replace(query, order_by=tuple(map(change, query.order_by)))


@mutant(
    QUERY,
    "engines whose values are strings",
    needs="order typed-literals",
    where="ORDER BY of numbers of different lengths, or of a negative one",
)
def numbers_ordered_as_text(query: Query, run: MutatedRun) -> Query:
    """ORDER BY compares numbers by their texts."""

    def change(key: OrderKey) -> OrderKey:
        value = key.expression
        as_text = Operation(
            "IF", (Operation("ISNUMERIC", (value,)), Operation("STR", (value,)), value)
        )
        return replace(key, expression=Operation("COALESCE", (as_text, value)))

    return _keyed(query, change)


@mutant(
    QUERY,
    "databases that put NULL last",
    needs="order",
    where="ORDER BY of a variable that may be unbound",
)
def unbound_ordered_last(query: Query, run: MutatedRun) -> Query:
    """ORDER BY puts what is unbound behind all terms."""
    bound = set(certain(query.pattern))
    keys: list[OrderKey] = []
    for key in query.order_by:
        if isinstance(key.expression, Variable) and key.expression.name not in bound:
            is_bound = Operation("BOUND", (key.expression,))
            keys.append(OrderKey(Operation("!", (is_bound,)), key.descending))
        keys.append(key)
    return replace(query, order_by=tuple(keys))


@mutant(
    QUERY,
    "engines that order by columns",
    needs="order",
    where="ORDER BY of an expression that is no variable",
)
def order_expression_ignored(query: Query, run: MutatedRun) -> Query:
    """An ORDER BY condition that is no variable is parsed and never applied."""
    keys = tuple(key for key in query.order_by if isinstance(key.expression, Variable))
    return replace(query, order_by=keys)


@mutant(
    QUERY,
    "engines that order by one column",
    needs="order",
    where="ORDER BY with two conditions, and rows that are equal in the first",
)
def second_order_key_ignored(query: Query, run: MutatedRun) -> Query:
    """All ORDER BY conditions behind the first one are parsed and never applied."""
    return replace(query, order_by=query.order_by[:1])


@mutant(
    QUERY,
    "engines that list the columns of SELECT * from the triple patterns",
    where="SELECT * beside BIND, VALUES or a subquery",
)
def star_shows_triples_alone(query: Query, run: MutatedRun) -> Query:
    """SELECT * shows the variables of triple patterns, and none that BIND or VALUES bind."""
    if query.form is not Form.SELECT or query.projection is not None:
        return query
    matched = {
        name
        for part in within(query.pattern)
        if isinstance(part, TriplePattern)
        for name in mentioned(part)
    }
    visible = in_scope(query.pattern)
    shown = tuple(Projection(Variable(name)) for name in visible if name in matched)
    return replace(query, projection=shown) if shown else query


@mutant(
    QUERY,
    "engines whose subqueries are groups",
    needs="subqueries order limit",
    where="LIMIT in a subquery",
)
def inner_limit_ignored(query: Query, run: MutatedRun) -> Query:
    """LIMIT and OFFSET of a subquery are parsed and never applied."""

    def change(part: Any) -> Any:
        if not isinstance(part, SubSelect):
            return part
        return SubSelect(replace(part.query, limit=None, offset=None))

    return replace(query, pattern=rewritten(query.pattern, change))


@mutant(
    QUERY,
    "engines that group by variables alone",
    needs="group-by",
    where="GROUP BY with two conditions",
)
def second_group_key_ignored(query: Query, run: MutatedRun) -> Query:
    """Of several GROUP BY conditions the last one alone makes groups; the others are unbound."""
    if query.group_by is None or len(query.group_by) < 2:
        return query
    kept = query.group_by[-1:]
    lost = {key.expression for key in query.group_by[:-1] if isinstance(key.expression, Variable)}
    columns = tuple(p for p in query.projection or () if p.variable not in lost)
    return replace(query, group_by=kept, projection=columns or None) if columns else query


# Templates


@mutant(
    QUERY,
    "engines that instantiate a template's first triple",
    needs="construct",
    where="a template of two triples",
)
def template_first_triple_only(query: Query, run: MutatedRun) -> Query:
    """CONSTRUCT instantiates the first triple of its template alone."""
    return replace(query, template=query.template[:1])


def _bound(names: Sequence[str]) -> Expression:
    bound: Expression = _TRUE
    for name in names:
        bound = Operation("&&", (bound, Operation("BOUND", (Variable(name),))))
    return bound


@mutant(
    QUERY,
    "engines that instantiate a template as a whole",
    needs="construct",
    where="a template of several triples, with a variable that may be unbound",
)
def template_whole_or_nothing(query: Query, run: MutatedRun) -> Query:
    """A solution that leaves a variable of the template unbound gives no triple at all."""
    if query.form is not Form.CONSTRUCT:
        return query
    known = set(in_scope(query.pattern))
    used = {name for triple in query.template for name in mentioned(triple)}
    names = sorted(used & known)
    return replace(query, pattern=Filter(_bound(names), query.pattern))
