"""Answers that wait for the clock of their window (dial ``clock = own``; SEMANTICS 6).

Time passes for a window by the arrivals of its own stream, so what is evaluated at an instant is
given out when one of these comes that is late enough. Evaluations of windows over several streams
may be overtaken by later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rsp_conformance.adapters.reference.window import Arrival

StreamSets: TypeAlias = "tuple[frozenset[str | None], ...]"
"""Sets of streams: an arrival on every stream of one of them is enough. None is any stream."""


@dataclass(slots=True)
class _Waiting:
    """An answer, the earliest instant of an arrival that gives it out, and those that have come."""

    answer: dict[str, Any]
    due: int
    alternatives: StreamSets
    came: dict[str | None, tuple[int, int]] = field(default_factory=dict)

    def see(self, stream: str, position: int, t: int) -> None:
        """An arrival on STREAM: by its POSITION, and when it came."""
        if t >= self.due:
            self.came.setdefault(stream, (position, t))
            self.came.setdefault(None, (position, t))

    def trigger(self) -> tuple[int, int] | None:
        """Position and instant of the arrival that gives it out; None while there is none."""
        full = [streams for streams in self.alternatives if streams <= self.came.keys()]
        return min((max(self.came[s] for s in streams) for streams in full), default=None)


class OwnClocks:
    """The answers that wait."""

    def __init__(self) -> None:
        self._recent: list[Arrival] = []
        self._waiting: list[_Waiting] = []

    def wait(self, answer: dict[str, Any], due: int, alternatives: StreamSets) -> None:
        """Let ANSWER wait for arrivals at DUE or later on all streams of one of ALTERNATIVES."""
        waiting = _Waiting(answer, due, alternatives)
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
                waiting.see(stream, self._beyond() + place, max(until, waiting.due))

    def _beyond(self) -> int:
        return self._recent[-1].position + 1 if self._recent else 0

    def given_out(self, stamp: Callable[[int], int]) -> list[dict[str, Any]]:
        """The answers that need not wait any more, in order; STAMP says when one was triggered."""
        found = [(waiting, waiting.trigger()) for waiting in self._waiting]
        ready = sorted(
            ((trigger, waiting) for waiting, trigger in found if trigger is not None),
            key=lambda pair: pair[0],
        )
        self._waiting = [waiting for waiting, trigger in found if trigger is None]
        return [{**waiting.answer, "t": stamp(trigger[1])} for trigger, waiting in ready]
