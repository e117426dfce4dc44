"""Pages show what their commands print, and the tutorial says of its files what holds."""

from __future__ import annotations

import re
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

from rsp_conformance.protocol import ProtocolEngine
from rsp_conformance.protocol.forms import Hello
from tests.docs.markdown import DOCS, ROOT, fenced
from tools.pages.commands import commands, pipeline
from tools.pages.files import lay_out
from tools.pages.items import items
from tools.pages.rewrite import pages, rewrite
from tools.pages.shell import shell

PAGE = DOCS / "test-your-engine.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The tutorial's files as they are first shown."""
    lay_out(PAGE, tmp_path, edits=0)
    return tmp_path


def test_the_driver_has_about_fifty_lines(folder: Path) -> None:
    assert len((folder / "driver.py").read_text("utf-8").splitlines()) <= 55


def test_everything_passes_when_the_bug_is_fixed() -> None:
    """With fewer cases than the page draws."""
    (block,) = (item for item in items(PAGE) if item.kind.argument == "slow")
    (command,) = commands(block.text)
    with shell() as there:
        lay_out(PAGE, there.folder)
        printed = there.run(pipeline(f"{command.line} --rsp-examples=12 --rsp-seed=1"))
    assert "None of " in printed and "FAILED" not in printed
    assert re.search(r"\d+ passed", printed)


def test_queries_that_the_toy_does_not_take_are_refused(folder: Path) -> None:
    window = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 1 STEP 1]\n"
    kinds = {window + "} no query": "rejected", window * 2: "unsupported", "": "unsupported"}
    with ProtocolEngine([sys.executable, "driver.py"], cwd=folder) as engine:
        assert isinstance(engine.hello(), Hello)
        for query, kind in kinds.items():
            outcome = engine.run({"op": "run", "id": "c", "query": query, "elements": []})
            assert getattr(outcome, "kind", None) == kind


# --- Pages show what their commands print ---------------------------------------------------------


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
