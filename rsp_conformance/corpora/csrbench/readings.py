"""Readings of a recording: what its stamps and its relations stand for.

A recording says when a machine wrote an answer down. A reading turns that into instants: it may
take each stamp for the second of the stream that it falls in, shift all stamps by a second, allow
stamps to be off, and take the relations of one instant for one evaluation. Nothing of it is
silent: a reading says by how much it moves stamps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from rsp_conformance.corpora.csrbench.agreement import len_of
from rsp_conformance.corpora.csrbench.data import SECOND
from rsp_conformance.corpora.csrbench.recordings import Recorded
from rsp_conformance.model.answers import Content, Observed, Rows, rows_from_solutions

CLOCKS = ("recorded", "floor", "round", "ceil")
"""How a stamp becomes the second that it stands for; ``recorded`` keeps it."""
OFFSETS = (0, -SECOND, SECOND)
"""Milliseconds added to every stamp."""

_ROUNDED = {
    "floor": "each stamp stands for the second that it falls in",
    "round": "each stamp stands for the nearest second",
    "ceil": "each stamp stands for the next whole second",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How stamps and relations are read.

    ``clock`` is one of CLOCKS, ``offset`` is in milliseconds; under ``together`` neighbouring
    relations of one instant are one evaluation; ``tolerance`` is by how many milliseconds a stamp
    may then be off its evaluation's instant. ``moved`` is the most that the clock moved a stamp by.
    """

    clock: str = "recorded"
    offset: int = 0
    together: bool = False
    tolerance: int = 0
    moved: Fraction = Fraction(0)

    @property
    def departures(self) -> int:
        """In how many ways the reading departs from taking the recording as it is."""
        parts = (self.clock != "recorded", self.offset, self.together, self.tolerance)
        return sum(map(bool, parts))

    def text(self) -> str:
        """The reading in words, with every tolerance."""
        parts = []
        if self.clock != "recorded":
            parts.append(f"{_ROUNDED[self.clock]} (moved by at most {_ms(self.moved)} ms)")
        if self.offset:
            late = "late" if self.offset < 0 else "early"
            parts.append(f"each stamp is {abs(self.offset)} ms {late}")
        if self.tolerance:
            parts.append(f"stamps may be off by {self.tolerance} ms")
        if self.together:
            parts.append("relations of one instant are one evaluation")
        return ", ".join(parts) or "stamps and relations as recorded"


def _ms(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def as_recorded(recording: Sequence[Recorded], unit: int) -> tuple[Observed, ...]:
    """The recording with its stamps in instants of UNIT milliseconds, nothing moved."""
    return tuple(
        Observed(_instant(answer.stamp, unit), answer.rows, answer.cause) for answer in recording
    )


def readings(
    recording: Sequence[Recorded], unit: int
) -> Iterator[tuple[Reading, tuple[Observed, ...]]]:
    """Every reading without tolerance, with what it makes of RECORDING, the plainest first.

    Readings that make the same of it are given once.
    """
    seen: set[tuple[object, ...]] = set()
    for together in (False, True):
        for offset in OFFSETS:
            for clock in CLOCKS:
                reading, observed = _read(recording, Reading(clock, offset, together), unit)
                # Rows keep their order, so where they are cut says all.
                key = tuple((answer.t, len_of(answer.content)) for answer in observed)
                if key not in seen:
                    seen.add(key)
                    yield reading, observed


def _read(
    recording: Sequence[Recorded], reading: Reading, unit: int
) -> tuple[Reading, tuple[Observed, ...]]:
    moved = Fraction(0)
    observed: list[Observed] = []
    for answer in recording:
        stamp = answer.stamp
        if stamp is not None:
            second = _clocked(Fraction(stamp), reading.clock)
            moved = max(moved, abs(second - stamp))
            stamp = second + reading.offset
        t = _instant(stamp, unit)
        if reading.together and observed and t is not None and observed[-1].t == t:
            observed[-1] = replace(observed[-1], content=_joined(observed[-1].content, answer.rows))
        else:
            observed.append(Observed(t, answer.rows, answer.cause))
    return replace(reading, moved=moved), tuple(observed)


def _clocked(stamp: Fraction, clock: str) -> Fraction:
    seconds = stamp / SECOND
    match clock:
        case "floor":
            return Fraction(floor(seconds) * SECOND)
        case "round":
            return Fraction(floor(seconds + Fraction(1, 2)) * SECOND)
        case "ceil":
            return Fraction(ceil(seconds) * SECOND)
        case _:
            return stamp


def _instant(stamp: int | Fraction | None, unit: int) -> int | Fraction | None:
    if stamp is None:
        return None
    instant = Fraction(stamp) / unit
    return int(instant) if instant.denominator == 1 else instant


def _joined(one: Content, other: Rows) -> Rows:
    assert isinstance(one, Rows)
    return rows_from_solutions((*one.solutions(), *other.solutions()), one.variables)
