"""Whether two cases got the same answers, instant by instant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.judge.engine_under_test import Observation
from rsp_conformance.metamorphic.normalise import Instant, Seen, first_compared, leading, same, seen
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import Contradiction

NOTHING = Rows((), ())

Inverse = Callable[[Seen], Seen]
"""Takes an answer to a variant back to what the first variant should have answered."""


def first_difference(
    observations: Sequence[Observation],
    labels: Sequence[str],
    inverse: Inverse | None = None,
    *,
    between: tuple[Instant | None, Instant | None] = (None, None),
) -> Contradiction | None:
    """How the second of two OBSERVATIONS differs from the first; None if it does not.

    INVERSE is applied to the second one's answers. Only stamps BETWEEN two instants, both
    inclusive, count, in the time of the first; None is no limit. LABELS name the two in the
    argument.
    """
    first, second = observations
    dials = first.dials
    if dials.answer_time != "none":
        between = (_both_compare(first, second, inverse, between[0]), between[1])
    left = _within(seen(first), between)
    right = _within([inverse(a) if inverse else a for a in seen(second)], between)
    if dials.answer_time == "none":
        spare = leading(first), leading(second)
        if _same_up_to_the_start(left, right, spare, dials):
            return None
    position = _place_of_difference(left, right, dials)
    if position is None:
        return None
    one = left[position] if position < len(left) else None
    other = right[position] if position < len(right) else None
    return _contradiction(one, other, labels, first, second)


def _both_compare(
    first: Observation, second: Observation, inverse: Inverse | None, low: Instant | None
) -> Instant:
    """From which stamp of the first on both answers are compared."""
    start = Seen(first_compared(second), NOTHING)
    there = (inverse(start) if inverse else start).at
    here = first_compared(first)
    return max(here, there) if low is None else max(here, there, low)


def _within(answers: Iterable[Seen], between: tuple[Instant | None, Instant | None]) -> list[Seen]:
    low, high = between
    return [
        answer
        for answer in answers
        if (low is None or answer.stamp is None or answer.stamp >= low)
        and (high is None or answer.stamp is None or answer.stamp <= high)
    ]


def _place_of_difference(left: Sequence[Seen], right: Sequence[Seen], dials: Dials) -> int | None:
    """The position of the first pair that differs; late answers may be left over at the end."""
    for position, (one, other) in enumerate(zip(left, right, strict=False)):
        if one.stamp != other.stamp or not same(one.content, other.content, dials):
            return position
    shorter = min(len(left), len(right))
    rest = [*left[shorter:], *right[shorter:]]
    return None if all(answer.late for answer in rest) else shorter


def _same_up_to_the_start(
    left: Sequence[Seen], right: Sequence[Seen], spare: tuple[int, int], dials: Dials
) -> bool:
    """Whether the sequences agree once answers for instants before t_s are left out."""
    return any(
        _place_of_difference(left[i:], right[j:], dials) is None
        for i in range(spare[0] + 1)
        for j in range(spare[1] + 1)
    )


def _contradiction(
    one: Seen | None,
    other: Seen | None,
    labels: Sequence[str],
    first: Observation,
    second: Observation,
) -> Contradiction:
    stamps = [a.stamp for a in (one, other) if a is not None and a.stamp is not None]
    t = min(stamps, default=None)
    # Of two answers at different instants the earlier one has no partner.
    here = one if one is not None and one.stamp == t else None
    there = other if other is not None and other.stamp == t else None
    when = "" if t is None else f"At t={instant(t)} "
    notations = Notation(first.stimulus.case), Notation(second.stimulus.case)
    parts = [
        f"{label} {answered(None if a is None else a.content, notation)}"
        for label, a, notation in zip(labels, (here, there), notations, strict=True)
    ]
    says = f"{when}{parts[0]}, and {parts[1]}."
    return Contradiction(t, says[0].upper() + says[1:])


def answered(content: Content | None, notation: Notation) -> str:
    """``answers {…}``, or that there is no answer."""
    return "has no answer" if content is None else f"answers {notation.content(content)}"


def later(by: Instant) -> Inverse:
    """Takes stamps back that are BY too late."""

    def inverse(answer: Seen) -> Seen:
        return answer if answer.stamp is None else replace(answer, stamp=answer.stamp - by)

    return inverse
