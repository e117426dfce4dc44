"""Continuous queries: form, streaming operator and solution modifiers over a pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from rsp_conformance.model.algebra import Pattern, TriplePattern
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.functions import apply
from rsp_conformance.strategies.patterns import draw_pattern
from rsp_conformance.strategies.plan import Plan, Recipe
from rsp_conformance.strategies.query_builder import NAME, NUMBER, RESOURCE, TEXT, THING, Sketch
from rsp_conformance.strategies.windows import draw_windows

_UNCERTAIN = (("rspu", RSPU),)


def draw_query(
    draw: st.DrawFn, recipe: Recipe, plan: Plan, windows: tuple[WindowDeclaration, ...]
) -> tuple[Query, Sketch]:
    """A query after PLAN over WINDOWS, with the sketch that tells which data it is about."""
    sketch = Sketch(draw, plan, recipe.limits)
    every = pick(draw, (1, 2, 3)) if recipe.limits.computed_every else None
    pattern = draw_pattern(draw, sketch, windows)
    registered = plan.operator is not None or every is not None
    base = Query(
        operator=plan.operator,
        name=vocabulary.name("out") if registered else None,
        computed_every=every,
        windows=windows,
        prefixes=(*vocabulary.PREFIXES, *(_UNCERTAIN if plan.has("uncertain") else ())),
    )
    query = _HEADS[plan.head](draw, sketch, base, pattern)
    return replace(query, values=sketch.values), sketch


def plan_windows(draw: st.DrawFn, recipe: Recipe, plan: Plan) -> tuple[WindowDeclaration, ...]:
    """The windows of PLAN, under the names that the report policy uses, if it uses any."""
    streams = [vocabulary.stream(1)]
    if plan.has("window"):
        streams.append(vocabulary.stream(2))
    if plan.has("again"):
        streams.append(vocabulary.stream(1))
    allow = recipe.limits.allow
    if plan.has("window-variable") and allow("multi-window") and pick(draw, (False, True)):
        streams.append(vocabulary.stream(2))
    names = list(recipe.limits.window_names)
    while len(streams) < len(names):
        several = allow("multi-window") or not allow("same-stream-windows")
        streams.append(vocabulary.stream(len(streams) + 1 if several else 1))
    names += [vocabulary.window(number) for number in range(len(names) + 1, len(streams) + 1)]
    named = not recipe.limits.default_windows
    frames = [(name, stream, named) for name, stream in zip(names, streams, strict=True)]
    return draw_windows(draw, frames, recipe.focus.slides, recipe.extras(plan))


def _select(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    return replace(query, pattern=pattern, projection=_projection(sketch))


def _distinct(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    return replace(_select(draw, sketch, query, pattern), distinct=True)


def _projection(sketch: Sketch) -> tuple[Projection, ...]:
    """All variables, the first or the last; with fewer of them more rows are equal."""
    visible = tuple(sketch.kinds)
    chosen = {"all": visible, "first": visible[:1], "last": visible[-1:]}
    shown = tuple(Projection(variable) for variable in chosen[sketch.plan.projection])
    if not sketch.computed:
        return shown
    expression, kind = expressions.computed(sketch.draw, sketch, visible)
    return (*shown, Projection(sketch.fresh(kind), expression))


def _aggregate(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    keys: list[tuple[Variable, ...]] = [()]
    keys += [(v,) for v in sketch.of_kind(RESOURCE, NAME)]
    return _grouped(draw, sketch, query, pattern, pick(draw, keys))


def _having(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    resources = sketch.of_kind(RESOURCE, NAME)
    grouped = _grouped(draw, sketch, query, pattern, pick(draw, [(v,) for v in resources] or [()]))
    assert grouped.projection is not None
    aggregate = grouped.projection[-1].expression
    assert aggregate is not None
    one, two = vocabulary.integer(1), vocabulary.integer(2)
    conditions = [apply(">", aggregate, one), apply(">=", aggregate, one)]
    if sketch.of_kind(NUMBER):
        conditions.append(apply("<", aggregate, two))
    return replace(grouped, having=(pick(draw, conditions),))


def _grouped(
    draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern, keys: tuple[Variable, ...]
) -> Query:
    single = keys if sketch.plan.head == "aggregate" else ()
    options = expressions.aggregates(sketch, [v for v in sketch.kinds if v not in keys], single)
    names = iter(("c", "d"))
    projection = [Projection(key) for key in keys]
    for aggregate in dict.fromkeys((pick(draw, options), *_second(draw, options))):
        projection.append(Projection(Variable(next(names)), aggregate))
    return replace(
        query,
        pattern=pattern,
        projection=tuple(projection),
        group_by=tuple(GroupKey(key) for key in keys) or None,
    )


def _second(draw: st.DrawFn, options: list[Aggregate]) -> list[Aggregate]:
    return [pick(draw, options)] if pick(draw, (False, False, False, True)) else []


def _order(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    """ORDER BY one or two variables whose values SPARQL orders; ties are fine."""
    keys = _comparable(sketch)
    if not keys:
        return _select(draw, sketch, query, pattern)
    order = [OrderKey(pick(draw, keys), pick(draw, (False, True)))]
    if len(keys) > 1 and pick(draw, (False, True)):
        second = pick(draw, [key for key in keys if key != order[0].expression])
        order.append(OrderKey(second, pick(draw, (False, True))))
    projection = tuple(Projection(variable) for variable in sketch.kinds)
    return replace(query, pattern=pattern, projection=projection, order_by=tuple(order))


def _limit(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    """LIMIT and OFFSET under a total order: tied rows are equal, so any of them will do."""
    keys = [v for v in _comparable(sketch) if sketch.kinds[v] != THING]
    if not keys:
        return _select(draw, sketch, query, pattern)
    descending = pick(draw, (False, True))
    return replace(
        query,
        pattern=pattern,
        projection=tuple(Projection(key) for key in keys),
        order_by=tuple(OrderKey(key, descending) for key in keys),
        limit=pick(draw, (1, 2, 3, 2, None)),
        offset=pick(draw, (None, None, None, 1)),
    )


def _comparable(sketch: Sketch) -> list[Variable]:
    """The variables whose values SPARQL 1.1 (15.1) orders among each other, by type at least."""
    kinds = [NUMBER, NAME, THING]
    if not sketch.plan.has("blank-nodes"):
        kinds.insert(0, RESOURCE)
    if not sketch.plan.has("tags"):
        kinds.append(TEXT)
    return sketch.of_kind(*kinds)


def _ask(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    return replace(query, pattern=pattern, form=Form.ASK)


def _construct(draw: st.DrawFn, sketch: Sketch, query: Query, pattern: Pattern) -> Query:
    """A template of one or two triples over the pattern's variables."""
    visible = list(sketch.kinds)
    subjects: list[IRI | Variable] = [*sketch.of_kind(RESOURCE, NAME)]
    if sketch.plan.has("quoted", "said", "quoted-bind") and not sketch.limits.allow("rdf-star"):
        # RDF 1.2 cannot make a subject of a quoted triple, and objects may be some.
        subjects = []
    subjects = subjects or [vocabulary.RESOURCES[0]]
    options = [
        TriplePattern(subject, predicate, obj)
        for subject in subjects
        for obj in visible
        if subject != obj or len(visible) == 1
        for predicate in (vocabulary.DERIVED,)
    ]
    template = {pick(draw, options): None}
    if pick(draw, (False, False, True)):
        template[pick(draw, options)] = None
    return replace(query, pattern=pattern, form=Form.CONSTRUCT, template=tuple(template))


_HEADS: dict[str, Callable[[st.DrawFn, Sketch, Query, Pattern], Query]] = {
    "select": _select,
    "distinct": _distinct,
    "aggregate": _aggregate,
    "having": _having,
    "order": _order,
    "limit": _limit,
    "ask": _ask,
    "construct": _construct,
}
