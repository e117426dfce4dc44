"""The work on one property: the result of drawing, asking and judging its trials."""

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
    """The result of drawing, asking and judging the trials of one property.

    Attributes:
        property: the property.
        records: its records, in the order of the answers.
        cut: why not all trials were asked.
        undrawn: how many trials were not even drawn then.
        stopped: why the property was stopped from outside, such as by a time limit of pytest's.
        broken: why the engine can't be asked any more, if it was lost in this property.
        losses: the cases that the engine did not survive, or not answer in time, by their kind.
        seconds: the time on the clock by the phase that took it.
        begins: whether it is the first part of the work. A ledger's earlier work on the property
            then belongs to a run of it that no longer counts.
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
    begins: bool = False
    is_whole: bool = False
    started: float = field(default_factory=time.perf_counter)

    @builtins.property
    def compared(self) -> int:
        """The number of drawn trials that were compared with expected answers."""
        return sum(own.counts and own.outcome.compares for own in self.records)

    def part(self, records: Sequence[Record]) -> Work:
        """Return the part of the work that has only some records."""
        return Work(self.property, [*records])

    def joined(self, more: Work) -> Work:
        """Return the work with a further part, in which trials that were not asked are asked."""
        return replace(more, records=[*self._those_asked(), *more.records])

    def resumed(self) -> Work:
        """Return the work to go on with.

        Unless the work is whole, trials that were not asked are asked now.
        """
        if self.is_whole:
            return self
        return Work(self.property, self._those_asked(), seconds=self.seconds)

    def _those_asked(self) -> list[Record]:
        return [own for own in self.records if own.outcome is not Outcome.UNASKED]
