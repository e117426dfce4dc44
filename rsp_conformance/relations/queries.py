"""Relations between the answers to different queries: with filters, operators, or a law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.explain.render.notation import instant
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.laws import HEURISTICS, LAWS, Law
from rsp_conformance.model.algebra import Extend, Filter
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.trial import Stimulus, Trial, Variant, pair
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import within
from rsp_conformance.relations.comparison import NOTHING, alike, answered, by_stamp, same, seen
from rsp_conformance.relations.conditions import clocked_together, settings, stamped
from rsp_conformance.relations.drawing import ANYTHING, MIXED, REPEATED, cases, operated
from rsp_conformance.relations.relation import Draws, MetamorphicRelation, described
from rsp_conformance.sparql.compare.contents import ContentBag, bag, joined
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.reporting import tested_once
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.laws import LawCase, applicable_law, law_cases
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.written import changed
from rsp_conformance.text.errors import NotExpressible


def asking(case: Case, *queries: tuple[str, Query]) -> tuple[Variant, ...]:
    """Return a variant of a case for each of ``queries``, which come with their labels."""
    return tuple(Variant(label, Stimulus(changed(case, query=query))) for label, query in queries)


# Partition


_ERRORS = ("filter-functions", "typed-literals", "arithmetic")
"""The features that conditions with errors need."""


def _partitions(subject: EngineUnderTest) -> Draws:
    features = ANYTHING - {"blank-nodes", "istream", "dstream", "distinct", "aggregates"}
    if all(dials.r2s == "elements" for dials in settings(subject)):
        # New rows come from new elements, whichever filter they pass. But OPTIONAL may take a
        # solution away, and a solution with the same shown values may cancel it.
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
    """Conditions over the variables of a query.

    With ``errors``, some of them are errors for some solutions. With ``computed``, they may mention
    the variables that BIND computes.
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
    """The filters that divide the solutions, with a label for each."""
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
    """The first instant at which the parts together are not the whole."""
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
    compares=(3, 4),
)
"""``FILTER p``, ``FILTER (!p)`` and a filter that is true if p is an error.

Each solution passes exactly one of them. ``COALESCE(IF(p, 1, 1), 0) = 0`` is true if p is an error.
An engine without functions, or without the typed literals in that filter, gets a p without errors,
and the first two queries are enough.
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
    """Make a trial that asks a query under each of the streaming operators."""
    return Trial(asking(case, *((o.value, operated(query, o)) for o in _ORDER)))


def _narrowed(query: Query) -> Query:
    """The query with its first variable alone, so that rows repeat; a grouped query as it is."""
    if query.projection is None or query.distinct or any(p.expression for p in query.projection):
        return query
    return replace(query, projection=query.projection[:1])


def _do_not_add_up(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """The first instant at which the answers of the three operators do not add up."""
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
            states = _first(now, observations[0].stimulus.case.query, dials)
            continue
        # If empty answers are dropped, the last answer of the instant may not be shown.
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


def _first(now: list[ContentBag], query: Query, dials: Dials) -> list[ContentBag]:
    """The answers that the last evaluation of an instant may have had, given those that are shown.

    An evaluation without rows may have followed those that are shown, if empty answers are dropped
    and several evaluations share a stamp: one arrival may trigger several, and a tick by tuple
    tests the policy several times per instant.
    """
    once = tested_once(query, policy_of(query, dials), dials)
    several = dials.answer_time == "arrival" or not once
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
    compares=(len(_ORDER),),
)
"""I_n − D_n = R_n − R_{n−1}, as bags with negative counts.

Summed up: Rstream's rows at a later instant are its rows at an earlier one, with all that Istream
added and without all that Dstream removed in between. In this form it also holds if empty answers
are dropped, so that the evaluation before cannot be seen.
"""


# Laws


def law_relation(law: Law) -> MetamorphicRelation:
    """Make the relation that a query and its rewriting by ``law`` have the same answers."""

    def inapplicable(subject: EngineUnderTest) -> str | None:
        reason = applicable_law(law, subject.features, subject.profile)
        return reason if isinstance(reason, str) else None

    def rewritings(subject: EngineUnderTest) -> Draws:
        def asked(case: LawCase) -> bool:
            """Whether the engine takes both queries, and under the same dials despite overrides."""
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
"""The laws of Table 1 in its order, then the heuristics."""
