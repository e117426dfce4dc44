"""How long an engine may hang, crash and be shrunk before the run goes on without it.

A case that hangs costs its whole time limit, one that kills the driver a restart. What may be
spent on them is bounded for each property, and an engine that never answers ends the run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.suite.tally import Tally

LOST = frozenset({"timeout", "died", "protocol-error"})
"""Kinds of failure that cost the driver its life."""

MOST_LOST = 10
"""So many lost cases a property bears while it asks its cases, ..."""
MOST_SECONDS = 60.0
"""... and so many seconds spent on them, and ..."""
MOST_IN_ALL = 300.0
"""... beyond so many in the whole run, one lost case a property."""
SHRINKING = 60.0
"""Seconds for shrinking, for each kind of failure that a property shows."""
SILENT_PROPERTIES = 3
"""An engine that has answered no case of so many properties is given up."""


@dataclass(slots=True)
class Budget:
    """What is left of a run's patience.

    ``shrinking`` is the budget for each kind of failure, in seconds.
    """

    shrinking: float = SHRINKING
    lost_seconds: float = 0.0
    answered: bool = False
    _silent: dict[str, int] = field(default_factory=dict)
    _deadlines: dict[str, float] = field(default_factory=dict)
    _kinds: dict[str, set[str]] = field(default_factory=dict)

    def ends(self, tally: Tally, until: float | None) -> str:
        """Why a property asks its cases no further, in a few words; empty where it goes on."""
        if until is not None and time.monotonic() >= until:
            return "the time was up"
        unanswered = bool(self._silent) and not (self.answered or tally.answered)
        strict = unanswered or self.lost_seconds + tally.lost_seconds > MOST_IN_ALL
        if tally.lost >= (1 if strict else MOST_LOST) or tally.lost_seconds >= MOST_SECONDS:
            return f"the engine hung or died on {tally.lost}"
        return ""

    def learn(self, property_name: str, tally: Tally) -> None:
        """Take note of what asking a property's cases cost.

        Raises EngineBroken where the engine has not answered a case of several properties.
        """
        self.lost_seconds += tally.lost_seconds
        self.answered = self.answered or bool(tally.answered)
        if self.answered or not tally.lost:
            return
        self._silent[property_name] = tally.lost
        if len(self._silent) >= SILENT_PROPERTIES:
            raise EngineBroken(
                f"the engine hung or died on every one of its first {sum(self._silent.values())} "
                f"cases, of {len(self._silent)} properties"
            )

    def failed(self, property_name: str, kind: str) -> None:
        """Take note of a failure: shrinking begins, and has more time for each new kind."""
        kinds = self._kinds.setdefault(property_name, set())
        if kind in kinds:
            return
        kinds.add(kind)
        start = max(time.monotonic(), self._deadlines.get(property_name, 0.0))
        hopeless = len(self._silent) > 1 and not self.answered
        self._deadlines[property_name] = start + (0.0 if hopeless else self.shrinking)

    def has_failed(self, property_name: str) -> bool:
        """Whether a property has failed already."""
        return property_name in self._kinds

    def shrunk_enough(self, property_name: str) -> bool:
        """Whether a property's time for shrinking is over."""
        deadline = self._deadlines.get(property_name)
        return deadline is not None and time.monotonic() >= deadline
