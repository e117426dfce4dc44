"""Answers that wait for the clock of their window (dial ``clock = own``; SEMANTICS 6).

Time passes for a window by the arrivals of its own stream, so what is evaluated at an instant is
given out when one of these comes that is late enough. Evaluations of windows over several streams
may be overtaken by later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rsp_conformance.adapters.reference.due import Due
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.answers import Content

Trigger = tuple[int, int]
"""The position in the input of the arrival that gives an answer out, and when it came."""


@dataclass(slots=True)
class _Waiting:
    """What waits, the earliest instant of an arrival that gives it out, and those that have come.

    The answer is None where it is empty, or where the evaluation is carried out later.
    """

    due: Due
    answer: Content | None
    since: int
    came: dict[str | None, tuple[int, int]] = field(default_factory=dict)

    def see(self, stream: str, position: int, t: int) -> None:
        """An arrival on STREAM: by its POSITION, and when it came."""
        if t >= self.since:
            self.came.setdefault(stream, (position, t))
            self.came.setdefault(None, (position, t))

    def trigger(self) -> Trigger | None:
        """The arrival that gives it out; None while there is none."""
        full = [streams for streams in self.due.seen_by if streams <= self.came.keys()]
        return min((max(self.came[s] for s in streams) for streams in full), default=None)


class OwnClocks:
    """The answers that wait."""

    def __init__(self) -> None:
        self._recent: list[Arrival] = []
        self._waiting: list[_Waiting] = []

    def wait(self, due: Due, answer: Content | None, since: int) -> None:
        """Let DUE and its ANSWER wait for arrivals from SINCE on that make it seen."""
        waiting = _Waiting(due, answer, since)
        for arrival in self._recent:
            waiting.see(arrival.stream, arrival.position, arrival.t)
        self._waiting.append(waiting)

    def come(self, arrival: Arrival) -> None:
        """Something came. Only what came from the instant before on can still be asked for."""
        self._recent = [a for a in self._recent if a.t >= arrival.t - 1]
        self._recent.append(arrival)
        for waiting in self._waiting:
            waiting.see(arrival.stream, arrival.position, arrival.t)

    def end(self, until: int, streams: Sequence[str]) -> None:
        """Time passes on all STREAMS, one after the other."""
        for waiting in self._waiting:
            for place, stream in enumerate(streams):
                waiting.see(stream, self._beyond() + place, max(until, waiting.since))

    def _beyond(self) -> int:
        return self._recent[-1].position + 1 if self._recent else 0

    def given_out(self) -> list[tuple[Trigger, Due, Content | None]]:
        """What need not wait any more, in order, each with what gives it out."""
        found = [(waiting, waiting.trigger()) for waiting in self._waiting]
        self._waiting = [waiting for waiting, trigger in found if trigger is None]
        ready = [(trigger, w.due, w.answer) for w, trigger in found if trigger is not None]
        return sorted(ready, key=lambda given: given[0])
