"""Small cases from which relations make variants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.features import PARTS, RESTRICTIONS, with_implied
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.cases import draw_case
from rsp_conformance.strategies.clause_weights import SILENCE, mix
from rsp_conformance.strategies.clock import ORIGINS
from rsp_conformance.strategies.focus import Focus
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.other_windows import OTHER, other_windows
from rsp_conformance.strategies.plan import focus_within

MOST = 8
"""The greatest number of elements in most cases: small cases show as much, and cost less."""

# Features that cases may have, by what they are about.
QUERIES = frozenset({"select", "filter", "optional", "union", "distinct"})
WINDOWS = frozenset({"multi-window", "same-stream-windows", "gap-windows"})
DATA = frozenset({"typed-literals", "language-tags", "blank-nodes"})
BACKGROUND = frozenset({"static-data", "named-graphs", "time-varying-data"})
OPERATORS = frozenset({"rstream", "istream", "dstream"})
ANYTHING = QUERIES | WINDOWS | OTHER | DATA | BACKGROUND | OPERATORS
ANYTHING |= {"bind", "aggregates", "ask", "construct"}
"""The features that do not affect whether most relations hold."""

# The tables of ``MIXED`` (see ``Focus``).
PLAIN = mix("*3 join*2 window*2 again static*2 varying optional*2 union*2 nested*2")
EXTRA = mix("*6 filter*2 numbers blank-nodes graph")
SIZES = (0, 4, 5, 6)  # least numbers of elements
HEADS = (*("select",) * 4, "distinct", "aggregate", "ask", "construct")

MIXED = Focus(
    "a little of everything",
    main=PLAIN,
    extra=EXTRA,
    heads=HEADS,
    sizes=SIZES,
    spreads=(3, 4, 6),
    extras=(0, 1, 2, 3, 5, 4),
    gaps=(-1,),
    most=MOST,
)
"""The focus that most relations use."""

BURSTS = replace(
    MIXED,
    main=mix("*6 join window*2"),
    rhythms=((1, 0, 0, 0, 0, 3, 0, 0),),
    spreads=(6, 4, 12),
    sizes=(0, 6, 7, 8),
)
"""Like ``MIXED``, with several elements at an instant, most of them different."""

REPEATED = replace(
    MIXED,
    main=mix("* join*6 window*3 static*3 union*2"),
    extra=mix("*8 filter"),
    heads=(*("select",) * 10, "distinct", "aggregate"),
    # The first elements after a silence are new to every window.
    rhythms=((1, 0, 0, 0, 0, 3, SILENCE, 0),),
    extras=(0, 2, 3, 4, 5, 4),
    spreads=(4, 2, 2, 4),
    sizes=(0, 9, 10, 11, 12),
    most=12,
)
"""Like ``MIXED``, with rows that repeat, stay, appear and disappear."""


def cases(
    subject: EngineUnderTest, focus: Focus = MIXED, features: frozenset[str] = ANYTHING
) -> Callable[[st.DrawFn], Case]:
    """Make a function that draws small cases about a focus.

    If the profile leaves t0 open, most slides are 1: then a single start is legal, and the answers
    alone are enough to report a contradiction.

    Args:
        subject: the engine.
        focus: the focus of the cases.
        features: the features that cases may use, as far as the engine has them.
    """
    # With wide windows or crowds a variant that ends sooner would show nothing.
    focus = replace(focus, clocks=ORIGINS)
    if subject.profile.base.t0 == "any":
        focus = replace(focus, slides=(1, 1, 1, 1, 1, 2, 3))
    declared = (with_implied(features) | RESTRICTIONS.keys()) & subject.features
    # Without this a feature of which no part is left would stand for all of its parts.
    declared -= {whole for whole, parts in PARTS.items() if declared.isdisjoint(parts)}
    allowed = limits(declared, subject.profile)
    within, other = focus_within(allowed, focus), other_windows(allowed, subject.profile)

    def drawn(draw: st.DrawFn) -> Case:
        return other.draw(draw, draw_case(draw, within, focus.most))

    return drawn


def operated(query: Query, operator: StreamOperator | None) -> Query:
    """Return a query with another streaming operator, and a name for its output stream."""
    name = query.name
    if operator is not None and name is None:
        name = vocabulary.name("out")
    return replace(query, operator=operator, name=name)
