"""Plain text of a limited width, as a terminal shows it without colour or escape codes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, chop_cells, set_cell_size, split_graphemes

ELLIPSIS = "…"
GLUE = "\N{NO-BREAK SPACE}"
"""Stands for a blank at which a line should not be broken, such as one within a row."""


def glued(text: str) -> str:
    """A text that ``wrap`` keeps on one line if it is not too long."""
    return text.replace(" ", GLUE)


def unglued(text: str) -> str:
    """A text with plain blanks."""
    return text.replace(GLUE, " ")


def shorten(text: str, width: int) -> str:
    """A text in at most so many columns; a longer text keeps its beginning and its end."""
    if cell_len(text) <= width:
        return text
    tail = max(0, (width - 1) // 3)
    taken, start = 0, len(text)
    for first, _, columns in reversed(split_graphemes(text)[0]):
        if taken + columns > tail:
            break
        taken, start = taken + columns, first
    return set_cell_size(text, width - 1 - taken).rstrip() + ELLIPSIS + text[start:]


def cut(text: str, width: int) -> str:
    """A text in at most so many columns; a longer text loses its end."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS


def pad(text: str, width: int) -> str:
    """A text in exactly so many columns."""
    return set_cell_size(cut(text, width), width)


def wrap(text: str, width: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """Break a text into lines, between words if possible.

    Args:
        text: the text.
        width: the most columns of a line.
        first: stands before the first line.
        rest: stands before the other lines; None for as many blanks as ``first`` has columns.
    """
    rest = " " * cell_len(first) if rest is None else rest
    words = []
    for word in text.split(" "):
        words += word.split(GLUE) if cell_len(word) > width // 2 else [word]
    lines: list[str] = []
    line, blank = first, ""
    for word in words:
        if blank and cell_len(line + blank + word) > width:
            lines.append(line)
            line, blank = rest, ""
        if cell_len(line + blank + word) > width:  # more than fits into a line of its own
            *full, end = chop_cells(word, width - cell_len(line)) or [""]
            for piece in full:
                lines.append(line + piece)
                line = rest
            line, blank = line + end, " "
        else:
            line, blank = line + blank + word, " "
    lines.append(line)
    return [unglued(text.rstrip()) for text in lines]


def listed(items: Sequence[str], *, limit: int = 4, last: str = "and") -> str:
    """Items as a phrase, such as ``2, 5 and 7``.

    Args:
        items: the items.
        limit: how many are listed; if there are more, the rest is counted.
        last: the word before the last item.
    """
    if len(items) > limit:
        return f"{', '.join(items[: limit - 1])} {last} {len(items) - limit + 1} more"
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(number: int, noun: str) -> str:
    """A number with a noun, in the plural if needed."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1] + 'ies' if noun.endswith(('ry', 'ty')) else noun + 's'}"


def ordinal(number: int) -> str:
    """The ordinal of a number: 1st, 2nd, 3rd, 4th."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in {11, 12, 13} else suffix}"
