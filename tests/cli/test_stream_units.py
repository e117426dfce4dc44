"""`answers` and `judge` over folders of data_NN.ttl and .n3t files, and their `--unit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.command_line import cli

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s
FROM NAMED WINDOW :w ON STREAM :s [RANGE PT2S STEP PT2S]
WHERE { WINDOW :w { ?s :p ?o } }
"""
TRIPLES = {1: "<http://ex.org/a>", 4: "<http://ex.org/b>"}
REST = "<http://ex.org/p> <http://ex.org/o>"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "q.rq").write_text(QUERY)
    (tmp_path / "data").mkdir()
    for number, subject in TRIPLES.items():
        (tmp_path / "data" / f"data_{number:02}.ttl").write_text(f"{subject} {REST} .\n")
    lines = [f'{subject} {REST} "{number}000" .\n' for number, subject in TRIPLES.items()]
    (tmp_path / "s.n3t").write_text("".join(lines))
    (tmp_path / "s.jsonl").write_text(
        "".join(
            json.dumps({"t": 10 * number, "graph": f"{subject} {REST} ."}) + "\n"
            for number, subject in TRIPLES.items()
        )
    )
    return tmp_path


def options(files: Path, stream: str, *more: str) -> list[object]:
    dials = ("--dial", "unit=100", "--dial", "t0=0")
    return ["--query", files / "q.rq", "--stream", f":s={files / stream}", *dials, *more]


@pytest.mark.parametrize("stream", [("data", "--unit", "1000"), ("s.n3t", "--unit", "1")])
def test_every_way_to_write_a_stream_gives_the_same_answers(
    files: Path, stream: tuple[str, ...]
) -> None:
    wanted = cli("answers", *options(files, "s.jsonl", "--format", "json"))
    assert wanted.status == 0
    assert [a["t"] for a in json.loads(wanted.out)["answers"]] == [20, 40, 60, 80]
    found = cli("answers", *options(files, *stream, "--format", "json"))
    assert (found.status, found.err) == (0, "")
    assert found.out == wanted.out
    answers = files / "answers.json"
    answers.write_text(wanted.out)
    judged = cli("judge", *options(files, *stream, "--answers", str(answers)))
    assert judged.status == 0, judged
    answers.write_text(wanted.out.replace('"t": 40', '"t": 30'))
    judged = cli("judge", *options(files, *stream, "--answers", str(answers)))
    assert judged.status == 1, judged
