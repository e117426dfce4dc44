"""A query in few lines, for a reader who wants to see it beside its answers.

Prefixes are left out, since terms beside the query have the same ones. A group that fits on a line
is written on one line. A query with comments stays as it is, because a comment would take the rest
of a line with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len

from rsp_conformance.model.errors import printable

DECLARED: Final = ("PREFIX ", "BASE ")
_COMMENT: Final = re.compile(r"(^|\s)#")
_JOINS: Final = tuple(
    (re.compile(before, re.IGNORECASE), re.compile(rf"({after})\b", re.IGNORECASE))
    for before, after in (
        (r"(REGISTER|SELECT|CONSTRUCT|ASK|FROM)\b[^{]*$", "FROM"),
        (r"(WHERE\b.*)?}|(GROUP|HAVING|ORDER|LIMIT|OFFSET)\b", "GROUP|HAVING|ORDER|LIMIT|OFFSET"),
    )
)
"""Clauses, each with those that may follow it on its line."""


def lines_of(text: str) -> list[str]:
    """The lines of a query without the empty ones."""
    lines = (printable(line.rstrip()) for line in text.strip().split("\n"))
    return [line for line in lines if line]


def body_of(text: str) -> list[str]:
    """The lines of a query without prefixes and without the empty ones."""
    return [line for line in lines_of(text) if not line.strip().upper().startswith(DECLARED)]


def folded(text: str, width: int) -> list[str]:
    """The lines of a query, as few as fit into the width.

    Args:
        text: the query, a clause a line, groups as braces at the ends of lines.
        width: columns of a line.
    """
    lines = body_of(text)
    if any(map(_COMMENT.search, lines)):
        return lines
    return [*_clauses(_groups(lines, width), width)]


def _groups(lines: list[str], width: int) -> list[str]:
    """Every group on one line if it fits, the outer ones first."""
    found: list[str] = []
    place = 0
    while place < len(lines):
        end = _end(lines, place)
        group = " ".join([lines[place], *(line.strip() for line in lines[place + 1 : end + 1])])
        if end > place and cell_len(group) <= width:
            found.append(group)
            place = end + 1
        else:
            found.append(lines[place])
            place += 1
    return found


def _end(lines: list[str], place: int) -> int:
    """The number of the line that closes the group which a line opens at its end."""
    if not lines[place].endswith(("{", "(")):
        return place
    indent = len(lines[place]) - len(lines[place].lstrip())
    for number in range(place + 1, len(lines)):
        line = lines[number]
        if len(line) - len(line.lstrip()) <= indent:
            return number if line.lstrip().startswith(("}", ")")) else place
    return place


def _clauses(lines: Iterable[str], width: int) -> Iterable[str]:
    """Clauses beside each other as long as they fit, such as SELECT and FROM before WHERE."""
    line = ""
    for own in lines:
        joins = any(before.match(line) and then.match(own) for before, then in _JOINS)
        if joins and cell_len(line) + 1 + cell_len(own) <= width:
            line = f"{line} {own}"
            continue
        if line:
            yield line
        line = own
    if line:
        yield line
