"""One stream split in two, and both of them queried (RSP-QL Definitions 11 and 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Stimulus
from rsp_conformance.metamorphic.conditions import by_declaration, first_reason, negates, unbound
from rsp_conformance.metamorphic.drawing import MOST, changed, trials
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.algebra import BGP, Filter, Pattern, TriplePattern, Union, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Operation, Variable
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clause_weights import BURSTS, SLOW, STEADY
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.streams import element_rows, elements_from

FIRST, SECOND = vocabulary.stream(1), vocabulary.stream(2)
SUBJECT, OBJECT = Variable("x"), Variable("y")


class Split(MetamorphicRelation):
    """The elements about one resource go to a second stream, with a window like the first one's.

    Equal triples stay in one stream, so nothing is counted twice that was one in a set. Windows
    that queries name are joined by UNION, which one triple pattern allows; merged ones need
    nothing. The two windows have to start together, and the report policy must hold for one of the
    two where it holds for the whole: it does where nothing but closes and periods count, and under
    ``report_windows = any`` where the policy negates nothing and does not ask one window both for
    content and for a change that may be a removal.
    """

    name = "split"
    title = "a stream split in two, both of them queried"
    statement = (
        "A stream may be split in two, each with a window like the one before: a query over both "
        "answers as the query over the whole stream did."
    )
    source = "RSP-QL Def. 11, 14 and 16"
    labels = ("the query over one stream", "the query over the two")

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """Two windows, and a policy that does not mind."""
        merged = any(d.windows_in == "default" for d in (subject.profile.base,))
        needed = ("select", "multi-window", *(() if merged else ("union",)))
        return first_reason(subject, (by_declaration, unbound, _holds_for_either), *needed)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A query over one stream, and one over two."""
        allowed = limits(subject.features, subject.profile)
        operators = (None, None, None, *allowed.operators)
        slides = (1, 1, 1, 1, 2, 3) if subject.profile.base.t0 == "any" else (1, 2, 3, 4)
        several = subject.profile.base.window_content != "bag"

        def make(draw: st.DrawFn) -> Trial:
            slide, extra = pick(draw, slides), pick(draw, (0, 1, 2, 3, 4))
            registered, operator = pick(draw, (0, 0, 0, 1, 5)), pick(draw, operators)
            filtered, distinct = pick(draw, (0, 0, 1)), pick(draw, (0, 0, 0, 1))
            every = pick(draw, (1, 2, 3)) if allowed.computed_every else None
            drawn = element_rows(draw, 0, MOST)
            rhythm = pick(draw, (STEADY, STEADY, SLOW, BURSTS))
            query = Query(
                operator=operator,
                name=vocabulary.name("out") if operator is not None or every else None,
                computed_every=every,
                projection=(Projection(SUBJECT), Projection(OBJECT)),
                distinct=bool(distinct) and several and "distinct" in subject.features,
                prefixes=vocabulary.PREFIXES,
            )
            elements = elements_from(
                drawn, [(FIRST, triple) for triple in _triples()], start=registered, rhythm=rhythm
            )
            last = elements[-1].t if elements else registered
            merged, width = allowed.default_windows, slide + extra
            condition = bool(filtered) and "filter" in subject.features
            windows = (
                WindowDeclaration(vocabulary.window(1), FIRST, width, slide, not merged),
                WindowDeclaration(vocabulary.window(2), SECOND, width, slide, not merged),
            )
            whole = Case(
                over(query, windows[:1], condition),
                elements,
                registered=registered,
                until=last + width + slide,
            )
            halves = replace(
                whole, query=over(query, windows, condition), elements=split(elements), streams=()
            )
            return Trial(
                (
                    Variant("one stream", Stimulus(changed(whole))),
                    Variant("two streams", Stimulus(changed(halves)), follows=(0, 0)),
                )
            )

        return trials(make)


def over(query: Query, windows: tuple[WindowDeclaration, ...], filtered: bool) -> Query:
    """QUERY over WINDOWS, all of them asked for the same."""
    inside: Pattern = BGP((TriplePattern(SUBJECT, vocabulary.LINKS[0], OBJECT),))
    if filtered:
        inside = Filter(Operation("!=", (OBJECT, vocabulary.RESOURCES[1])), inside)
    pattern = inside
    if windows[0].named:
        pattern = Window(windows[0].name, inside)
        for window in windows[1:]:
            pattern = Union(pattern, Window(window.name, inside))
    return replace(query, pattern=pattern, windows=windows)


def split(elements: Sequence[StreamElement]) -> tuple[StreamElement, ...]:
    """ELEMENTS with those about the second resource in the second stream."""
    return tuple(
        replace(e, stream=SECOND) if e.graph[0].subject == vocabulary.RESOURCES[1] else e
        for e in elements
    )


def _triples() -> list[Triple]:
    a, b, c = vocabulary.RESOURCES[:3]
    link: IRI = vocabulary.LINKS[0]
    return [Triple(a, link, b), Triple(b, link, c), Triple(b, link, a), Triple(a, link, c)]


def _holds_for_either(dials: Dials) -> str | None:
    policy = dials.report
    if not mentions(policy, "CC", "NC"):
        return None
    if dials.report_windows != "any" or negates(policy):
        return "the report policy may hold for a whole stream and for neither of its halves"
    if mentions(policy, "CC") and mentions(policy, "NC") and dials.content_change == "any":
        return "the report policy asks one window for content and for a removal"
    return None
