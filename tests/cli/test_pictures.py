"""``--svg`` draws windows, contents and answers into a file of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rsp_conformance as rsp
from rsp_conformance import glance, results
from rsp_conformance.limits import LimitExceeded
from tests.builders.command_line import FIXTURES, cli

CASE = (
    *("--query", FIXTURES / "rsp-ql/ex6.rq", "--until", 8),
    *("--stream", f":S_nearby={FIXTURES}/rsp-ql/S_nearby.jsonl"),
)


def texts(path: Path) -> list[str]:
    """What is written in a picture, and shown if one points at a mark."""
    return ["".join(own.itertext()) for own in ElementTree.parse(path).iter()]


def test_answers_with_the_contents_of_windows(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    ran = cli("answers", *CASE, "--t0", ":w=4", "--svg", file)
    assert (ran.status, ran.err) == (0, "") and ":carl" in ran.out
    found = texts(file)
    assert "Answers under profile rsp-ql, with t0(:w)=4" in found
    assert any(text.startswith("(4,8] (:carl :isNearby :a, 5)") for text in found)
    assert "{?who=:carl, ?shop=:a}, {?who=:eve, ?shop=:a}" in found
    assert {"t", ":w", "rows"} <= {*found} and "answer" not in found
    # No engine has answered, so there is nothing to compare.
    assert "● element, ◇ answer" in found
    assert not [own for own in found if re.search("expected|received|first difference", own)]
    assert cli("answers", *CASE, "--t0", ":w=4", "--svg", file).status == 0
    written = file.read_text()
    assert "prefers-color-scheme:dark" in written and 'role="img"' in written
    assert "http" not in written.replace("http://www.w3.org/", ""), "it loads nothing"


def test_a_verdict_shows_where_answers_differ(tmp_path: Path) -> None:
    file, given = tmp_path / "j.svg", tmp_path / "answers.json"
    given.write_text(json.dumps({"answers": [{"t": 8, "solutions": []}]}))
    assert cli("judge", *CASE, "--answers", given, "--svg", file).status == 1
    found = texts(file)
    assert "first difference" in found and "expected ←" in found and "received" in found
    assert any(text.startswith("wrong: missing answer, under profile rsp-ql") for text in found)


QUERY = (
    "PREFIX : <http://ex.org/> SELECT ?x FROM NAMED WINDOW :w ON STREAM :s "
    "[RANGE 2 STEP 2] WHERE { WINDOW :w { ?y :p ?x } }"
)


def test_of_many_answers_those_around_the_difference_are_drawn_and_data_is_no_markup() -> None:
    stream = [(t, ":a :p :b") for t in range(1, 200)]
    case = rsp.case(QUERY, {":s": stream}, rsp.profile("rsp-ql", t0=0), until=200)
    given = case.answers().to_dict()["answers"]
    given[80]["solutions"] = []
    found = "".join(ElementTree.fromstring(case.judge(given).svg()).itertext())
    assert f"… and {101 - glance.MOST} more" in found and "(160,162]" in found
    case = rsp.case(QUERY, {":s": [(1, ':a :p "<script>&"')]}, until=4)
    drawn = case.answers({":w": 0}).svg()
    assert "<script>" not in drawn
    assert '{?x="<script>&"}' in "".join(ElementTree.fromstring(drawn).itertext())


@pytest.mark.parametrize(
    ("place", "said"), [("", "it is a folder"), ("no/a.svg", "there is no such folder")]
)
def test_a_place_that_cannot_be_written(place: str, said: str, tmp_path: Path) -> None:
    line = cli("answers", *CASE, "--t0", ":w=4", "--svg", tmp_path / place).line()
    assert "--svg" in line and said in line


def test_a_picture_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> str:
        raise LimitExceeded("took longer than 1 s")

    monkeypatch.setattr(results, "picture", slow)
    ran = cli("answers", *CASE, "--t0", ":w=4", "--svg", tmp_path / "a.svg")
    assert ran.status == 2 and ":carl" in ran.out, "the answers are there"
    assert ran.err == ("rsp-conformance: there is no picture: the kit took longer than 1 s\n")
