"""An axis of instants in text: one cell an instant, long silences left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

SILENCE = ".."
"""What stands where instants are left out."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Cells of equal width; None is a silence. ``earlier`` and ``later`` instants do not fit."""

    cells: tuple[int | None, ...]
    cell: int
    earlier: int = 0
    later: int = 0

    @property
    def width(self) -> int:
        """The columns that all cells take."""
        return len(self.cells) * self.cell

    def column(self, t: int | Fraction) -> int | None:
        """The column of instant T, the last of its cell; None where the axis leaves it out."""
        whole = int(t // 1)
        for position, instant in enumerate(self.cells):
            if instant == whole:
                return (position + 1) * self.cell - 1
        return None

    def silences(self) -> int:
        """How many silences are left out."""
        return sum(1 for cell in self.cells if cell is None)

    def header(self) -> str:
        """The instants, right-aligned in their cells."""
        return "".join(
            (SILENCE if cell is None else str(cell)).rjust(self.cell) for cell in self.cells
        )

    def marks(self, marks: Iterable[tuple[int | Fraction, str]]) -> str:
        """A line with a mark at each instant that the axis shows."""
        line = [" "] * self.width
        for t, mark in marks:
            column = self.column(t)
            if column is not None:
                line[column] = mark
        return "".join(line)

    def span(self, opens: int, closes: int, bounds: str) -> str:
        """An interval, ``(----]``; an end that the axis does not reach is drawn to the edge."""
        shown = [cell for cell in self.cells if cell is not None]
        line = [" "] * self.width
        if not shown or closes < shown[0] or opens > shown[-1]:
            return "".join(line)
        left = 0 if opens < shown[0] else self.column(opens)
        right = self.width - 1 if closes > shown[-1] else self.column(closes)
        assert left is not None
        assert right is not None
        line[left : right + 1] = "-" * (right + 1 - left)
        line[left] = bounds[0] if opens >= shown[0] else "<"
        line[right] = bounds[1] if closes <= shown[-1] else ">"
        return "".join(line)


def axis(instants: Iterable[int], place: int, width: int) -> Axis:
    """An axis of at most WIDTH columns that shows INSTANTS, those nearest to PLACE if not all fit.

    Every instant between them is shown where there is room; else those in between are left out.
    """
    wanted = sorted({*instants, place})
    size = max(len(str(wanted[0])), len(str(wanted[-1])), len(SILENCE)) + 1
    capacity = max(3, width // size)
    first, last = wanted[0], wanted[-1]
    if last - first + 1 <= capacity:
        return Axis(tuple(range(first, last + 1)), size)
    cells: list[int | None] = []
    for t in wanted:
        previous = cells[-1] if cells else None
        if previous is not None and t - previous == 2:
            cells.append(t - 1)
        elif previous is not None and t - previous > 2:
            cells.append(None)
        cells.append(t)
    if len(cells) <= capacity:
        return Axis(tuple(cells), size)
    middle = cells.index(place)
    start = min(max(0, middle - capacity // 2), len(cells) - capacity)
    kept = cells[start : start + capacity]
    while kept and kept[0] is None:
        kept = kept[1:]
    while kept and kept[-1] is None:
        kept = kept[:-1]
    low, high = kept[0], kept[-1]
    assert low is not None
    assert high is not None
    return Axis(
        tuple(kept),
        size,
        sum(1 for t in wanted if t < low),
        sum(1 for t in wanted if t > high),
    )
