"""The pages show what their commands print."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, fenced
from tools.pages.commands import commands
from tools.pages.items import items
from tools.pages.rewrite import pages, rewrite


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_its_commands_print(page: Path) -> None:
    shown = page.read_text("utf-8").splitlines()
    printed = rewrite(page, slow=False).splitlines()
    differ = "\n".join(unified_diff(shown, printed, "shown", "printed", n=1, lineterm=""))
    assert not differ, f"{page.name} shows something else; `make pages` writes it anew\n{differ}"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_output_on_a_page_that_takes_part_is_run(page: Path) -> None:
    run = [item.text for item in items(page) if item.kind.name == "run"]
    with_output = [
        block
        for block in fenced(page.read_text("utf-8"), "console")
        if any(command.output for command in commands(block))
    ]
    assert [block for block in with_output if block not in run] == []
