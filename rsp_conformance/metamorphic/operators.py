"""Istream, Dstream and Rstream of one query (RSP-QL Definitions 20 to 22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from rsp_conformance.compare.contents import Bag, bag
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.metamorphic.conditions import stamped, tested_once
from rsp_conformance.metamorphic.drawing import ANYTHING, REPEATED, asking, cases, operated, trials
from rsp_conformance.metamorphic.first_difference import answered
from rsp_conformance.metamorphic.normalise import Instant, Seen, seen
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.strategies.draws import pick

ORDER = (StreamOperator.RSTREAM, StreamOperator.ISTREAM, StreamOperator.DSTREAM)


def _all_three(dials: Dials) -> str | None:
    if not dials.stream_operators >= frozenset("RID"):
        return "the profile does not allow all three operators"
    if dials.answers == "rows":
        return "the engine does not say where an answer ends"
    if isinstance(dials.numbers, Tolerance):
        return "numbers compare within a tolerance, and rows are counted"
    return None


class Operators(MetamorphicRelation):
    """I_n − D_n = R_n − R_{n−1}, as bags with negative counts.

    Summed up: what Rstream shows at a later instant is what it showed at an earlier one, and all
    that Istream added and Dstream took away since. So it holds as well where empty answers are
    dropped, and the evaluation before cannot be seen.
    """

    name = "r2s"
    title = "Istream, Dstream and Rstream of one query"
    statement = (
        "What Istream adds and Dstream takes away is the difference between two answers of "
        "Rstream, evaluation by evaluation."
    )
    source = "RSP-QL Def. 20-22, CQL"
    features = ("select", "rstream", "istream", "dstream")
    conditions = (stamped, _all_three)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """One query under each of the operators."""
        features = ANYTHING - {"blank-nodes"}
        drawn = cases(subject, REPEATED, features)

        def make(draw: st.DrawFn) -> Trial:
            narrow = pick(draw, (False, True, True))
            case = drawn(draw)
            case = asking(case, narrowed(case.query)) if narrow else case
            variants = [
                Variant(o.value, Stimulus(asking(case, operated(case.query, o)))) for o in ORDER
            ]
            return Trial(tuple(variants))

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """At which instant the three do not add up."""
        dials = observations[0].dials
        shown, added, taken = (_by_instant(seen(observation)) for observation in observations)
        states: list[Bag] = []
        for stamp in sorted({*shown, *added, *taken}):
            for state in states:
                for answer in added.get(stamp, ()):
                    state.update(bag(answer.content, dials.numbers))
                for answer in taken.get(stamp, ()):
                    state.subtract(bag(answer.content, dials.numbers))
            now = [bag(answer.content, dials.numbers) for answer in shown.get(stamp, ())]
            if not states:
                states = _first(now, dials)
                continue
            # Where empty answers are dropped the last one of the instant may be none that is shown.
            allowed = now[-1:] if dials.empty_answers else [*now[-1:], Counter()]
            reached = [bag for bag in allowed if any(_equal(bag, state) for state in states)]
            if not reached:
                answers = [shown.get(stamp, []), added.get(stamp, []), taken.get(stamp, [])]
                return _contradiction(trial, stamp, answers)
            states = [Counter(bag) for bag in reached]
        return None


def narrowed(query: Query) -> Query:
    """QUERY with its first variable alone, so that rows repeat; one that groups as it is."""
    if query.projection is None or query.distinct or any(p.expression for p in query.projection):
        return query
    return replace(query, projection=query.projection[:1])


def _first(now: list[Bag], dials: Dials) -> list[Bag]:
    """What the last evaluation of an instant may have been, of which NOW is shown.

    One without rows may have come after those that are shown, where it is dropped and several
    evaluations have one stamp: arrivals stand for many, and a tick by tuple tests many times.
    """
    several = dials.answer_time == "arrival" or not tested_once(dials)
    unseen: list[Bag] = [Counter()] if several and not dials.empty_answers else []
    return [*now[-1:], *unseen] if now else []


def _by_instant(answers: Sequence[Seen]) -> dict[Instant, list[Seen]]:
    found: dict[Instant, list[Seen]] = {}
    for answer in answers:
        found.setdefault(answer.at, []).append(answer)
    return found


def _equal(left: Bag, right: Bag) -> bool:
    return all(left[key] == right[key] for key in {*left, *right})


def _contradiction(
    trial: Trial, stamp: Instant, answers: Sequence[Sequence[Seen]]
) -> Contradiction:
    shown = []
    for variant, own in zip(trial.variants, answers, strict=True):
        notation = Notation(variant.case)
        last = answered(own[-1].content if own else None, notation)
        shown.append(f"{variant.label} {last}")
    return Contradiction(
        stamp,
        f"At t={instant(stamp)} {', '.join(shown[:-1])} and {shown[-1]}. The answers of RSTREAM "
        "up to then differ otherwise.",
    )
