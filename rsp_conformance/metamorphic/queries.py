"""Relations between the answers to queries that differ: in filters, in operators, by a law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.compare.contents import ContentBag, bag, joined
from rsp_conformance.explain.render.notation import instant
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.laws import HEURISTICS, LAWS, Law
from rsp_conformance.metamorphic.comparison import NOTHING, alike, answered, by_stamp, same, seen
from rsp_conformance.metamorphic.conditions import clocked_together, settings, stamped, tested_once
from rsp_conformance.metamorphic.drawing import ANYTHING, MIXED, REPEATED, cases, operated
from rsp_conformance.metamorphic.relation import (
    Draws,
    MetamorphicRelation,
    Trial,
    Variant,
    described,
    pair,
)
from rsp_conformance.model.algebra import Extend, Filter
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import within
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.laws import LawCase, applicable_law, law_cases
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.written import changed
from rsp_conformance.text.errors import NotExpressible


def asking(case: Case, *queries: tuple[str, Query]) -> tuple[Variant, ...]:
    """A variant of CASE for each of QUERIES, which come with their labels."""
    return tuple(Variant(label, Stimulus(changed(case, query=query))) for label, query in queries)


# Partition


_ERRORS = ("filter-functions", "typed-literals", "arithmetic")
"""What conditions that are errors need."""


def _partitions(subject: EngineUnderTest) -> Draws:
    features = ANYTHING - {"blank-nodes", "istream", "dstream", "distinct", "aggregates"}
    if all(dials.r2s == "elements" for dials in settings(subject)):
        # What is new comes of new elements, whichever filter lets it through; but where OPTIONAL
        # takes a solution away, one that is like it on what is shown may be set against it.
        features = (features | {"istream"}) - {"optional"}
    if any(dials.r2s == "set" for dials in settings(subject)):
        features -= {"rstream"}
    allowed = limits(subject.features, subject.profile)
    if not allowed.allow("compound-window-joins"):
        features -= {"multi-window", "same-stream-windows"}
    drawn = cases(subject, replace(MIXED, heads=("select",)), features)
    errors, computed = allowed.allow(*_ERRORS), allowed.allow("filtered-binds")

    def make(draw: st.DrawFn) -> Trial:
        which, other = pick(draw, range(24)), pick(draw, (0, 0, 1))
        case = drawn(draw)
        query = case.query
        options = list(_conditions(query, errors, computed))
        assume(options)
        condition = options[which % len(options)]
        if other:
            second = options[(which + 1) % len(options)]
            condition = Operation("||" if which % 2 else "&&", (condition, second))
        filtered = [
            (label, replace(query, pattern=Filter(filtering, query.pattern)))
            for label, filtering in _filters(condition, errors)
        ]
        return Trial(asking(case, ("without a filter", query), *filtered))

    return make


def _conditions(query: Query, errors: bool, computed: bool) -> Iterator[Expression]:
    """Conditions over the variables of QUERY, with ERRORS such as meet errors too.

    They speak of what BIND computes where COMPUTED says so.
    """
    a, one, two = vocabulary.RESOURCES[0], vocabulary.integer(1), vocabulary.integer(2)
    names = {*(in_scope(query.pattern) if errors else certain(query.pattern))}
    if not computed:
        names -= {p.variable.name for p in within(query.pattern) if isinstance(p, Extend)}
    for name in sorted(names):
        variable = Variable(name)
        if errors:
            yield Operation(">", (variable, one))
            yield Operation("<", (Operation("+", (variable, one)), two))
        yield Operation("=", (variable, a))


def _filters(condition: Expression, errors: bool) -> Iterator[tuple[str, Expression]]:
    """The filters that part the solutions, with what each lets through."""
    yield "FILTER p", condition
    yield "FILTER !p", Operation("!", (condition,))
    if errors:
        one, zero = vocabulary.integer(1), vocabulary.integer(0)
        is_value = Operation("COALESCE", (Operation("IF", (condition, one, one)), zero))
        yield "FILTER where p is an error", Operation("=", (is_value, zero))


def _of_plain_queries(subject: EngineUnderTest) -> str | None:
    if "without-plain-queries" not in subject.features or "rstream" in subject.features:
        return None
    if all(dials.r2s == "elements" for dials in settings(subject)):
        return None
    return "what Istream and Dstream give is no sum of what they give of the parts"


def _no_partition(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """At which instant the parts are not the whole."""
    answers = [{a.at: a.content for a in by_stamp(seen(e))} for e in observations]
    for stamp in sorted({stamp for own in answers for stamp in own}):
        whole, *parts = (own.get(stamp, NOTHING) for own in answers)
        if not same(whole, joined(parts), observations[0].dials):
            shown = [
                f"{variant.label} it {answered(content, observation)}"
                for variant, content, observation in zip(
                    trial.variants, (whole, *parts), observations, strict=True
                )
            ]
            return Contradiction(
                stamp,
                f"At t={instant(stamp)}, {shown[0]}, but {', '.join(shown[1:-1])} and "
                f"{shown[-1]}: together that is not the same.",
            )
    return None


PARTITION = described(
    "partition",
    _partitions,
    _no_partition,
    features=("select", "filter-not"),
    conditions=(stamped,),
    refuses=_of_plain_queries,
)
"""``FILTER p``, ``FILTER (!p)`` and a filter that is true where p is an error.

