"""What a table of cells is, and the reasons for which one is never met."""

from __future__ import annotations

from typing import Final, TypeAlias

from rsp_conformance.sparql.open_points import open_points

Cells: TypeAlias = dict[str, str]
"""The cells of a table, each with why it cannot be met, or an empty text."""

REFUSED: Final = "refused by name"
WRITING: Final = "another writing of the same algebra, which is read and never written"
ELSEWHERE: Final = "under other profiles alone"
ALWAYS_EMPTY: Final = "legal and always empty: within a window no window can be seen"


def open_by(*points: str) -> str:
    """Return why a cell is not met that points, by their ids, leave open: it is not judged."""
    own = [open_points()[point] for point in dict.fromkeys(points)]
    return f"open: {'; '.join(f'{point.told} ({point.section})' for point in own)}"


def never(cells: list[str] | tuple[str, ...]) -> Cells:
    """Return cells that nothing keeps from being met."""
    return dict.fromkeys(cells, "")
