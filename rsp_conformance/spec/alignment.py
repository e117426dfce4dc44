"""Whether an engine's answer is Ans(Q_z) on the compared range (RSP-QL Definition 26)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from math import inf

from rsp_conformance.compare.contents import difference
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Divergence, Kind
from rsp_conformance.spec.alignment_pairing import (
    Due,
    Pairing,
    StampedAnswer,
    first_rows,
    instants_apart,
    joined_by_stamp,
    pair,
)
from rsp_conformance.spec.alignment_stamps import (
    due_stamp,
    latest_stamp,
    observed_stamp,
    set_off_after_the_end,
)
from rsp_conformance.spec.reporting import test_points_before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Equal, or the first place where they part, and how near the two come to each other.

    ``apart`` counts the instants that only one of them has: something is due and nothing is
    stamped so, or the reverse. ``agreed`` counts the answers due that came before they part.
    """

    divergence: Divergence | None
    apart: int
    agreed: int

    @property
    def rank(self) -> tuple[int, int]:
        """The nearer, the less; see `spec.correctness` for what that means."""
        return self.apart, -self.agreed


def compare(
    expected: Sequence[Evaluation], observed: Sequence[Observed], case: Case, dials: Dials, t_s: int
) -> Comparison:
    """EXPECTED = Ans(Q_z) against what the engine gave, on t_s ≤ t ≤ until."""
    due = _due(expected, case, dials, t_s)
    given = answers_given(observed, case, dials, t_s)
    if dials.answers == "rows":
        due, given = joined_by_stamp(due, given)

    def near(left: Due, right: StampedAnswer) -> bool:
        return dials.answer_time == "none" or _close(left, right, dials)

    def same(left: Due, right: StampedAnswer) -> bool:
        content = left.evaluation.content
        answer = right.answer.content
        if dials.answers == "rows" and right.late:
            # Rows that belong to later instants follow those that are due.
            answer = first_rows(answer, content)
        return difference(content, answer, dials.numbers) is None

    apart = 0 if dials.answer_time == "none" else instants_apart(due, given, dials.time_tolerance)
    due = _without_earliest(due, given, dials)
    pairing = pair(due, given, near, same)
    agreed = sum(d.required for d in due[: pairing.due])
    if pairing.complete:
        return Comparison(None, apart, agreed)

    def agrees(left: Due, right: StampedAnswer) -> bool:
        return near(left, right) and same(left, right)

    return Comparison(_divergence(pairing, due, given, dials, agrees), apart, agreed)


def refusing(
    observed: Sequence[Observed], case: Case, dials: Dials, t_s: int
) -> Callable[[Evaluation], bool]:
    """Which evaluations nothing that the engine gave can be.

    With one of them among what is due ``compare`` finds a difference, whatever else is.
    """
    if dials.answers == "rows":  # What is due beside it at the same stamp decides.
        return lambda evaluation: False
    given = answers_given(observed, case, dials, t_s)

    def is_refused(evaluation: Evaluation) -> bool:
        if not t_s <= evaluation.t <= case.until:
            return False
        due = Due(evaluation, due_stamp(evaluation, case, dials), required=True)
        near = (g for g in given if dials.answer_time == "none" or _close(due, g, dials))
        return all(
            difference(evaluation.content, own.answer.content, dials.numbers) is not None
            for own in near
        )

    return is_refused


def _without_earliest(
    due: Sequence[Due], given: Sequence[StampedAnswer], dials: Dials
) -> list[Due]:
    """DUE without those at its start that nothing can be but answers that count for nothing.

    Each may be left out on both sides, so they change nothing; but a window that slides by
    thousands of instants has thousands of evaluations before t_s, and an engine answers them.
    """
    counted = [g.stamp for g in given if g.required or g.early or g.late]
    least = min((stamp for stamp in counted if stamp is not None), default=inf)
    return [*dropwhile(lambda d: not d.required and d.stamp + dials.time_tolerance < least, due)]


def _due(expected: Sequence[Evaluation], case: Case, dials: Dials, t_s: int) -> list[Due]:
    due = []
    for evaluation in expected:
        stamp = due_stamp(evaluation, case, dials)
        required = t_s <= evaluation.t <= case.until
        if required or dials.answer_time != "none":
            due.append(Due(evaluation, stamp, required))
    return sorted(due, key=lambda item: item.evaluation.trigger or (0, 0))


def answers_given(
    observed: Sequence[Observed], case: Case, dials: Dials, t_s: int
) -> list[StampedAnswer]:
    """OBSERVED in the order of their stamps, each with what it may be left out for."""
    before = test_points_before(t_s, case, dials)
    if dials.answer_time == "none":
        late = _late(observed, case, dials)
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
        stamped = _arrived(observed, case, dials, t_s, before)
    # Instants say when, emission only breaks ties between answers of one instant.
    last = case.until + 1
    return sorted(stamped, key=lambda item: last if item.stamp is None else item.stamp)


