"""Tumbling windows partition the stream (RSP-QL Definition 13 with α = β)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.metamorphic.drawing import MOST, changed, trials
from rsp_conformance.metamorphic.normalise import seen
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern, Window
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.policy import And, Policy, Strategy
from rsp_conformance.model.query import Projection, Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick, rows
from rsp_conformance.strategies.limits import limits

SUBJECT, ITEM = Variable("x"), Variable("y")
LEAST_MOST = {"(o,c]": (1, 1), "[o,c)": (1, 1), "(o,c)": (0, 1), "[o,c]": (1, 2)}
"""In how many windows an element is at least and at most, by the bounds."""

GAPS = (1, 0, 1, 2, 1, 3, 5)


def _once_a_window(dials: Dials) -> str | None:
    policy = dials.report
    if isinstance(policy, Strategy) and policy.kind == "COMPUTED EVERY":
        if policy.period is None and dials.window == "last-closed":
            return None
        return "the profile evaluates windows that are still open, or some of them only"
    return None if _on_closing(policy) else "the report policy is more than WC and NC"


class Tumbling(MetamorphicRelation):
    """One query whose window is as wide as its slide, over elements that are all different.

    Each element between t_s and the last window that closes has its row in exactly one answer;
    with both bounds outside one that comes as a window closes is in none, with both inside in two.
    """

    name = "tumbling"
    title = "tumbling windows partition the stream"
    statement = (
        "Windows as wide as their slide divide the stream among themselves, so each element is in "
        "the answer for exactly one of them."
    )
    source = "RSP-QL Def. 11 and 13"
    conditions = (_once_a_window,)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """One query over one window."""
        allowed = limits(subject.features, subject.profile)
        operators = (None, None, *(o for o in allowed.operators if o is StreamOperator.RSTREAM))
        name = next(iter(allowed.window_names), vocabulary.window(1))

        def make(draw: st.DrawFn) -> Trial:
            width = pick(draw, (1, 2, 3, 6, 8, 6, 4, 10))
            registered, operator = pick(draw, (0, 0, 0, 1, 5)), pick(draw, operators)
            least = pick(draw, (0, 4, 8, 8))
            drawn = rows(draw, len(GAPS), 3, least=least, most=2 * MOST)
            query = _query(name, width, operator, allowed.default_windows, allowed.computed_every)
            case = _case(query, registered, width, drawn)
            return Trial((Variant("the case", Stimulus(case)),))

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """Which element is in too many answers, or in too few."""
        (observation,) = observations
        case, dials = observation.stimulus.case, observation.dials
        least, most = LEAST_MOST[dials.bounds]
        times = Counter(
            (row.get(SUBJECT.name), row.get(ITEM.name))
            for answer in seen(observation)
            if isinstance(answer.content, Rows)
            for row in answer.content.solutions()
        )
        for element in between(case, dials):
            triple = element.graph[0]
            count = times[triple.subject, triple.object]
            if least <= count <= most:
                continue
            due = {(1, 1): "exactly one", (0, 1): "at most one", (1, 2): "one or two"}[least, most]
            shown = Notation(case).element(element)
            said = "no answer" if not count else f"{count} answers"
            return Contradiction(
                element.t, f"The element {shown} is in {said}, and it should be in {due}."
            )
        return None


def between(case: Case, dials: Dials) -> Iterator[StreamElement]:
    """The elements of CASE after every window has started, whose windows are evaluated in time."""
    (window,) = case.query.sliding_windows(dials.unit)
    start, last = t_s(case, dials), case.until - 2 * window.slide - 1
    for element in case.elements:
        if element.stream == window.stream and start < element.t <= last:
            yield element


def _query(
    name: IRI, width: int, operator: StreamOperator | None, merged: bool, every: bool
) -> Query:
    inside: Pattern = BGP((TriplePattern(SUBJECT, vocabulary.LINKS[0], ITEM),))
    return Query(
        pattern=inside if merged else Window(name, inside),
        operator=operator,
        name=vocabulary.name("out") if operator is not None or every else None,
        computed_every=width if every else None,
        windows=(WindowDeclaration(name, vocabulary.stream(1), width, width, not merged),),
        projection=(Projection(SUBJECT), Projection(ITEM)),
        prefixes=vocabulary.PREFIXES,
    )


def _case(query: Query, registered: int, width: int, drawn: Sequence[tuple[int, ...]]) -> Case:
    t, elements = registered, []
    for number, (gap, which) in enumerate(drawn):
        t += GAPS[gap]
        item = Triple(
            vocabulary.RESOURCES[which], vocabulary.LINKS[0], vocabulary.name(f"i{number + 1}")
        )
        elements.append(StreamElement(vocabulary.stream(1), t, (item,)))
    case = Case(query, tuple(elements), registered=registered, until=t + 2 * width + 1)
    return changed(case)


def _on_closing(policy: Policy) -> bool:
    match policy:
        case And(left, right):
            return (_on_closing(left) and (_on_closing(right) or _non_empty(right))) or (
                _non_empty(left) and _on_closing(right)
            )
        case Strategy(kind):
            return kind == "WC"
        case _:
            return False


def _non_empty(policy: Policy) -> bool:
    return isinstance(policy, Strategy) and policy.kind == "NC"
