"""The work on one property: what drawing, asking and judging its trials came to."""

from __future__ import annotations

import builtins
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rsp_conformance.model.outcome import Outcome
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record


@dataclass(slots=True)
class Work:
    """What drawing, asking and judging the trials of one property came to.

    Attributes:
        property: the property.
        records: its records, in the order of the answers.
        cut: why not all trials were asked.
        undrawn: how many trials were not even drawn then.
        stopped: why the property was stopped from outside, such as by a time limit of pytest's.
        broken: why the engine can't be asked any more, if it was lost in this property.
        losses: the cases that the engine did not survive, or not answer in time, by their kind.
        seconds: the time on the clock by what it was spent on.
        begins: whether it is the first part of the work: what a ledger holds of the property
            before is of a run of it that counts no more.
        is_whole: whether no trial is to be asked any more, also if the run is resumed.
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
    begins: bool = False
    is_whole: bool = False
    started: float = field(default_factory=time.perf_counter)

    @builtins.property
    def compared(self) -> int:
        """How many of the trials that were drawn tell something of the engine."""
        return sum(own.counts and own.outcome.compares for own in self.records)

    def part(self, records: Sequence[Record]) -> Work:
        """Return the part of the work that is some of its records."""
        return Work(self.property, [*records])

    def joined(self, more: Work) -> Work:
        """Return the work with a further part of it, in which what was not asked is asked."""
        return replace(more, records=[*self._those_asked(), *more.records])

    def resumed(self) -> Work:
        """Return the work as it goes on: what was not asked is asked now, if it is not whole."""
        if self.is_whole:
            return self
        return Work(self.property, self._those_asked(), seconds=self.seconds)

    def _those_asked(self) -> list[Record]:
        return [own for own in self.records if own.outcome is not Outcome.UNASKED]
