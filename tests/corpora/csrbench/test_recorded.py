"""C-SPARQL's recorded answers to the seven queries, judged where the public data lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders.command_line import cli
from tests.corpora.csrbench.conftest import judged as said


@pytest.fixture(scope="module")
def judged(csrbench: Path) -> dict[int, dict[str, Any]]:
    """What the command says of C-SPARQL, by query."""
    return {one["query"]: one for one in said(csrbench, "--engine", "csparql")}


def test_every_query_has_a_line_with_three_verdicts(judged: dict[int, dict[str, Any]]) -> None:
    assert sorted(judged) == [1, 2, 3, 4, 5, 6, 7]
    for one in judged.values():
        fields = {"engine", "query", "strict", "fitted", "containment", "reading", "because"}
        assert set(one) == fields
        assert one["engine"] == "csparql"
        assert {one[name] for name in ("strict", "fitted", "containment")} <= {"correct", "wrong"}


@pytest.mark.parametrize("number", [1, 4, 6, 7])
def test_what_the_paper_accepts_fits_windows_without_their_end(
    judged: dict[int, dict[str, Any]], number: int
) -> None:
    one = judged[number]
    assert (one["strict"], one["fitted"], one["containment"]) == ("wrong", "correct", "correct")
    assert one["reading"].startswith("bounds [o,c), t0 = 0 s; ")
    assert "stamps and relations as recorded" in one["reading"]
    assert "every answer that is due came, and no other" in one["because"]


def test_the_second_query_is_right_by_the_profile_itself(judged: dict[int, dict[str, Any]]) -> None:
    one = judged[2]
    assert (one["strict"], one["fitted"], one["containment"]) == ("correct", "correct", "correct")
    assert one["reading"].startswith("bounds (o,c], t0 = 0 s; ")


def test_the_third_recording_has_a_reading_in_the_wrong_window(
    judged: dict[int, dict[str, Any]],
) -> None:
    one = judged[3]
    assert (one["strict"], one["fitted"], one["containment"]) == ("wrong", "wrong", "wrong")
    # All agree but two evaluations, which one reading has been moved between.
    assert "7 of 9 evaluations agree" in one["because"]
    assert "At 28 s, over the window (24, 28]: missing {?sensor System_C0810" in one["because"]
    assert "At 32 s, over the window (28, 32]: not expected {?sensor System_C0810" in one["because"]
    # With [o,c) it is not one reading at 20 s that belongs at 24 s, but three that are astray.
    assert "[o,c) and t0 = 0 s 6 rows would differ, at 20 s, 24 s, 32 s, 36 s" in one["because"]


def test_the_fifth_query_reports_windows_that_are_open_and_loses_rows(
    judged: dict[int, dict[str, Any]],
) -> None:
    one = judged[5]
    assert (one["strict"], one["fitted"], one["containment"]) == ("wrong", "wrong", "wrong")
    _, _, best = one["because"].partition("By the best reading")
    assert "came that no evaluation has, at 1 s, 2 s, 3 s, 4 s" in best
    for second in (17, 19, 20, 31):
        assert f"At {second} s, over the window [{second - 5}, {second}): missing" in best


def test_the_table_reads_in_eighty_columns(csrbench: Path) -> None:
    ran = cli("csrbench", csrbench, "--engine", "csparql", "--query", "2")
    assert (ran.status, ran.err) == (0, "")
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert "csparql   Q2      correct" in ran.out
