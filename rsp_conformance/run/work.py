"""The work on one property: what drawing, asking and judging its trials came to."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

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
    started: float = field(default_factory=time.perf_counter)
