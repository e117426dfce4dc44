"""Whether two cases got the same answers, instant by instant.

Only what Definition 26 compares can contradict anything: instants from t_s on, up to ``until``.
Under ``arrival`` the stamps that evaluations before t_s may carry are left out as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import TypeAlias

from rsp_conformance.compare.contents import difference, joined
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.judge.engine_under_test import Observation
from rsp_conformance.metamorphic.relation import Contradicts
from rsp_conformance.model.answers import Content, Rows, is_empty
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.spec.alignment_stamps import (
    latest_stamp,
    observed_stamp,
    set_off_after_the_end,
)
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.spec.reporting import test_points_before

Instant: TypeAlias = int | Fraction
NOTHING = Rows((), ())


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer that is compared; ``stamp`` None under ``answer_time = none``.

    ``late`` says that elements after the end may have set it off (decision 22).
    """

    stamp: Instant | None
    content: Content
    late: bool = False

    @property
    def at(self) -> Instant:
        """The stamp of an answer that has one."""
        assert self.stamp is not None
        return self.stamp


Inverse = Callable[[Seen], Seen]
"""Takes an answer to a variant back to what the first variant should have answered."""


def retimed_answer(time: Callable[[Instant], Instant]) -> Inverse:
    """Takes an answer back to the instant that TIME says."""
    return lambda seen: seen if seen.stamp is None else replace(seen, stamp=time(seen.stamp))


# The answers that are compared


def first_compared(observation: Observation) -> int:
    """The earliest stamp that only evaluations from t_s on can carry."""
    case, dials = observation.stimulus.case, observation.dials
    start = t_s(case, dials)
    if dials.answer_time == "arrival" and start > case.registered:
        return max(start, latest_stamp(start - 1, case, dials) + 1)
    return start


def seen(observation: Observation) -> list[Seen]:
    """The answers of OBSERVATION that can be compared, in the order of their stamps.

    An answer without a stamp, where the profile has it report one, comes as if after ``until``: it
    is left out, and whatever should have been there is missed. Under ``none`` all answers are here,
    in the order of emission.
    """
    case, dials = observation.stimulus.case, observation.dials
    found = []
    start = None if dials.answer_time == "none" else first_compared(observation)
    for answer in observation.observed:
        late = dials.answer_time != "evaluation" and set_off_after_the_end(answer, case, dials)
        if start is None:
            found.append(Seen(None, answer.content, late))
            continue
        stamp = observed_stamp(answer, case, dials)
        if stamp is None:
            continue
        if dials.answer_time == "arrival":
            stamp = min(stamp, case.until)
        if start <= stamp <= case.until:
            found.append(Seen(stamp, answer.content, late))
    if start is not None:
        found.sort(key=lambda item: item.at)
    return by_stamp(found) if dials.answers == "rows" else found


def by_stamp(answers: Iterable[Seen]) -> list[Seen]:
    """The answers of each stamp put together, those without rows left out."""
    groups: dict[Instant | None, list[Seen]] = defaultdict(list)
    for answer in answers:
        groups[answer.stamp].append(answer)
    found = [
        Seen(stamp, joined([a.content for a in group]), any(a.late for a in group))
        for stamp, group in groups.items()
    ]
    return [answer for answer in found if not is_empty(answer.content)]


def any_rows(observations: Iterable[Observation]) -> bool:
    """Whether some answer that is compared has rows: a trial without any tells nothing."""
    return any(not is_empty(answer.content) for e in observations for answer in seen(e))


# Two cases


def same(left: Content, right: Content, dials: Dials) -> bool:
    """Whether two answers of one evaluation agree, whatever the order of their rows.

    Two right answers may differ in numbers twice as much as either does from what is due.
    """
    if isinstance(left, Rows) and left.ties is not None:
        left = replace(left, ties=None)
    numbers = dials.numbers
    if isinstance(numbers, Tolerance):
        numbers = Tolerance(2 * numbers.epsilon, f"2*{numbers.text}")
    return difference(left, right, numbers) is None


def alike(*labels: str) -> Contradicts:
    """Two variants have the same answers; LABELS name them in the argument."""
    return lambda _, observations: first_difference(observations, labels)


def first_difference(
    observations: Sequence[Observation],
    labels: Sequence[str],
    inverse: Inverse = lambda answer: answer,
    *,
    low: Instant | float = -inf,
    high: Instant | float = inf,
) -> Contradiction | None:
    """How the second of two OBSERVATIONS differs from the first; None if it does not.

    INVERSE is applied to the second one's answers. Only stamps from LOW to HIGH, both inclusive,
    count, in the time of the first. LABELS name the two in the argument.
    """
    first, second = observations
    dials = first.dials
    if dials.answer_time != "none":
        there = inverse(Seen(first_compared(second), NOTHING)).at
        low = max(low, first_compared(first), there)
    left, right = (
        [answer for answer in answers if answer.stamp is None or low <= answer.stamp <= high]
        for answers in (seen(first), map(inverse, seen(second)))
    )
    if dials.answer_time == "none" and _same_from_some_start(left, right, observations):
        return None
    position = _place_of_difference(left, right, dials)
    if position is None:
        return None
    pair = [side[position] if position < len(side) else None for side in (left, right)]
    stamps = [answer.stamp for answer in pair if answer is not None and answer.stamp is not None]
    t = min(stamps, default=None)
    # Of two answers at different instants the earlier one has no partner.
    said = [
        f"{label} {answered(answer.content if answer and answer.stamp == t else None, observation)}"
        for label, answer, observation in zip(labels, pair, observations, strict=True)
    ]
    says = f"{'' if t is None else f'At t={instant(t)} '}{said[0]}, and {said[1]}."
    return Contradiction(t, says[0].upper() + says[1:])


def _place_of_difference(left: Sequence[Seen], right: Sequence[Seen], dials: Dials) -> int | None:
    """The position of the first pair that differs; late answers may be left over at the end."""
    for position, (one, other) in enumerate(zip(left, right, strict=False)):
        if one.stamp != other.stamp or not same(one.content, other.content, dials):
            return position
    shorter = min(len(left), len(right))
    rest = [*left[shorter:], *right[shorter:]]
    return None if all(answer.late for answer in rest) else shorter


def _same_from_some_start(
    left: Sequence[Seen], right: Sequence[Seen], observations: Sequence[Observation]
) -> bool:
    """Whether unstamped answers agree once those that may belong before t_s are left out."""
    most = []
    for observation in observations:
        case, dials = observation.stimulus.case, observation.dials
        most.append(test_points_before(t_s(case, dials), case, dials))
    return any(
        _place_of_difference(left[i:], right[j:], observations[0].dials) is None
        for i in range(most[0] + 1)
        for j in range(most[1] + 1)
    )


def answered(content: Content | None, observation: Observation) -> str:
    """``answers {…}``, or that there is no answer."""
    if content is None:
        return "has no answer"
    return f"answers {Notation(observation.stimulus.case).content(content)}"
