"""What the report of a failed property shows: what is new in full, and how it is run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.judge.crash_file import id_of
from rsp_conformance.run.report import FailureReport
from tests.builders.engines import (
    ONE_START,
    Flawed,
    failures_of,
    kinds_of,
    right,
    rows_lost,
    run_of,
)


def test_a_counterexample_is_shown_once(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(right, fault="bounds-end", **ONE_START), tmp_path)
    reporter = FailureReport(run.naming.keeper)
    first = failures_of(run, "windows")
    kinds = reporter.note(first)
    # Missing rows at one instant may also be taken for rows at another.
    assert "wrong rows" in kinds and set(kinds.split(", ")) == kinds_of(first)
    whole = reporter.text(first)
    assert "\nWhy  " in whole
    reporter.remember(first[0].finding)
    second = [replace(s, finding=replace(s.finding, property_name="gaps")) for s in first]
    assert reporter.note(second) == f"as windows ({kinds})"
    text = reporter.text(second)
    assert "The same counterexample as rsp::test_windows." in text
    assert "\nWhy  " not in text
    for shown, own in ((whole, first), (text, second)):
        lines = shown.splitlines()
        assert len(lines) <= 60 and "\x1b" not in shown
        # A command is not broken within a word, however long that is.
        assert all(len(line) <= 80 or "/crashes/" in line for line in lines)
        assert f"crashes/{run.naming.keeper.id(own[0].finding)}" in shown


def test_what_no_known_cause_shows_in_is_argued_first(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(rows_lost), tmp_path)
    own = failures_of(run, "windows")[0]
    text = f"{own.finding.query_text} "
    known = replace(own, finding=replace(own.finding, known=("old",), query_text=text))
    (one,) = FailureReport(run.naming.keeper).texts([known, own])
    assert "the known cause old" not in one.text and "\nAlso: " in one.text
    (other,) = FailureReport(run.naming.keeper).texts([known])
    assert "This case also shows the known cause old." in other.text


def test_what_runs_a_case_again_is_a_command_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_of(lambda: Flawed(rows_lost), tmp_path / ".rsp")
    failures = failures_of(run, "windows")
    text = FailureReport(run.naming.keeper).text(failures)
    path = run.naming.keeper.path(failures[0].finding)
    assert str(path.relative_to(tmp_path)).startswith(".rsp/crashes/flawed-windows-wrong-rows-")
    assert f"\nrsp-conformance replay {id_of(path)}\n" in text
