"""Files of expected failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsp_conformance.explain.argument import Explanations
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.run import xfails
from rsp_conformance.run.xfails import Mark, MarkError, read_marks
from rsp_conformance.text.parse import parse_query

QUERY = (
    "SELECT * FROM NAMED WINDOW <http://ex.org/w> ON STREAM <http://ex.org/s> [RANGE 1 STEP 1] "
    "WHERE { WINDOW <http://ex.org/w> { ?x ?y ?z } }"
)


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
        ("*:* why", "needs a kind of failure"),
        ("law[*]:rows why", "unknown kind of failure 'rows'; did you mean 'wrong-rows'?"),
        ("windows:wring-* why", "unknown kind of failure 'wring-"),
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
    (tmp_path / "xfails.txt").write_text("")
    said = r"xfial.txt: there is no such file; did you mean 'xfails.txt'\?"
    with pytest.raises(MarkError, match=said):
        read_marks(tmp_path / "xfial.txt")


def test_a_star_stands_for_any_letters_of_a_property_or_a_kind(tmp_path: Path) -> None:
    file = tmp_path / "xfails"
    file.write_text("law[*] all of them\n*windows:wrong-* three properties\n")
    laws, windows = read_marks(file)
    assert [str(laws), str(windows)] == ["law[*]", "*windows:wrong-*"]
    assert laws.concerns({"law[UComm]"}) and not laws.concerns({"relation[r2s]", "windows"})
    assert windows.concerns({"windows"}) and windows.concerns({"same_stream_windows"})
    assert not windows.concerns({"window_variable"})


@pytest.mark.parametrize(("kind", "covered"), [("wrong rows", True), ("silent", False)])
def test_a_mark_with_a_star_covers_its_kinds(kind: str, covered: bool) -> None:
    finding = SimpleNamespace(property_name="windows", kind=kind)
    assert Mark("win*", "wrong-*", "", "why").covers(finding) is covered  # type: ignore[arg-type]


def test_what_a_dial_explains_is_asked_once_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(parse_query(QUERY), (), until=3)
    asked: list[Case] = []

    def search(case: Case, *_: object) -> Explanations:
        asked.append(case)
        return Explanations((("bounds", "[o,c)"),), 1)

    monkeypatch.setattr(xfails, "by_dial", search)
    for until, times in ((3, 1), (3, 1), (4, 2)):
        own = SimpleNamespace(
            property_name="windows",
            kind="silent",
            case=replace(case, until=until),
            dials=Dials(),
            observed=(),
            verdict=True,
        )
        marks = [Mark("windows", "", dial, "why") for dial in ("bounds", "report")]
        assert [mark.covers(own) for mark in marks] == [True, False]  # type: ignore[arg-type]
        assert len(asked) == times
