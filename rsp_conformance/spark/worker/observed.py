"""The received answers as they are compared (SEMANTICS 5; decisions 18 to 23).

An answer is judged with the evaluations of its stamp. Answers that elements after ``until`` may
have triggered wait for the end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from rsp_conformance.model.answers import Observed
from rsp_conformance.spark.worker.alignment import ReceivedAnswer
from rsp_conformance.spark.worker.registered import RegisteredQuery


class ElementTimes:
    """When the element of a number came: exactly for late ones, roughly for those long gone."""

    def __init__(self, times: Sequence[int] = ()) -> None:
        self._times = list(times)
        self._gone = 0
        self._marks: list[tuple[int, int]] = []
        """Of every stretch that was forgotten, its first element: number and instant."""

    def __len__(self) -> int:
        """The number of elements that have come."""
        return self._gone + len(self._times)

    def add(self, times: Sequence[int]) -> None:
        """Add the instants of further elements."""
        self._times += times

    def at(self, number: int) -> int | None:
        """When the element of a number came; None if it has not.

        For an element that is no longer held: when the stretch began in which it came.
        """
        if number >= len(self):
            return None
        if number >= self._gone:
            return self._times[number - self._gone]
        return self._marks[max(0, bisect_right(self._marks, number, key=itemgetter(0)) - 1)][1]

    def drop(self, upto: int) -> None:
        """Forget the elements that came up to an instant."""
        gone = bisect_right(self._times, upto)
        if gone:
            self._marks.append((self._gone, self._times[0]))
            self._gone += gone
            del self._times[:gone]

    def after(self, t: int) -> list[int]:
        """The instants of the last elements that came after an instant."""
        return self._times[bisect_right(self._times, t) :]


class AnswersToJudge(NamedTuple):
    """Answers that are to be judged.

    Attributes:
        given: the answers, in order.
        late: the instants of further answers that had to be matched, whose instants were judged
            before they came.
    """

    given: list[ReceivedAnswer]
    late: list[int]


class PendingAnswers:
    """The received answers that are not judged yet.

    Args:
        query: the query.
        t_s: the instant from which answers are compared.
        times: the instants of elements.
        all_count: whether answers that appended elements may have triggered have to be matched,
            too.

    Attributes:
        early: how many answers from the evaluations before t_s may still come.
        open_to: up to which stamp they may; None for none.
        required: how many answers had to be matched until now.
        untimed: how many had no instant.
    """

    def __init__(
        self, query: RegisteredQuery, t_s: int, times: ElementTimes, *, all_count: bool = False
    ) -> None:
        self.early = 0
        self.open_to: int | None = None
        self.required = 0
        self.untimed = 0
        self._query = query
        self._until = query.registration.until
        self._t_s = t_s
        self._times = times
        self._answers: list[tuple[int, Observed]] = []
        self._number = 0
        self._all_count = all_count
        self._judged: int | None = None

    def add(self, observed: Sequence[Observed]) -> None:
        """Take further answers, in order of emission."""
        self._answers += enumerate(observed, self._number)
        self._number += len(observed)

    def take(self, upto: int, *, end: bool = False) -> AnswersToJudge:
        """Take the answers that can be judged.

        Args:
            upto: the last stamp of these.
            end: whether to take all that are left.
        """
        taken: list[ReceivedAnswer] = []
        late: list[int] = []
        waiting: list[tuple[int, Observed]] = []
        room = self._room() if end and not self._all_count else 0
        for place, answer in self._answers:
            stamp = self._stamp(answer, end)
            if not end and self._waits(answer, stamp, upto):
                waiting.append((place, answer))
                continue
            at_end = self._number - place <= room and self._is_triggered(answer)
            given = self._given(place, answer, stamp, at_end=at_end)
            self.required += given.required
            self.untimed += stamp is None
            if stamp is None or self._judged is None or stamp > self._judged:
                taken.append(given)
            elif given.required:
                late.append(int(stamp))
        self._answers = waiting
        self._judged = upto
        # The order of emission decides among answers of one instant only; no instant comes last.
        taken.sort(key=lambda one: (one.stamp is None, one.stamp or 0))
        return AnswersToJudge(taken, late)

    def _waits(self, answer: Observed, stamp: int | Fraction | None, upto: int) -> bool:
        """Whether the answer is not judged yet."""
        if stamp is not None:
            return stamp > upto
        # Its element is still to come, or it may have been set off at the end. Else no instant
        # can be had, and that is wrong whatever comes.
        return self._query.arrival and (answer.cause is not None or self._is_triggered(answer))

    def _stamp(self, answer: Observed, end: bool) -> int | Fraction | None:
        """The instant that the answer is compared at, as far as it is known."""
        if self._query.dials.answer_time == "none":
            return None
        if answer.t is not None or not self._query.arrival or answer.cause is None:
            return answer.t
        at = self._times.at(answer.cause) if isinstance(answer.cause, int) else None
        if at is not None:
            return at
        # Set off by an element that the kit appended, unless the element is still to come.
        return self._until if end or answer.cause == "end" else None

    def _given(
        self, place: int, answer: Observed, stamp: int | Fraction | None, *, at_end: bool
    ) -> ReceivedAnswer:
        """An answer as it is compared; at the end, appended elements may have triggered it."""
        arrival = self._query.arrival
        if self._query.dials.answer_time == "none":
            early, compared, spare = self.early > 0, True, at_end
        else:
            beyond = stamp is not None and stamp > self._until
            if beyond and arrival:
                # A later stamp is that of an appended element, which counts as until.
                stamp = self._until
            compared = stamp is None or (stamp >= self._t_s and (arrival or not beyond))
            spare = arrival and (at_end or (beyond and not self._all_count)) and compared
            early = (
                stamp is not None
                and self.open_to is not None
                and self._t_s <= stamp <= self.open_to
                and self.early > 0
            )
        self.early -= early
        compared = compared and not early
        if self._query.own_clocks:
            # Those of one clock may come before others of another; no instant comes last in any.
            required = compared and (stamp is None or not spare)
            return ReceivedAnswer(stamp, answer.content, place, required, spare)
        return ReceivedAnswer(stamp, answer.content, place, compared, spare, early)

    def _room(self) -> int:
        """The most answers that the elements after ``until`` may have triggered (decision 22)."""
        after = self._times.after(self._until)
        end = max([self._until + 1, *after])
        return end - self._until + len(after) + len(self._query.registration.streams)

    def _is_triggered(self, answer: Observed) -> bool:
        """Whether an element that was appended may have triggered an answer (decision 22)."""
        if isinstance(answer.cause, int):
            return answer.cause >= len(self._times)
        if self._query.dials.advances != "elements":
            return False
        return answer.cause == "end" or answer.t is None or answer.t > self._until
