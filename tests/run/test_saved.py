"""A failure that an earlier run has written down is asked first, and is counted like any other."""

from __future__ import annotations

from pathlib import Path

from tests.builders.engines import ONE_START, Flawed, failures_of, perform, right, run_of


def test_a_failure_of_an_earlier_run_comes_first(tmp_path: Path) -> None:
    flawed = Flawed(right, fault="union-dedup")
    first = run_of(lambda: flawed, tmp_path, examples=40)
    (shown,) = failures_of(first, "law[JUDistR]")
    again = run_of(lambda: flawed, tmp_path, examples=5, seed=8, before=tmp_path)
    (found,) = failures_of(again, "law[JUDistR]")
    assert found.file == shown.file
    before = [own for own in again.ledger.records("law[JUDistR]") if own.drawn.place < 0]
    assert [own.outcome.accuses for own in before] == [True]


def test_what_is_right_by_now_is_compared_too(tmp_path: Path) -> None:
    flawed = Flawed(right, fault="union-dedup", **ONE_START)
    sound = Flawed(right, **ONE_START)
    failures_of(run_of(lambda: flawed, tmp_path, examples=20), "union")
    run = run_of(lambda: sound, tmp_path, examples=5, before=tmp_path)
    finished = perform(run, "union")
    assert (finished.verdict, finished.counts["compared"]) == ("passed", 6)
