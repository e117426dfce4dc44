"""Recordings of made-up engines on made-up streams: each reading, each failure, each criterion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders.command_line import cli
from tests.corpora.csrbench.conftest import (
    HOT,
    judged,
    observation,
    recording,
    rows,
    write_benchmark,
)


def one(
    folder: Path,
    relations: Sequence[tuple[int, list[dict[str, Any]]]],
    engine: str = "csparql",
    number: int = 2,
) -> dict[str, Any]:
    """What is said of RELATIONS, answers to a query over HOT."""
    write_benchmark(folder / "b", HOT, {(engine, number): relations})
    (found,) = judged(folder / "b", "--engine", engine, "--query", number)
    return found


def verdicts(found: dict[str, Any]) -> tuple[str, str, str]:
    return found["strict"], found["fitted"], found["containment"]


def test_right_by_the_profile(tmp_path: Path) -> None:
    found = one(tmp_path, [(t * 1000, rows(t)) for t in range(1, 6)])
    # The oracle's windows are [o,c): what it expects first is the reading at 0.
    assert verdicts(found) == ("correct", "correct", "correct")
    assert found["because"] == "By the profile every answer that is due came, and no other."


def test_right_with_other_bounds(tmp_path: Path) -> None:
    found = one(tmp_path, [(t * 1000, rows(t - 1)) for t in range(1, 7)])
    assert verdicts(found) == ("wrong", "correct", "correct")
    assert found["reading"] == "bounds [o,c), t0 = 0 s; stamps and relations as recorded"
    assert "At 1 s, over the window (0, 1]: missing" in found["because"]
    assert "(?obs came at 0 s, outside)" in found["because"]


def test_late_stamps_are_read_with_a_stated_tolerance(tmp_path: Path) -> None:
    found = one(tmp_path, [(t * 1000 + 47 + t, rows(t)) for t in range(1, 6)])
    assert found["strict"] == "wrong"
    assert found["fitted"] == "correct"
    assert "each stamp stands for the second that it falls in" in found["reading"]
    assert "(moved by at most 52 ms)" in found["reading"]


def test_rows_one_by_one_are_grouped_and_it_is_said(tmp_path: Path) -> None:
    two = [text + observation("T", t, 95) for t, text in enumerate(HOT)]
    relations = [
        (t * 1000 + 3 * place, [{"sensor": sensor, "obs": f"O_{sensor}_{t}"}])
        for t in range(1, 6)
        for place, sensor in enumerate("ST")
    ]
    write_benchmark(tmp_path / "b", two, {("csparql", 2): relations})
    (found,) = judged(tmp_path / "b", "--engine", "csparql", "--query", 2)
    assert verdicts(found) == ("wrong", "correct", "wrong")
    assert "relations of one instant are one evaluation" in found["reading"]


def test_silence_passes_containment_alone(tmp_path: Path) -> None:
    found = one(tmp_path, [])
    assert verdicts(found) == ("wrong", "wrong", "correct")
    assert "0 of 5 evaluations agree" in found["because"]
    # A window (o,c) of one instant asks for nothing, and is no reading of silence.
    assert "bounds (o,c)," not in found["reading"]
    assert "csrbench-oracle's criterion accepts it" in found["because"]


def test_silence_is_right_where_nothing_is_due(tmp_path: Path) -> None:
    write_benchmark(tmp_path / "b", [observation("S", 0, 20)], {("sparqlstream", 2): []})
    (found,) = judged(tmp_path / "b", "--query", 2)
    assert verdicts(found) == ("correct", "correct", "correct")


def test_a_lost_row_is_named(tmp_path: Path) -> None:
    relations = [(t * 1000, rows(t) if t != 3 else []) for t in range(1, 6)]
    found = one(tmp_path, relations)
    assert verdicts(found) == ("wrong", "wrong", "wrong")
    assert "At 3 s, over the window (2, 3]: missing {?sensor S, ?obs O_S_3}" in found["because"]


def test_numbers_compare_by_value_and_averages_tell_their_readings(tmp_path: Path) -> None:
    # Windows of four seconds: (0,4] holds 1 to 4.
    right = one(tmp_path / "right", [(4000, [{"avg": 90}]), (8000, [{"avg": 90}])], number=4)
    assert right["strict"] == "correct"
    wrong = one(tmp_path / "wrong", [(4000, [{"avg": 91.0}]), (8000, [{"avg": 90}])], number=4)
    assert wrong["fitted"] == "wrong"
    assert "missing {?avg 90}; not expected {?avg 91.0}" in wrong["because"].replace("9.0e1", "90")
    assert "the window holds 90 at 1 s, 90 at 2 s, 90 at 3 s, 90 at 4 s" in wrong["because"]


def test_a_checkout_and_all_that_it_holds(tmp_path: Path) -> None:
    right = [(t * 1000, rows(t)) for t in range(1, 6)]
    answers = {(engine, n): right for engine in ("csparql", "sparqlstream") for n in range(1, 8)}
    write_benchmark(tmp_path / "b", HOT, answers, checkout=True)
    found = judged(tmp_path / "b", "--query", 2)
    assert [(f["engine"], f["query"]) for f in found] == [("csparql", 2), ("sparqlstream", 2)]
    assert len(judged(tmp_path / "b", "--engine", "csparql")) == 7


def test_own_answers_in_either_format(tmp_path: Path) -> None:
    write_benchmark(tmp_path / "b", HOT, {})
    recorded, protocol = tmp_path / "mine.json", tmp_path / "protocol.json"
    recorded.write_text(json.dumps(recording([(t * 1000, rows(t)) for t in range(1, 6)])))
    solutions = recording([(0, rows(t)) for t in range(1, 6)])["relations"]
    answers = [
        {"t": t, "solutions": [b["binding"] for b in relation["results"]["bindings"]]}
        for t, relation in enumerate(solutions, 1)
    ]
    protocol.write_text(json.dumps({"answers": answers}))
    for file in (recorded, protocol):
        arguments = ("--answers", file, "--query", 2, "--profile", "c-sparql-papers")
        (found,) = judged(tmp_path / "b", *arguments)
        assert (found["engine"], found["strict"]) == (file.stem, "correct")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "holds no recorded answers"),
        (("--engine", "cqels"), "holds no answers of cqels"),
        (("--query", "8"), "the queries are 1 to 7"),
        (("--answers", "a.json"), "--answers needs --query N"),
        (("--answers", "a.json", "--query", "1"), "needs the profile to judge by"),
        (("--answers", "gone.json", "--query", "1", "--engine", "csparql"), "no such file"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    write_benchmark(tmp_path / "b", HOT, {})
    assert said in cli("csrbench", tmp_path / "b", *arguments).line()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "expected an object with"),
        (
            '{"relations": [{"head": {}, "results": {"bindings": []}, "timestamp": 2}]}',
            "relation 1: head.vars: expected an array, found",
        ),
        (
            '{"relations": [{"head": {"vars": []}, "results": {"bindings": []}}]}',
            "relation 1: timestamp: expected an integer, found nothing",
        ),
    ],
)
def test_a_broken_recording_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    write_benchmark(tmp_path / "b", HOT, {("csparql", 2): []})
    (tmp_path / "b" / "answers" / "csparql-answer-2.json").write_text(text)
    arguments = ("--engine", "csparql", "--query", "2")
    assert said in cli("csrbench", tmp_path / "b", *arguments).line()


def test_where_there_is_no_benchmark(tmp_path: Path) -> None:
    assert "no such folder" in cli("csrbench", tmp_path / "gone").line()
    assert "holds no folder data" in cli("csrbench", tmp_path).line()
