"""The work on one property: the result of drawing, asking and judging its trials."""

from __future__ import annotations

import builtins
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record


@dataclass(frozen=True, slots=True)
class Begun:
    """A property is asked from now on.

    Attributes:
        property: the property's name.
        resumed: whether its records so far count, except for trials that were not asked. If not,
            they no longer count, nor do its failures.
    """

    property: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The failures of a property are taken back, since the kit's judges differ on it.

    Attributes:
        property: the property's name.
        reason: on what they differ.
    """

    property: str
    reason: str


@dataclass(slots=True)
class Work:
    """The result of drawing, asking and judging the trials of one property.

    Attributes:
        property: the property.
        records: its records, in the order of the answers; a ledger has them apart.
        cut: why not all trials were asked.
        undrawn: how many trials were not even drawn then.
        stopped: why the property was stopped from outside, such as by a time limit of pytest's.
        broken: why the engine can't be asked any more, if it was lost in this property.
        losses: the cases that the engine did not survive, or not answer in time, by their kind.
        seconds: the time on the clock by the phase that took it.
        is_whole: whether no trial is to be asked any more, even if the run is resumed.
        started: when it began (``time.perf_counter()``).
    """

    property: Property
    records: list[Record] = field(default_factory=list)
    cut: str = ""
    undrawn: int = 0
    stopped: str = ""
    broken: str = ""
    losses: Mapping[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    is_whole: bool = False
    started: float = field(default_factory=time.perf_counter)

    @builtins.property
    def compared(self) -> int:
        """The number of drawn trials that were compared with expected answers."""
        return sum(own.counts and own.outcome.compares for own in self.records)
