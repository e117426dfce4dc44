"""Cases that a law is about: a query to which it applies, and the query rewritten by it.

They are drawn as any case is (``cases.draw_case``), with a pattern that is the law's left side
(``law_draft``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.law import BAGS, SETS, Law
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    Union,
    Window,
)
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import PARTS, MissingFeatures
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies.cases import GENERATED, PLAIN, draw_case
from rsp_conformance.strategies.clause_weights import BURSTS, STEADY, Mix, mix
from rsp_conformance.strategies.focus import Focus
from rsp_conformance.strategies.law_draft import LawDraft
from rsp_conformance.strategies.limits import Limits, limits
from rsp_conformance.strategies.plan import FocusWithinLimits, focus_within
from rsp_conformance.strategies.query_builder import QueryBuilder
from rsp_conformance.strategies.written import case_text, query_text

MOST_ELEMENTS = 8
"""Cases of laws are small: there are many of them, and every one is asked twice or more."""

BREAKABLE = frozenset("FDecompII FJPush FLPush FWPush BGPush BWPush BJPush BLPush".split())
"""The laws that are false where their condition, or their semantics, is not given."""

_FEATURE_OF: dict[type, str] = {
    Filter: "filter",
    Extend: "bind",
    Union: "union",
    LeftJoin: "optional",
}
_READING = frozenset({Union, LeftJoin})
"""Operators with features of their own for what they read."""

_PLAIN = Focus(
    "a law",
    extra=mix("*2 multi-triple"),
    sizes=(0, 5, 6, 7, 8, 8),
    spreads=(4, 6, 12),
    extras=(0, 2, 3, 4, 5, 6),
    slides=(1, 2, 3, 2),
    rhythms=(STEADY, STEADY, BURSTS),
    constants=("",),
)
# Elements that have to meet are close together, and of few kinds.
_JOINING = replace(
    _PLAIN,
    extra=mix("* multi-triple*2"),
    sizes=(0, 6, 7, 8, 8),
    spreads=(2, 2, 2, 3),
    extras=(0, 4, 6, 8),
)


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
    need it. SATISFIED false breaks the law's condition, as far as a query can be written: a
    condition reads the other operand, BIND reads the name of the graph or window. Shrinks to one
    element, one triple pattern an operand and windows of one instant. ValueError where LAW cannot
    be expressed, or has nothing to be broken.
    """
    declared = frozenset(features)
    permitted = limits(declared, profile)
    reason = applicable_law(law, declared, profile)
    if reason is not True:
        raise ValueError(f"{law.name}: {reason}")
    if not satisfied and law.name not in BREAKABLE:
        raise ValueError(f"{law.name} has no condition to be broken")
    heads: tuple[str, ...] = ("select", "select", "select", "distinct")
    if distinct is not None or BAGS not in law.holds_on:
        heads = ("distinct",) if distinct or distinct is None else ("select",)
    focus = replace(_focus(law, permitted, broken=not satisfied), heads=heads)
    if (profile if isinstance(profile, Dials) else profile.base).t0 == "any":
        # With a slide of 1 there is but one start.
        focus = replace(focus, slides=(1, 1, 1, 2, 3))
    return _law_cases(law, focus_within(permitted, focus), satisfied, max_elements)


def law_instances(
    law: Law,
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    satisfied: bool = True,
) -> st.SearchStrategy[Binding]:
    """What the metavariables of LAW stand for in its cases; the arguments are ``law_cases``'."""
    return law_cases(law, features, profile, satisfied=satisfied).map(lambda case: case.binding)


