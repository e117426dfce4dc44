"""Tones have the same colours whoever writes them: pytest's writer, or a command."""

from __future__ import annotations

import re

import pytest

from rsp_conformance.cli.tables import show
from rsp_conformance.explain.document import Command, Line, Prose, Span
from rsp_conformance.plugin.colours import write_lines
from tests.plugin.test_failures import terminal_of


def codes(text: str) -> set[str]:
    """The numbers in the escape codes of a text, without those that end a colour."""
    found = re.findall(r"\x1b\[([\d;]+)m", text)
    return {number for own in found for number in own.split(";")} - {"0"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Span("word", tone="bad"), {"1", "31"}),
        (Span("word", tone="good"), {"32"}),
        (Span("word", tone="soft"), {"2"}),
        (Span("word", tone="strong"), {"1"}),
        (Span("word", code=True), {"36"}),
        ("word", set[str]()),
    ],
)
def test_both_writers_have_one_table_of_colours(
    line: Line,
    expected: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, written = terminal_of(colour=True)
    write_lines(terminal, [line])
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    is_typed = isinstance(line, Span) and line.code
    show(Command("word") if is_typed else Prose((line,)))
    assert codes(written.getvalue()) == codes(capsys.readouterr().out) == expected
