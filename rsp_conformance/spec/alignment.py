"""Whether an engine's answer is Ans(Q_z) on the compared range (RSP-QL Definition 26).

Definition 26 calls an answer correct if it equals Ans(Q_z) for some z of Z. This module compares
the answers of an engine with those of *one* z; `correctness` goes over the members of Z, and
`start_classes` keeps them few.

**Why an alignment.** Equality of two sequences would be too strict. Before t_s no answer is
required, but an engine may send some. After the end of the input, an engine may or may not send the
answers that its clock would have caused. Stamps may differ by the dial ``time_tolerance``, or be
missing (``answer_time = none``), and an engine that sends single rows does not say where one
evaluation ends. So each expected and each received answer gets a stamp at which it is compared, and
a note whether it must be matched or may be left out. Then both sequences are paired in order
(`alignment_pairing`).

**What it guarantees.** The pairing is complete if and only if there is a way to pair all required
answers, in order, with near stamps and equal contents. No choice is final, so an optional answer
never takes the partner of a required one. If the pairing does not complete, the position that it
reaches is the furthest one, and the difference there gets a name (`_divergence`): missing, extra,
at the wrong instant, or with wrong content. Contents are compared exactly (`compare.rows`).

**What it costs.** At most the product of the two lengths in comparisons of stamps, and far fewer in
comparisons of contents, which are made only for near stamps; answers without stamps are all near. A
window that slides by thousands of instants has thousands of expected answers before t_s; those that
only answers without influence could match are dropped first (`_without_earliest`). For a wrong
answer, one z after the other is refused; `refusing` makes this early, because one evaluation that
no answer can match suffices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from math import inf
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, Observed, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Numbers
from rsp_conformance.model.verdict import Divergence, Kind
from rsp_conformance.sparql.compare.contents import difference, is_among, joined
from rsp_conformance.spec.alignment_pairing import (
    ExpectedAnswer,
    Pairing,
    StampedAnswer,
    first_rows,
    instants_apart,
    joined_by_stamp,
    pair,
    row_by_row,
)
from rsp_conformance.spec.alignment_stamps import (
    expected_stamp,
    latest_stamp,
    observed_stamp,
    set_off_after_the_end,
)
from rsp_conformance.spec.reporting import test_points_before

Later: TypeAlias = Callable[[bool], Sequence[Evaluation] | None]
"""Makes the evaluations after ``until`` to which answers to the appended elements may belong; None
if the texts leave them open. True asks for enough to name a difference (`Expectation.later`)."""

Orders: TypeAlias = Sequence[Sequence[ExpectedAnswer]]
"""The expected answers, in each order in which an engine may give them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first difference between expected and received answers, and how near the two are.

    Attributes:
        divergence: The first difference; None if the answers are equal.
        apart: The number of instants with an expected answer and no received answer, or the
            reverse.
        agreed: The number of expected answers that were received before the first difference.
    """

    divergence: Divergence | None
    apart: int
    agreed: int

    @property
    def rank(self) -> tuple[int, int]:
        """A sort key: the nearer, the less (`spec.correctness` explains the order)."""
        return self.apart, -self.agreed


def compare(
    expected: Sequence[Evaluation],
    observed: Sequence[Observed],
    case: Case,
    dials: Dials,
    t_s: int,
    *,
    later: Later | None = None,
    told: bool = False,
) -> Comparison:
    """Compare Ans(Q_z) with the answers of an engine on t_s ≤ t ≤ until.

    Args:
        expected: Ans(Q_z), for one z.
        observed: The answers of the engine, in the order in which they came.
        case: The case that was asked.
        dials: The semantics of the engine.
        t_s: The instant from which answers are compared.
        later: Makes the evaluations after ``until``, for the same z. It is called only if answers
            are left over that appended elements may have triggered; without it these answers are
            ignored, whatever they hold.
        told: Whether the difference is to be shown to a reader. An answer at the end with a wrong
            row is then told as that, and not as an answer that is missing beside one that is
            ignored. It costs the evaluations after ``until`` for an answer that is wrong without
            them, so it is for the nearest z alone.
    """
    wanted = _expected_answers(expected, case, dials, t_s)

    def sides(received: list[StampedAnswer]) -> tuple[Orders, list[StampedAnswer]]:
        if dials.answers != "rows":
            return wanted, received
        joined_orders = [joined_by_stamp(order, received) for order in wanted]
        came = joined_orders[0][1]
        due = [order for order, _ in joined_orders]
        return due, row_by_row(came) if dials.answer_time == "none" else came

    due, received = sides(received_answers(observed, case, dials, t_s))
    if later is None or dials.advances == "clock" or not any(g.late for g in received):
        return _paired(due, received, dials)
    _, counted = sides(received_answers(observed, case, dials, t_s, all_count=True))
    found = _paired(due, counted, dials)
    if found.divergence is None:  # No answer is left over.
        return found
    found = ignoring = _paired(due, received, dials)
    if dials.answers == "rows":  # Rows of later evaluations may stand among the expected ones.
        ignoring = _paired(due, _with_any_rest(received), dials)
    told = told and dials.answers != "rows"  # A row at the end is taken for a wrong one anyway.
    if ignoring.divergence is not None and not told:
        return found  # Whatever later evaluations give.
    evaluations = later(ignoring.divergence is not None)
    if evaluations is None:
        return ignoring
    checked = _paired(due, [*_checked(received, counted, evaluations, case, dials)], dials)
    if told or checked.divergence is None or found.divergence is None:
        return checked
    return found


def _with_any_rest(received: Sequence[StampedAnswer]) -> list[StampedAnswer]:
    """The received rows, any of which may be a later one if appended elements may trigger it."""
    rest = joined([g.answer.content for g in received if isinstance(g.answer.content, Rows)])
    assert isinstance(rest, Rows)
    return [
        replace(own, rest=rest) if own.late and isinstance(own.answer.content, Rows) else own
        for own in received
    ]


def _checked(
    received: Sequence[StampedAnswer],
    counted: Sequence[StampedAnswer],
    later: Sequence[Evaluation],
    case: Case,
    dials: Dials,
) -> Iterator[StampedAnswer]:
    """The received answers; those that belong to no later evaluation may not be left over.

    Args:
        received: The answers, with those that appended elements may have triggered as `late`.
        counted: The same answers, none of them `late`.
        later: The evaluations after ``until``.
        case: The case that was asked.
        dials: The semantics of the engine.
    """
    shown = [e.content for e in later if not is_empty(e.content)]
    rest = joined(shown) if dials.answers == "rows" else None
    for own, required in zip(received, counted, strict=True):
        content = own.answer.content
        if not own.late or (rest is not None and not isinstance(content, Rows)):
            yield own
        elif isinstance(rest, Rows) and isinstance(content, Rows):
            belongs = is_among(content, rest, dials.numbers)
            yield replace(own if belongs else required, rest=rest)
        else:  # They count as at `until`.
            timely = own.stamp is None or case.until - own.stamp <= dials.time_tolerance
            belongs = timely and any(
                difference(e.content, content, dials.numbers) is None for e in later
            )
            yield own if belongs else required


def _paired(due: Orders, received: Sequence[StampedAnswer], dials: Dials) -> Comparison:
    """Pair expected and received answers, and name the first difference in the first order."""
    first, *others = due
    found = _paired_in_order(first, received, dials)
    if found.divergence is None:
        return found
    again = (_paired_in_order(order, received, dials) for order in others)
    return next((own for own in again if own.divergence is None), found)


def _paired_in_order(
    due: Sequence[ExpectedAnswer], received: Sequence[StampedAnswer], dials: Dials
) -> Comparison:
    in_pieces = dials.answers == "rows" and dials.answer_time == "none"

    def near(left: ExpectedAnswer, right: StampedAnswer) -> bool:
        return dials.answer_time == "none" or _close(left, right, dials)

    def same(left: ExpectedAnswer, right: StampedAnswer) -> bool:
        content = left.evaluation.content
        answer = right.answer.content
        if right.rest is not None and isinstance(content, Rows) and isinstance(answer, Rows):
            return _same_with_rest(content, answer, right.rest, dials.numbers)
        if in_pieces and not right.required and isinstance(content, Rows):
            # Rows of evaluations before t_s may be among them.
            return isinstance(answer, Rows) and is_among(content, answer, dials.numbers)
        if dials.answers == "rows" and right.late:
            # Rows that belong to later instants follow the expected rows.
            answer = first_rows(answer, content)
        return difference(content, answer, dials.numbers) is None

    apart = (
        0 if dials.answer_time == "none" else instants_apart(due, received, dials.time_tolerance)
    )
    due = _without_earliest(due, received, dials)
    pairing = pair(due, received, near, same, in_pieces=in_pieces)
    agreed = sum(d.required for d in due[: pairing.expected])
    if pairing.complete:
        return Comparison(None, apart, agreed)

    def agrees(left: ExpectedAnswer, right: StampedAnswer) -> bool:
        return near(left, right) and same(left, right)

    return Comparison(_divergence(pairing, due, received, dials, agrees), apart, agreed)


def _same_with_rest(content: Rows, answer: Rows, rest: Rows, numbers: Numbers) -> bool:
    """Whether an answer is the expected one with rows of later evaluations, in any order.

    By Mendelsohn and Dulmage one pairing covers the expected and the received rows if there is one
    for either. Under ORDER BY the expected rows come first.
    """
    number = len(content.rows)
    if difference(content, first_rows(answer, content), numbers) is None:
        return is_among(replace(answer, rows=answer.rows[number:]), rest, numbers)
    if content.ties is not None or not is_among(content, answer, numbers):
        return False
    both = joined([content, rest])
    return isinstance(both, Rows) and is_among(answer, both, numbers)


def refusing(
    observed: Sequence[Observed], case: Case, dials: Dials, t_s: int
) -> Callable[[Evaluation], bool]:
    """A test for evaluations that no answer of the engine can match.

    If one of them is expected, `compare` finds a difference, whatever else is expected. So a caller
    that makes the evaluations one by one can stop at the first of these.

    Args:
        observed: all answers of the engine, in the order received.
        case: the query and its data.
        dials: the setting of the dials by which the answers are judged.
        t_s: the instant from which answers are compared.
    """
    if dials.answers == "rows":  # It depends on the other expected answers of the same stamp.
        return lambda evaluation: False
    received = received_answers(observed, case, dials, t_s)

    def is_refused(evaluation: Evaluation) -> bool:
        if not t_s <= evaluation.t <= case.until:
            return False
        wanted = ExpectedAnswer(evaluation, expected_stamp(evaluation, case, dials), required=True)
        near = (g for g in received if dials.answer_time == "none" or _close(wanted, g, dials))
        return all(
            difference(evaluation.content, own.answer.content, dials.numbers) is not None
            for own in near
        )

    return is_refused


def _without_earliest(
    expected_answers: Sequence[ExpectedAnswer], received: Sequence[StampedAnswer], dials: Dials
) -> list[ExpectedAnswer]:
    """Drop expected answers at the start that only answers without influence could match.

    These may be left out on both sides, so the result is the same. But a window that slides by
    thousands of instants has thousands of evaluations before t_s, and an engine answers them.
    """
    counted = [g.stamp for g in received if g.required or g.early or g.late]
    least = min((stamp for stamp in counted if stamp is not None), default=inf)
    return [
        *dropwhile(
            lambda d: not d.required and d.stamp + dials.time_tolerance < least, expected_answers
        )
    ]


def _expected_answers(expected: Sequence[Evaluation], case: Case, dials: Dials, t_s: int) -> Orders:
    """The expected answers, in each order that those of one stamp may have.

    They come in the order of the elements that trigger them. If windows have their own clocks, that
    may not be the order of their instants, which is as good (decision 44).
    """
    answers = []
    for evaluation in expected:
        stamp = expected_stamp(evaluation, case, dials)
        required = t_s <= evaluation.t <= case.until
        if required or dials.answer_time != "none":
            answers.append(ExpectedAnswer(evaluation, stamp, required))
    by_trigger = sorted(answers, key=lambda item: item.evaluation.trigger or (0, 0))
    by_instant = sorted(answers, key=lambda item: item.stamp)
    is_open = dials.clock == "own" and by_instant != by_trigger
    return [by_trigger, by_instant] if is_open else [by_trigger]


def received_answers(
    observed: Sequence[Observed], case: Case, dials: Dials, t_s: int, *, all_count: bool = False
) -> list[StampedAnswer]:
    """The received answers in the order of their stamps, with whether each may be left out.

    Args:
        observed: The answers of the engine, in the order in which they came.
        case: The case that was asked.
        dials: The semantics of the engine.
        t_s: The instant from which answers are compared.
        all_count: Whether also answers that appended elements may have triggered must be paired.
    """
    before = test_points_before(t_s, case, dials)
    if dials.answer_time == "none":
        late = _late(observed, case, dials, all_count)
        return [
            StampedAnswer(answer, None, index >= before, late[index], early=True)
            for index, answer in enumerate(observed)
        ]
    if dials.answer_time == "evaluation":
        stamped = [
            StampedAnswer(answer, answer.t, answer.t is None or t_s <= answer.t <= case.until)
            for answer in observed
        ]
    else:
        stamped = _arrived(observed, case, dials, t_s, before, all_count=all_count)
    # Stamps decide the order; the order of emission only breaks ties within an instant. Answers
    # without a stamp come last, also after those later than `until` (decision 20).
    return sorted(stamped, key=lambda item: (item.stamp is None, item.stamp or 0))


def _arrived(
    observed: Sequence[Observed],
    case: Case,
    dials: Dials,
    t_s: int,
    before: int,
    *,
    all_count: bool,
) -> list[StampedAnswer]:
    """Stamp answers under ``answer_time = arrival``; those beyond ``until`` count as at ``until``.

    An answer that an evaluation in [a, t_s) may have given is not an error. Within the compared
    range there are at most `before` such answers, and they come first. Answers that appended
    elements may have triggered come last. If windows have their own clocks, neither order is
    assumed.
    """
    open_to = latest_stamp(t_s - 1, case, dials) if t_s > case.registered else t_s - 1
    late = _late(observed, case, dials, all_count)
    found = []
    for index, answer in enumerate(observed):
        stamp = observed_stamp(answer, case, dials)
        beyond = stamp is not None and stamp > case.until
        if beyond:
            stamp = case.until
        if stamp is None or stamp < t_s:
            found.append(StampedAnswer(answer, stamp, stamp is None, late[index]))
            continue
        early = stamp <= open_to and before > 0
        before -= early
        spare = late[index] or (beyond and not all_count)
        if dials.clock == "own":  # Answers of one clock may come before those of another.
            found.append(StampedAnswer(answer, stamp, not early and not spare, spare))
        else:
            found.append(StampedAnswer(answer, stamp, not early, spare, early))
    return found


def _late(observed: Sequence[Observed], case: Case, dials: Dials, all_count: bool) -> list[bool]:
    """Which answers at the very end the appended elements may have triggered (decision 22).

    There are at most as many as instants and elements after ``until``.
    """
    after = [e.t for e in case.elements if e.t > case.until]
    most = max([case.until + 1, *after]) - case.until + len(after) + len(case.streams)
    first = len(observed) - most
    return [
        not all_count and index >= first and set_off_after_the_end(answer, case, dials)
        for index, answer in enumerate(observed)
    ]


def _divergence(
    pairing: Pairing,
    expected_answers: Sequence[ExpectedAnswer],
    received: Sequence[StampedAnswer],
    dials: Dials,
    agrees: Callable[[ExpectedAnswer, StampedAnswer], bool],
) -> Divergence:
    """The kind of the difference at the position at which the pairing stopped."""
    wanted = next((d for d in expected_answers[pairing.expected :] if d.required), None)
    offered = next((g for g in received[pairing.received :] if g.required), None)
    if wanted is not None and dials.answers == "rows":
        # A stamp has one answer, even if that answer is not required (``clock = own``).
        there = next((g for g in received if g.stamp == wanted.stamp), None)
        if there is not None and not agrees(wanted, there) and _before(there, offered):
            offered = there
    if wanted is not None and offered is None and not any(g.required for g in received):
        expected_came = any(agrees(d, g) for d in expected_answers if d.required for g in received)
        kind = Kind.MISSING if expected_came else Kind.SILENT
        return Divergence(kind, wanted.evaluation.t, wanted.evaluation, None)
    untimed = next((g for g in received if g.stamp is None), None)
    if untimed is not None and dials.answer_time != "none":
        at = wanted.evaluation.t if wanted else None
        return Divergence(Kind.INSTANT, at, wanted.evaluation if wanted else None, untimed.answer)
    if wanted is None:
        # An answer is left over; early answers may be left out only before all expected ones.
        offered = offered or received[pairing.received]
        return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)
    if offered is None:
        return Divergence(Kind.MISSING, wanted.evaluation.t, wanted.evaluation, None)
    left = sum(g.required or g.late for g in received[pairing.received :])
    due = [d for d in expected_answers[pairing.expected :] if d.required]
    if left < len(due) and any(agrees(d, offered) for d in due):
        # It is another one that is due; who answers late or wrongly gives as many.
        return Divergence(Kind.MISSING, wanted.evaluation.t, wanted.evaluation, None)
    content = difference(wanted.evaluation.content, offered.answer.content, dials.numbers)
    if dials.answer_time == "none" or _close(wanted, offered, dials):
        return Divergence(
            content or Kind.INSTANT, wanted.evaluation.t, wanted.evaluation, offered.answer
        )
    if content is None:
        if left > len(due) and any(agrees(wanted, g) for g in received):
            return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)
        return Divergence(Kind.INSTANT, wanted.evaluation.t, wanted.evaluation, offered.answer)
    assert offered.stamp is not None
    if wanted.stamp < offered.stamp:
        return Divergence(Kind.MISSING, wanted.evaluation.t, wanted.evaluation, None)
    return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)


def strayed(divergence: Divergence | None, stray: Observed) -> Divergence:
    """The difference to report if the answer `stray` is stamped out of all range.

    If `divergence`, the first difference otherwise found, is an expected answer that is missing or
    wrong, `stray` is taken for that answer.
    """
    if divergence is None or divergence.kind is Kind.EXTRA:
        return Divergence(Kind.INSTANT, None, None, stray)
    return Divergence(Kind.INSTANT, divergence.t, divergence.expected, stray)


def _close(wanted: ExpectedAnswer, offered: StampedAnswer, dials: Dials) -> bool:
    if offered.stamp is None:
        return False
    return -dials.time_tolerance <= offered.stamp - wanted.stamp <= dials.time_tolerance


def _before(one: StampedAnswer, other: StampedAnswer | None) -> bool:
    """Whether `one`, which has a stamp, comes before `other`; true if there is no other."""
    assert one.stamp is not None
    return other is None or (other.stamp is not None and one.stamp < other.stamp)


def _instant(offered: StampedAnswer) -> int | None:
    return None if offered.stamp is None else int(offered.stamp)
