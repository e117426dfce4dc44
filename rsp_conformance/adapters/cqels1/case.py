"""A case at work: its elements are sent at their instants, and it knows whether they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from rsp_conformance.adapters.cqels1.engine import Engine
from rsp_conformance.adapters.cqels1.query import on_own_streams, widths
from rsp_conformance.adapters.jvm.driver import MOST_ROWS, default_graph_of, triples_of
from rsp_conformance.adapters.stdio import Refused, said

INSTANTS: Final = (20, 40, 80, 160, 320)
"""The milliseconds of an instant, at the first and at each further attempt; all even."""

LATEST: Final = 0.45
"""The part of an instant by which an element may be sent late: windows allow for a half, less a
margin for the time between the check and the engine."""


class Case:
    """One request; its clock gives seconds.

    Elements are sent at whole instants. Whatever is sent `LATEST` at most is in the
    very windows that it belongs to (`query.on_own_streams`): two elements are at most half an
    instant more or less apart than they should be, and no window ends in between. Where one is
    later, all that was heard is thrown away, and the case begins again with longer instants.
    """

    def __init__(
        self, engine: Engine, number: int, request: Mapping[str, Any], clock: Callable[[], float]
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._number = number
        self._request = request
        self._background = default_graph_of(request)
        self._triples = [
            triples_of(element, index) for index, element in enumerate(request["elements"])
        ]
        times = [element["t"] for element in request["elements"]]
        self._times = _shortened(times, max(widths(request["query"], request["unit"]), default=0))
        self._attempt = -1
        self.late = True
        """Whether it has to begin, perhaps again."""

    @property
    def due(self) -> float:
        """When the next step is due, by the clock."""
        waits = 0 < self._next < len(self._times)
        return self._due(self._next) if waits else self._clock()

    def step(self) -> list[dict[str, Any]] | None:
        """Send what is due; the answers once all has been sent in time, else None.

        Raises:
            Refused: the engine throws.
        """
        if self._next == len(self._times):
            return self._answers()
        if self._next == 0:
            self._start = self._clock()
        for stream, triple in self._elements[self._next]:
            try:
                self._engine.send(stream, triple)
            except Exception as error:  # whatever of Java's comes out of it
                raise Refused(
                    "crashed", f"element {self._next}: {said(error)}", answers=self._answers()
                ) from error
        late = self._clock() - self._due(self._next)
        if late >= LATEST * self._instant / 1000:
            self.late = True
            return None
        self._next += 1
        return self._answers() if self._next == len(self._times) else None

    def _due(self, index: int) -> float:
        return self._start + self._times[index] * self._instant / 1000

    def begin(self) -> None:
        """Register the query; nothing has been sent.

        Raises:
            Refused: the engine takes no such query, or this machine does not keep up.
        """
        self._attempt += 1
        if self._attempt == len(INSTANTS):
            raise Refused(
                "unsupported",
                f"keeping time: no attempt came through, of {len(INSTANTS)}, not even with "
                f"{INSTANTS[-1]} ms an instant (this machine has too much else to do)",
            )
        self._instant = INSTANTS[self._attempt]
        streams = {
            iri: f"urn:rsp:stream:{self._number}:{self._attempt}:{index}"
            for index, iri in enumerate(self._request["streams"])
        }
        self._elements = [
            self._engine.element(streams[element["stream"]], triples)
            for element, triples in zip(self._request["elements"], self._triples, strict=True)
        ]
        rows: list[tuple[int, Any]] = []
        self._rows, self._next, self.late = rows, 0, False

        def heard(mapping: Any) -> None:
            if len(rows) < MOST_ROWS:
                rows.append((self._next, mapping))

        request = self._request
        query = on_own_streams(request["query"], request["unit"], self._instant, streams)
        self._engine.register(query, self._background, heard)

    def _answers(self) -> list[dict[str, Any]]:
        return [
            {"t": None, "cause": cause, "solutions": [self._engine.solution(mapping)]}
            for cause, mapping in self._rows
        ]


def _shortened(times: list[int], widest: int) -> list[int]:
    """`times` from 0 on, without waiting for longer than it takes all windows to be empty."""
    found = [0] * bool(times)
    for earlier, later in pairwise(times):
        found.append(found[-1] + min(later - earlier, widest + 1))
    return found
