"""Retired words are found where people read them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.markdown import ROOT
from tools.words.check import LATER, PLACES, found_in, retired_words


def said(tmp_path: Path, name: str, text: str) -> list[str]:
    (tmp_path / name).write_text(text, "utf-8")
    return [f"{found.line}: {found.text}" for found in found_in(tmp_path, [name])]


def test_a_page_without_its_code(tmp_path: Path) -> None:
    text = """A seeded fault is put in.

```text
a seeded fault in a block
```

`seeded fault` in a line, [a link](seeded%20fault.md), and Seeded Faults again.
"""
    assert said(tmp_path, "page.md", text) == ["1: seeded fault", "7: Seeded Faults"]


def test_what_is_prose_in_a_module(tmp_path: Path) -> None:
    text = '''"""Puts a seeded fault in.

Later too: a seeded fault.
"""

seeded_fault = {"seeded-fault": 1}  # a seeded fault
message = "there is a seeded fault here"
key = "accused"
'''
    assert said(tmp_path, "module.py", text) == [
        "6: seeded fault",
        "1: seeded fault",
        "3: seeded fault",
        "7: seeded fault",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("An engine is held to its profile.", 1),
        ("The output says *known defect* for a mutant.", 0),
        ("If there are none, it waits.", 0),
        ("An operation that there is not.", 1),
        ("It is told to stop.", 0),
    ],
)
def test_where_a_word_is_right(tmp_path: Path, text: str, found: int) -> None:
    assert len(said(tmp_path, "page.md", text)) == found


def test_a_folder_has_modules_and_pages_except_those_left_for_later(tmp_path: Path) -> None:
    for name in ("room/a.py", "room/b.md", "room/c/d.md", "room/node_modules/e.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# a seeded fault\n", "utf-8")
    found = found_in(tmp_path, ["room"], ["room/c"])
    assert sorted(str(own.path) for own in found) == ["room/a.py", "room/b.md"]


def test_every_place_is_there_and_every_row_is_of_its_own() -> None:
    assert [place for place in (*PLACES, *LATER) if not (ROOT / place).exists()] == []
    assert len({word.pattern.pattern for word in retired_words()}) == len(retired_words())