def applicable_law(law: Law, features: frozenset[str], profile: Profile | Dials) -> bool | str:
    """True, or the reason why no query for an engine with FEATURES and PROFILE shows LAW."""
    permitted = limits(features, profile)
    needed = [_FEATURE_OF[o] for o in law.operators if o in _FEATURE_OF] + ["select"]
    if BAGS not in law.holds_on:
        needed.append("distinct")
    if "k" in law.metavariables:
        needed.append("typed-literals")
    if _is_uncertain(law):
        needed += ["uncertainty", "typed-literals"]
    reads = ("stream", "static") if permitted.default_windows else ("stream",)
    needed += [f"{_FEATURE_OF[o]}-{data}" for o in law.operators & _READING for data in reads]
    if law.operators >= {Extend, Filter} and not permitted.allow("filtered-binds"):
        return "the engine declares without-filtered-binds"
    missing = set(needed) - permitted.features
    if missing := missing.difference(*(PARTS[whole] for whole in missing & PARTS.keys())):
        return MissingFeatures(*sorted(missing))
    if _focus(law, permitted).main:
        return True
    if Window not in law.operators:
        return "the engine declares no feature that lets a query say GRAPH"
    if permitted.default_windows:
        return "the profile merges every window into the default graph"
    return "the engine declares neither multi-window nor same-stream-windows"


def _is_uncertain(law: Law) -> bool:
    return any("rspu:" in condition.text for condition in law.printed)


def _focus(law: Law, permitted: Limits, *, broken: bool = False) -> Focus:
    """The focus of LAW; its table is empty where no query can have the law's GRAPH or WINDOW."""
    joins = not law.operators.isdisjoint((BGP, Join, LeftJoin))
    focus = replace(_JOINING if joins else _PLAIN, main=_sites(law, broken))
    main: Mix = focus_within(permitted, focus).main
    if Graph in law.operators or "m" in law.metavariables:
        main = tuple(entry for entry in main if entry)
    if Window in law.operators and permitted.default_windows:
        main = ()
    barred = set() if permitted.allow("compound-window-joins") else {"window", "again"}
    if not permitted.allow(*(f"{_FEATURE_OF[o]}-static" for o in law.operators & _READING)):
        barred.add("static")
    main = tuple(entry for entry in main if barred.isdisjoint(entry))
    clauses = [_FEATURE_OF[o] for o in law.operators & {Filter, Extend}]
    clauses += ["uncertain"] * _is_uncertain(law)
    return replace(focus, main=tuple((*entry, *clauses) for entry in main))


def _sites(law: Law, broken: bool) -> Mix:
    """Where the sides of LAW stand: in a window, or each operand in a place of its own.

    What GRAPH names is a window, a background graph or an element. Only a variable can be read
    where it is not bound yet, which is how a condition about names is BROKEN.
    """
    if Window in law.operators and "m" in law.metavariables:
        return mix("window again")
    if Window in law.operators:
        return mix("window-variable") if broken else mix("*2 window-variable")
    if Graph in law.operators and "m" in law.metavariables:
        return mix("graph")
    if Graph in law.operators:
        return mix("graph named-elements") if broken else mix("window-graph graph named-elements")
    # Triple patterns share a place, whole patterns need not.
    return mix("" if "t1" in law.metavariables else "*2 static window window+static again")


@st.composite
def _law_cases(
    draw: st.DrawFn, law: Law, focus: FocusWithinLimits, satisfied: bool, most: int
) -> LawCase:
    drafts: list[LawDraft] = []

    def left_side(builder: QueryBuilder, windows: Sequence[WindowDeclaration]) -> Pattern:
        drafts.append(LawDraft(law, builder, windows, broken=not satisfied))
        drafts[0].draw()
        return drafts[0].side(law.left(drafts[0].binding))

    left = draw_case(draw, focus, most, left_side)
    binding = drafts[0].binding
    semantics = BAGS if BAGS in law.holds_on else SETS
    assert not satisfied or law.holds_for(binding, semantics), (law.name, binding)
    right = replace(left.query, pattern=drafts[0].side(law.right(binding)))
    semantics = SETS if left.query.distinct else BAGS
    return LawCase(law.name, binding, left, replace(left, query=right), semantics)
