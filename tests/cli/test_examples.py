"""`examples`, and `@NAME` wherever a file is taken."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rsp_conformance as rsp
from tests.builders.command_line import FIXTURES, run_here

QUERIES = sorted(FIXTURES.glob("*/*.rq"))
NEARBY = ("--stream", ":S_nearby=@rsp-ql/S_nearby")


def test_every_query_is_listed_with_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_here(capsys, "examples", "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)["examples"]
    assert set(found) == {path.relative_to(FIXTURES).as_posix() for path in QUERIES}
    assert all(text.endswith((".", "?")) for text in found.values())
    table = run_here(capsys, "examples").out
    assert "rsp-ql/ex6 " in table and "RSP-QL, Example 6: the fixed window (4,8]" in table
    assert "rsp-ql/S_nearby.jsonl" in table
    assert max(map(len, table.splitlines())) <= 80
    # Crash files are as many as all others together: they are counted.
    assert "crashes/" not in table and re.search(r"And other files, \d+ in crashes:", table)


def test_what_is_shown_of_a_query_is_that_query(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in QUERIES:
        ran = run_here(capsys, "examples", path.relative_to(FIXTURES))
        assert (ran.status, ran.err) == (0, "")
        copy = tmp_path / "copy.rq"
        copy.write_text(ran.out, "utf-8")
        assert rsp.query(copy) == rsp.query(path)
    assert "--query @secret/fig4 --stream" in run_here(capsys, "examples", "secret/fig4").out
    shown = run_here(capsys, "examples", "@rsp-ql/S_nearby")
    assert shown.out == (FIXTURES / "rsp-ql" / "S_nearby.jsonl").read_text("utf-8")


def test_examples_are_copied_into_a_new_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(capsys, "examples", "--copy", tmp_path / "all").status == 0
    for path in FIXTURES.glob("*/*.*"):
        if path.parent.name == "suite":  # which `export` copies
            continue
        copy = tmp_path / "all" / path.relative_to(FIXTURES)
        assert copy.read_bytes() == path.read_bytes()
    assert "File exists" in run_here(capsys, "examples", "--copy", tmp_path / "all").line()
    assert run_here(capsys, "examples", "lars/ex4", "--copy", tmp_path / "one").status == 0
    assert [p.name for p in (tmp_path / "one").rglob("*.*")] == ["ex4.rq"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("examples", "rsp-ql/ex77"), "did you mean '@rsp-ql/ex7'?"),
        (("examples", "../README"), "there is no such example"),
        (("answers", "--query", "@rsp-ql/ex77", *NEARBY), "did you mean '@rsp-ql/ex7'?"),
        (("answers", "--query", "@", *NEARBY), "there is no such example"),
        (("answers", "--query", "@../README.md", *NEARBY), "there is no such example"),
        (
            ("answers", "--query", "@rsp-ql/ex7", "--stream", ":S_nearby=@rsp-ql/S_nerby"),
            "did you mean '@rsp-ql/S_nearby'?",
        ),
        (
            ("answers", "--query", "@rsp-ql/ex7", *NEARBY, "--static", "@rsp-ql/shop@2..13"),
            "did you mean '@rsp-ql/shop-",
        ),
        (
            ("judge", "--query", "@rsp-ql/ex10", *NEARBY, "--answers", "@rsp-ql/ex10-answer"),
            "did you mean '@rsp-ql/ex10-answers'?",
        ),
        (("replay", "@rsp-ql/ex7"), "@rsp-ql/ex7, line 1: no JSON"),
        (("burnin", "--engine", "reference", "--query", "@rsp-ql/ex"), "there is no such example"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_a_typo_is_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in run_here(capsys, *arguments).line()


def test_the_python_api_takes_them_too() -> None:
    case = rsp.case(
        Path("@rsp-ql/ex10"),
        {":S_nearby": "@rsp-ql/S_nearby", ":S_coupon": "@rsp-ql/S_coupon"},
        rsp.profile("rsp-ql", report="WC[W2] & NC[W2]"),
        static=["@rsp-ql/shop-a@2..13", "@rsp-ql/shop-b@2.."],
    )
    assert case.judge("@rsp-ql/ex10-answers").correct
