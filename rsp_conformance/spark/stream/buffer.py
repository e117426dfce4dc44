"""One long stream that comes in chunks, handed to the workers in slices.

Only the part of the stream is kept to which a window can still look back, so memory does not grow
with the stream. A chunk is cut by time into slices that overlap by as much as a window looks back;
an element is in two slices at most, since a slice is longer than that, whatever |Z| and however
many windows hold it. A window by count looks back to so many units, however long ago they came:
each slice gets these, and how many came before them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import itemgetter

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import CountWindow, SlidingWindow, UnboundedWindow, by_time
from rsp_conformance.spark.wire import PackedElement, labelled_apart, labels, pack_elements
from rsp_conformance.spark.worker.alignment import ReceivedAnswer
from rsp_conformance.spark.worker.contents import as_units, counted_streams
from rsp_conformance.spark.worker.registered import RegisteredQuery
from rsp_conformance.spark.worker.slices import Slice

LOOK_AHEAD = 2
"""A slice spans at least this many times the reach of a window."""


class StreamBuffer:
    """The stretch of a query's streams to which its windows can still look back.

    Args:
        query: the query.
        clocks: the streams whose arrivals trigger something; none for all.

    Attributes:
        labelled: whether a blank node has come.
        reach: how far the test point before an instant may look back from it.
    """

    def __init__(self, query: RegisteredQuery, clocks: Collection[IRI] = ()) -> None:
        self.labelled = False
        self._query, self._clocks = query, clocks
        self._read = {window.stream for window in query.windows}
        self._elements: list[PackedElement] = []
        """Those that windows read, as the units that are counted."""
        self._singly, self._whole = counted_streams(query.query)
        self._units: dict[str, int] = {}
        """How many units of a stream windows may look back to."""
        self._dropped: Counter[str] = Counter()
        """How many of these streams' units came before those that are held."""
        self._come = 0
        """How many elements have come that windows read."""
        self._moments: list[int] = []
        """Instants at which something arrived that may trigger an evaluation."""
        self.reach = max((w.reach + 2 for w in by_time(query.windows)), default=1)
        """How far the test point before an instant may look back from it."""
        for window in query.windows:
            if isinstance(window, UnboundedWindow):
                raise Unsupported("UNBOUNDED windows over a stream in chunks")
            if not isinstance(window, SlidingWindow):
                stream, back = window.stream.value, 1
                if isinstance(window, CountWindow):
                    back = window.reach
                self._units[stream] = max(back, self._units.get(stream, 0))

    @property
    def moments(self) -> Sequence[int]:
        """The held instants at which something arrived that may trigger an evaluation."""
        return self._moments

    def add(self, elements: Sequence[StreamElement]) -> None:
        """Add further elements, in arrival order."""
        for element in elements:
            counts = element.stream in self._clocks or not self._clocks
            if counts and (not self._moments or element.t > self._moments[-1]):
                self._moments.append(element.t)
        read = pack_elements([e for e in elements if e.stream in self._read], self._query.dials)
        self.labelled = self.labelled or any(labels(read))
        if self._query.dials.blank_nodes == "element":
            read = labelled_apart(read, self._come)
        self._come += len(read)
        self._elements += as_units(read, self._singly, self._whole)

    def drop(self, after: int) -> None:
        """Forget the elements that no evaluation after an instant can see."""
        edge = after - self.reach
        end = bisect_right(self._elements, edge, key=itemgetter(1))
        kept, passed = self._looked_back_to(self._places(), end, after)
        self._elements[:end] = kept
        self._dropped = passed
        del self._moments[: bisect_right(self._moments, edge)]

    def _places(self) -> dict[str, list[int]]:
        """Where the units of streams that are counted stand among the elements."""
        found: dict[str, list[int]] = {stream: [] for stream in self._units}
        for place, (stream, *_) in enumerate(self._elements):
            if stream in found:
                found[stream].append(place)
        return found

    def _looked_back_to(
        self, places: Mapping[str, Sequence[int]], end: int, after: int
    ) -> tuple[list[PackedElement], Counter[str]]:
        """Find what windows by count may look back to after an instant.

        Args:
            places: as of `_places`.
            end: what stands from here on is not looked for.
            after: the instant.

        Returns:
            The elements that stand before `end`, in order, and how many units of each stream came
            before these and those from `end` on.
        """
        come = bisect_right(self._elements, after, key=itemgetter(1))
        kept: list[int] = []
        passed = Counter(self._dropped)
        for stream, own in places.items():
            first = max(0, bisect_left(own, come) - self._units[stream])
            if self._query.dials.ties == "open" and first < len(own):
                # Whether a window cuts an instant, only all of its units tell.
                t = self._elements[own[first]][1]
                first = bisect_left(own, t, hi=first, key=lambda at: self._elements[at][1])
            last = bisect_left(own, end)
            kept += own[first:last]
            passed[stream] += min(first, last)
        return [self._elements[place] for place in sorted(kept)], passed

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
        places = self._places()
        for start in range(after, until, span):
            end = min(until, start + span)
            low, high = (self._query.stamp(t, self._moments) for t in (start + 1, end))
            begin = bisect_right(instants, start - self.reach)
            counted, passed = self._looked_back_to(places, begin, start)
            delay = self._query.delay
            moments = slice(
                bisect_left(self._moments, start + 1 + delay),
                # The first arrival after the slice stamps what has seen none in it.
                bisect_left(self._moments, end + delay) + 1,
            )
            yield Slice(
                self._query.registration,
                vectors,
                [*counted, *self._elements[begin : bisect_right(instants, end)]],
                self._moments[moments] if self._query.arrival else (),
                None if first and start == after else start,
                end,
                [g for g in given if g.stamp is not None and low <= g.stamp <= high],
                [passed[window.stream.value] for window in self._query.windows],
            )
