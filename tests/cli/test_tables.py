"""Blocks that commands print."""

from __future__ import annotations

import pytest

from rsp_conformance.cli.tables import say, show, show_apart
from rsp_conformance.explain.document import Items, Prose

LONG = "word " * 30


def test_groups_of_blocks_have_a_blank_line_between_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_apart([(Prose(("One",)), Items(("of the first",))), (Prose(("Two",)),)])
    assert capsys.readouterr().out == "One\n  of the first\n\nTwo\n"
    show_apart([])
    assert capsys.readouterr().out == ""


def test_a_paragraph_is_printed_like_one_of_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    say(LONG)
    said = capsys.readouterr().out
    show(Prose((LONG,)))
    assert said == capsys.readouterr().out
    assert [len(line) <= 80 for line in said.splitlines()] == [True, True]
