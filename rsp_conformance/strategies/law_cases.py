"""Whole cases that a law is about: a query to which it applies, and the query rewritten by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.law import BAGS, SETS, Law
from rsp_conformance.model.algebra import BGP, Join, LeftJoin, Pattern, Window
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import IRI, GraphName
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.background import entries_from, entry_rows
from rsp_conformance.strategies.cases import GENERATED, PLAIN
from rsp_conformance.strategies.clause_weights import BURSTS, STEADY
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.laws import Site, applicable_law, draw_instance, plan_for
from rsp_conformance.strategies.limits import Limits, limits
from rsp_conformance.strategies.query_builder import RESOURCE, QueryBuilder, pools
from rsp_conformance.strategies.streams import element_rows, elements_from, second_triples
from rsp_conformance.strategies.windows import draw_windows, slide_of, width_of
from rsp_conformance.strategies.written import WrittenCase, case_text, query_text

MOST_ELEMENTS = 8
"""Cases of laws are small: there are many of them, and every one is asked twice or more."""

_SLIDES = (1, 2, 3, 2)
_SLIDES_OF_ANY = (1, 1, 1, 2, 3)
"""Where the profile leaves t0 open: with a slide of 1 there is but one start."""
_EXTRAS = (0, 2, 3, 4, 5, 6)
_EXTRAS_OF_JOINS = (0, 4, 6, 8)
_SIZES = (0, 5, 6, 7, 8, 8)
_SPREADS = (4, 6, 12)
_SIZES_OF_JOINS = (0, 6, 7, 8, 8)
_SPREADS_OF_JOINS = (2, 2, 2, 3)
_RHYTHMS = (STEADY, BURSTS, BURSTS)


@dataclass(frozen=True, slots=True, repr=False)
class LawCase:
    """``left`` is a case to whose query the law LAW applies, ``right`` the same, rewritten.

    ``semantics`` are those under which the law makes the answers equal: queries asked with
    DISTINCT are of sets.
    """

    law: str
    binding: Binding
    left: Case
    right: Case
    semantics: str = BAGS

    def __repr__(self) -> str:
        return f"{case_text(self.left)}\nby {self.law} the same as\n{query_text(self.right.query)}"


def law_cases(
    law: Law,
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    distinct: bool | None = None,
    satisfied: bool = True,
    max_elements: int = MOST_ELEMENTS,
) -> st.SearchStrategy[LawCase]:
    """Cases of LAW for an engine with FEATURES under PROFILE.

    DISTINCT says whether the queries are asked for sets; None leaves it to the law, which may
    need it. SATISFIED false breaks the law's condition. Shrinks to one element, one triple
    pattern an operand and windows of one instant. ValueError where LAW cannot be expressed.
    """
    permitted = limits(features, profile)
    reason = applicable_law(law, permitted.features, profile)
    if reason is not True:
        raise ValueError(f"{law.name}: {reason}")
    options = (False, False, False, True) if permitted.allow("distinct") else (False,)
    if BAGS not in law.holds_on:
        options = (True,)
    if distinct is not None:
        options = (distinct,)
    base = profile if isinstance(profile, Dials) else profile.base
    slides = _SLIDES_OF_ANY if base.t0 == "any" else _SLIDES
    broken = not satisfied
    return _law_cases(
        law, permitted, slides=slides, distinct=options, broken=broken, most=max_elements
    )


@st.composite
def _law_cases(
    draw: st.DrawFn,
    law: Law,
    permitted: Limits,
    *,
    slides: Sequence[int],
    distinct: Sequence[bool],
    broken: bool,
    most: int,
) -> LawCase:
    # Elements that have to meet are close together, and of few kinds.
    joins = not law.operators.isdisjoint((BGP, Join, LeftJoin))
    plan = plan_for(
        law,
        least=pick(draw, _SIZES_OF_JOINS if joins else _SIZES),
        spread=pick(draw, _SPREADS_OF_JOINS if joins else _SPREADS),
        rhythm=pick(draw, _RHYTHMS),
    )
    drawn = _after_start(element_rows(draw, plan.least, most))
    several = permitted.allow("multi-triple-elements")
    several = several and pick(draw, (False, True, True) if joins else (False, False, True))
    operator = pick(draw, (None,) * 6 + permitted.operators)
    chosen = pick(draw, distinct)
    binding, builder, site = draw_instance(draw, law, permitted, plan, broken=broken)
    beside = _beside(builder, site)
    sides = (
        site.around(side, merged=permitted.default_windows)
        for side in (law.left(binding), law.right(binding))
    )
    left_pattern, right_pattern = (side if beside is None else Join(beside, side) for side in sides)
    windows = _windows(draw, builder, slides, _EXTRAS_OF_JOINS if joins else _EXTRAS)
    visible = in_scope(left_pattern)
    query = Query(
        pattern=left_pattern,
        operator=operator,
        name=vocabulary.name("out") if operator or permitted.computed_every else None,
        computed_every=pick(draw, (1, 2, 3)) if permitted.computed_every else None,
        windows=windows,
        # By their names, so that both sides show the same columns.
        projection=tuple(Projection(v) for v in builder.kinds if v.name in visible),
        distinct=chosen,
        prefixes=vocabulary.PREFIXES,
    )
    elements = elements_from(
        drawn,
        *pools(builder, {w.stream: [w.name] for w in windows}),
        rhythm=plan.rhythm,
        seconds=second_triples(draw, most) if several else b"",
        named=site.kind == "element",
    )
    last = elements[-1].t if elements else 0
    left = WrittenCase(
        query=query,
        elements=elements,
        background=_background(draw, builder),
        until=last + max(map(width_of, windows)) + max(map(slide_of, windows)),
    )
    right = replace(left, query=replace(query, pattern=right_pattern))
    semantics = SETS if chosen else BAGS
    return LawCase(law.name, binding, left, right, semantics)


def _background(draw: st.DrawFn, builder: QueryBuilder) -> Background:
    """Background data in the graphs that the patterns read, if they read any."""
    read = [place for slot in builder.slots for place in slot.places]
    graphs = [place for place in read if place is None or place in vocabulary.GRAPHS]
    if not graphs:
        return Background()
    places: dict[GraphName | None, list[IRI | None]] = {place: [place] for place in graphs}
    return Background(
        entries_from(entry_rows(draw, varying=False, most=4), *pools(builder, places))
    )


def _after_start(drawn: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Rows whose first element comes after the registration.

    Windows that leave out their opening open there, and bursts would often be lost.
    """
    return [(which, gap if number else 0) for number, (which, gap) in enumerate(drawn)]


def _beside(builder: QueryBuilder, site: Site) -> Pattern | None:
    """What a window adds to a law about background data: without it no stream would matter."""
    if site.kind != "graph":
        return None
    subject = next(iter(builder.of_kind(RESOURCE)))
    (window, *_) = builder.limits.window_names or (vocabulary.window(1),)
    part = BGP((builder.triple((window,), subject, RESOURCE),))
    return part if builder.limits.default_windows else Window(window, part)


def _windows(
    draw: st.DrawFn, builder: QueryBuilder, slides: Sequence[int], extras: Sequence[int]
) -> tuple[WindowDeclaration, ...]:
    """A window for every place that is one, and those that the report policy speaks of."""
    permitted = builder.limits
    names = [*(permitted.window_names or (vocabulary.window(1),))]
    second = vocabulary.window(2)
    if any(second in slot.places for slot in builder.slots) and second not in names:
        names.append(second)
    several = permitted.allow("multi-window") or not permitted.allow("same-stream-windows")
    frames = [
        (name, vocabulary.stream(number if several else 1), not permitted.default_windows)
        for number, name in enumerate(names, 1)
    ]
    return draw_windows(draw, frames, slides, extras)
