"""Colours of reports on a terminal, by pytest's own writer: none if it writes none.

A text that is kept, sent or written to a file has no escape codes. A line gets its colours when a
terminal shows it: by its tones, or, of a report that was kept or sent, by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

import pytest
from _pytest._io import TerminalWriter

from rsp_conformance.explain.document import Line, Span, Tone, spans

Markup: TypeAlias = dict[str, bool]

_TONES: Final[dict[Tone, Markup]] = {
    "bad": {"red": True, "bold": True},
    "good": {"green": True},
    "soft": {"yellow": True},
    "strong": {"bold": True},
    "": {},
}
"""The colours of tones."""
_CODE: Final[Markup] = {"cyan": True}
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


def write_lines(terminal: pytest.TerminalReporter, lines: Iterable[Line]) -> None:
    """Write lines, each of its words in the colour of its tone."""
    for line in lines:
        for part in spans(line):
            if isinstance(part, Span):
                terminal.write(part.text, **(_CODE if part.code else _TONES[part.tone]))
            else:
                terminal.write(part)
        terminal.line("")


def _markup(line: str, following: str) -> Markup:
    for pattern, markup in _LINES:
        if re.match(pattern, line):
            return markup
    is_head = line[:1].strip() and following.startswith("  ")
    return {"bold": True} if is_head else {}
