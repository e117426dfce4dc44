"""The page that explores RSP-QL: each of its commands prints what it shows."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from tests.builders.command_line import run_process
from tests.docs.markdown import DOCS, fenced

PAGE = (DOCS / "explore.md").read_text("utf-8")


def commands() -> list[tuple[str, str]]:
    """The commands of the kit on the page, each with the output below it."""
    found = []
    for block in fenced(PAGE, "console"):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command.strip(), output.rstrip("\n")))
    return found


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_every_command_prints_what_the_page_shows(
    tmp_path: Path,
) -> None:
    (tmp_path / "Q.rq").write_text(fenced(PAGE, "sparql")[0], "utf-8")
    stream = next(text for text in fenced(PAGE, "text") if text.startswith('{"t"'))
    (tmp_path / "s.jsonl").write_text(stream, "utf-8")
    asked = 0
    for line, shown in commands():
        command, _, to = line.partition(" > ")
        if command.startswith("cat "):
            assert (tmp_path / command.removeprefix("cat ")).read_text("utf-8").rstrip() == shown
            continue
        name, *arguments = shlex.split(command)
        assert name == "rsp-conformance"
        printed = run_process(*arguments, cwd=tmp_path, env={**os.environ, "COLUMNS": "80"}).out
        asked += 1
        if to:
            (tmp_path / to).write_text(printed, "utf-8")
            continue
        there = iter(lines(printed))
        for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE):
            # What stands between two marks comes in one piece, and in this order.
            wanted = lines(part)
            assert all(line in there for line in wanted), (command, wanted)
    assert asked >= 8
