"""Subqueries: SELECT inside WINDOW and around it, with a projection of its own.

A subquery is evaluated by itself, before what stands around it, and shows its projection alone: a
variable of one name outside is another one (SPARQL 1.1, 12).
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Join, Pattern, SubSelect, TriplePattern
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.variables import in_scope, triple_variables
from rsp_conformance.strategies import expressions
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.query_builder import NAME, NUMBER, RESOURCE, Places, Sketch

_SHAPES = ("all", "first", "reuse", "distinct", "count", "limit", "reuse", "reuse")


def nested(
    draw: st.DrawFn, sketch: Sketch, pattern: Pattern, places: Places | None = None
) -> Pattern:
    """PATTERN as a subquery, some of whose variables are hidden.

    The first subject of the query stays in scope, for others link to it. With PLACES, those of
    PATTERN, a hidden variable may be used again beside the subquery, where it is another one.
    """
    shape = pick(draw, _SHAPES)
    visible = [v for v in map(Variable, in_scope(pattern)) if v in sketch.kinds]
    kept = _kept(sketch, visible)
    others = [v for v in visible if v not in kept]
    if shape == "count" and sketch.limits.allow("aggregates"):
        return SubSelect(_grouped(draw, sketch, pattern, kept, others))
    if shape == "limit" and sketch.limits.allow("order", "limit") and _ordered(sketch, visible):
        return SubSelect(_limited(draw, pattern, visible))
    if shape == "distinct" and sketch.limits.allow("distinct"):
        sketch.hide(*others)
        return SubSelect(_plain(pattern, kept, distinct=True))
    if shape in ("first", "reuse", "distinct"):
        sketch.hide(*others)
        inner = SubSelect(_plain(pattern, kept))
        again = next((v for v in others if sketch.known[v] == RESOURCE), None)
        if shape == "first" or places is None or again is None:
            return inner
        sketch.show(again)
        beside = TriplePattern(kept[0], sketch.predicate(RESOURCE), again)
        return Join(inner, BGP((sketch.add(places, beside),)))
    return SubSelect(_plain(pattern, visible))


def counted(sketch: Sketch, pattern: Pattern) -> Pattern:
    """How many solutions PATTERN has: one row, whatever the window holds."""
    sketch.hide(*map(Variable, in_scope(pattern)))
    number = Projection(sketch.fresh(NUMBER), Aggregate("COUNT", None))
    return SubSelect(Query(pattern, projection=(number,)))


def _kept(sketch: Sketch, visible: Sequence[Variable]) -> list[Variable]:
    """What a smaller projection still shows: what the first subject of the query speaks of."""
    subjects = set(triple_variables(sketch.slots[0].pattern.subject))
    return [v for v in visible if v.name in subjects] or list(visible[:1])


def _plain(pattern: Pattern, shown: Sequence[Variable], *, distinct: bool = False) -> Query:
    return Query(pattern, projection=tuple(map(Projection, shown)), distinct=distinct)


def _grouped(
    draw: st.DrawFn,
    sketch: Sketch,
    pattern: Pattern,
    kept: Sequence[Variable],
    others: Sequence[Variable],
) -> Query:
    options = [a for a in expressions.aggregates(sketch, others) if a.name != "AVG"]
    aggregate = pick(draw, options)
    sketch.hide(*others)
    value = Projection(sketch.fresh(NUMBER), aggregate)
    return Query(
        pattern,
        projection=(*map(Projection, kept), value),
        group_by=tuple(map(GroupKey, kept)) or None,
    )


def _ordered(sketch: Sketch, variables: Sequence[Variable]) -> bool:
    """Whether the terms of VARIABLES have one order: IRIs, and nothing where one is unbound."""
    return not sketch.plan.has("blank-nodes") and all(
        sketch.kinds[v] in (RESOURCE, NAME) for v in variables
    )


def _limited(draw: st.DrawFn, pattern: Pattern, variables: Sequence[Variable]) -> Query:
    """The first rows under a total order: tied rows are equal."""
    descending = pick(draw, (False, True))
    return Query(
        pattern,
        projection=tuple(map(Projection, variables)),
        order_by=tuple(OrderKey(v, descending) for v in variables),
        limit=pick(draw, (1, 2, 2)),
    )
