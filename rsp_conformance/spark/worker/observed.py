"""What an engine answered, as it is compared (SEMANTICS 5; decisions 18 to 23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from rsp_conformance.model.answers import Observed
from rsp_conformance.spark.worker.alignment import GivenAnswer
from rsp_conformance.spark.worker.registered import Arrival, RegisteredQuery


class Given:
    """The answers OBSERVED to a QUERY over all ARRIVALS.

    FIRST_APPENDED is the least ``cause`` that is an element appended after the case's own.
    """

    def __init__(
        self,
        query: RegisteredQuery,
        arrivals: Sequence[Arrival],
        observed: Sequence[Observed],
        first_appended: int,
    ) -> None:
        self._query, self._arrivals = query, arrivals
        self._observed, self._first_appended = observed, first_appended
        self._a, self._until = query.registration.registered, query.registration.until

    def answers(self, t_s: int) -> list[GivenAnswer]:
        """The answers in the order in which they are compared from T_S on."""
        tests = self._tests(t_s)
        late = self._set_off_at_end()
        if self._query.dials.answer_time == "none":
            return [
                GivenAnswer(None, answer.content, n, n >= tests, late[n], n < tests)
                for n, answer in enumerate(self._observed)
            ]
        arrival = self._query.arrival
        moments = [element.t for element in self._arrivals]
        open_to = self._query.stamp(t_s - 1, moments) if arrival and t_s > self._a else t_s - 1
        given = []
        for n, answer in enumerate(self._observed):
            stamp = self._stamp(answer)
            beyond = stamp is not None and stamp > self._until
            if beyond and arrival:
                # A later stamp is that of an appended element, which counts as until.
                stamp = self._until
            # What an evaluation in [a, t_s) may have given comes first, at most one a test point.
            early = arrival and stamp is not None and t_s <= stamp <= open_to and tests > 0
            tests -= early
            compared = stamp is None or (stamp >= t_s and (arrival or not beyond))
            spare = arrival and (late[n] or beyond) and compared
            given.append(
                GivenAnswer(stamp, answer.content, n, compared and not early, spare, early)
            )
        # The order of emission decides among answers of one instant only.
        given.sort(key=lambda one: self._until + 1 if one.stamp is None else one.stamp)
        return given

    def _tests(self, t_s: int) -> int:
        """How many test points the policy has in [a, t_s) (decision 23)."""
        ticks = Counter(range(self._a, t_s))
        if self._query.stepwise:
            streams = {window.stream for window in self._query.windows}
            ticks |= Counter([e.t for e in self._arrivals if e.stream in streams and e.t < t_s])
        return ticks.total()

    def _stamp(self, answer: Observed) -> int | Fraction | None:
        """The instant at which ANSWER is compared; under ``arrival`` its cause's if need be."""
        if answer.t is not None or not self._query.arrival or answer.cause is None:
            return answer.t
        if isinstance(answer.cause, int) and answer.cause < self._first_appended:
            return self._arrivals[answer.cause].t
        return self._until

    def _set_off_at_end(self) -> list[bool]:
        """For each answer, whether appended elements may have caused it (decision 22).

        Only the last ones can be: one for each instant and each element after ``until``.
        """
        if self._query.dials.answer_time == "evaluation":
            return [False] * len(self._observed)
        following = [arrival.t for arrival in self._arrivals if arrival.t > self._until]
        end = max(following, default=self._until + 1)
        room = end - self._until + len(following) + self._query.registration.streams
        count = len(self._observed)
        return [
            count - n <= room and set_off(answer, self._query, self._first_appended)
            for n, answer in enumerate(self._observed)
        ]


def set_off(answer: Observed, query: RegisteredQuery, first_appended: int) -> bool:
    """Whether an element that was appended may have caused ANSWER (decision 22)."""
    if isinstance(answer.cause, int):
        return answer.cause >= first_appended
    if query.dials.advances != "elements":
        return False
    until = query.registration.until
    return answer.cause == "end" or answer.t is None or answer.t > until
