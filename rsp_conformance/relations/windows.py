"""Relations that follow from the contents of windows: of split streams and of tumbling windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.algebra import BGP, Filter, Pattern, TriplePattern, Union, Window
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Operation, Variable
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.policy import And, Policy, Strategy, mentions, negates
from rsp_conformance.model.query import Projection, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.model.windows import (
    Count,
    CountWindow,
    Size,
    SlidingWindow,
    Unit,
    WindowDeclaration,
)
from rsp_conformance.relations.comparison import alike, first_compared, seen
from rsp_conformance.relations.conditions import (
    by_declaration,
    clocked_together,
    settings,
    unbound,
)
from rsp_conformance.relations.drawing import MOST
from rsp_conformance.relations.relation import Draws, described
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clause_weights import BURSTS, SLOW, STEADY
from rsp_conformance.strategies.draws import pick, rows
from rsp_conformance.strategies.limits import Limits, limits
from rsp_conformance.strategies.other_windows import LAGS
from rsp_conformance.strategies.streams import element_rows, elements_from
from rsp_conformance.strategies.ties import untied
from rsp_conformance.strategies.written import changed

# The names of the streams, of the predicate, of resources and of variables.
FIRST, SECOND = vocabulary.stream(1), vocabulary.stream(2)
LINK: IRI = vocabulary.LINKS[0]
A, B, C = vocabulary.RESOURCES[:3]
SUBJECT, OBJECT = Variable("x"), Variable("y")


def link_query(operator: StreamOperator | None, every: int | None = None) -> Query:
    """Return a query for subjects and objects, without windows and pattern so far.

    Args:
        operator: its streaming operator.
        every: the instants from one evaluation to the next; None if the query does not say.
    """
    return Query(
        operator=operator,
        name=vocabulary.name("out") if operator is not None or every else None,
        computed_every=every,
        projection=(Projection(SUBJECT), Projection(OBJECT)),
        prefixes=vocabulary.PREFIXES,
    )


def _lags(allowed: Limits) -> tuple[int | None, ...]:
    """How long before the present a window may end, for an engine; None is at the present."""
    return (*[None] * 4, *LAGS) if allowed.allow("past-windows") else (None,)


def over(query: Query, windows: tuple[WindowDeclaration, ...], filtered: bool = False) -> Query:
    """Return the query over windows, all of which are asked for the same triples.

    Args:
        query: the query, without windows and pattern.
        windows: the windows, all named or all merged.
        filtered: whether a filter lets some objects through only.
    """
    inside: Pattern = BGP((TriplePattern(SUBJECT, LINK, OBJECT),))
    if filtered:
        inside = Filter(Operation("!=", (OBJECT, B)), inside)
    pattern = inside
    if windows[0].named:
        pattern = Window(windows[0].name, inside)
        for window in windows[1:]:
            pattern = Union(pattern, Window(window.name, inside))
    return replace(query, pattern=pattern, windows=windows)


# Split


def _holds_for_either(dials: Dials) -> str | None:
    policy = dials.report
    if not mentions(policy, "CC", "NC"):
        return None
    if dials.report_windows != "any" or negates(policy):
        return "the report policy may hold for a whole stream and for neither of its halves"
    if mentions(policy, "CC") and mentions(policy, "NC") and dials.content_change == "any":
        return "the report policy asks one window for content and for a removal"
    return None


def _no_union(subject: EngineUnderTest) -> str | None:
    if "without-compound-window-joins" in subject.features:
        return "the engine takes no UNION of two windows (without-compound-window-joins)"
    if subject.profile.base.windows_in == "default" or "union-stream" in subject.features:
        return None
    return MissingFeatures("union-stream")


def _splits(subject: EngineUnderTest) -> Draws:
    allowed = limits(subject.features, subject.profile)
    operators = (None, None, None, *allowed.operators)
    slides = (1, 1, 1, 1, 2, 3) if subject.profile.base.t0 == "any" else (1, 2, 3, 4)
    several = subject.profile.base.window_content != "bag"
    lags = _lags(allowed)
    links = [(FIRST, Triple(s, LINK, o)) for s, o in ((A, B), (B, C), (B, A), (A, C))]

    def make(draw: st.DrawFn) -> Trial:
        slide, extra = pick(draw, slides), pick(draw, (0, 1, 2, 3, 4))
        registered, operator = pick(draw, (0, 0, 0, 1, 5)), pick(draw, operators)
        filtered, distinct = pick(draw, (0, 0, 1)), pick(draw, (0, 0, 0, 1))
        every = pick(draw, (1, 2, 3)) if allowed.computed_every else None
        lag = pick(draw, lags)
        drawn = element_rows(draw, 0, MOST)
        rhythm = pick(draw, (STEADY, STEADY, SLOW, BURSTS))
        elements = elements_from(drawn, links, start=registered, rhythm=rhythm)
        last = elements[-1].t if elements else registered
        merged, width = allowed.default_windows, slide + extra
        windows = tuple(
            WindowDeclaration(vocabulary.window(n), stream, width, slide, not merged, lag)
            for n, stream in ((1, FIRST), (2, SECOND))
        )
        query = replace(
            link_query(operator, every),
            distinct=bool(distinct) and several and "distinct" in subject.features,
        )
        condition = bool(filtered) and "filter" in subject.features
        whole = changed(
            Case(
                over(query, windows[:1], condition),
                elements,
                registered=registered,
                until=last + width + slide + (lag or 0),
            )
        )
        halves = changed(
            whole,
            query=over(query, windows, condition),
            elements=tuple(
                replace(e, stream=SECOND) if e.graph[0].subject == B else e for e in elements
            ),
            streams=(),
        )
        two = Variant("two streams", Stimulus(halves), follows=(0, 0))
        return Trial((Variant("one stream", Stimulus(whole)), two))

    return make


SPLIT = described(
    "split",
    _splits,
    alike("the query over one stream", "the query over the two"),
    features=("select", "multi-window"),
    conditions=(by_declaration, unbound, clocked_together, _holds_for_either),
    refuses=_no_union,
)
"""The elements about one resource go to a second stream, with a window like that of the first.

