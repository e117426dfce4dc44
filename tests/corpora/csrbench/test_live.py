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


def test_every_query_is_asked(tmp_path: Path) -> None:
    found = live(write_benchmark(tmp_path / "b", HOT, {}))
    assert [(one["engine"], one["query"]) for one in found] == [
        ("reference", n) for n in range(1, 8)
    ]
    assert all(one["live"] and one["strict"] == one["fitted"] == "correct" for one in found)
    assert all(one["version"] and "recorded" not in one for one in found)


def test_it_stands_beside_what_was_recorded(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): RECORDED})
    merged = ("--engine-option", "profile=c-sparql", "--engine", "csparql", "--query", 2)
    recorded, now = live(folder, *merged)
    assert "live" not in recorded
    assert (recorded["engine"], now["engine"]) == ("csparql", "reference")
    assert now["strict"] == "correct"
    assert now["recorded"] == "The 5 recorded answers came again, and no other."


def test_it_says_where_the_two_part(tmp_path: Path) -> None:
    other = [(t, rows if t != 3000 else []) for t, rows in RECORDED]
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): other})
    merged = ("--engine-option", "profile=c-sparql", "--engine", "csparql", "--query", 2)
    _, now = live(folder, *merged)
    assert now["recorded"] == "4 of the 5 recorded answers came again; others differ at 3 s."


def test_an_engine_that_learns_the_time_from_elements(tmp_path: Path) -> None:
    """Its answers have no instant of their own: they have that of the element that set them off."""
    folder = write_benchmark(tmp_path / "b", HOT, {})
    (found,) = live(folder, "--engine-option", "profile=rsp-js", "--query", 2)
    assert found["strict"] == "correct"


def test_a_wrong_engine_is_wrong(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {})
    (found,) = live(folder, "--query", 2, "--engine-option", "fault=bounds-start")
    assert found["strict"] == "wrong"
    assert "At 1 s, over the window (0, 1]: not due" in found["because"]


REFUSING = Replying({"error": {"kind": "unsupported", "message": "not today"}})
"""A driver that refuses whatever it is asked."""


def test_a_failure_stands_in_place_of_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {})
    monkeypatch.setattr(registry, "connect", lambda *_: InProcessEngine(REFUSING))
    (found,) = live(folder, "--query", 2)
    assert found["strict"] == found["fitted"] == found["containment"] == "unsupported"
    assert found["because"] == "not today"


def test_an_engine_that_hangs_is_not_asked_for_ever(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {})
    found = live(folder, "--time-limit", 1, engine=toy("hang"))
    verdicts = [one["strict"] for one in found]
    assert verdicts[0] == "timeout"
    assert verdicts[-1] == "not asked"
    assert "did not answer in time" in found[-1]["because"]


class Gone(InProcessEngine):
    """An engine that can be asked nothing, after its hello."""

    def run_many(self, *_: object, **__: object) -> Iterator[tuple[str, Response]]:
        raise EngineBroken("the driver failed 3 hellos in a row")


def test_an_engine_that_is_lost_leaves_the_rest_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {})
    monkeypatch.setattr(registry, "connect", lambda *_: Gone(REFUSING))
    found = live(folder)
    assert [one["containment"] for one in found] == ["not asked"] * 7
    assert {one["because"] for one in found} == {"the driver failed 3 hellos in a row"}


def test_an_engine_in_other_letters_stands_beside_its_recordings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): RECORDED})
    monkeypatch.setattr(registry, "connect", lambda *_: InProcessEngine(REFUSING))
    found = live(folder, "--query", 2, engine="C-SPARQL")
    assert [(one["engine"], one.get("live", False)) for one in found] == [
        ("csparql", False),
        ("csparql", True),
    ]


def test_the_table_says_which_is_live(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): RECORDED})
    asked = ("--live", "reference", "--engine", "csparql", "--query", 2)
    ran = cli("csrbench", folder, *asked)
    assert ran.status == 0
    assert "reference live Q2: " in ran.out
    assert "csparql Q2: " in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--live", "reference", "--engine", "mine"), "--engine mine: expected csparql"),
        (("--live", "reference", "--answers", "x", "--query", 1), "--answers and --live"),
        (("--live", "reference", "--engine-option", "x"), "write it as NAME=VALUE"),
        (("--engine-option", "a=b"), "--engine-option is for --live"),
    ],
)
def test_bad_arguments(arguments: tuple[object, ...], says: str, tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "b", HOT, {("csparql", 2): RECORDED})
    ran = cli("csrbench", folder, *arguments)
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
    """The table of docs/reproduce.md, in its first query."""
    found = live(csrbench, "--query", 1, engine="csparql")
    assert [(one["engine"], one["strict"]) for one in found] == [
        ("csparql", "wrong"),
        ("csparql", "correct"),
    ]
    assert found[1]["recorded"].startswith("1 of the 4 recorded answers came again")
