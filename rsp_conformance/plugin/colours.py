"""Colours of reports on a terminal, by pytest's own writer: none if it writes none.

A text that is kept, sent or written to a file has no escape codes. A line gets its colour by its
text when a terminal shows it.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from _pytest._io import TerminalWriter

Markup: TypeAlias = dict[str, bool]

VERDICTS: Final[dict[str, Markup]] = {
    "FAILED": {"red": True},
    "KIT ERROR": {"red": True, "bold": True},
    "passed": {"green": True},
    "xfailed": {"yellow": True},
    "not tested": {"yellow": True},
}
"""The colours of the verdicts of the table."""
_LINES: Final[tuple[tuple[str, Markup], ...]] = (
    (r"\s+\^ first difference$|.*  <- first difference$", {"red": True, "bold": True}),
    (r"  (?:t=\S+ (?:\(\S+\) )?\s*)?expected(?!,)(?: |$)", {"green": True}),
    (r"  (?:t=\S+ (?:\(\S+\) )?\s*)?received(?: |$)", {"yellow": True}),
    (r"\s*rsp-conformance \w+ |  \.?\S+\.json\b", {"cyan": True}),
    (r"(?:Confirmed|Reproduced|Also:|This case|The same) ", {}),
)
"""Patterns of a report's lines, each with its colours; the first that fits decides."""


def write_report(writer: TerminalWriter, text: str) -> None:
    """Write a report in colour: the title, the heads of its sections, and the first difference."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number == 0:
            writer.line(line, red=True, bold=True)
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ""
        writer.line(line, **_markup(line, following))


def cause_markup(line: str) -> Markup:
    """The colours of a line in the list of causes; a line that begins with a number is a cause."""
    if re.match(r"\d+ |unexplained", line):
        return {"bold": True}
    return {"cyan": True} if re.match(r"\s+rsp-conformance \w+ ", line) else {}


def _markup(line: str, following: str) -> Markup:
    for pattern, markup in _LINES:
        if re.match(pattern, line):
            return markup
    is_head = line[:1].strip() and following.startswith("  ")
    return {"bold": True} if is_head else {}
