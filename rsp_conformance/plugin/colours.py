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

from rsp_conformance.explain.document import Line, plain, spans
from rsp_conformance.explain.render.tones import CODE, TONES, colours

Markup: TypeAlias = dict[str, bool]


def markup(words: Iterable[str]) -> Markup:
    """Colours as pytest's writer takes them, which calls dim letters light."""
    return {"light" if word == "dim" else word: True for word in words}


BAD: Final = markup(TONES["bad"])
"""The colours of the first difference, and of the titles of failures."""
STRONG: Final = markup(TONES["strong"])
"""The weight of heads."""
TYPED: Final = markup(CODE)
"""The colours of commands and files."""
_LINES: Final[tuple[tuple[str, Markup], ...]] = (
    (r"\s+\^ first difference$|.*  <- first difference$", BAD),
    (r"  (?:t=\S+ (?:\(\S+\) )?\s*)?expected(?!,)(?: |$)", markup(TONES["good"])),
    (r"  (?:t=\S+ (?:\(\S+\) )?\s*)?received(?: |$)", {"yellow": True}),
    (r"\s*rsp-conformance \w+ |  \.?\S+\.json\b", TYPED),
    (r"(?:Confirmed|Reproduced|Also:|This case|The same) ", {}),
)
"""Patterns of a report's lines, each with its colours; the first that fits decides."""
_BESIDE: Final = re.compile(r"\S+(?: \S+)*(?=  \S)")
"""A head that stands before its text, as ``Why`` does."""


def write_report(writer: TerminalWriter, text: str) -> None:
    """Write a report in colour: the title, the heads of its sections, and the first difference."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number == 0:
            writer.line(line, **BAD)
            continue
        if head := _BESIDE.match(line):
            writer.write(head[0], **STRONG)
            writer.line(line[head.end() :])
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ""
        writer.line(line, **_markup(line, following))


def write_lines(terminal: pytest.TerminalReporter, lines: Iterable[Line]) -> None:
    """Write lines, each of its words in the colour of its tone."""
    for line in lines:
        for part in spans(line):
            terminal.write(plain(part), **markup(colours(part)))
        terminal.line("")


def _markup(line: str, following: str) -> Markup:
    for pattern, own in _LINES:
        if re.match(pattern, line):
            return own
    is_head = line[:1].strip() and following.startswith("  ")
    return STRONG if is_head else {}
