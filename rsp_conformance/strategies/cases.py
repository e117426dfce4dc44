"""Whole cases: a query, the streams that it reads, its background data and its time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import WHOLE
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, GraphName
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import Reach, WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.background import Entry, entries_from, entry_rows
from rsp_conformance.strategies.calls import is_moment
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.focus import focus_named
from rsp_conformance.strategies.independent import BYTES
from rsp_conformance.strategies.layouts import draw_layout
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.other_windows import OtherWindows, other_windows
from rsp_conformance.strategies.palettes import Palette, painted, palettes
from rsp_conformance.strategies.patterns import draw_pattern
from rsp_conformance.strategies.plan import FocusWithinLimits, focus_within
from rsp_conformance.strategies.queries import Drawing, draw_query, plan_windows
from rsp_conformance.strategies.query_builder import K, Place, Pools, QueryBuilder, pools
from rsp_conformance.strategies.streams import Arrival, element_rows, elements_from, second_triples
from rsp_conformance.strategies.values import abbreviated, with_calls
from rsp_conformance.strategies.windows import lag_of, slide_of, width_of
from rsp_conformance.strategies.written import WrittenCase, WrittenQuery

_CROWD = 20
"""With more elements than these a query gets no extra VALUES, which would multiply the rows."""

_REGISTERED = (0, 0, 0, 0, 0, 0, 1, 2, 5)
"""The drawn instants at which a query is registered."""

_ENDS = (*("whole",) * 7, "longer", "width", "soon")
"""How long after the last element a case ends (see the end of ``draw_case``)."""

_BY_TIME = 3
"""How many cases of a mix keep windows by time for each case that has other windows. The other
windows have foci of their own."""


def draw_case(
    draw: st.DrawFn, focus: FocusWithinLimits, most: int, pattern_of: Drawing = draw_pattern
) -> Case:
    """Draw a case about a focus.

    The clock and the palette are drawn first, so that shrinking makes them plain first. The choices
    for the streams are drawn before the query's details and apart from them: shrinking one leaves
    the other as it is.

    Args:
        draw: Hypothesis' draw function.
        focus: the focus, within the engine's limits.
        most: the greatest number of drawn elements; a clock's crowd multiplies them.
        pattern_of: draws the graph pattern; a law draws its left side here.
    """
    clock = focus.clocks.draw(draw)
    palette = palettes(focus.limits).draw(draw) if pattern_of is draw_pattern else Palette()
    plan = focus.plan(draw)
    drawn_elements = element_rows(draw, plan.least, most)
    registered = pick(draw, _REGISTERED)
    end = pick(draw, _ENDS)
    windows = plan_windows(draw, focus, plan)
    clock = focus.clocks.of_windows(clock, len(windows))
    if any(window.width is Reach.NOW for window in windows):
        clock = replace(clock, scale=1)  # NOW may be reported at every instant.
    silence = clock.silence * _unbridged(windows) + clock.wider // clock.scale
    windows = tuple(clock.window(w, first=w is windows[0]) for w in windows)
    drawn_entries = []
    if plan.has("static", "varying", "graph", "graph-varying"):
        drawn_entries = entry_rows(draw, varying=plan.has("varying", "graph-varying"))
    query, builder = draw_query(draw, focus, plan, windows, pattern_of)
    if isinstance(query.computed_every, int):
        query = replace(query, computed_every=clock.span(query.computed_every))
    widths, slides, lag = _lengths(windows)
    # Draws that only some plans have come last: without them the rest is drawn as before.
    seconds = second_triples(draw, most) if plan.has("multi-triple") else b""
    elements = elements_from(
        drawn_elements,
        *_arrivals(query, builder),
        start=registered,
        clock=clock,
        rhythm=plan.rhythm,
        silence=silence,
        seconds=seconds,
        named=plan.has("named-elements"),
    )
    registered = clock.at(registered)
    last = elements[-1].t if elements else registered
    entries = entries_from(drawn_entries, *_held(builder), start=registered, end=last)
    drawn = query
    query, elements, entries = painted(palette, focus.limits, query, elements, entries)
    query = with_calls(
        builder,
        query,
        shown=pattern_of is not draw_pattern,
        crowded=len(elements) > _CROWD,
        nodes=palette.node or plan.has("blank-nodes"),
        moments=any(map(is_moment, (*palette.numbers, *palette.texts))),
    )
    if query is not drawn and focus.limits.allow("prefixes"):
        query = abbreviated(query)
    # In most cases the windows with the last element close; in some the end comes sooner.
    layout = draw_layout(draw, query) if focus.limits.allow("layouts") else None
    rest = {"whole": max(widths) + max(slides), "longer": max(widths) + 2 * max(slides)}
    rest["width"] = max(widths)
    return WrittenCase(
        query=query,
        elements=elements,
        background=Background(entries),
        registered=registered,
        until=last + lag + rest.get(end, 1),
        streams=(vocabulary.BYSTANDER,) if plan.has("bystander") else (),
        layout=layout,
    )


def _unbridged(windows: Sequence[WindowDeclaration]) -> int:
    """The length of the shortest silence after which no window remembers an earlier element."""
    widths, slides, lag = _lengths(windows)
    return max(widths) + max(slides) + lag + 1


def _lengths(windows: Sequence[WindowDeclaration]) -> tuple[list[int], list[int], int]:
    """Widths, slides and the greatest lag, in instants; 1, 1 and 0 if no window is by time."""
    timed = [window for window in windows if window.is_by_time]
    lag = max(map(lag_of, timed), default=0)
    return [*map(width_of, timed)] or [1], [*map(slide_of, timed)] or [1], lag


def _arrivals(query: Query, builder: QueryBuilder) -> tuple[Sequence[Arrival], Sequence[Arrival]]:
    """The elements that may enter the streams: those the query asks for, and strays."""
    places = {
        stream: [window.name for window in query.windows if window.stream == stream]
        for stream in query.streams()
    }
    if builder.plan.has("mute") and len(places) > 1:
        del places[query.streams()[-1]]
    bystander = vocabulary.BYSTANDER if builder.plan.has("bystander") else None
    return _apart(builder, pools(builder, places, bystander), vocabulary.BLANK_NODES[1])


def _held(builder: QueryBuilder) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """The triples that the background data may hold: those the query asks for, and strays."""
    graphs: list[IRI | None] = [None] if builder.plan.has("static", "varying") else []
    if builder.plan.has("graph", "graph-varying"):
        graphs += builder.graphs
    places: dict[GraphName | None, Sequence[Place]] = {graph: [graph] for graph in graphs}
    return _apart(builder, pools(builder, places), vocabulary.BLANK_NODES[0])


def _apart(builder: QueryBuilder, found: Pools[K], node: BlankNode) -> Pools[K]:
    """``found`` without ``node``, if streams and background data may not share a blank node."""
    if builder.limits.allow("shared-blank-nodes") or not builder.plan.has("blank-nodes"):
        return found
    matching, strays = (
        tuple(pair for pair in some if node not in within(pair[1])) for some in found
    )
    return matching, strays


GENERATED = frozenset(WHOLE)
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
    """Draw cases for an engine with these features and this profile.

    Args:
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        focus: the aspect that the cases exercise (see ``FOCUSES``); None for a mix.
        max_elements: the greatest number of elements of a case; None for the focus' own number, 12
            in most foci, which crowded cases may exceed.

    Raises:
        ValueError: the focus or a feature is unknown, or the features allow no form of query.
    """
    aspect = focus_named(focus)
    allowed = limits(features, profile)
    plan = focus_within(allowed, aspect)
    other = OtherWindows(profile=profile)
    if aspect.others:
        other = other_windows(allowed, profile, as_drawn=_BY_TIME)
    if max_elements is None:
        return _cases(plan, aspect.most, other)
    return _cases(replace(plan, clocks=replace(plan.clocks, crowds=False)), max_elements, other)


def queries(
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    focus: str | None = None,
) -> st.SearchStrategy[Query]:
    """Draw queries for an engine with these features and this profile.

    Shrinks to one triple pattern in one window.

    Args:
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        focus: the aspect that the queries exercise (see ``FOCUSES``); None for a mix.

    Raises:
        ValueError: the focus or a feature is unknown, or the features allow no form of query.
    """
    return _queries(focus_within(limits(features, profile), focus_named(focus)))


@st.composite
def _queries(draw: st.DrawFn, focus: FocusWithinLimits) -> Query:
    plan = focus.plan(draw)
    query, _ = draw_query(draw, focus, plan, plan_windows(draw, focus, plan))
    return WrittenQuery(**{field.name: getattr(query, field.name) for field in fields(query)})


@st.composite
def _cases(draw: st.DrawFn, focus: FocusWithinLimits, most: int, other: OtherWindows) -> Case:
    return other.draw(draw, draw_case(draw, focus, most))


def some_cases(
    features: Iterable[str],
    profile: Profile | Dials,
    focus: str,
    number: int,
    *,
    seed: int | str,
    max_elements: int | None = None,
) -> list[Case]:
    """Draw different cases of a focus, outside of a Hypothesis test.

    Args:
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        focus: the aspect that the cases exercise (see ``FOCUSES``).
        number: the greatest number of cases; there are fewer if some are drawn twice.
        seed: the same seed draws the same cases.
        max_elements: the greatest number of elements of a case; None for the focus' own number.

    Raises:
        ValueError: the focus or a feature is unknown, or the features allow no form of query.
    """
    found: dict[Case, None] = {}

    @settings(database=None)
    @given(cases(features, profile, focus=focus, max_elements=max_elements))
    def draw(case: Case) -> None:
        found[case] = None

    with suppress(LimitExceeded):
        for data in random_bytes(seed, number):
            draw.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
    return list(found)


def random_bytes(seed: int | str, number: int) -> Iterator[bytes]:
    """Yield the bytes of ``number`` cases, as ``case_from_bytes`` takes them.

    Hypothesis' own search draws cases at twice the cost, and most of them are copies of others with
    a part repeated.
    """
    chance = random.Random(seed)
    for _ in range(number):
        yield chance.randbytes(BYTES)


def case_from_bytes(
    data: bytes,
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    focus: str | None = None,
    max_elements: int | None = None,
) -> Case | None:
    """Make the case that ``data`` encodes, for campaigns without pytest and Hypothesis' engine.

    The bytes are Hypothesis' own encoding: the same bytes are the same case in every process with
    the same versions of Hypothesis and of this package.

    A fuzzer may feed bytes to the packaged properties as well:
    ``property.hypothesis.fuzz_one_input(data)`` runs the property once, saves a failing case into
    ``settings.database`` and raises. The property's next ordinary run then finds the case there and
    shrinks it.

    Args:
        data: a few hundred bytes are enough; bytes that are left over are ignored.
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        focus: the aspect that the case exercises (see ``FOCUSES``); None for a mix.
        max_elements: the greatest number of elements; None for the focus' own number.

    Returns:
        The case, or None if there are too few bytes to make one.

    Raises:
        ValueError: the focus or a feature is unknown, or the features allow no form of query.
    """
    found: list[Case] = []

    @settings(database=None)
    @given(cases(features, profile, focus=focus, max_elements=max_elements))
    def collect(case: Case) -> None:
        found.append(case)

    collect.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
    return found[0] if found else None
