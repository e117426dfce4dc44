"""One long stream that comes in chunks, handed to the plan in pieces.

What a window can still look back to is held, and nothing else, so memory does not grow with the
stream. A chunk is cut by time into pieces that overlap by as much as a window looks back; an
element is in two pieces at most where a piece is longer than that, whatever |Z| and however many
windows hold it. From there on the plan is that of a batch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.codec import encode_element
from rsp_conformance.spark.encode import (
    CASE_FIELDS,
    CONTENT_FIELDS,
    PIECE_FIELDS,
    Described,
    table,
)
from rsp_conformance.spark.question import pickled

LOOK_AHEAD = 2
"""A piece spans this many times what a window can look back."""


@dataclass
class _Own:
    """The held elements of one stream: instants, texts with their hashes, places among all read."""

    times: list[int] = field(default_factory=list)
    hashes: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


class Held:
    """The stretch of a case's streams that windows can still look back to."""

    def __init__(self, described: Described) -> None:
        self._described = described
        self._own: dict[IRI, _Own] = {w.stream: _Own() for w in described.windows}
        self._question = pickled(described.question)
        self._arrivals: list[int] = []
        """Instants of the elements that windows read, in arrival order."""
        self._gone = 0
        """How many such elements are held no longer."""
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
            own = self._own.get(element.stream)
            if own is None:
                continue
            text = encode_element(element.graph, element.name)
            own.times.append(element.t)
            # A named element says its instant too, in its timestamp triple.
            own.hashes.append(hash(text) if element.name is None else hash((text, element.t)))
            own.texts.append(text)
            own.places.append(self._gone + len(self._arrivals))
            self._arrivals.append(element.t)

    def drop(self, after: int) -> None:
        """Forget what no evaluation later than AFTER can see."""
        edge = after - self.reach
        for own in self._own.values():
            gone = bisect_right(own.times, edge)
            for column in (own.times, own.hashes, own.texts, own.places):
                del column[:gone]
        gone = bisect_right(self._arrivals, edge)
        self._gone += gone
        del self._arrivals[:gone]
        del self._moments[: bisect_right(self._moments, edge)]

    def tables(
        self, after: int, until: int, *, first: bool, alive: Sequence[int], parts: int
    ) -> tuple[pa.Table, pa.Table]:
        """The pieces of (AFTER, UNTIL] and their contents, in PARTS parts that go to Spark apart.

        FIRST says that no evaluation is earlier; ALIVE are the z that are asked.
        """
        columns = {**self._described.columns, "alive": list(alive)}
        span = LOOK_AHEAD * self.reach
        starts = range(after, until, span)
        pieces: list[dict[str, Any]] = []
        contents: list[dict[str, Any]] = []
        for number, start in enumerate(starts):
            piece, content = self._piece(number, start, min(until, start + span))
            if first and number == 0:
                piece["after_piece"] = None
            pieces.append({**columns, **piece})
            contents.append(content)
        return (
            _parted(pieces, CASE_FIELDS + PIECE_FIELDS, parts),
            _parted(contents, CONTENT_FIELDS, parts),
        )

    def _piece(self, number: int, after: int, until: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The piece of (AFTER, UNTIL], which sees what came up to ``reach`` before."""
        described = self._described
        edge = after - self.reach
        runs = [
            (
                own := self._own[w.stream],
                bisect_right(own.times, edge),
                bisect_right(own.times, until),
            )
            for w in described.windows
        ]
        times = [own.times[lo:hi] for own, lo, hi in runs]
        base = bisect_right(self._arrivals, edge)
        stepwise = described.report.stepwise
        moments: list[int] = []
        if described.columns["answer_time"] == "arrival":
            delay = described.columns["delay"]
            # The first arrival after the piece stamps what has seen none in it.
            last = bisect_left(self._moments, until + delay) + 1
            moments = self._moments[bisect_left(self._moments, after + 1 + delay) : last]
        piece = {
            "piece": number,
            "after_piece": after,
            "until": until,
            "times": times,
            "hashes": [own.hashes[lo:hi] for own, lo, hi in runs],
            "places": [
                [place - self._gone - base for place in own.places[lo:hi]] if stepwise else []
                for own, lo, hi in runs
            ],
            "arrivals": self._arrivals[base : bisect_right(self._arrivals, until)]
            if stepwise
            else [],
            "moments": moments,
        }
        content = {
            "task": 0,
            "piece": number,
            "question_bytes": self._question,
            "element_times": times,
            "elements": [own.texts[lo:hi] for own, lo, hi in runs],
        }
        return piece, content


def _parted(
    rows: list[dict[str, Any]], fields: Sequence[tuple[str, pa.DataType]], parts: int
) -> pa.Table:
    """ROWS as a table in PARTS batches: Spark makes a partition of each."""

    def batches() -> Iterator[pa.RecordBatch]:
        size = max(1, -(-len(rows) // parts))
        for start in range(0, len(rows), size):
            yield from table(rows[start : start + size], fields).to_batches()

    return pa.Table.from_batches(batches(), schema=pa.schema(fields))
