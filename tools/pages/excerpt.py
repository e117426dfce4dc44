"""Chooses anew which lines of an output a page shows, by those that it showed before."""

from __future__ import annotations

import re
from collections.abc import Sequence

LEFT_OUT = "..."
"""The line that replaces lines which the page leaves out."""


class Lost(Exception):
    """The output no longer has a part of the page; the message is the part's first line."""


def excerpt(shown: Sequence[str], printed: Sequence[str], varies: Sequence[str] = ()) -> list[str]:
    """Choose the lines of a new output that replace those on the page.

    Lines ``...`` divide what the page shows into parts. A part that the output still contains is
    kept. Otherwise the new part reaches from the old part's first line to its last line; if the
    output has only one of the two, the part keeps its number of lines. Both lines may have other
    numbers than before. The first part begins where the output begins, and the last part ends
    where it ends.

    Args:
        shown: the lines on the page.
        printed: the whole output.
        varies: regular expressions for what differs from run to run. If nothing else differs,
            the lines stay as they are on the page.

    Returns:
        The lines for the page, with a line ``...`` between two parts.

    Raises:
        Lost: the output has neither the first nor the last line of a part.
    """

    def key(text: str) -> str:
        for pattern in varies:
            text = re.sub(pattern, LEFT_OUT, text)
        return text

    if key("\n".join(shown)) == key("\n".join(printed)):
        return [*shown]
    parts = _parts(shown)
    if len(parts) == 1:
        return [*printed]
    lines = [*map(key, printed)]
    chosen, at = list[str](), 0
    for place, part in enumerate(parts):
        if place:
            chosen.append(LEFT_OUT)
        if part:
            own = [*map(key, part)]
            start, at = _located(own, lines, at, place == 0, place == len(parts) - 1)
            chosen += part if lines[start:at] == own else printed[start:at]
    return chosen


def _parts(shown: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _located(
    part: list[str], lines: list[str], at: int, first: bool, last: bool
) -> tuple[int, int]:
    """Where a part begins and ends in the lines from AT on; FIRST and LAST are about its place."""
    size = len(part)
    for start in [at] if first else range(at, len(lines) - size + 1):
        if lines[start : start + size] == part and (not last or start + size == len(lines)):
            return start, start + size
    begin = at if first else _nearest(part[0], lines, at, at)
    after = at if begin is None else begin + 1
    end = None
    if last:
        end = len(lines) - 1
    elif size > 1:
        # A last line that comes often, such as an empty one, is taken from where it was.
        end = _nearest(part[-1], lines, after, after + size - 2)
    if begin is None and end is None:
        raise Lost(part[0])
    if begin is None:
        begin = max(at, (end or 0) - size + 1)
    if end is None:
        end = min(len(lines), begin + size) - 1
    return begin, end + 1


def _nearest(line: str, lines: list[str], at: int, near: int) -> int | None:
    """The place of a line, at or behind AT, that is nearest to another place.

    If the line is not there, it is looked for without its numbers: counts are what changes most.
    """
    for form in (str, _without_numbers):
        places = [place for place in range(at, len(lines)) if form(lines[place]) == form(line)]
        if places:
            return min(places, key=lambda place: abs(place - near))
    return None


def _without_numbers(line: str) -> str:
    """A line with 0 for each number, and one blank for several, which align columns."""
    return " ".join(re.sub(r"\d+", "0", line).split())