Equal triples stay in one stream, so none is counted twice that a set holds once. Named windows are
combined by UNION, which is right for a single triple pattern; merged windows need nothing. The two
windows have to start together. If the report policy holds for the whole, it must hold for one of
the two windows. It does if only closes and periods count, and under ``report_windows = any`` if the
policy negates nothing and does not ask one window both for content and for a change that may be a
removal.
"""


# Tumbling

_IN_WINDOWS = {
    "(o,c]": (1, 1, "exactly one"),
    "[o,c)": (1, 1, "exactly one"),
    "(o,c)": (0, 1, "at most one"),
    "[o,c]": (1, 2, "one or two"),
}
"""The least and the greatest number of windows that hold an element, by the bounds."""

_GAPS = (1, 0, 1, 2, 1, 3, 5)
"""The gaps between elements."""


def _once_a_window(dials: Dials) -> str | None:
    policy = dials.report
    if isinstance(policy, Strategy) and policy.kind == "COMPUTED EVERY":
        if policy.period is None and dials.window == "last-closed":
            return None
        return "the profile evaluates windows that are still open, or some of them only"
    if all_of(policy, "WC", "NC") and mentions(policy, "WC"):
        return None
    return "the report policy is more than WC and NC"


def all_of(policy: Policy, *kinds: str) -> bool:
    """Return whether a policy is a conjunction of strategies of these kinds."""
    if isinstance(policy, And):
        return all_of(policy.left, *kinds) and all_of(policy.right, *kinds)
    return isinstance(policy, Strategy) and policy.kind in kinds


def _units(subject: EngineUnderTest) -> tuple[Unit | None, ...]:
    """What tumbling windows may count, for an engine; None is a window by time."""
    allowed, found = limits(subject.features, subject.profile), settings(subject)
    # From any other start the first units are in no whole window.
    starts = all(dials.n0 in (0, "fill") for dials in found)
    tumbles = allowed.allow("count-steps") or all(own.count_slide == "width" for own in found)
    if allowed.computed_every or not (starts and tumbles):
        return (None,)
    return (None, None, *allowed.countable)


def _tumbling(subject: EngineUnderTest) -> Draws:
    allowed = limits(subject.features, subject.profile)
    operators = (None, None, *(o for o in allowed.operators if o is StreamOperator.RSTREAM))
    name, units = next(iter(allowed.window_names), vocabulary.window(1)), _units(subject)
    lags = _lags(allowed)
    # A window that fills and is passed within an instant may be evaluated with no other.
    apart = int(any(dials.tick == "time" for dials in settings(subject)))

    def make(draw: st.DrawFn) -> Trial:
        width = pick(draw, (1, 2, 3, 6, 8, 6, 4, 10))
        registered, operator = pick(draw, (0, 0, 0, 1, 5)), pick(draw, operators)
        least = pick(draw, (0, 4, 8, 8))
        drawn = rows(draw, len(_GAPS), 3, least=least, most=2 * MOST)
        unit = pick(draw, units)
        t, elements = registered, []
        for number, (gap, which) in enumerate(drawn):
            t += max(apart, _GAPS[gap]) if unit else _GAPS[gap]
            item = Triple(vocabulary.RESOURCES[which], LINK, vocabulary.name(f"i{number + 1}"))
            elements.append(StreamElement(FIRST, t, (item,)))
        lag = None if unit else pick(draw, lags)
        size: Size = Count(unit, width) if unit else width
        slide = width if not unit or allowed.allow("count-steps") else None
        window = WindowDeclaration(name, FIRST, size, slide, not allowed.default_windows, lag)
        query = over(link_query(operator, width if allowed.computed_every else None), (window,))
        until = t + 2 * width + 1 + (lag or 0)
        case = changed(Case(query, tuple(elements), registered=registered, until=until))
        return Trial((Variant("the case", Stimulus(untied(case, subject.dials(case)))),))

    return make


def _not_in_its_windows(_: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """Which element is in too many answers, or in too few.

    Only elements count that come after every window has started, whose answers are all compared,
    and whose windows are evaluated before the case ends: by count those of whole windows. An
    element that arrives just after t_s may set off an evaluation from before it: then no answer at
    its instant is compared (`comparison.first_compared`).
    """
    (observation,) = observations
    case, dials = observation.stimulus.case, observation.dials
    times = Counter(
        (row.get(SUBJECT.name), row.get(OBJECT.name))
        for answer in seen(observation)
        if isinstance(answer.content, Rows)
        for row in answer.content.solutions()
    )
    (window,) = case.query.resolved_windows(dials)
    if isinstance(window, SlidingWindow):
        least, most, due = _IN_WINDOWS[dials.bounds]
        first = max(t_s(case, dials) + 1, first_compared(observation))
        last = case.until - window.lag - 2 * window.slide - 1
        judged = [own for own in case.elements if first <= own.t <= last]
    else:
        assert isinstance(window, CountWindow)
        least, most, due = 1, 1, "exactly one"
        judged = [*case.elements[: len(case.elements) // window.width * window.width]]
    for element in judged:
        triple = element.graph[0]
        count = times[triple.subject, triple.object]
        if not least <= count <= most:
            said = f"{count} answers" if count else "no answer"
            shown = Notation(case).element(element)
            return Contradiction(
                element.t, f"The element {shown} is in {said}, and it should be in {due}."
            )
    return None


TUMBLING = described(
    "tumbling", _tumbling, _not_in_its_windows, conditions=(_once_a_window,), compares=(1,)
)
"""One query whose window is as wide as its slide, over elements that are all different.

Each element between t_s and the last window that closes has its row in exactly one answer. If both
bounds are open, an element at the instant of a close is in no answer; if both are closed, in two.
By count each of the first ⌊n/N⌋·N units is in exactly one, if the first window opens before the
first unit, and no two windows fill at one instant that is tested once.
"""
