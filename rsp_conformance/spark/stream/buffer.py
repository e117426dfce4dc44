"""One long stream that comes in chunks, handed to the workers in slices.

Only the part of the stream is kept to which a window can still look back, so memory does not grow
with the stream. A chunk is cut by time into slices that overlap by as much as a window looks back;
an element is in two slices at most, since a slice is longer than that, whatever |Z| and however
many windows hold it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spark.wire import PackedElement, pack_elements
from rsp_conformance.spark.worker.alignment import ReceivedAnswer
from rsp_conformance.spark.worker.registered import RegisteredQuery
from rsp_conformance.spark.worker.slices import Slice

LOOK_AHEAD = 2
"""A slice spans at least this many times the reach of a window."""


class StreamBuffer:
    """The stretch of a query's streams to which its windows can still look back.

    Args:
        query: the query.
        own_clocks: whether only arrivals on these streams trigger anything.

    Attributes:
        reach: how far the test point before an instant may look back from it.
    """

    def __init__(self, query: RegisteredQuery, *, own_clocks: bool = False) -> None:
        self._query, self._own_clocks = query, own_clocks
        self._read = {window.stream for window in query.windows}
        self._elements: list[PackedElement] = []
        """Those that windows read."""
        self._moments: list[int] = []
        """Instants at which something arrived that may trigger an evaluation."""
        windows = query.query.sliding_windows(query.dials.unit)
        self.reach = max((w.width + w.slide + 2 for w in windows), default=1)
        """How far the test point before an instant may look back from it."""

    @property
    def moments(self) -> Sequence[int]:
        """The held instants at which something arrived that may trigger an evaluation."""
        return self._moments

    def add(self, elements: Sequence[StreamElement]) -> None:
        """Add further elements, in arrival order."""
        for element in elements:
            counts = element.stream in self._read or not self._own_clocks
            if counts and (not self._moments or element.t > self._moments[-1]):
                self._moments.append(element.t)
        read = [e for e in elements if e.stream in self._read]
        self._elements += pack_elements(read, self._query.dials)

    def drop(self, after: int) -> None:
        """Forget the elements that no evaluation after an instant can see."""
        edge = after - self.reach
        del self._elements[: bisect_right(self._elements, edge, key=itemgetter(1))]
        del self._moments[: bisect_right(self._moments, edge)]

    def slices(
        self,
        after: int,
        until: int,
        vectors: Sequence[Vector],
        given: Sequence[ReceivedAnswer],
        *,
        first: bool,
        parts: int,
    ) -> Iterator[Slice]:
        """Cut a stretch into slices.

        Args:
            after: the stretch begins after this instant.
            until: its last instant.
            vectors: the members of Z that are asked for.
            given: the received answers of its stamps.
            first: whether no evaluation is earlier.
            parts: about how many slices to make.
        """
        span = max(LOOK_AHEAD * self.reach, -(-(until - after) // parts))
        instants = [t for _, t, _, _ in self._elements]
        for start in range(after, until, span):
            end = min(until, start + span)
            low, high = (self._query.stamp(t, self._moments) for t in (start + 1, end))
            seen = slice(bisect_right(instants, start - self.reach), bisect_right(instants, end))
            delay = self._query.delay
            moments = slice(
                bisect_left(self._moments, start + 1 + delay),
                # The first arrival after the slice stamps what has seen none in it.
                bisect_left(self._moments, end + delay) + 1,
            )
            yield Slice(
                self._query.registration,
                vectors,
                self._elements[seen],
                self._moments[moments] if self._query.arrival else (),
                None if first and start == after else start,
                end,
                [g for g in given if g.stamp is not None and low <= g.stamp <= high],
            )
