"""A filter, its negation and its error partition the solutions (SPARQL 1.1, 17.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.compare.contents import joined
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.metamorphic.conditions import settings, stamped
from rsp_conformance.metamorphic.drawing import ANYTHING, MIXED, asking, cases, trials
from rsp_conformance.metamorphic.first_difference import answered
from rsp_conformance.metamorphic.normalise import Instant, Seen, by_stamp, same, seen
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.algebra import Filter
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick

NOTHING = Rows((), ())


class Partition(MetamorphicRelation):
    """``FILTER p``, ``FILTER (!p)`` and a filter that is true where p is an error.

    Together they let each solution through once. That p is an error is said by
    ``COALESCE(IF(p, 1, 1), 0) = 0``; for an engine without functions, or without the typed
    literals in it, p has no errors, and two queries do.
    """

    name = "partition"
    title = "a filter, its negation and its error"
    statement = (
        "Each solution passes exactly one of FILTER p, FILTER !p and a FILTER for the errors of p, "
        "so the three answers together are the one without a filter."
    )
    source = "SPARQL 1.1, 17.2 and 17.3"
    features = ("select", "filter")
    conditions = (stamped,)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A query without filter, and two or three with one."""
        features = ANYTHING - {"blank-nodes", "istream", "dstream", "distinct", "aggregates"}
        if any(dials.r2s == "set" for dials in settings(subject)):
            features -= {"rstream"}
        drawn = cases(subject, replace(MIXED, heads=("select",)), features)
        errors = subject.features >= {"functions", "typed-literals"}

        def make(draw: st.DrawFn) -> Trial:
            which, other = pick(draw, range(24)), pick(draw, (0, 0, 1))
            case = drawn(draw)
            options = conditions(case, errors)
            assume(options)
            condition = options[which % len(options)]
            if other:
                second = options[(which + 1) % len(options)]
                condition = Operation("||" if which % 2 else "&&", (condition, second))
            variants = [Variant("without a filter", Stimulus(case))]
            for label, filtering in filters(condition, errors):
                query = replace(case.query, pattern=Filter(filtering, case.query.pattern))
                variants.append(Variant(label, Stimulus(asking(case, query))))
            return Trial(tuple(variants))

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """At which instant the parts are not the whole."""
        whole, *parts = ({a.stamp: a for a in by_stamp(seen(e))} for e in observations)
        dials = observations[0].dials
        stamps: set[Instant] = {a.at for answers in (whole, *parts) for a in answers.values()}
        for stamp in sorted(stamps):
            due = _content(whole.get(stamp))
            given = [_content(part.get(stamp)) for part in parts]
            if not same(due, joined(given), dials):
                return _contradiction(trial, stamp, [due, *given])
        return None


def conditions(case: Case, errors: bool) -> list[Expression]:
    """Conditions over the query's variables, with ERRORS such as meet errors too."""
    pattern = case.query.pattern
    names = in_scope(pattern) if errors else certain(pattern)
    shown = [Variable(name) for name in sorted(names)]
    a = vocabulary.RESOURCES[0]
    one, two = vocabulary.integer(1), vocabulary.integer(2)
    found: list[Expression] = []
    for variable in shown:
        if errors:
            found.append(Operation(">", (variable, one)))
            found.append(Operation("<", (Operation("+", (variable, one)), two)))
        found.append(Operation("=", (variable, a)))
    return found


def filters(condition: Expression, errors: bool) -> list[tuple[str, Expression]]:
    """The filters that part the solutions, with what each lets through."""
    one, zero = vocabulary.integer(1), vocabulary.integer(0)
    found: list[tuple[str, Expression]] = [
        ("FILTER p", condition),
        ("FILTER !p", Operation("!", (condition,))),
    ]
    if errors:
        is_value = Operation("COALESCE", (Operation("IF", (condition, one, one)), zero))
        found.append(("FILTER where p is an error", Operation("=", (is_value, zero))))
    return found


def _content(answer: Seen | None) -> Content:
    return NOTHING if answer is None else answer.content


def _contradiction(trial: Trial, stamp: Instant, contents: Sequence[Content]) -> Contradiction:
    shown = [
        f"{variant.label} it {answered(content, Notation(variant.case))}"
        for variant, content in zip(trial.variants, contents, strict=True)
    ]
    return Contradiction(
        stamp,
        f"At t={instant(stamp)}, {shown[0]}, but {', '.join(shown[1:-1])} and {shown[-1]}: "
        "together that is not the same.",
    )
