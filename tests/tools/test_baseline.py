"""`python -m tools.baseline`, in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rsp_conformance.diagnosis.mutants import MUTANTS
from tools import baseline
from tools.baseline import MEASURES, lines, main, milliseconds, mutants, suite_run


def test_lines_are_counted_by_room() -> None:
    found = lines()
    assert found["rsp_conformance/spec"] > 1_000 and found["tools"] > 1_000
    assert "rsp_conformance/profiles" not in found, "there is no Python in it"


def test_the_time_a_case_is_parted() -> None:
    found = milliseconds(20)
    assert found.pop("cases") == 20
    assert {"drawing", "reference"} <= found.keys() and all(ms > 0 for ms in found.values())


def test_each_mutant_of_the_sample_has_its_hunt() -> None:
    found = mutants(1, jobs=1)
    assert (found["sample"], found["seeds"]) == (1, 2)
    ((name, hunt),) = found["found"].items()
    assert name in MUTANTS and hunt["property"] and len(hunt["cases"]) == 2


def test_more_mutants_are_hunted_if_more_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline, "mutants", lambda sample: {"sample": sample})
    out = tmp_path / "baseline.json"
    assert main(["--only", "mutants", "--mutants", "180", "--out", str(out)]) == 0
    assert json.loads(out.read_text("utf-8"))["mutants"] == {"sample": 180}


def test_a_run_has_its_processor_seconds_and_verdicts() -> None:
    found = suite_run("reference", "--rsp-spark=off", "--rsp-examples=2", "-k", "filter", "-n", "0")
    assert found["processor seconds"] > 0.1 and found["printed lines"] > 5
    assert found["verdicts"]["passed"] == 1 and found["causes"] == []


def test_a_run_that_cannot_be_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="ended with 4"):
        suite_run("reference", "--no-such-option")


def test_some_figures_are_measured_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "baseline.json"
    out.write_text('{"wheel": {"bytes": 1}, "lines": {}}', "utf-8")
    monkeypatch.setattr(baseline, "MEASURES", {**MEASURES, "lines": lambda: {"a": 2}})
    assert main(["--only", "lines", "--out", str(out)]) == 0
    written = json.loads(out.read_text("utf-8"))
    left = written.pop("left out")
    assert written == {"lines": {"a": 2}, "wheel": {"bytes": 1}}
    assert left.keys() == MEASURES.keys() - written.keys()
    assert left["tests"] == "python -m tools.baseline --only 'tests'"
