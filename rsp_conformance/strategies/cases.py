"""Whole cases: a query, the streams that it reads, its background data and its time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from hypothesis import strategies as st

from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.background import draw_entries
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.focus import focus_named
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.plan import Recipe, recipe
from rsp_conformance.strategies.queries import Drawn, draw_query
from rsp_conformance.strategies.sketch import pool
from rsp_conformance.strategies.streams import draw_elements, interleave
from rsp_conformance.strategies.windows import slide_of, width_of
from rsp_conformance.strategies.written import WrittenCase, WrittenQuery

_REGISTERED = (0, 0, 0, 0, 0, 0, 1, 2, 5)


def draw_case(draw: st.DrawFn, recipe: Recipe, most: int) -> Case:
    """A case after RECIPE with at most MOST elements."""
    drawn = draw_query(draw, recipe)
    query, plan = drawn.query, drawn.plan
    registered = pick(draw, _REGISTERED)
    widths = [width_of(window) for window in query.windows]
    slides = [slide_of(window) for window in query.windows]
    elements = draw_elements(
        draw,
        interleave(_stream_pools(drawn)),
        start=registered,
        rhythm=plan.rhythm,
        silence=max(widths) + max(slides) + 1,
        least=_least(drawn),
        most=most,
        several=plan.has("multi-triple"),
        named=plan.has("named-elements"),
    )
    last = elements[-1].t if elements else registered
    # Mostly the windows that hold the last element close; sometimes the end comes sooner.
    whole = max(widths) + max(slides)
    until = last + pick(draw, (*(whole,) * 7, whole + max(slides), max(widths), 1))
    return WrittenCase(
        query=query,
        elements=elements,
        background=_background(draw, drawn, registered, last),
        registered=registered,
        until=until,
        streams=(vocabulary.BYSTANDER,) if plan.has("bystander") else (),
    )


def _least(drawn: Drawn) -> int:
    """How many elements there are at least: more where more patterns have to be met."""
    names = {window.name for window in drawn.query.windows}
    met = sum(not names.isdisjoint(slot.places) for slot in drawn.sketch.slots)
    return drawn.plan.least and drawn.plan.least + 2 * max(0, met - 1)


def _stream_pools(drawn: Drawn) -> dict[IRI, Sequence[Triple]]:
    """For each stream the triples that may enter it."""
    pools: dict[IRI, Sequence[Triple]] = {}
    for stream in drawn.query.streams():
        places = [window.name for window in drawn.query.windows if window.stream == stream]
        pools[stream] = pool(drawn.sketch, places, drawn.plan.spread)
    if drawn.plan.has("bystander"):
        pools[vocabulary.BYSTANDER] = next(iter(pools.values()))[:2]
    return pools


def _background(draw: st.DrawFn, drawn: Drawn, start: int, end: int) -> Background:
    plan = drawn.plan
    default: list[tuple[GraphName | None, Triple]] = []
    named: list[tuple[GraphName | None, Triple]] = []
    if plan.has("static", "varying"):
        default = [(None, triple) for triple in pool(drawn.sketch, (None,), plan.spread)]
    if plan.has("graph", "graph-varying"):
        graphs = vocabulary.GRAPHS
        pools = {g: pool(drawn.sketch, (g,), plan.spread) for g in graphs}
        named = [(graph, triple) for graph, triple in interleave(pools)]
    entries = (
        *draw_entries(draw, default, varying=plan.has("varying"), start=start, end=end),
        *draw_entries(draw, named, varying=plan.has("graph-varying"), start=start, end=end),
    )
    return Background(entries)


GENERATED = frozenset(FEATURES) - {
    "minus",
    "exists",
    "paths",
    "subqueries",
    "rdf-star",
    "triple-terms",
    "uncertainty",
    "count-windows",
    "now-window",
    "unbounded-window",
}
"""The features that generated cases can have."""

PLAIN = Dials()
"""Plain RSP-QL's dials."""


def cases(
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    focus: str | None = None,
    max_elements: int | None = None,
) -> st.SearchStrategy[Case]:
    """Cases for an engine with FEATURES under PROFILE.

    FOCUS is the aspect that they exercise (see ``FOCUSES``), None for a mix. MAX_ELEMENTS bounds
    the elements of a case, 12 unless the focus asks for more.
    """
    aspect = focus_named(focus)
    plan = recipe(limits(features, profile), aspect)
    most = aspect.most if max_elements is None else max_elements
    return _cases(plan, most)


def queries(
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    focus: str | None = None,
) -> st.SearchStrategy[Query]:
    """Queries for an engine with FEATURES under PROFILE; the arguments are those of ``cases``.

    Shrinks to one triple pattern in one window.
    """
    return _queries(recipe(limits(features, profile), focus_named(focus)))


@st.composite
def _queries(draw: st.DrawFn, recipe: Recipe) -> Query:
    query = draw_query(draw, recipe).query
    return WrittenQuery(**{field.name: getattr(query, field.name) for field in fields(query)})


@st.composite
def _cases(draw: st.DrawFn, recipe: Recipe, most: int) -> Case:
    return draw_case(draw, recipe, most)
