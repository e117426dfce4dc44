"""Compares the answers to two cases, instant by instant.

Only what Definition 26 compares can contradict anything: the instants from t_s to ``until``. If
answers are stamped by arrivals (``answer_time = arrival``), the stamps that an evaluation before
t_s may carry are excluded as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import TypeAlias

from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.model.answers import Content, Rows, is_empty
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.relations.relation import Contradicts
from rsp_conformance.sparql.compare.contents import difference, joined
from rsp_conformance.spec.alignment_stamps import (
    latest_stamp,
    observed_stamp,
    set_off_after_the_end,
)
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.spec.reporting import test_points_before

Instant: TypeAlias = int | Fraction
"""An instant; an engine's stamp may lie between two instants."""

NOTHING = Rows((), ())
"""An answer without rows."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer that is compared.

    Attributes:
        stamp: the answer's instant; None under ``answer_time = none``.
        content: the rows, the truth value or the triples.
        late: whether elements after the end may have triggered it (decision 22).
    """

    stamp: Instant | None
    content: Content
    late: bool = False

    @property
    def at(self) -> Instant:
        """The stamp of an answer that must have one."""
        assert self.stamp is not None
        return self.stamp


Inverse = Callable[[Seen], Seen]
"""Maps an answer of a variant to the answer that the first variant should have."""


def retimed_answer(time: Callable[[Instant], Instant]) -> Inverse:
    """Return an inverse that moves each stamp to the instant ``time(stamp)``."""
    return lambda seen: seen if seen.stamp is None else replace(seen, stamp=time(seen.stamp))


# The answers that are compared


def first_compared(observation: Observation) -> int:
    """Return the earliest stamp that only evaluations from t_s on can carry."""
    case, dials = observation.stimulus.case, observation.dials
    start = t_s(case, dials)
    if dials.answer_time == "arrival" and start > case.registered:
        return max(start, latest_stamp(start - 1, case, dials) + 1)
    return start


def seen(observation: Observation) -> list[Seen]:
    """Return the answers that can be compared, in the order of their stamps.

    If the profile has answers carry stamps, an answer without one counts as later than ``until``:
    it is left out, and the answer expected in its place is missing. Under ``answer_time = none``
    all answers are returned, in the order of emission.
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
    """Join the answers of each stamp, and leave out those without rows."""
    groups: dict[Instant | None, list[Seen]] = defaultdict(list)
    for answer in answers:
        groups[answer.stamp].append(answer)
    found = [
        Seen(stamp, joined([a.content for a in group]), any(a.late for a in group))
        for stamp, group in groups.items()
    ]
    return [answer for answer in found if not is_empty(answer.content)]


def any_rows(observations: Iterable[Observation]) -> bool:
    """Return whether any compared answer has rows; a trial without rows shows nothing."""
    return any(not is_empty(answer.content) for e in observations for answer in seen(e))


# Two cases


def same(left: Content, right: Content, dials: Dials) -> bool:
    """Return whether two answers to one evaluation agree, whatever the order of their rows.

    Numbers may differ by twice the tolerance, because each correct answer may be off by one
    tolerance.

    Args:
        left: the answer of one variant.
        right: the answer of another.
        dials: the setting whose dial ``numbers`` says when two numbers agree.
    """
    if isinstance(left, Rows) and left.ties is not None:
        left = replace(left, ties=None)
    numbers = dials.numbers
    if isinstance(numbers, Tolerance):
        numbers = Tolerance(2 * numbers.epsilon, f"2*{numbers.text}")
    return difference(left, right, numbers) is None


def alike(*labels: str) -> Contradicts:
    """Return a check that two variants have the same answers; ``labels`` name them in messages."""
    return lambda _, observations: first_difference(observations, labels)


def first_difference(
    observations: Sequence[Observation],
    labels: Sequence[str],
    inverse: Inverse = lambda answer: answer,
    *,
    low: Instant | float = -inf,
    high: Instant | float = inf,
) -> Contradiction | None:
    """Find the first difference between the answers to two cases.

    Args:
        observations: the two observations.
        labels: names of the two in the message.
        inverse: maps an answer of the second case to the answer that the first case should have.
        low: the first stamp that counts, in the time of the first case.
        high: the last stamp that counts, in the time of the first case.

    Returns:
        The contradiction, or None if the answers agree.
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
    # If the two answers are at different instants, the earlier one has no partner.
    said = [
        f"{label} {answered(answer.content if answer and answer.stamp == t else None, observation)}"
        for label, answer, observation in zip(labels, pair, observations, strict=True)
    ]
    says = f"{'' if t is None else f'At t={instant(t)} '}{said[0]}, and {said[1]}."
    return Contradiction(t, says[0].upper() + says[1:])


def _place_of_difference(left: Sequence[Seen], right: Sequence[Seen], dials: Dials) -> int | None:
    """The position of the first differing pair; answers left over at the end may be late."""
    for position, (one, other) in enumerate(zip(left, right, strict=False)):
        if one.stamp != other.stamp or not same(one.content, other.content, dials):
            return position
    shorter = min(len(left), len(right))
    rest = [*left[shorter:], *right[shorter:]]
    return None if all(answer.late for answer in rest) else shorter


def _same_from_some_start(
    left: Sequence[Seen], right: Sequence[Seen], observations: Sequence[Observation]
) -> bool:
    """Whether unstamped answers agree without those that may belong before t_s."""
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
    """Return ``answers {…}`` for a message, or that there is no answer."""
    if content is None:
        return "has no answer"
    return f"answers {Notation(observation.stimulus.case).content(content)}"
