"""Which single dial, turned to another value, would make a wrong answer right.

**What is sought.** A hint for the reader of a single failure: "with ``bounds = (o,c)`` this answer
would be right". In a run its other cases say more, and `search` asks them all.

**How.** It is the question of every search, whether a setting predicts an answer (`prediction`),
about each part of one dial that may matter for the case (`mattering.settings`), first the dials
that only compare, since no window and no pattern is evaluated anew for them. What a search reads
from other answers, that a setting doesn't explain by leaving nothing expected, is read here from
the answer itself.

**What it guarantees.** A setting that is returned makes the answer right, and bears on it: each
compared answer is needed (`_Stake`). A setting whose judgement would go beyond `BUDGET` is named as
untried.

**What it costs.** At most `BUDGET` test points of judging, about a second; the cost of a setting is
estimated before (`_cost`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from rsp_conformance.diagnosis.mattering import settings
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.search import FIRST
from rsp_conformance.diagnosis.simulation import BEYOND, right_from
from rsp_conformance.explain.argument import Explanations
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Divergence
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.alignment_stamps import observed_stamp, set_off_after_the_end
from rsp_conformance.spec.correctness import judge, rspql_queries, t_s
from rsp_conformance.spec.start_classes import FEW, StartClasses
from rsp_conformance.spec.trace import relations_at_hand
from rsp_conformance.spec.walk import Walk

COMPARING = ("numbers", "time_tolerance", "empty_answers", "answer_time")
"""Dials that only compare: no window and no pattern is evaluated anew for them. They are tried
first."""
FREE = COMPARING[:-1]
"""Those of them that cost nothing. If answers have no instants, more starts are to be compared: two
windows of milliseconds leave thousands."""
BUDGET = 60_000
"""How much judging a search may cost, in test points of the report policy (about a second)."""


def by_dial(
    case: Case, dials: Dials, observed: Sequence[Observed], divergence: Divergence | None = None
) -> Explanations:
    """Return all settings that differ in one dial and under which an answer is correct.

    A setting that makes the answer right only because it is not compared any more is no
    explanation.

    Args:
        case: the case.
        dials: the dials in force.
        observed: the engine's answers to it.
        divergence: the first difference between these and the expected answers, if it is known.

    Returns:
        The settings, the most plausible first, and those that were too costly to try.
    """
    found: list[tuple[str, str]] = []
    untried: list[tuple[str, str]] = []
    spent = tried = 0
    if divergence is None:
        divergence = judge(case, dials, observed).divergence
    if divergence is None:
        return Explanations((), 0)
    stake, seen = _Stake(case, dials, observed, divergence), {dials}
    predictions, answer = Predictions(), Observation(Stimulus(case), dials, "", tuple(observed))
    choices = [*settings(case, dials)]
    for dial, value in sorted(choices, key=lambda choice: choice[0] not in COMPARING):
        turned = dials.with_dial(dial, value)
        wider = dial == "time_tolerance" and any(known == dial for known, _ in found)
        if turned in seen or wider:
            continue
        seen.add(turned)
        try:
            cost = 0 if dial in FREE else _cost(case, turned)
        except BEYOND:
            continue
        if spent + cost > BUDGET:
            untried.append((dial, value))
            continue
        spent += cost
        tried += 1
        if predictions.agrees(Setting.of({dial: value}), answer) and stake.bears(turned):
            found.append((dial, value))
    found.sort(key=choices.index)

    def named(chosen: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        return tuple((dial, dials.with_dial(dial, value).text(dial)) for dial, value in chosen)

    return Explanations(named(found), tried, named(untried))


def _cost(case: Case, dials: Dials) -> int:
    """The test points that a judgement visits for all z, weighed by how much windows read."""
    windows = case.query.resolved_windows(dials)
    first = next(rspql_queries(case, dials))
    walk = Walk(case, dials, first)
    points = max(1, min(walk.count(), case.until - walk.first + 1))
    points += len(case.elements) if dials.tick == "tuple" else 0
    reads = 1 + len(windows) * len(case.elements) // 30
    members = sum(1 for _ in islice(StartClasses(case, dials).members(), BUDGET // points + 1))
    if members > FEW and dials.answer_time != "evaluation":
        reads *= 3  # All are compared, of which instants leave few. Three is what it came to.
    return members * points * reads


@dataclass(frozen=True, slots=True)
class _Stake:
    """The answers that the judgement under the dials in force rests on."""

    case: Case
    dials: Dials
    observed: Sequence[Observed]
    divergence: Divergence

    def bears(self, turned: Dials) -> bool:
        """Whether the judgement under other dials, which is that they are right, rests on them too.

        Every compared answer must be needed: without it the judgement must be another. If no answer
        came, giving the expected one must change the judgement.
        """
        case, observed, divergence = self.case, self.observed, self.divergence
        try:
            right_so = right_from(case, turned, observed, relations_at_hand(case))
        except BEYOND:  # A dial that does not matter for what is predicted may be refused.
            return False
        if right_so is None:
            return False
        expected, t_s = right_so[0].answer(right_so[1]), right_so[0].t_s

        def right(answers: Sequence[Observed]) -> bool:
            return compare(expected, answers, case, turned, t_s).divergence is None

        at_stake = [i for i, answer in enumerate(observed) if self._compared(answer)][:FIRST]
        if divergence.observed is not None:
            at_stake = [i for i, a in enumerate(observed) if a is divergence.observed] + at_stake
        if any(right([*observed[:i], *observed[i + 1 :]]) for i in at_stake):
            return False
        if divergence.expected is not None and divergence.observed is None:
            t = divergence.expected.t
            later = (i for i, a in enumerate(observed) if a.t is not None and a.t > t)
            place = next(later, len(observed))
            extra = Observed(t, divergence.expected.content)
            if right([*observed[:place], extra, *observed[place:]]):
                return False
        if at_stake:
            return True
        # No answer was compared, so what counts is whether any is expected.
        return any(t_s <= e.t <= case.until and not is_empty(e.content) for e in expected)

    def _compared(self, answer: Observed) -> bool:
        """Whether an answer is one that the dials compare."""
        case, dials = self.case, self.dials
        if dials.answer_time != "evaluation" and set_off_after_the_end(answer, case, dials):
            return False
        if dials.answer_time == "none":
            return True
        stamp = observed_stamp(answer, case, dials)
        return stamp is None or t_s(case, dials) <= stamp <= case.until
