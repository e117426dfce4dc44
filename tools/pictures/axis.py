"""Rows over an axis of instants: elements, windows with their ends, and evaluations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rsp_conformance.model.dials import Bounds
from rsp_conformance.spec.windows import Instance
from tools.pictures.canvas import MARGIN, SMALL, WIDTH, Canvas

BAND, LANE = 22, 29
"""The height of a window, and how far apart windows are that overlap."""
RADIUS = 11
"""Of an element."""
LABELS = 102
"""The width of the names of rows."""


@dataclass(frozen=True)
class Axis:
    """INSTANTS on a CANVAS, right of the names of the rows; ASIDE is left free at the right."""

    canvas: Canvas
    instants: range
    labels: float = LABELS
    aside: float = 0

    @property
    def cell(self) -> float:
        """The width of an instant."""
        return (WIDTH - 2 * MARGIN - self.labels - self.aside) / len(self.instants)

    def x(self, t: int) -> float:
        """The middle of instant T."""
        return MARGIN + self.labels + self.cell * (t - self.instants[0] + 0.5)

    def label(self, y: float, text: str, color: str = "ink") -> None:
        """Write the name of a row."""
        self.canvas.words(MARGIN, y, text, size=SMALL, color=color)

    def header(self, y: float) -> None:
        """Write the instants and what they are."""
        self.label(y, "time", "soft")
        self.times(y)

    def times(self, y: float) -> None:
        """Write the instants."""
        for t in self.instants:
            self.canvas.words(self.x(t), y, str(t), color="soft", size=SMALL, anchor="middle")

    def grid(self, top: float, bottom: float) -> None:
        """Draw a faint line for each instant."""
        for t in self.instants:
            self.canvas.line((self.x(t), top), (self.x(t), bottom), color="grid", thick=1)

    def drop(self, t: int, top: float, bottom: float) -> None:
        """Draw a dashed line from what is at an end of a window to what comes of it."""
        at = self.x(t)
        self.canvas.line((at, top), (at, bottom), color="window-edge", dashes="3 4")

    def elements(
        self,
        y: float,
        elements: Iterable[tuple[int, str]],
        counts: Callable[[int], bool] = lambda t: True,
        *,
        radius: float = RADIUS,
    ) -> None:
        """Draw ELEMENTS as circles with their names; those that do not count are hollow."""
        for t, name in elements:
            own, at = counts(t), self.x(t)
            fill, color = ("element", "paper") if own else ("paper", "element")
            self.canvas.circle(at, y, radius, fill=fill, stroke="element")
            self.canvas.words(
                at, y - 0.5, name, color=color, size=SMALL, anchor="middle", bold=True
            )

    def windows(
        self, y: float, windows: Sequence[Instance], bounds: Bounds, *, text: str = ""
    ) -> None:
        """Draw WINDOWS with their BOUNDS, and in the middle of each TEXT or its interval."""
        for own in windows:
            start, end = self.x(own.opens), self.x(own.closes)
            self.canvas.box(start, y - BAND / 2, end - start, BAND, fill="window", stroke="window")
            said = text or own.text(bounds)
            self.canvas.words((start + end) / 2, y, f"`{said}`", size=SMALL, anchor="middle")
        for own in windows:
            self._end(self.x(own.opens), y, 1, closed=bounds[0] == "[")
            self._end(self.x(own.closes), y, -1, closed=bounds[-1] == "]")

    def _end(self, x: float, y: float, inside: int, *, closed: bool) -> None:
        """Draw a bracket at an end of a window: square if it is CLOSED, else round."""
        half = BAND / 2 + 1
        if closed:
            tip = x + 6 * inside
            points = ((tip, y - half), (x, y - half), (x, y + half), (tip, y + half))
            self.canvas.line(*points, color="window-edge", thick=3)
        else:
            tip = x + 8 * inside
            self.canvas.curve((tip, y - half), (x - 3 * inside, y), (tip, y + half))

    def expected(self, y: float, evaluations: Iterable[tuple[int, str]]) -> None:
        """Draw EVALUATIONS, with the answer that is expected below each."""
        for t, answer in evaluations:
            self.canvas.diamond(self.x(t), y, fill="paper", stroke="ink")
            self.canvas.words(self.x(t), y + 24, f"`{answer}`", size=SMALL, anchor="middle")

    def beside(
        self, y: float, evaluations: Iterable[tuple[int, str]], *, fill: str = "paper"
    ) -> None:
        """Draw EVALUATIONS, with the answer at the right of each; received ones are filled."""
        for t, answer in evaluations:
            self.canvas.diamond(self.x(t), y, fill=fill, stroke="ink", half=7)
            if answer:
                self.canvas.words(self.x(t) + 12, y, f"`{answer}`", size=SMALL)
