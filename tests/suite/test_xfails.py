"""Files of expected failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.suite.xfails import Mark, MarkError, read_marks


def test_marks_are_lines(tmp_path: Path) -> None:
    file = tmp_path / "xfails"
    file.write_text(
        "# known\n\nwindows:wrong-rows:bounds issue 12\n  gaps  not planned \nlong:silent drifts\n"
        "*:rejected the parser\n"
    )
    marks = read_marks(file)
    assert marks == (
        Mark("windows", "wrong rows", "bounds", "issue 12"),
        Mark("gaps", "", "", "not planned"),
        Mark("long", "silent", "", "drifts"),
        Mark("*", "rejected", "", "the parser"),
    )
    written = ["windows:wrong-rows:bounds", "gaps", "long:silent", "*:rejected"]
    assert [str(mark) for mark in marks] == written


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("windows", "a reason after a space"),
        ("windoes why", "unknown property 'windoes'; did you mean 'windows'?"),
        (
            "nothing-like-it why",
            r"unknown property 'nothing-like-it' \(docs/properties.md lists them",
        ),
        ("* why", "needs a kind of failure"),
        ("windows:wrong why", "unknown kind of failure 'wrong'"),
        ("windows:wrong-rows:bound why", "unknown dial 'bound'; did you mean 'bounds'?"),
        ("windows:silent:bounds:more why", r"expected property\[:kind\[:dial\]\]"),
    ],
)
def test_what_is_no_mark_is_said_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "xfails"
    file.write_text(f"# first\n{line}\n")
    with pytest.raises(MarkError, match=f"xfails, line 2: .*{message}"):
        read_marks(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MarkError, match="No such file"):
        read_marks(tmp_path / "nothing")
