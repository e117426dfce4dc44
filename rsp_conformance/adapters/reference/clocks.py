"""Answers that wait for the clock of their window (dial ``clock = own``; SEMANTICS 6).

Time passes for a window only by the elements of its own stream. So the answer of an evaluation is
sent when one of these is late enough, and the answers of windows over several streams may be sent
after those of later evaluations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rsp_conformance.adapters.reference.due import Due
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.answers import Content

Trigger = tuple[int, int]
"""The position in the input of the element that releases an answer, and its instant."""


@dataclass(slots=True)
class _Waiting:
    """An answer that waits.

    There is no answer if it is empty, or if the evaluation is carried out later.

    Attributes:
        due: the evaluation.
        answer: its answer.
        since: the earliest instant of an element that can release it.
        seen: the position of the last element that the evaluation has seen; -1 if there is none.
        came: the first such element of each stream, and of any stream (the key None).
    """

    due: Due
    answer: Content | None
    since: int
    seen: int
    came: dict[str | None, tuple[int, int]] = field(default_factory=dict)

    def see(self, stream: str, position: int, t: int) -> None:
        """Note an arrival that may release the answer.

        Args:
            stream: the stream on which it came.
            position: its position among all arrivals.
            t: its instant.
        """
        if t >= self.since:
            self.came.setdefault(stream, (position, t))
            self.came.setdefault(None, (position, t))

    def trigger(self) -> Trigger | None:
        """Return the element that makes the evaluation due, or None if there is none yet."""
        full = [streams for streams in self.due.seen_by if streams <= self.came.keys()]
        if not full:
            return None
        return min(max(self.came[s] for s in streams) for streams in full)

    def release(self) -> Trigger | None:
        """Return the element that releases the answer, or None if there is none yet.

        An evaluation comes no sooner than the last element that it has seen.
        """
        trigger = self.trigger()
        return trigger and (max(trigger[0], self.seen), trigger[1])


class OwnClocks:
    """The answers that wait."""

    def __init__(self) -> None:
        self._recent: list[Arrival] = []
        self._waiting: list[_Waiting] = []

    def wait(self, due: Due, answer: Content | None, since: int) -> None:
        """Let the answer of an evaluation wait for elements.

        Args:
            due: the evaluation.
            answer: its answer; None if it has none.
            since: the earliest instant of an element that can release it.
        """
        waiting = _Waiting(due, answer, since, self._beyond() - 1)
        for arrival in self._recent:
            waiting.see(arrival.stream, arrival.position, arrival.t)
        self._waiting.append(waiting)

    def come(self, arrival: Arrival) -> None:
        """Note an element. Only elements from the instant before on can still release an answer."""
        self._recent = [a for a in self._recent if a.t >= arrival.t - 1]
        self._recent.append(arrival)
        for waiting in self._waiting:
            waiting.see(arrival.stream, arrival.position, arrival.t)

    def end(self, until: int, streams: Sequence[str]) -> None:
        """Let the time pass on all streams, one by one."""
        for waiting in self._waiting:
            for place, stream in enumerate(streams):
                waiting.see(stream, self._beyond() + place, max(until, waiting.since))

    def _beyond(self) -> int:
        return self._recent[-1].position + 1 if self._recent else 0

    def given_out(self) -> list[tuple[Trigger, Due, Content | None]]:
        """Return the answers that need not wait any more, in order, each with its trigger."""
        return self._given_out([(waiting, waiting.release()) for waiting in self._waiting])

    def due_before(self, t: int) -> list[tuple[Trigger, Due, Content | None]]:
        """Return the answers that elements before t make due, each with the element that does."""
        found = [(waiting, waiting.trigger()) for waiting in self._waiting]
        return self._given_out([(w, own if own and own[1] < t else None) for w, own in found])

    def _given_out(
        self, found: Sequence[tuple[_Waiting, Trigger | None]]
    ) -> list[tuple[Trigger, Due, Content | None]]:
        self._waiting = [waiting for waiting, trigger in found if trigger is None]
        ready = [(trigger, w.due, w.answer) for w, trigger in found if trigger is not None]
        return sorted(ready, key=lambda released: released[0])
