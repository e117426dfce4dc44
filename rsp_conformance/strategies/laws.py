"""Cases that show a law: a query to which the law applies, and the query rewritten by it.

They are drawn like any other case (``cases.draw_case``), with the law's left side as the pattern
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
from rsp_conformance.strategies.other_windows import OtherWindows, other_windows
from rsp_conformance.strategies.plan import FocusWithinLimits, focus_within
from rsp_conformance.strategies.query_builder import QueryBuilder
from rsp_conformance.strategies.written import case_text, query_text

MOST_ELEMENTS = 8
"""The greatest number of elements. Cases of laws are small: each is asked in two forms."""

BREAKABLE = frozenset("FDecompII FJPush FLPush FWPush BGPush BWPush BJPush BLPush".split())
"""The laws that are false if their condition is broken, or under the other semantics."""

_FEATURE_OF: dict[type, str] = {
    Filter: "filter",
    Extend: "bind",
    Union: "union",
    LeftJoin: "optional",
}
_READING = frozenset({Union, LeftJoin})
"""Operators with separate features for reading streams and for reading static data."""

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
# Elements that must join are close together, and of few kinds.
_JOINING = replace(
    _PLAIN,
    extra=mix("* multi-triple*2"),
    sizes=(0, 6, 7, 8, 8),
    spreads=(2, 2, 2, 3),
    extras=(0, 4, 6, 8),
)


@dataclass(frozen=True, slots=True, repr=False)
class LawCase:
    """A case to whose query a law applies, and the same case with the query rewritten.

    Attributes:
        law: the law's name.
        binding: the values of the law's metavariables.
        left: the case with the law's left side.
        right: the same case with the right side.
        semantics: the semantics of the two queries: ``SETS`` if they have DISTINCT, else ``BAGS``.
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
    """Draw cases of a law for an engine with these features and this profile.

    Shrinks to one element, one triple pattern per operand, and windows of one instant.

    Args:
        law: the law.
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        distinct: whether the queries have DISTINCT; None leaves that to the draw, and to the law,
            which may need DISTINCT.
        satisfied: False breaks the law's condition as far as a query can be written: a condition
            reads the other operand, or BIND reads the name of the graph or window.
        max_elements: the greatest number of drawn elements.

    Raises:
        ValueError: no query for this engine can show the law, or the law has no condition to break.
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
    within, other = focus_within(permitted, focus), other_windows(permitted, profile)
    return _law_cases(law, within, other, satisfied=satisfied, most=max_elements)


def law_instances(
    law: Law,
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    satisfied: bool = True,
) -> st.SearchStrategy[Binding]:
    """Draw the values of a law's metavariables, as its cases have them.

    Args:
        law: the law.
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
        satisfied: False breaks the law's condition, as in ``law_cases``.

    Raises:
        ValueError: no query for this engine can show the law, or the law has no condition to break.
    """
    return law_cases(law, features, profile, satisfied=satisfied).map(lambda case: case.binding)


def applicable_law(law: Law, features: frozenset[str], profile: Profile | Dials) -> bool | str:
    """Return True, or the reason why no query for this engine and profile can show ``law``.

    Args:
        law: the law.
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
    """
    permitted, needed = limits(features, profile), needed_by(law)
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


def needed_by(law: Law) -> list[str]:
    """The features without which no query can have the two sides of a law, whole ones."""
    needed = [_FEATURE_OF[o] for o in law.operators if o in _FEATURE_OF] + ["select"]
    if BAGS not in law.holds_on:
        needed.append("distinct")
    if "k" in law.metavariables:
        needed.append("typed-literals")
    if _is_uncertain(law):
        needed += ["uncertainty", "typed-literals"]
    return needed


def _is_uncertain(law: Law) -> bool:
    return any("rspu:" in condition.text for condition in law.printed)


def _focus(law: Law, permitted: Limits, *, broken: bool = False) -> Focus:
    """The focus of a law; ``main`` is empty if no query can have the law's GRAPH or WINDOW."""
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
    """Where the sides of a law are placed: in one window, or each operand in a place of its own.

    The name in GRAPH is that of a window, a background graph or an element. To break a condition
    about names the name must be a variable, because only a variable can be read before it is bound.
    """
    if Window in law.operators and "m" in law.metavariables:
        return mix("window again")
    if Window in law.operators:
        return mix("window-variable") if broken else mix("*2 window-variable")
    if Graph in law.operators and "m" in law.metavariables:
        return mix("graph")
    if Graph in law.operators:
        return mix("graph named-elements") if broken else mix("window-graph graph named-elements")
    # Triple patterns share a place; whole patterns may have places of their own.
    return mix("" if "t1" in law.metavariables else "*2 static window window+static again")


@st.composite
def _law_cases(
    draw: st.DrawFn,
    law: Law,
    focus: FocusWithinLimits,
    other: OtherWindows,
    *,
    satisfied: bool,
    most: int,
) -> LawCase:
    drafts: list[LawDraft] = []

    def left_side(builder: QueryBuilder, windows: Sequence[WindowDeclaration]) -> Pattern:
        drafts.append(LawDraft(law, builder, windows, broken=not satisfied))
        drafts[0].draw()
        return drafts[0].side(law.left(drafts[0].binding))

    left = other.draw(draw, draw_case(draw, focus, most, left_side))
    binding = drafts[0].binding
    semantics = BAGS if BAGS in law.holds_on else SETS
    assert not satisfied or law.holds_for(binding, semantics), (law.name, binding)
    right = replace(left.query, pattern=drafts[0].side(law.right(binding)))
    semantics = SETS if left.query.distinct else BAGS
    return LawCase(law.name, binding, left, replace(left, query=right), semantics)