Together they let each solution through once. That p is an error is said by
``COALESCE(IF(p, 1, 1), 0) = 0``; for an engine without functions, or without the typed literals in
it, p has no errors, and two queries do.
"""


# Operators

_ORDER = (StreamOperator.RSTREAM, StreamOperator.ISTREAM, StreamOperator.DSTREAM)


def _all_three(dials: Dials) -> str | None:
    if not dials.stream_operators >= frozenset("RID"):
        return "the profile does not allow all three operators"
    if dials.answers == "rows":
        return "the engine does not say where an answer ends"
    if isinstance(dials.numbers, Tolerance):
        return "numbers compare within a tolerance, and rows are counted"
    if dials.r2s in ("membership", "elements"):
        return f"Istream and Dstream do not count rows (r2s {dials.r2s})"
    return clocked_together(dials)


def _operators(subject: EngineUnderTest) -> Draws:
    drawn = cases(subject, REPEATED, ANYTHING - {"blank-nodes"})

    def make(draw: st.DrawFn) -> Trial:
        narrow = pick(draw, (False, True, True, True))
        case = drawn(draw)
        return under_each_operator(case, _narrowed(case.query) if narrow else case.query)

    return make


def under_each_operator(case: Case, query: Query) -> Trial:
    """CASE asking QUERY under each of the operators."""
    return Trial(asking(case, *((o.value, operated(query, o)) for o in _ORDER)))


def _narrowed(query: Query) -> Query:
    """QUERY with its first variable alone, so that rows repeat; one that groups as it is."""
    if query.projection is None or query.distinct or any(p.expression for p in query.projection):
        return query
    return replace(query, projection=query.projection[:1])


def _do_not_add_up(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """At which instant the three do not add up."""
    dials = observations[0].dials
    answers = [seen(observation) for observation in observations]
    states: list[ContentBag] = []
    for stamp in sorted({answer.at for own in answers for answer in own}):
        now, added, taken = (
            [bag(answer.content, dials.numbers) for answer in own if answer.at == stamp]
            for own in answers
        )
        for state in states:
            for rows in added:
                state.update(rows)
            for rows in taken:
                state.subtract(rows)
        if not states:
            states = _first(now, dials)
            continue
        # Where empty answers are dropped the last one of the instant may be none that is shown.
        allowed = now[-1:] if dials.empty_answers else [*now[-1:], Counter()]
        reached = [rows for rows in allowed if any(_equal(rows, state) for state in states)]
        if not reached:
            shown = []
            for variant, own, observation in zip(
                trial.variants, answers, observations, strict=True
            ):
                last = next((a.content for a in reversed(own) if a.at == stamp), None)
                shown.append(f"{variant.label} {answered(last, observation)}")
            return Contradiction(
                stamp,
                f"At t={instant(stamp)} {', '.join(shown[:-1])} and {shown[-1]}. The answers of "
                "RSTREAM up to then differ otherwise.",
            )
        states = [Counter(rows) for rows in reached]
    return None


def _first(now: list[ContentBag], dials: Dials) -> list[ContentBag]:
    """What the last evaluation of an instant may have been, of which NOW is shown.

    One without rows may have come after those that are shown, where it is dropped and several
    evaluations have one stamp: arrivals stand for many, and a tick by tuple tests many times.
    """
    several = dials.answer_time == "arrival" or not tested_once(dials)
    unseen: list[ContentBag] = [Counter()] if several and not dials.empty_answers else []
    return [*now[-1:], *unseen] if now else []


def _equal(left: ContentBag, right: ContentBag) -> bool:
    return all(left[key] == right[key] for key in {*left, *right})


OPERATORS = described(
    "r2s",
    _operators,
    _do_not_add_up,
    features=("select", "rstream", "istream", "dstream"),
    conditions=(stamped, _all_three),
)
"""I_n − D_n = R_n − R_{n−1}, as bags with negative counts.

Summed up: what Rstream shows at a later instant is what it showed at an earlier one, and all that
Istream added and Dstream took away since. So it holds as well where empty answers are dropped, and
the evaluation before cannot be seen.
"""


# Laws


def law_relation(law: Law) -> MetamorphicRelation:
    """A query to which LAW applies answers as its rewriting does."""

    def inapplicable(subject: EngineUnderTest) -> str | None:
        reason = applicable_law(law, subject.features, subject.profile)
        return reason if isinstance(reason, str) else None

    def rewritings(subject: EngineUnderTest) -> Draws:
        def asked(case: LawCase) -> bool:
            """Whether both queries can be, under the same dials whatever a profile overrides."""
            try:
                all(map(subject.query_text, (case.left, case.right)))
            except NotExpressible:
                return False
            return subject.dials(case.left) == subject.dials(case.right)

        drawn = law_cases(law, subject.features, subject.profile).filter(asked)

        def make(draw: st.DrawFn) -> Trial:
            case = draw(drawn)
            return pair(case.left, case.right, f"rewritten by {law.name}")

        return make

    return MetamorphicRelation(
        law.name,
        law.statement,
        f"a query and its rewriting by {law.name} have the same answers: {law.claim}",
        law.source,
        rewritings,
        alike("the query", f"the query rewritten by {law.name}"),
        features=(),
        refuses=inapplicable,
        family="law",
    )


LAW_RELATIONS = tuple(law_relation(law) for law in (*LAWS, *HEURISTICS))
"""The laws of the table in its order, and the heuristics."""
