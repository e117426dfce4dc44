"""Boxes and arrows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from tools.pictures.canvas import FONT, SMALL, Canvas

LINE = 23
"""From a line of words to the next one."""


@dataclass(frozen=True)
class Box:
    """A box on a canvas."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The middle of its width."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    def draw(self, canvas: Canvas, *lines: str, color: str = "box") -> None:
        """Draw it with LINES in its middle, of which the first one is a heading.

        COLOR is box, right or wrong.
        """
        fill, stroke = ("box", "box-edge") if color == "box" else (f"{color}-box", color)
        canvas.box(self.x, self.y, self.width, self.height, fill=fill, stroke=stroke, radius=6)
        first = self.y + self.height / 2 - LINE * (len(lines) - 1) / 2
        for place, text in enumerate(lines):
            size = SMALL if place else FONT
            canvas.words(
                self.middle,
                first + LINE * place,
                text,
                size=size,
                anchor="middle",
                bold=not place,
            )


def join(canvas: Canvas, boxes: Iterable[Box]) -> None:
    """Draw an arrow from each of BOXES down to the next one."""
    for upper, lower in pairwise(boxes):
        canvas.arrow((upper.middle, upper.bottom + 2), (lower.middle, lower.y - 2))
