"""Continuous queries: the form, the streaming operator and solution modifiers over a pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Pattern, Window
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import Count, Reach, Unit, WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.expressions import apply
from rsp_conformance.strategies.modifiers import modified, unselected
from rsp_conformance.strategies.patterns import draw_pattern
from rsp_conformance.strategies.plan import FocusWithinLimits, Plan
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    THING,
    QueryBuilder,
)
from rsp_conformance.strategies.templates import template
from rsp_conformance.strategies.windows import counts, draw_windows

_UNCERTAIN = (("rspu", RSPU),)


Drawing: TypeAlias = Callable[[QueryBuilder, Sequence[WindowDeclaration]], Pattern]
"""Draws a pattern over windows."""


def draw_query(
    draw: st.DrawFn,
    focus: FocusWithinLimits,
    plan: Plan,
    windows: tuple[WindowDeclaration, ...],
    pattern_of: Drawing = draw_pattern,
) -> tuple[Query, QueryBuilder]:
    """Draw a query by a plan.

    Args:
        draw: Hypothesis' draw function.
        focus: the focus, within the engine's limits.
        plan: the clauses and the head of the query.
        windows: the windows that the query declares.
        pattern_of: draws the graph pattern.

    Returns:
        The query, and the builder, which knows which data the query is about.
    """
    builder = QueryBuilder(draw, plan, focus.limits)
    every = builder.pick((1, 2, 3)) if focus.limits.computed_every else None
    # An idle last window is declared and triggers evaluations, but is not read.
    pattern = pattern_of(builder, windows[:-1] if plan.has("idle") else windows)
    if not focus.limits.allow("unread-windows"):
        windows = _read_by(pattern, windows)
    registered = plan.operator is not None or every is not None
    base = Query(
        operator=plan.operator,
        name=vocabulary.name("out") if registered else None,
        computed_every=every,
        windows=windows,
        prefixes=(*_prefixes(focus, plan), *(_UNCERTAIN if plan.has("uncertain") else ())),
    )
    query = _of_dataset(builder, _HEADS[plan.head](builder, base, pattern))
    return query if builder.values is None else replace(query, values=builder.values), builder


def _read_by(
    pattern: Pattern, windows: tuple[WindowDeclaration, ...]
) -> tuple[WindowDeclaration, ...]:
    """The windows that a pattern reads."""
    names = {part.name for part in within(pattern) if isinstance(part, Window)}
    if any(isinstance(name, Variable) for name in names):
        return windows
    return tuple(w for w in windows if not w.named or w.name in names) or windows


_DATASETS = (*("",) * 5, "named", "default", "both")
"""Whether a query names the graphs that it reads in FROM NAMED, in FROM, in both or nowhere."""


def _of_dataset(builder: QueryBuilder, query: Query) -> Query:
    """The query; if it reads named graphs, it may name some in a dataset (SPARQL 1.1, 13.2)."""
    if not (builder.plan.has("graph", "graph-varying") and builder.limits.allow("datasets")):
        return query
    graphs = builder.graphs
    match builder.pick(_DATASETS):
        case "named":
            return replace(query, named_graphs=graphs)
        case "default":
            return replace(query, default_graphs=graphs[:1], named_graphs=graphs[1:])
        case "both":
            return replace(query, default_graphs=graphs[-1:], named_graphs=graphs)
    return query


def _prefixes(focus: FocusWithinLimits, plan: Plan) -> tuple[tuple[str, str], ...]:
    if plan.has("keyword-names") and focus.limits.allow("prefixes"):
        return vocabulary.KEYWORD_PREFIXES
    return vocabulary.NAMED_PREFIXES if plan.has("prefixes") else vocabulary.PREFIXES


MOST_WINDOWS = 4
"""The greatest number of windows in a query."""

_MORE = ((3,), (2,), (3, 2), (1, 1), (3, 3), (1,), (2, 1), (1, 1))
"""The streams of further windows, if several streams may be read; there are three in all."""


def plan_windows(
    draw: st.DrawFn, focus: FocusWithinLimits, plan: Plan
) -> tuple[WindowDeclaration, ...]:
    """Draw the windows of a plan, under the names that the report policy uses, if any.

    Args:
        draw: Hypothesis' draw function.
        focus: the focus, within the engine's limits.
        plan: the clauses that were drawn for the query.
    """
    streams = [vocabulary.stream(1)]
    if plan.has("window"):
        streams.append(vocabulary.stream(2))
    if plan.has("again"):
        streams.append(vocabulary.stream(1))
    allow = focus.limits.allow
    if plan.has("window-variable") and allow("multi-window") and pick(draw, (False, True)):
        streams.append(vocabulary.stream(2))
    if plan.has("more"):
        several = allow("multi-window")
        others = [vocabulary.stream(n if several else 1) for n in pick(draw, _MORE)]
        streams += others[: MOST_WINDOWS - len(streams)]
    if plan.has("idle"):
        streams.append(vocabulary.stream(3 if allow("multi-window") else 1))
    names = list(focus.limits.window_names)
    while len(streams) < len(names):
        several = allow("multi-window") or not allow("same-stream-windows")
        streams.append(vocabulary.stream(len(streams) + 1 if several else 1))
    own = [vocabulary.window(number) for number in range(1, len(streams) + 1)]
    if plan.has("keyword-names"):
        own = [*vocabulary.KEYWORD_WINDOWS]
    free = [name for name in own[: len(streams)] if name not in names]
    names += free[len(names) + len(free) - len(streams) :]
    named = not focus.limits.default_windows
    frames = [(name, stream, named) for name, stream in zip(names, streams, strict=True)]
    sizes: Sequence[Count | Reach] = counts(draw, focus.focus.counts, _units(focus, plan))
    reach = focus.focus.reach
    if reach and allow(f"{reach.lower()}-window"):
        sizes = (Reach(reach),)
    steps = focus.focus.steps if allow("count-steps") else ()
    lags = focus.focus.lags if allow("past-windows") else ()
    return draw_windows(
        draw, frames, focus.focus.slides, focus.extras(plan), sizes, steps=steps, lags=lags
    )


def _units(focus: FocusWithinLimits, plan: Plan) -> tuple[Unit, ...]:
    """What windows of the plan may count: of named elements, the elements alone."""
    named = plan.has("named-elements")
    return tuple(unit for unit in focus.limits.countable if unit == "elements" or not named)


def _select(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    return replace(query, pattern=pattern, projection=_projection(builder))


def _distinct(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    return replace(_select(builder, query, pattern), distinct=True)


def _projection(builder: QueryBuilder) -> tuple[Projection, ...]:
    """All variables, the first or the last; the fewer are shown, the more rows are equal."""
    visible = tuple(builder.kinds)
    chosen = {"all": visible, "first": visible[:1], "last": visible[-1:]}
    shown = tuple(Projection(variable) for variable in chosen[builder.plan.projection])
    values = [expressions.computed(builder, visible) for _ in range(builder.computed)]
    return (*shown, *(Projection(builder.fresh(kind), value) for value, kind in values))


def _aggregate(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    return _grouped(builder, query, pattern, builder.pick([(), *_keys(builder)]))


def _keys(builder: QueryBuilder) -> list[tuple[Variable, ...]]:
    """The variables by which rows may be grouped; empty without GROUP BY."""
    if not builder.limits.allow("group-by"):
        return []
    return [(variable,) for variable in builder.of_kind(RESOURCE, NAME)]


def _having(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    grouped = _grouped(builder, query, pattern, builder.pick(_keys(builder) or [()]))
    assert grouped.projection is not None
    aggregate = grouped.projection[-1].expression
    assert aggregate is not None
    one, two = vocabulary.integer(1), vocabulary.integer(2)
    conditions = [apply(">", aggregate, one), apply(">=", aggregate, two)]
    if builder.of_kind(NUMBER):
        conditions.append(apply("<", aggregate, two))
    if builder.limits.allow("filter-not", "filter-functions"):
        # A name that SELECT assigns is unbound in HAVING (18.2.4.2), so rows are expected.
        conditions += [apply("!", apply("BOUND", grouped.projection[-1].variable))]
    return replace(grouped, having=(builder.pick(conditions),))


def _grouped(
    builder: QueryBuilder, query: Query, pattern: Pattern, keys: tuple[Variable, ...]
) -> Query:
    single = keys if builder.plan.head == "aggregate" else ()
    scope = [v for v in builder.kinds if v not in keys]
    names = iter(("c", "d"))
    projection = [Projection(key) for key in keys]
    chosen = {expressions.aggregate(builder, scope, single): None}
    if builder.limits.allow("several-aggregates") and builder.pick((False, False, True)):
        chosen[expressions.aggregate(builder, scope, single)] = None
    for aggregate in chosen:
        projection.append(Projection(Variable(next(names)), aggregate))
    return replace(
        query,
        pattern=pattern,
        projection=tuple(projection),
        group_by=tuple(GroupKey(key) for key in keys) or None,
    )


def _order(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    """ORDER BY one or two variables whose values SPARQL orders; ties are allowed."""
    keys = _comparable(builder)
    if not keys:
        return _select(builder, query, pattern)
    order = [OrderKey(builder.pick(keys), builder.pick((False, True)))]
    if len(keys) > 1 and builder.pick((False, True)):
        second = builder.pick([key for key in keys if key != order[0].expression])
        order.append(OrderKey(second, builder.pick((False, True))))
    projection = tuple(Projection(variable) for variable in builder.kinds)
    return replace(query, pattern=pattern, projection=projection, order_by=tuple(order))


def _limit(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    """LIMIT and OFFSET under a total order: tied rows are equal, so any of them is correct."""
    keys = [v for v in _comparable(builder) if builder.kinds[v] != THING]
    if not keys:
        return _select(builder, query, pattern)
    descending = builder.pick((False, True))
    limit, offset = builder.pick(_SLICES)
    return replace(
        query,
        pattern=pattern,
        projection=tuple(Projection(key) for key in keys),
        order_by=tuple(OrderKey(key, descending) for key in keys),
        limit=limit,
        offset=offset,
    )


_SLICES = ((1, None), (2, None), (1, None), (3, None), (2, 1), (None, 1))
"""LIMIT and OFFSET; None for none."""


def _comparable(builder: QueryBuilder) -> list[Variable]:
    """The variables whose values SPARQL 1.1 (15.1) orders, if only by type."""
    kinds = [NUMBER, NAME, THING]
    if not builder.plan.has("blank-nodes"):
        kinds.insert(0, RESOURCE)
    if not builder.plan.has("tags"):
        kinds.append(TEXT)
    return builder.of_kind(*kinds)


def _modified(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    """Any combination of modifiers."""
    return modified(builder, replace(query, pattern=pattern), [*builder.kinds][:1])


_SELDOM = (*(False,) * 5, True)
"""True in one of six draws."""


def _ask(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    return replace(_unselected(builder, query, pattern), form=Form.ASK)


def _construct(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    query = _unselected(builder, query, pattern)
    # A template with what is no key of the groups is open (`open_points.TEMPLATE_OF_GROUPS`).
    own = isinstance(pattern, BGP) and _makes_triples(pattern, builder) and not is_grouped(query)
    again = own and builder.pick((False, True, True))
    triples = pattern.triples if again and isinstance(pattern, BGP) else template(builder)
    return replace(query, form=Form.CONSTRUCT, template=triples)


def _makes_triples(pattern: BGP, builder: QueryBuilder) -> bool:
    """Whether a pattern can be its own template, as in CONSTRUCT WHERE."""
    allow, plan = builder.limits.allow, builder.plan
    paths = any(not isinstance(t.predicate, IRI | Variable) for t in pattern.triples)
    nodes = plan.has("pattern-nodes") and not allow("blank-nodes")
    quoted = plan.has("quoted", "said", "quoted-bind") and not allow("rdf-star")
    return not (paths or nodes or quoted) and bool(pattern.triples)


def _unselected(builder: QueryBuilder, query: Query, pattern: Pattern) -> Query:
    """The query for a form that selects nothing, which seldom has modifiers."""
    if not builder.pick(_SELDOM):
        return replace(query, pattern=pattern)
    return unselected(builder, _modified(builder, query, pattern))


_HEADS: dict[str, Callable[[QueryBuilder, Query, Pattern], Query]] = {
    "select": _select,
    "distinct": _distinct,
    "aggregate": _aggregate,
    "having": _having,
    "order": _order,
    "limit": _limit,
    "ask": _ask,
    "construct": _construct,
    "modified": _modified,
}
