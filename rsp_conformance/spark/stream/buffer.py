"""One long stream that comes in chunks, handed to the plan in pieces.

What a window can still look back to is held, and nothing else, so memory does not grow with the
stream. A chunk is cut by time into pieces that overlap by as much as a window looks back; an
element is in two pieces at most where a piece is longer than that, whatever |Z| and however many
windows hold it. From there on the plan is that of a batch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.spark.batch.element_texts import ElementTexts, StreamTexts
from rsp_conformance.spark.batch.encode import (
    CASE_FIELDS,
    PIECE_FIELDS,
    Described,
    table,
)
from rsp_conformance.spark.worker.relations import SOLUTIONS

_CARRIED = pa.list_(pa.struct([("z", pa.int32()), ("solutions", SOLUTIONS)]))
LOOK_AHEAD = 2
"""A piece spans this many times what a window can look back."""


@dataclass(frozen=True, slots=True)
class _WindowReadings:
    """What is held, as the windows read it.

    ``said``: by window. ``places``: of every window's elements, the places among all that are
    read, and ``arrivals`` the instants of these; both only where the policy is tested stepwise.
    """

    said: list[StreamTexts]
    places: list[list[int]]
    arrivals: list[int]


class StreamBuffer:
    """The stretch of a case's streams that windows can still look back to."""

    def __init__(self, case: Case, described: Described) -> None:
        self._case = case
        self._described = described
        self._read = {w.stream for w in described.windows}
        self._elements: list[StreamElement] = []
        """Those that windows read."""
        self._moments: list[int] = []
        """Instants at which something arrived on any stream."""
        self.reach = max((w.width + w.slide + 2 for w in described.windows), default=1)
        """How far the test point before an instant may look back from it."""

    @property
    def moments(self) -> Sequence[int]:
        """The held instants at which something arrived on any stream, ascending."""
        return self._moments

    def add(self, elements: Sequence[StreamElement]) -> None:
        """Take further ELEMENTS, in arrival order."""
        for element in elements:
            if not self._moments or element.t > self._moments[-1]:
                self._moments.append(element.t)
            if element.stream in self._read:
                self._elements.append(element)

    def drop(self, after: int) -> None:
        """Forget what no evaluation later than AFTER can see."""
        edge = after - self.reach
        del self._elements[: bisect_right(self._elements, edge, key=_instant)]
        del self._moments[: bisect_right(self._moments, edge)]

    def table(
        self,
        after: int,
        until: int,
        *,
        first: bool,
        alive: Sequence[int],
        carried: Sequence[dict[str, Any]],
        parts: int,
    ) -> pa.Table:
        """The pieces of (AFTER, UNTIL], in PARTS parts that go to Spark apart.

        FIRST says that no evaluation is earlier; ALIVE are the z that are asked; CARRIED has the
        solutions of their last evaluations.
        """
        columns = {**self._described.columns, "alive": list(alive)}
        told = self._told()
        span = LOOK_AHEAD * self.reach
        pieces: list[dict[str, Any]] = []
        for number, start in enumerate(range(after, until, span)):
            piece = self._piece(told, number, (start, min(until, start + span)))
            piece["carried"] = [] if number else list(carried)
            if first and number == 0:
                piece["after_piece"] = None
            pieces.append({**columns, **piece})
        return _parted(pieces, CASE_FIELDS + PIECE_FIELDS + [("carried", _CARRIED)], parts)

    def _told(self) -> _WindowReadings:
        """What is held, without what the query cannot use of it."""
        case = replace(self._case, elements=tuple(self._elements))
        said = ElementTexts().of(case, self._described.question, 0)
        if not self._described.report.stepwise:
            return _WindowReadings(said, [], [])
        places = [
            [place for place, e in enumerate(self._elements) if e.stream == w.stream]
            for w in self._described.windows
        ]
        return _WindowReadings(said, places, [e.t for e in self._elements])

    def _piece(
        self, told: _WindowReadings, number: int, stretch: tuple[int, int]
    ) -> dict[str, Any]:
        """The piece of STRETCH, (after, until], which sees what came up to ``reach`` before."""
        after, until = stretch
        edge = after - self.reach
        runs = [
            slice(bisect_right(own.times, edge), bisect_right(own.times, until))
            for own in told.said
        ]
        base = bisect_right(told.arrivals, edge)
        moments: list[int] = []
        if self._described.columns["answer_time"] == "arrival":
            delay = self._described.columns["delay"]
            # The first arrival after the piece stamps what has seen none in it.
            last = bisect_left(self._moments, until + delay) + 1
            moments = self._moments[bisect_left(self._moments, after + 1 + delay) : last]
        return {
            "piece": number,
            "after_piece": after,
            "until": until,
            "times": [own.times[run] for own, run in zip(told.said, runs, strict=True)],
            "hashes": [own.hashes[run] for own, run in zip(told.said, runs, strict=True)],
            "places": [
                [place - base for place in places[run]]
                for places, run in zip(told.places, runs, strict=True)
            ]
            if told.places
            else [[] for _ in runs],
            "arrivals": told.arrivals[base : bisect_right(told.arrivals, until)],
            "moments": moments,
            "elements": [own.texts[run] for own, run in zip(told.said, runs, strict=True)],
        }


def _instant(element: StreamElement) -> int:
    return element.t


def _parted(
    rows: list[dict[str, Any]], fields: Sequence[tuple[str, pa.DataType]], parts: int
) -> pa.Table:
    """ROWS as a table in PARTS batches: Spark makes a partition of each."""

    def batches() -> Iterator[pa.RecordBatch]:
        size = max(1, -(-len(rows) // parts))
        for start in range(0, len(rows), size):
            yield from table(rows[start : start + size], fields).to_batches()

    return pa.Table.from_batches(batches(), schema=pa.schema(fields))
