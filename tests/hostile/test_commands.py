"""Commands say in one line that they did not judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance import limits
from tests.builders.command_line import run_here
from tests.hostile.evaluations import SECONDS

LONG_REGEX = """PREFIX : <http://ex.org/>
SELECT ?o FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
{ WINDOW :w { ?s :p ?o FILTER REGEX(?o, "^(a+)+$") } }"""


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """A query that backtracks, its stream, and no answers; as arguments."""
    (tmp_path / "q.rq").write_text(LONG_REGEX, "utf-8")
    graph = f'<http://ex.org/a> <http://ex.org/p> "{"a" * 60}b" .'
    element = {"stream": "http://ex.org/s", "t": 1, "graph": graph}
    (tmp_path / "s.jsonl").write_text(json.dumps(element), "utf-8")
    (tmp_path / "a.json").write_text("[]", "utf-8")
    return ["--query", tmp_path / "q.rq", "--stream", f":s={tmp_path / 's.jsonl'}", "--until", 2]


@pytest.mark.parametrize("command", ["answers", "judge"])
def test_a_command_says_in_one_line_that_it_did_not_judge(
    command: str, files: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["--t0", ":w=0"] if command == "answers" else ["--answers", tmp_path / "a.json"]
    ran = run_here(capsys, command, *files, *own, "--time-limit", SECONDS)
    limits.allow(limits.SECONDS)
    assert ran.line().endswith(
        "the kit's own evaluation of this case took longer than 0.15 s: not judged\n"
    )


def test_a_crash_file_that_is_not_judged_in_time_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = rsp.connect("reference", options={"fault": "bounds-end", "t0": "first"})
    with engine:
        rsp.run_suite(engine, properties=["windows"], examples=20, folder=tmp_path, seed=1)
    (crash, *_) = (tmp_path / "crashes").iterdir()

    def judged(*_: object) -> None:
        sum(1 for _ in iter(int, 1))

    monkeypatch.setattr("rsp_conformance.judge.verdict.judge", judged)
    ran = run_here(capsys, "replay", crash, "--engine", "reference", "--judging-limit", SECONDS)
    limits.allow(limits.SECONDS)
    assert ran.out == "ERROR\n"
    assert "took longer than 0.15 s: not judged" in ran.line()
