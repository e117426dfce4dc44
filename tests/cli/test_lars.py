"""``rsp-conformance lars``: the program of a query, and what it answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rsp_conformance.lars.text import parse_program
from tests.builders.command_line import Ran, cli

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")

EX4 = ("--query", "@lars/ex4", "--stream", ":S_near=@lars/near", "--stream")
EX4 = (*EX4, ":S_offers=@lars/offers")


def lars(*more: object) -> Ran:
    return cli("lars", *EX4, *more)


def instants(ran: Ran) -> list[int]:
    """Where an answer in JSON has rows."""
    assert ran.status == 0, ran
    found = json.loads(ran.out)
    parse_program(found["program"])
    return [answer["t"] for answer in found["answers"] if answer["solutions"]]


def test_the_program_and_its_answers_are_shown() -> None:
    ran = lars()
    assert ran.status == 0
    assert "p2(?shop) ← ⊞^5 ◇ in_S_near(:user, :near, ?shop), trigger.\n" in ran.out
    assert "trigger ← ⊞^NOW in_S_near(X0, X1, X2).\n" in ran.out
    assert '18   :b          "rayban"   25' in ran.out


@pytest.mark.parametrize("translation", ["tau1", "tau2"])
@pytest.mark.parametrize("reading", ["brave", "cautious"])
@pytest.mark.parametrize(
    ("mode", "expected"), [("push", [18]), ("pull:1", [18, 19, 20, 21, 22, 23]), ("pull:5", [20])]
)
def test_examples_4_to_8(translation: str, reading: str, mode: str, expected: list[int]) -> None:
    options = ("--mode", mode, "--translation", translation, "--reading", reading)
    ran = lars(*options, "--format", "json")
    assert instants(ran) == expected
    rows = [row for answer in json.loads(ran.out)["answers"] for row in answer["solutions"]]
    shown = [[term["value"] for term in row.values()] for row in rows]
    assert shown == [["http://ex.org/b", "rayban", "25"]] * len(expected)


def test_its_json_is_that_of_answers() -> None:
    by_lars = json.loads(lars("--mode", "pull:1", "--format", "json").out)["answers"]
    dials = ("bounds=[o,c]", "report=P(1)")
    options = [part for dial in dials for part in ("--dial", dial)]
    starts = ("--t0", ":near=-30", "--t0", ":offers=-30", "--format", "json")
    by_answers = json.loads(cli("answers", *EX4, *options, *starts).out)["answers"]
    assert by_lars == [answer for answer in by_answers if answer["t"] >= 0]


def test_other_windows() -> None:
    options = ("--format", "json", "--mode", "pull:1")
    assert instants(lars(*options, "--window", ":near=NOW")) == [18]
    always = instants(lars(*options, "--window", ":near=UNBOUNDED"))
    assert always == list(range(18, 46))
    last = lars(*options, "--window", ":near=ROWS 1", "--window", ":offers=ROWS 2")
    assert instants(last) == []


def test_durations_are_counted_by_the_unit(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(
        "SELECT * FROM NAMED WINDOW <u:w> ON STREAM <u:s> [RANGE PT2S] "
        "{ WINDOW <u:w> { ?x ?p ?y } }"
    )
    element = {"t": 1, "graph": "<u:a> <u:b> <u:c> ."}
    (tmp_path / "s.jsonl").write_text(json.dumps(element))
    asked = ("lars", "--query", tmp_path / "q.rq", "--stream", f"u:s={tmp_path / 's.jsonl'}")
    ran = cli(*asked, "--dial", "unit=1000", "--format", "json", "--mode", "pull:1")
    assert instants(ran) == [1, 2, 3]


def test_without_clingo_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rsp_conformance.model.errors.find_spec", lambda name: None)
    line = lars().line()
    assert "clingo is not installed: pip install 'rsp-conformance[lars]'" in line
