"""Pairs expected answers of one z with received ones, both in order (decisions 18 to 23).

**What is sought.** Whether all answers that are required pair off with near stamps and equal
contents; if not, the first difference. The reference model has the same question (`spec.alignment`)
and answers it by other means.

**How.** After i expected answers, ``reach`` holds every j such that the first i expected and the
first j received answers can be settled: paired, or left out as far as each may be. The next
expected answer moves each place on, if it pairs with the next received one or may itself be left
out. So no choice is final, and no search is needed. If answers are stamped exactly, whatever is not
required pairs with nothing that is, so the required ones simply go in step (`Aligner._in_step`).

**What it guarantees.** The answers are right if and only if both ends are reached. Otherwise the
place that is furthest from the beginning decides the kind of the difference (`Aligner._parted`).

**What it costs.** At most the product of the two lengths, and little more than their sum if stamps
tell answers apart. Expected answers before all that has to be matched are passed over, however many
they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from rsp_conformance.model.answers import Content
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind

C = TypeVar("C")


class ExpectedAnswer(NamedTuple, Generic[C]):
    """An expected answer.

    Attributes:
        t: the instant of its evaluation.
        stamp: the instant at which it is compared.
        content: what is known of its content.
        trigger: the place of the arrival that gives it out, if windows have clocks of their own.
    """

    t: int
    stamp: int
    content: C
    trigger: int = 0


class ReceivedAnswer(NamedTuple):
    """A received answer.

    Attributes:
        stamp: the instant at which it is compared; None without one.
        content: its content.
        place: its place among all.
        required: whether it must be paired.
        late: whether it may be left over once everything required has come.
        early: whether it may be left out only before anything required has been paired.
    """

    stamp: int | Fraction | None
    content: Content
    place: int
    required: bool
    late: bool = False
    early: bool = False


class Alignment(NamedTuple):
    """The result of pairing.

    Attributes:
        right: whether all pairs off.
        agreed: how many required answers of the expected ones did.
        t: the instant of the first difference, if it has one.
        kind: its kind.
        apart: the number of instants at which one side requires something and the other has
            nothing.
    """

    right: bool
    agreed: int
    t: int | None = None
    kind: Kind | None = None
    apart: int = 0


Difference: TypeAlias = Callable[[ExpectedAnswer[C], ReceivedAnswer], Kind | None]
"""None if the expected and the received content agree, else whether rows differ or only their
order."""


class Aligner(Generic[C]):
    """Pairs answers under some dials.

    Args:
        dials: the dials.
        t_s: the instant from which expected answers are required.
        difference: compares the contents of an expected and a received answer.
    """

    def __init__(self, dials: Dials, t_s: int, difference: Difference[C]) -> None:
        self._t_s = t_s
        self._difference = difference
        self._timed = dials.answer_time != "none"
        self._tolerance = dials.time_tolerance
        self._own_clocks = dials.clock == "own"
        self._exact = dials.answer_time == "evaluation" and not dials.time_tolerance

    def align(self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer]) -> Alignment:
        """Pair expected with received answers, both in order.

        If windows have their own clocks, answers of one stamp may come in the order of the arrivals
        that give them out, or in that of their instants (decision 44).
        """
        if not self._own_clocks:
            return self._aligned(due, given)
        found = self._aligned(sorted(due, key=attrgetter("stamp", "trigger")), given)
        if found.right:
            return found
        other = self._aligned(sorted(due, key=attrgetter("stamp")), given)
        return other if other.right else found

    def _aligned(
        self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer]
    ) -> Alignment:
        """Pair expected answers, in one order, with received ones."""
        if not self._timed:
            due = [d for d in due if d.t >= self._t_s]
        at = self._in_step(due, given) if self._exact else self._reached(due, given)
        if at is None:
            found = Alignment(True, sum(d.t >= self._t_s for d in due))
        else:
            found = self._parted(due, given, at)
            found = found._replace(agreed=sum(d.t >= self._t_s for d in due[: at[0]]))
        return found._replace(apart=self._apart(due, given)) if self._timed else found

    def _apart(self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer]) -> int:
        """The number of instants that one side requires and the other does not know."""
        wanted = {d.stamp: False for d in due}
        wanted.update((d.stamp, True) for d in due if d.t >= self._t_s)
        came: dict[int | Fraction, bool] = {}
        for g in given:
            if g.stamp is not None:
                came[g.stamp] = g.required or came.get(g.stamp, False)
        return self._unmet(wanted, came) + self._unmet(came, wanted)

    def _unmet(self, one: Mapping[Any, bool], other: Mapping[Any, bool]) -> int:
        """The number of required stamps on one side that are near none of the other side."""
        alone = [stamp for stamp, required in one.items() if required and stamp not in other]
        if not self._tolerance:
            return len(alone)
        near = sorted(other)
        places = [bisect_right(near, stamp + self._tolerance) for stamp in alone]
        return sum(
            place == 0 or near[place - 1] < stamp - self._tolerance
            for place, stamp in zip(places, alone, strict=True)
        )

    def _in_step(
        self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer]
    ) -> tuple[int, int] | None:
        """The place where the pairing ends if stamps are exact; None if it reaches both ends.

        Answers that are not required pair with none that are, so the rest goes in step.
        """
        first = next((i for i, d in enumerate(due) if d.t >= self._t_s), len(due))
        places = [j for j, g in enumerate(given) if g.required]
        for i, j in enumerate(places, first):
            if i == len(due) or not self._pairs(due[i], given[j]):
                return i, j
        return None if first + len(places) == len(due) else (first + len(places), len(given))

    def _pairs(self, due: ExpectedAnswer[C], given: ReceivedAnswer) -> bool:
        return self._near(due, given) and self._difference(due, given) is None

    def _near(self, due: ExpectedAnswer[C], given: ReceivedAnswer) -> bool:
        if not self._timed:
            return True
        if given.stamp is None:
            return False
        return -self._tolerance <= given.stamp - due.stamp <= self._tolerance

    def _reached(
        self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer]
    ) -> tuple[int, int] | None:
        """The furthest place that a pairing reaches; None if it reaches both ends."""
        required = [i for i, d in enumerate(due) if d.t >= self._t_s]
        ends = (required[0], required[-1]) if required else (len(due), -1)
        # What is due before all that has to be matched is passed over, however much it is.
        bearing = [g.stamp for g in given if g.required or g.early or g.late]
        earliest = min((at for at in bearing if at is not None), default=inf) - self._tolerance
        start = next((i for i in range(ends[0]) if due[i].stamp >= earliest), ends[0])
        # reach: the given answers before these and the due ones before i can be settled.
        best = (start, 0)
        reach = _skip_given({0}, given, start, ends)
        for i in range(start, len(due)):
            d = due[i]
            best = max([best, *((i, j) for j in reach)], key=_progress)
            matched = {j + 1 for j in reach if j < len(given) and self._pairs(d, given[j])}
            skipped = set() if d.t >= self._t_s else reach
            reach = _skip_given(matched | skipped, given, i + 1, ends)
            if not reach:
                return best
        if len(given) in reach:
            return None
        return max([best, *((len(due), j) for j in reach)], key=_progress)

    def _parted(
        self, due: Sequence[ExpectedAnswer[C]], given: Sequence[ReceivedAnswer], at: tuple[int, int]
    ) -> Alignment:
        """The difference at the place that no pairing passes."""
        i, j = at
        wanted = next((d for d in due[i:] if d.t >= self._t_s), None)
        offered = next((g for g in given[j:] if g.required), None)
        if wanted is not None and not any(g.required for g in given):
            came = any(self._pairs(d, g) for d in due if d.t >= self._t_s for g in given)
            return Alignment(False, i, wanted.t, Kind.MISSING if came else Kind.SILENT)
        if self._timed and any(g.stamp is None for g in given):
            return Alignment(False, i, None if wanted is None else wanted.t, Kind.INSTANT)
        if wanted is None:
            left = given[j].stamp if offered is None else offered.stamp
            return Alignment(False, i, None if left is None else int(left), Kind.EXTRA)
        if offered is None:
            return Alignment(False, i, wanted.t, Kind.MISSING)
        left = sum(g.required or g.late for g in given[j:])
        required = [d for d in due[i:] if d.t >= self._t_s]
        if left < len(required) and any(self._pairs(d, offered) for d in required):
            # It is another one that is due, and fewer came.
            return Alignment(False, i, wanted.t, Kind.MISSING)
        difference = self._difference(wanted, offered)
        near = self._near(wanted, offered)
        more = difference is None and not near and left > len(required)
        came_too = more and any(self._pairs(wanted, g) for g in given)
        if near or (difference is None and not came_too):
            return Alignment(False, i, wanted.t, difference or Kind.INSTANT)
        assert offered.stamp is not None
        if wanted.stamp < offered.stamp and not came_too:
            return Alignment(False, i, wanted.t, Kind.MISSING)
        return Alignment(False, i, int(offered.stamp), Kind.EXTRA)


def _progress(at: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    return sum(at), at


def _skip_given(
    reach: set[int], given: Sequence[ReceivedAnswer], settled: int, ends: tuple[int, int]
) -> set[int]:
    """The places that are reached, with those reached by leaving out answers that may be left out.

    Args:
        reach: the places that are reached.
        given: the received answers.
        settled: the number of expected answers that are settled.
        ends: the places of the first and the last expected answer that is required.
    """
    first_required, last_required = ends
    reached = set(reach)
    top = max(reach, default=-1)
    for j in range(min(reach, default=len(given)), len(given)):
        if j > top:
            break
        spare = given[j].late and settled > last_required
        optional = not given[j].required and (not given[j].early or settled <= first_required)
        if j in reached and (spare or optional):
            reached.add(j + 1)
            top = max(top, j + 1)
    return reached