def _arrived(
    observed: Sequence[Observed], case: Case, dials: Dials, t_s: int, before: int
) -> list[StampedAnswer]:
    """Answers under ``arrival``; those beyond ``until`` count as at ``until``.

    An answer that an evaluation in [a, t_s) may have given cannot be held against anyone; of those
    stamped within the compared range there can be BEFORE at most, and they come first, as those
    that appended elements may have set off come last, unless windows have their own clocks.
    """
    open_to = latest_stamp(t_s - 1, case, dials) if t_s > case.registered else t_s - 1
    late = _late(observed, case, dials)
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
        spare = late[index] or beyond
        if dials.clock == "own":  # Those of one clock may come before others of another
            found.append(StampedAnswer(answer, stamp, not early and not spare, spare))
        else:
            found.append(StampedAnswer(answer, stamp, not early, spare, early))
    return found


def _late(observed: Sequence[Observed], case: Case, dials: Dials) -> list[bool]:
    """Which answers appended elements may have set off, at the very end (decision 22).

    There are at most as many as there are instants and elements after ``until``.
    """
    after = [e.t for e in case.elements if e.t > case.until]
    most = max([case.until + 1, *after]) - case.until + len(after) + len(case.streams)
    first = len(observed) - most
    return [
        index >= first and set_off_after_the_end(answer, case, dials)
        for index, answer in enumerate(observed)
    ]


def _divergence(
    pairing: Pairing,
    due: Sequence[Due],
    given: Sequence[StampedAnswer],
    dials: Dials,
    agrees: Callable[[Due, StampedAnswer], bool],
) -> Divergence:
    """Name what is wrong at the place that the pairing could not pass."""
    wanted = next((d for d in due[pairing.due :] if d.required), None)
    offered = next((g for g in given[pairing.given :] if g.required), None)
    if wanted is not None and dials.answers == "rows":
        # Of one stamp there is one answer, also where it need not have come (``clock`` own).
        there = next((g for g in given if g.stamp == wanted.stamp), None)
        if there is not None and not agrees(wanted, there) and _before(there, offered):
            offered = there
    if wanted is not None and offered is None and not any(g.required for g in given):
        due_came = any(agrees(d, g) for d in due if d.required for g in given)
        kind = Kind.MISSING if due_came else Kind.SILENT
        return Divergence(kind, wanted.evaluation.t, wanted.evaluation, None)
    untimed = next((g for g in given if g.stamp is None), None)
    if untimed is not None and dials.answer_time != "none":
        at = wanted.evaluation.t if wanted else None
        return Divergence(Kind.INSTANT, at, wanted.evaluation if wanted else None, untimed.answer)
    if wanted is None:
        # Something is left over; what came early may be left out only before all that is due.
        offered = offered or given[pairing.given]
        return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)
    if offered is None:
        return Divergence(Kind.MISSING, wanted.evaluation.t, wanted.evaluation, None)
    content = difference(wanted.evaluation.content, offered.answer.content, dials.numbers)
    if dials.answer_time == "none" or _close(wanted, offered, dials):
        return Divergence(
            content or Kind.INSTANT, wanted.evaluation.t, wanted.evaluation, offered.answer
        )
    if content is None:
        left = sum(g.required or g.late for g in given[pairing.given :])
        more = left > sum(d.required for d in due[pairing.due :])
        if more and any(agrees(wanted, g) for g in given):
            return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)
        return Divergence(Kind.INSTANT, wanted.evaluation.t, wanted.evaluation, offered.answer)
    assert offered.stamp is not None
    if wanted.stamp < offered.stamp:
        return Divergence(Kind.MISSING, wanted.evaluation.t, wanted.evaluation, None)
    return Divergence(Kind.EXTRA, _instant(offered), None, offered.answer)


def strayed(divergence: Divergence | None, stray: Observed) -> Divergence:
    """What is wrong where STRAY is stamped out of all range; DIVERGENCE is what parts without it.

    An answer that is due and missing is the one that went astray.
    """
    if divergence is None or divergence.kind is Kind.EXTRA:
        return Divergence(Kind.INSTANT, None, None, stray)
    return Divergence(Kind.INSTANT, divergence.t, divergence.expected, stray)


def _close(wanted: Due, offered: StampedAnswer, dials: Dials) -> bool:
    if offered.stamp is None:
        return False
    return -dials.time_tolerance <= offered.stamp - wanted.stamp <= dials.time_tolerance


def _before(one: StampedAnswer, other: StampedAnswer | None) -> bool:
    """Whether ONE, which has a stamp, stands before OTHER, if there is one."""
    assert one.stamp is not None
    return other is None or (other.stamp is not None and one.stamp < other.stamp)


def _instant(offered: StampedAnswer) -> int | None:
    return None if offered.stamp is None else int(offered.stamp)
