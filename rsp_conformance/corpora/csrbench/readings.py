"""Readings of a recording: what its stamps and its relations stand for.

A recording says when a machine wrote an answer down. A reading turns that into instants: it may
take each stamp for the second of the stream that it falls in, shift all stamps by a second, allow
stamps to be off, and take the relations of one instant for one evaluation. Nothing of it is
silent: a reading says by how much it moves stamps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

from rsp_conformance.corpora.csrbench.benchmark import SECOND, Recording
from rsp_conformance.model.answers import Observed
from rsp_conformance.sparql.compare.contents import joined

CLOCKS: dict[str, tuple[str, Callable[[Fraction], int]]] = {
    "floor": ("the second that it falls in", floor),
    "round": ("the nearest second", lambda seconds: floor(seconds + Fraction(1, 2))),
    "ceil": ("the next whole second", ceil),
}
"""The second that a stamp may stand for, in words and by its number of seconds."""

OFFSETS = (0, -SECOND, SECOND)
"""Milliseconds added to every stamp."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How stamps and relations are read.

    ``clock`` is one of CLOCKS, or empty where stamps are kept; ``offset`` is in milliseconds; under
    ``together`` neighbouring relations of one instant are one evaluation; ``tolerance`` is by how
    many milliseconds a stamp may then be off its evaluation's instant. ``moved`` is the most that
    the clock moved a stamp by.
    """

    clock: str = ""
    offset: int = 0
    together: bool = False
    tolerance: int = 0
    moved: Fraction = Fraction(0)

    @property
    def departures(self) -> int:
        """In how many ways the reading departs from taking the recording as it is."""
        return sum(map(bool, (self.clock, self.offset, self.together, self.tolerance)))

    def text(self) -> str:
        """The reading in words, with every tolerance."""
        parts = []
        if self.clock:
            words, _ = CLOCKS[self.clock]
            most = f"{float(self.moved):g}" if self.moved.denominator > 1 else str(self.moved)
            parts.append(f"each stamp stands for {words} (moved by at most {most} ms)")
        if self.offset:
            late = "late" if self.offset < 0 else "early"
            parts.append(f"each stamp is {abs(self.offset)} ms {late}")
        if self.tolerance:
            parts.append(f"stamps may be off by {self.tolerance} ms")
        if self.together:
            parts.append("relations of one instant are one evaluation")
        return ", ".join(parts) or "stamps and relations as recorded"


def readings(recording: Recording, unit: int) -> Iterator[tuple[Reading, tuple[Observed, ...]]]:
    """Every reading without tolerance, with what it makes of RECORDING, the plainest first.

    Instants are of UNIT milliseconds. Readings that make the same of it are given once.
    """
    seen: set[tuple[Observed, ...]] = set()
    for together, offset, clock in product((False, True), OFFSETS, ("", *CLOCKS)):
        reading, observed = read(recording, Reading(clock, offset, together), unit)
        if observed not in seen:
            seen.add(observed)
            yield reading, observed


def read(recording: Recording, reading: Reading, unit: int) -> tuple[Reading, tuple[Observed, ...]]:
    """READING with what it moves, and what it makes of RECORDING; UNIT is as for ``readings``."""
    moved = Fraction(0)
    observed: list[Observed] = []
    for answer in recording:
        t = answer.t
        if t is not None:
            stamp = Fraction(t)
            if reading.clock:
                _, second = CLOCKS[reading.clock]
                stamp = Fraction(second(stamp / SECOND) * SECOND)
            moved = max(moved, abs(stamp - t))
            instant = (stamp + reading.offset) / unit
            t = int(instant) if instant.denominator == 1 else instant
        if reading.together and observed and t is not None and observed[-1].t == t:
            both = joined([observed[-1].content, answer.content])
            observed[-1] = replace(observed[-1], content=both)
        else:
            observed.append(replace(answer, t=t))
    return replace(reading, moved=moved), tuple(observed)
