"""Defects in taking elements and background data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query


class EqualTimestampsOverwrite(Behaviour):
    """An element takes the place of the one before it in the stream if both have one instant."""

    def made(self, windows: Sequence[WindowState]) -> None:
        """Let the windows' buffers hold one element an instant."""
        for window in windows:
            window.one_an_instant = True


class FirstTripleOnly(Behaviour):
    """Of an element of several triples only the first enters."""

    def element(self, arrival: Arrival) -> Arrival:
        """Cut the element."""
        return arrival._replace(triples=arrival.triples[:1], graph=arrival.graph[:1])


class NewestElementMissing(Behaviour):
    """A window is read before the element that came last has entered it."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._newest = -1

    def element(self, arrival: Arrival) -> Arrival:
        """Remember which element came last."""
        self._newest = arrival.position
        return arrival

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """Leave that element out."""
        return [tuple(a for a in w.content if a.position != self._newest) for w in windows]


class DuplicatesCollapsed(Behaviour):
    """Windows hold sets of triples where the profile keeps bags."""

    def dials(self, dials: Dials) -> Dials:
        """Turn the dial."""
        return replace(dials, window_content="set")


class StaticLost(Behaviour):
    """Background data takes part in the first evaluation only."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._read = False

    def background_at(self, t: int) -> int | None:
        """Forget the data once it was read."""
        first, self._read = not self._read, True
        return t if first else None


class TimeVaryingStale(Behaviour):
    """Background data is read at the first evaluation and kept."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._read_at: int | None = None

    def background_at(self, t: int) -> int | None:
        """Stay with the first instant."""
        if self._read_at is None:
            self._read_at = t
        return self._read_at


class StaticVisibleInWindow(Behaviour):
    """WINDOW sees the background's default graph too."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """Put the background data into every window."""
        leaked = Arrival(-1, "", 0, tuple(background.default))
        return [(*window.content, leaked) for window in windows]
