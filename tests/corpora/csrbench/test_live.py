"""The benchmark asked of an engine that runs here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.protocol import EngineBroken, InProcessEngine, Response, registry
from tests.adapters.jvm.real import needs
from tests.builders.command_line import cli
from tests.builders.drivers import Replying, toy
from tests.corpora.csrbench.conftest import HOT, judged, rows, write_benchmark

RECORDED = [(t * 1000, rows(t)) for t in range(1, 6)]


def live(folder: Path, *arguments: object, engine: str = "reference") -> list[dict[str, Any]]:
    return judged(folder, "--live", engine, *arguments)


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The benchmark without recorded answers."""
    return write_benchmark(tmp_path_factory.mktemp("hot") / "b", HOT, {})


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The benchmark with C-SPARQL's answers to the second query."""
    folder = tmp_path_factory.mktemp("recorded") / "b"
    return write_benchmark(folder, HOT, {("csparql", 2): RECORDED})


def test_every_query_is_asked(hot: Path) -> None:
    found = live(hot)
    assert [(one["engine"], one["query"]) for one in found] == [
        ("reference", n) for n in range(1, 8)
    ]
    assert all(one["live"] and one["strict"] == one["fitted"] == "correct" for one in found)
    assert all(one["version"] and "recorded" not in one for one in found)


def test_it_stands_beside_what_was_recorded_and_the_table_says_which_is_live(
    recorded: Path,
) -> None:
    merged = ("--engine-option", "profile=c-sparql", "--engine", "csparql", "--query", 2)
    then, now = live(recorded, *merged)
    assert "live" not in then
    assert (then["engine"], now["engine"]) == ("csparql", "reference")
    assert now["strict"] == "correct"
    assert now["recorded"] == "The 5 recorded answers came again, and no other."
    asked = ("--live", "reference", "--engine", "csparql", "--query", 2)
    ran = cli("csrbench", recorded, *asked)
    assert ran.status == 0
    assert "reference live Q2: " in ran.out
    assert "csparql Q2: " in ran.out


def test_it_says_where_the_two_part(tmp_path: Path) -> None:
    other = [(t, rows if t != 3000 else []) for t, rows in RECORDED]
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): other})
    merged = ("--engine-option", "profile=c-sparql", "--engine", "csparql", "--query", 2)
    _, now = live(folder, *merged)
    assert now["recorded"] == "4 of the 5 recorded answers came again; others differ at 3 s."


def test_right_and_wrong_engines_are_told_apart(hot: Path) -> None:
    """Answers of the first have no instant but that of the element that set them off."""
    (found,) = live(hot, "--engine-option", "profile=rsp-js", "--query", 2)
    assert found["strict"] == "correct"
    (found,) = live(hot, "--query", 2, "--engine-option", "fault=bounds-start")
    assert found["strict"] == "wrong"
    assert "At 1 s, over the window (0, 1]: not expected" in found["because"]


REFUSING = Replying({"error": {"kind": "unsupported", "message": "not today"}})
"""A driver that refuses whatever it is asked."""


def test_an_engine_that_fails_or_is_lost_has_no_verdicts(
    hot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "connect", lambda *_: InProcessEngine(REFUSING))
    (found,) = live(hot, "--query", 2)
    assert found["strict"] == found["fitted"] == found["containment"] == "unsupported"
    assert found["because"] == "not today"
    monkeypatch.setattr(registry, "connect", lambda *_: Gone(REFUSING))
    lost = live(hot)
    assert [one["containment"] for one in lost] == ["not asked"] * 7
    assert {one["because"] for one in lost} == {"the driver failed 3 hellos in a row"}


def test_an_engine_that_hangs_is_not_asked_for_ever(hot: Path) -> None:
    found = live(hot, "--time-limit", 1, engine=toy("hang"))
    verdicts = [one["strict"] for one in found]
    assert verdicts[0] == "timeout"
    assert verdicts[-1] == "not asked"
    assert "did not answer in time" in found[-1]["because"]


class Gone(InProcessEngine):
    """An engine that can be asked nothing, after its hello."""

    def run_many(self, *_: object, **__: object) -> Iterator[tuple[str, Response]]:
        raise EngineBroken("the driver failed 3 hellos in a row")


def test_an_engine_in_other_letters_stands_beside_its_recordings(
    recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "connect", lambda *_: InProcessEngine(REFUSING))
    found = live(recorded, "--query", 2, engine="C-SPARQL")
    assert [(one["engine"], one.get("live", False)) for one in found] == [
        ("csparql", False),
        ("csparql", True),
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--live", "reference", "--engine", "mine"), "--engine mine: expected csparql"),
        (("--live", "reference", "--answers", "x", "--query", 1), "--answers and --live"),
        (("--live", "reference", "--engine-option", "x"), "write it as NAME=VALUE"),
        (("--engine-option", "a=b"), "--engine-option is for --live"),
    ],
)
def test_bad_arguments(arguments: tuple[object, ...], says: str, recorded: Path) -> None:
    ran = cli("csrbench", recorded, *arguments)
    assert ran.status == 2
    assert says in ran.err


def test_the_public_data(csrbench: Path) -> None:
    """What a correct engine with C-SPARQL's profile answers is not what was recorded in 2013."""
    profile = ("--engine-option", "profile=c-sparql", "--engine", "csparql")
    found = live(csrbench, *profile, "--query", 3)
    assert [one["strict"] for one in found] == ["wrong", "correct"]
    assert found[1]["recorded"].startswith("7 of the 9 recorded answers came again")


@pytest.mark.engine
@needs(CSPARQL)
def test_the_engine_of_the_recordings_today(csrbench: Path) -> None:
    """The table of the corpus' README, in its first query."""
    found = live(csrbench, "--query", 1, engine="csparql")
    assert [(one["engine"], one["strict"]) for one in found] == [
        ("csparql", "wrong"),
        ("csparql", "correct"),
    ]
    assert found[1]["recorded"].startswith("1 of the 4 recorded answers came again")
