"""`judge`: status 0 with the t0 vector, 1 with the argument, and the same as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.command_line import FIXTURES, Ran, cli

FOLDER = FIXTURES / "rsp-ql"
FILES = (
    *("--query", FOLDER / "ex10.rq"),
    *("--stream", f":S_nearby={FOLDER}/S_nearby.jsonl"),
    *("--stream", f":S_coupon={FOLDER}/S_coupon.jsonl"),
    *("--static", f"{FOLDER}/shop-a.ttl@2..13"),
    *("--static", f"{FOLDER}/shop-b.ttl@2.."),
)
BOUND = ("--dial", "report=WC[W2] & NC[W2]")


def judge(answers: Path, *more: str) -> Ran:
    return cli("judge", *FILES, "--answers", answers, *more)


PAPERS = json.loads((FOLDER / "ex10-answers.json").read_text("utf-8"))["answers"]


def changed(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(value), "utf-8")
    return path


def test_the_papers_answer_is_correct_with_its_t0(tmp_path: Path) -> None:
    ran = judge(FOLDER / "ex10-answers.json", *BOUND)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("correct: t0(:W1)=1, t0(:W2)=0 makes the answer right: from 1 to")
    ran = judge(FOLDER / "ex10-answers.json", *BOUND, "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert list(found) == ["verdict", "t0", "t_s", "because"]
    assert found["verdict"] == "correct"
    assert found["t0"] == {":W1": 1, ":W2": 0}
    assert found["t_s"] == 1
    assert "\n" not in found["because"]
    # What `answers` says under the vector that `judge` found is judged correct in turn.
    verdict = json.loads(judge(FOLDER / "ex10-answers.json", *BOUND, "--format", "json").out)
    starts = [f for w, n in verdict["t0"].items() for f in ("--t0", f"{w}={n}")]
    ran = cli("answers", *FILES, *BOUND, *starts, "--format", "json")
    again = judge(changed(tmp_path, json.loads(ran.out)), *BOUND)
    assert again.status == 0


WRONG: list[tuple[list[dict[str, Any]], str]] = [
    ([], "silent"),
    (PAPERS[:1], "missing answer"),
    ([*PAPERS, {"t": 18, "solutions": []}], "extra answer"),
    ([{**PAPERS[0], "t": 9}, PAPERS[1]], ""),
    ([{"t": 8, "solutions": PAPERS[0]["solutions"][:1]}, PAPERS[1]], "wrong rows"),
    ([{**answer, "t": None} for answer in PAPERS], "wrong instant"),
]


@pytest.mark.parametrize(("answers", "kind"), WRONG, ids=[kind or "late" for _, kind in WRONG])
def test_a_wrong_answer_is_argued(answers: list[dict[str, Any]], kind: str, tmp_path: Path) -> None:
    path = changed(tmp_path, answers)
    ran = judge(path, *BOUND)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.startswith(f"wrong: {kind}")
    for part in ("\nStream :S_nearby", "\nTimeline, with t0(", "\nWhy  ", "expected", "FROM NAMED"):
        assert part in ran.out
    assert "crash file" not in ran.out
    assert max(map(len, ran.out.splitlines()[1:])) <= 80
    found = json.loads(judge(path, *BOUND, "--format", "json").out)
    assert found["verdict"] == "wrong"
    assert set(found["t0"]) == {":W1", ":W2"}
    assert found["because"].split(". ")[-1] in " ".join(ran.out.split())


@pytest.mark.spark
@pytest.mark.usefixtures("no_other_spark")
def test_spark_gives_the_same_verdict(tmp_path: Path) -> None:
    path = changed(tmp_path, PAPERS[:1])
    assert judge(path, *BOUND, "--spark") == judge(path, *BOUND)


def test_dials_and_the_registration_decide() -> None:
    """Under plain RSP-QL empty answers are due as well; the argument names the dial."""
    ran = judge(FOLDER / "ex10-answers.json")
    assert ran.status == 1
    said = " ".join(ran.out.split())
    assert "With empty_answers=no this answer is right" in said
    assert judge(FOLDER / "ex10-answers.json", "--dial", "empty_answers=no").status == 0
    answers = FOLDER / "ex10-answers.json"
    assert judge(answers, *BOUND, "--dial", "t0=1").status == 1, "W2 has to start at 0"
    found = json.loads(judge(answers, *BOUND, "--dial", "t0=0", "--format", "json").out)
    assert found["t0"] == {":W1": 0, ":W2": 0}
    ran = judge(FOLDER / "ex10-answers.json", *BOUND, "--registered", "2", "--format", "json")
    assert json.loads(ran.out)["t_s"] == 3


def test_causes_say_when_where_the_profile_goes_by_arrival(tmp_path: Path) -> None:
    """An answer without an instant takes that of its cause, an index into the merged elements."""
    arrival = (*BOUND, "--dial", "answer_time=arrival")
    # In the order of time: diana 2, eve 2, carl 5, eve 7, alice 8, diana 12, bob 15.
    due = [{**PAPERS[0], "t": None, "cause": 5}, {**PAPERS[1], "t": None, "cause": "end"}]
    assert judge(changed(tmp_path, due), *arrival).status == 0
    early = [{**PAPERS[0], "t": None, "cause": 3}, due[1]]
    assert judge(changed(tmp_path, early), *arrival).status == 1
    wrong = [due[0], {**due[1], "solutions": [{}]}]
    assert judge(changed(tmp_path, wrong), *arrival).status == 1


def test_many_times_the_rows_due_are_not_compared(tmp_path: Path) -> None:
    flood = changed(tmp_path, [{"t": 3, "solutions": [{}] * 300_000}])
    ran = judge(flood, *BOUND)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.startswith("wrong: too many rows in")
    assert "300,000 rows came, and 3 are expected" in " ".join(ran.out.split())
    ran = judge(flood, *BOUND, "--format", "json")
    assert json.loads(ran.out)["kind"] == "too many rows"


@pytest.mark.parametrize(("value", "status"), [("eve", 0), ("bob", 1)])
def test_a_registration_that_was_not_given_is_said_first(
    tmp_path: Path, value: str, status: int
) -> None:
    """The engine's windows begin at full seconds, and its first element comes later."""
    begin = 1_700_000_000_000
    (tmp_path / "q.rq").write_text(
        "SELECT ?x FROM NAMED WINDOW <w:1> ON STREAM <s:1> [RANGE 10000 STEP 5000] "
        "WHERE { WINDOW <w:1> { ?x <p:1> ?v } }",
        "utf-8",
    )
    element = {"t": begin + 1_200, "graph": "<s:eve> <p:1> <s:b> ."}
    (tmp_path / "s.jsonl").write_text(json.dumps(element), "utf-8")
    row = {"x": {"type": "uri", "value": f"s:{value}"}}
    due = [{"t": begin + t, "solutions": rows} for t, rows in ((10_000, [row]), (15_000, []))]
    answers = changed(tmp_path, due)
    files = ("--query", tmp_path / "q.rq", "--stream", f"<s:1>={tmp_path}/s.jsonl")
    given = (*files, "--answers", answers, "--until", str(begin + 15_000))
    ran = cli("judge", *given)
    said = " ".join(ran.out.split())
    assert ran.status == status
    assert said.startswith(f"No --registered given: registered at {begin}, ")
    assert ("say so by --registered." in said) is (value == "bob")
    assert cli("judge", *given, "--registered", str(begin)).status == status


def test_where_pyoxigraph_answers_so_too_the_section_is_named(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(
        "PREFIX : <http://ex.org/> SELECT (COUNT(?y + 1) AS ?n) FROM NAMED WINDOW :w ON STREAM :s "
        "[RANGE 2 STEP 2] WHERE { WINDOW :w { :a :p+ ?y } }",
        "utf-8",
    )
    element = {"t": 1, "graph": "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."}
    (tmp_path / "s.jsonl").write_text(json.dumps(element), "utf-8")
    given = ("--query", tmp_path / "q.rq", "--stream", f":s={tmp_path}/s.jsonl", "--until", "2")
    answers = changed(tmp_path, [{"t": 2, "solutions": [{}]}])
    ran = cli("judge", *given, "--dial", "t0=0", "--answers", answers)
    assert ran.status == 1
    assert "SPARQL 1.1, 18.5.1.2, decides: COUNT passes errors over" in " ".join(ran.out.split())
