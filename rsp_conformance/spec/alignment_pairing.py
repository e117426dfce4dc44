"""Pair the expected answers with the received ones, in order (decisions 18 to 23).

Both sequences keep their order, and answers that are not required may be skipped. A greedy choice
would go wrong, because an optional answer may match the same expected answer as a required one. So
the search goes over all positions (i, j) that are reachable, each once: the cost is at most the
product of the two lengths, and the result does not depend on the order of the search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows, is_empty
from rsp_conformance.sparql.compare.contents import joined


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """An expected answer with its stamp; ``required`` is false outside the compared range."""

    evaluation: Evaluation
    stamp: int
    required: bool


@dataclass(frozen=True, slots=True)
class StampedAnswer:
    """A received answer with its stamp, the instant at which it is compared.

    Attributes:
        answer: The answer as the engine gave it.
        stamp: The instant; None if the answer has none.
        required: Whether the answer must be paired. If not, it may be skipped.
        late: Whether it may be skipped once all required expected answers are paired.
        early: Whether it may be skipped only until the first required expected answer is paired.
        rest: For single rows, the rows of later evaluations that may be among those of the answer;
            None if there are none.
    """

    answer: Observed
    stamp: int | Fraction | None
    required: bool
    late: bool = False
    early: bool = False
    rest: Rows | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """How far a pairing got: the positions reached in both sequences, and whether it is complete.

    If it is complete, no answer is left over on either side.
    """

    complete: bool
    expected: int
    received: int


def pair(
    expected: Sequence[ExpectedAnswer],
    received: Sequence[StampedAnswer],
    near: Callable[[ExpectedAnswer, StampedAnswer], bool],
    same: Callable[[ExpectedAnswer, StampedAnswer], bool],
    *,
    in_pieces: bool = False,
) -> Pairing:
    """Pair the expected answers with the received ones; both keep their order.

    Args:
        expected: The expected answers.
        received: The received answers.
        near: Whether the stamps of a pair are near enough.
        same: Whether the contents of a pair are equal.
        in_pieces: Whether the received answers are single rows, of which nothing but their order
            says to which evaluation they belong.

    Returns:
        The complete pairing; else the furthest position reached, at which the sequences differ.
    """
    frontier = [(0, 0)]
    reached = {(0, 0)}
    furthest = (0, 0)
    required = [i for i, d in enumerate(expected) if d.required]
    first_required, after_required = (
        (required[0], required[-1] + 1) if required else (len(expected), 0)
    )

    def reach(position: tuple[int, int]) -> None:
        if position not in reached:
            reached.add(position)
            frontier.append(position)

    while frontier:
        i, j = frontier.pop()
        furthest = max(furthest, (i, j), key=lambda position: (sum(position), position))
        if i == len(expected) and j == len(received):
            return Pairing(True, i, j)
        if i < len(expected) and not expected[i].required:
            reach((i + 1, j))
        if j < len(received):
            spare = received[j].late and i >= after_required
            optional = not received[j].required and (not received[j].early or i <= first_required)
            if optional or spare:
                reach((i, j + 1))
            if in_pieces:
                for position in _blocks(expected, received, i, j, same):
                    reach(position)
            elif (
                i < len(expected)
                and near(expected[i], received[j])
                and same(expected[i], received[j])
            ):
                reach((i + 1, j + 1))
    return Pairing(False, *furthest)


def _blocks(
    expected: Sequence[ExpectedAnswer],
    received: Sequence[StampedAnswer],
    i: int,
    j: int,
    same: Callable[[ExpectedAnswer, StampedAnswer], bool],
) -> Iterator[tuple[int, int]]:
    """Yield the positions after evaluations from `i` on whose rows are those from `j` on.

    Evaluations follow each other, except that rows of one trigger have no order: so those of
    several evaluations are taken together if they have one trigger. Rows that may be skipped may
    stand among rows of the same trigger.
    """
    for after in range(i + 1, len(expected) + 1):
        due = _join_expected(expected[i:after], judged=True)
        end = j + _number(due.evaluation.content)
        if end > len(received):
            return
        if after > i + 1 and not _have_one_trigger(received[j:end]):
            continue
        ends, last = [end], received[end - 1]
        while end < len(received) and _have_one_trigger((last, received[end])):
            end += 1
        if end > ends[0] and (last.late or last.rest is not None or not last.required):
            ends.append(end)
        for end in ends:
            if same(due, _join_received(received[j:end], judged=True)):
                yield after, end


def _have_one_trigger(rows: Sequence[StampedAnswer]) -> bool:
    cause = rows[0].answer.cause
    return cause is not None and all(row.answer.cause == cause for row in rows)


def row_by_row(received: Sequence[StampedAnswer]) -> list[StampedAnswer]:
    """The received answers, each row as an answer of its own; other contents are unchanged."""
    found = []
    for own in received:
        content = own.answer.content
        if isinstance(content, Rows):
            each = (replace(content, rows=(row,), ties=None) for row in content.rows)
            found += [replace(own, answer=replace(own.answer, content=row)) for row in each]
        else:
            found.append(own)
    return found


def _number(content: Content) -> int:
    """The number of received answers that the rows of an evaluation are."""
    return len(content) if isinstance(content, Rows) else 1


def instants_apart(
    expected: Sequence[ExpectedAnswer], received: Sequence[StampedAnswer], tolerance: int
) -> int:
    """The number of stamps that only one of the two sequences has.

    These are the stamps of required answers, expected or received, without any answer of the other
    side within the tolerance.

    Args:
        expected: the expected answers, required or permitted.
        received: the engine's answers; those without a stamp are not counted.
        tolerance: the greatest distance of stamps that belong together, in instants.
    """
    expected_stamps = sorted({d.stamp for d in expected})
    received_stamps = sorted({g.stamp for g in received if g.stamp is not None})

    def matched(stamp: int | Fraction, by: Sequence[int | Fraction]) -> bool:
        place = bisect_left(by, stamp - tolerance)
        return place < len(by) and by[place] <= stamp + tolerance

    missed = {d.stamp for d in expected if d.required and not matched(d.stamp, received_stamps)}
    surplus = {
        g.stamp
        for g in received
        if g.required and g.stamp is not None and not matched(g.stamp, expected_stamps)
    }
    return len(missed) + len(surplus)


# Engines that send single rows without marking the ends of evaluations (decision 26). The
# protocol's client merges neighbours of the same instant (or trigger), so the answers of two
# evaluations with the same stamp cannot be separated: both sides are joined by stamp before they
# are paired.


def joined_by_stamp(
    expected: Sequence[ExpectedAnswer], received: Sequence[StampedAnswer]
) -> tuple[list[ExpectedAnswer], list[StampedAnswer]]:
    """Join the answers of each stamp into one; answers without rows are dropped.

    If evaluations inside and outside the compared range share a stamp, it cannot be judged, and no
    answer is required there.
    """
    shown = [d for d in expected if not is_empty(d.evaluation.content)]
    groups = [list(group) for _, group in groupby(shown, key=lambda d: d.stamp)]
    mixed = {g[0].stamp for g in groups if len({d.required for d in g}) > 1}
    joined_expected = [_join_expected(group, group[0].stamp not in mixed) for group in groups]
    offered = [g for g in received if not is_empty(g.answer.content)]
    joined_received = []
    for stamp, group in groupby(offered, key=lambda g: g.stamp):
        members = list(group)
        whole = members if stamp is None else [_join_received(members, stamp not in mixed)]
        joined_received += whole
    return joined_expected, joined_received


def first_rows(answer: Content, expected: Content) -> Content:
    """The first rows of an answer, as many as `expected` has; other contents are unchanged."""
    if not isinstance(answer, Rows) or not isinstance(expected, Rows):
        return answer
    return replace(answer, rows=answer.rows[: len(expected.rows)])


def _join_expected(group: Sequence[ExpectedAnswer], judged: bool) -> ExpectedAnswer:
    first = group[0]
    content = joined([d.evaluation.content for d in group])
    evaluation = replace(first.evaluation, content=content)
    return replace(first, evaluation=evaluation, required=first.required and judged)


def _join_received(group: Sequence[StampedAnswer], judged: bool) -> StampedAnswer:
    first = group[0]
    answer = replace(first.answer, content=joined([g.answer.content for g in group]))
    return StampedAnswer(
        answer,
        first.stamp,
        any(g.required for g in group) and judged,
        any(g.late for g in group),
        all(g.early for g in group),
        next((g.rest for g in group if g.rest is not None), None),
    )
