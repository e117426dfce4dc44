"""Defects of windows, reporting and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.algebra import BGP, Join
from rsp_conformance.model.dials import Bounds, Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.model.windows import SlidingWindow


class StaleJoin(Behaviour):
    """Expired elements stay in windows that a join reads."""

    def made(self, windows: Sequence[WindowState]) -> None:
        """Turn expiry off where the query joins anything."""
        joins = len(windows) > 1 or any(
            isinstance(part, Join) or (isinstance(part, BGP) and len(part.triples) > 1)
            for part in subpatterns(self.query.pattern)
        )
        for window in windows:
            window.keeps_expired = joins


class OpenAtStart(Behaviour):
    """Windows that would have opened before the start are reported when they would close."""

    def made(self, windows: Sequence[WindowState]) -> None:
        """Count instances from the first one that closes after the start."""
        for window in windows:
            window.first_index = -((window.window.width - 1) // window.window.slide)


class NewestOnly(Behaviour):
    """Of several evaluations that an arrival makes due only the newest is answered."""

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Keep the newest."""
        return answers[-1:]


class T0Drift(Behaviour):
    """Every answer moves the windows' start by one instant."""

    def answered(self, windows: Sequence[WindowState]) -> None:
        """Start later."""
        for window in windows:
            if window.t0 is not None:
                window.start(window.t0 + 1)


_OTHER_START: dict[Bounds, Bounds] = {
    "(o,c]": "[o,c]",
    "[o,c]": "(o,c]",
    "(o,c)": "[o,c)",
    "[o,c)": "(o,c)",
}
_OTHER_END: dict[Bounds, Bounds] = {
    "(o,c]": "(o,c)",
    "(o,c)": "(o,c]",
    "[o,c]": "[o,c)",
    "[o,c)": "[o,c]",
}


class BoundsStart(Behaviour):
    """The opening end belongs to the window where it should not, and the other way round."""

    def dials(self, dials: Dials) -> Dials:
        """Turn the bracket at the start."""
        return replace(dials, bounds=_OTHER_START[dials.bounds])


class BoundsEnd(Behaviour):
    """The closing end belongs to the window where it should not, and the other way round."""

    def dials(self, dials: Dials) -> Dials:
        """Turn the bracket at the end."""
        return replace(dials, bounds=_OTHER_END[dials.bounds])


class SecondWindowOverwrites(Behaviour):
    """Of two windows on one stream only the second gets elements."""

    def reads(self, window: WindowState, windows: Sequence[WindowState]) -> bool:
        """Only the stream's last window reads it."""
        stream = window.window.stream
        return window is [other for other in windows if other.window.stream == stream][-1]


class WrongInstance(Behaviour):
    """A join reads another window at its most recently opened instance, not the active one."""

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """All windows but the first, cut to what has come since their newest opening."""
        first, *others = windows
        return [first.content, *(window.since_newest_opening() for window in others)]


class SharedParameters(Behaviour):
    """Every window gets the width and the slide of the first."""

    def windows(self, windows: Sequence[SlidingWindow]) -> Sequence[SlidingWindow]:
        """Copy the first window's parameters."""
        return [replace(w, width=windows[0].width, slide=windows[0].slide) for w in windows]


class GapsAsTumbling(Behaviour):
    """A slide greater than the width is taken for a tumbling window."""

    def windows(self, windows: Sequence[SlidingWindow]) -> Sequence[SlidingWindow]:
        """Let no window slide further than it is wide."""
        return [replace(w, slide=min(w.slide, w.width)) for w in windows]


class LateBySlide(Behaviour):
    """Answers are stamped one slide too late."""

    def instant(self, t: int, windows: Sequence[WindowState]) -> int:
        """Add the first window's slide."""
        return t + windows[0].window.slide if windows else t


class EmptyWindowsSkipped(Behaviour):
    """Nothing is evaluated while all windows are empty, whatever the policy says."""

    def reports(self, windows: Sequence[WindowState]) -> bool:
        """Ask for content."""
        return not windows or any(window.non_empty() for window in windows)


class SilentAfterThree(Behaviour):
    """After three answers nothing comes any more."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._left = 3

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Count down."""
        kept = answers[: self._left]
        self._left -= len(kept)
        return kept
