"""`judge` on queries with property paths: a library evaluates them, and a second one confirms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rsp_conformance.judge import confirm
from rsp_conformance.judge.confirm import Opinions
from rsp_conformance.sparql.relation import Relation
from tests.builders.command_line import Ran, run_here

QUERY = """PREFIX : <http://ex.org/>
SELECT ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
WHERE { WINDOW :w { :a :p+ ?y } }
"""
STREAM = '{"t": 1, "graph": "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."}\n'


def answers(*names: str) -> str:
    found = [{"y": {"type": "uri", "value": f"http://ex.org/{name}"}} for name in names]
    return json.dumps([{"t": 2, "solutions": found}, {"t": 4, "solutions": []}])


@pytest.fixture
def judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(given: str, *more: str) -> Ran:
        texts = {"q.rq": QUERY, "s.jsonl": STREAM, "a.json": given}
        for name, text in texts.items():
            (tmp_path / name).write_text(text, "utf-8")
        return run_here(
            capsys,
            "judge",
            *("--query", tmp_path / "q.rq", "--stream", f":s={tmp_path}/s.jsonl"),
            *("--until", "4", "--dial", "t0=0", "--answers", tmp_path / "a.json", *more),
        )

    return run


def test_a_right_answer(judge) -> None:  # type: ignore[no-untyped-def]
    ran = judge(answers("b"))
    assert (ran.status, ran.err) == (0, "")
    assert "Patterns were evaluated by a library (pyoxigraph)." in " ".join(ran.out.split())
    found = json.loads(judge(answers("b"), "--format", "json").out)
    assert (found["verdict"], found["evaluated"]) == ("correct", ["library"])


def test_a_wrong_answer_that_rdflib_confirms(judge) -> None:  # type: ignore[no-untyped-def]
    ran = judge(answers("b", "c"))
    assert (ran.status, ran.err) == (1, "")
    assert "(pyoxigraph) and confirmed by rdflib." in " ".join(ran.out.split())


def test_an_answer_on_which_sparql_engines_disagree(  # type: ignore[no-untyped-def]
    judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Opinions(second=lambda query, dataset: Relation(("y",), []))
    monkeypatch.setattr(confirm, "OPINIONS", nothing)
    ran = judge(answers("b", "c"))
    assert (ran.status, ran.err) == (4, "")
    text = " ".join(ran.out.split())
    assert text.startswith("not judged: SPARQL engines disagree here: of one window pyoxigraph")
    assert "only pyoxigraph: (<http://ex.org/b>)" in text
    assert ":a :p+ ?y" in text
    ran = judge(answers("b", "c"), "--format", "json")
    found = json.loads(ran.out)
    assert (ran.status, found["verdict"]) == (4, "disputed")
    assert found["because"].startswith("SPARQL engines disagree here: ")
    assert ":a :p+ ?y" in found["query"]
    assert judge(answers("b")).status == 0, "a right answer is right whoever disagrees"
