"""The points at which real engines go wrong, each a method; here all of them are right.

A seeded fault (``faults``) overrides as few of them as it can, most of them one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsp_conformance.adapters.reference.dataset import Background
from rsp_conformance.adapters.reference.oxigraph.functions import Functions
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.windows import SlidingWindow


class Behaviour:
    """An engine without faults; one object for each registered query, which is ``query``."""

    def __init__(self, query: Query) -> None:
        self.query = query

    def dials(self, dials: Dials) -> Dials:
        """The dials that the engine obeys in place of DIALS."""
        return dials

    def rewritten(self) -> Query:
        """The query that is evaluated in place of the registered one."""
        return self.query

    def functions(self, functions: Functions) -> Functions:
        """What expressions call, by name, in place of FUNCTIONS."""
        return functions

    def windows(self, windows: Sequence[SlidingWindow]) -> Sequence[SlidingWindow]:
        """The windows that are run in place of WINDOWS."""
        return windows

    def made(self, windows: Sequence[WindowState]) -> None:
        """All windows have been made, and none has started."""

    def element(self, arrival: Arrival) -> Arrival:
        """The element that the engine takes in place of ARRIVAL."""
        return arrival

    def reads(self, window: WindowState, windows: Sequence[WindowState]) -> bool:
        """Whether WINDOW gets the elements of its stream."""
        return True

    def reports(self, windows: Sequence[WindowState]) -> bool:
        """Whether an evaluation for which the policy holds takes place."""
        return True

    def contents(
        self, windows: Sequence[WindowState], background: Background
    ) -> list[tuple[Arrival, ...]]:
        """What each window gives to an evaluation."""
        return [window.content for window in windows]

    def background_at(self, t: int) -> int | None:
        """The instant whose background data an evaluation at T sees; None for no data at all."""
        return t

    def solutions(self, rows: Sequence[Row], columns: Sequence[str]) -> Sequence[Row]:
        """The solutions of an evaluation, before the streaming operator."""
        return rows

    def streamed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """What the streaming operator lets through."""
        return rows

    def answered(self, windows: Sequence[WindowState]) -> None:
        """An evaluation has just been answered."""

    def instant(self, t: int, windows: Sequence[WindowState]) -> int:
        """The instant that the answer of an evaluation at T reports."""
        return t

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers that became due at once, in order, as they leave the engine."""
        return answers
