"""`python -m tools.baseline`, in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import baseline
from tools.baseline import LEFT_OUT, MEASURES, lines, main, milliseconds


def test_lines_are_counted_by_room() -> None:
    found = lines()
    assert found["rsp_conformance/spec"] > 1_000 and found["tools"] > 1_000
    assert "rsp_conformance/profiles" not in found, "there is no Python in it"


def test_the_time_a_case_is_parted() -> None:
    found = milliseconds(20)
    assert found.pop("cases") == 20
    assert {"drawing", "reference"} <= found.keys() and all(ms > 0 for ms in found.values())


def test_some_figures_are_measured_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "baseline.json"
    out.write_text('{"wheel": {"bytes": 1}, "lines": {}}', "utf-8")
    monkeypatch.setattr(baseline, "MEASURES", {**MEASURES, "lines": lambda: {"a": 2}})
    assert main(["--only", "lines", "--out", str(out)]) == 0
    written = json.loads(out.read_text("utf-8"))
    assert written == {"lines": {"a": 2}, "wheel": {"bytes": 1}, "left out": dict(LEFT_OUT)}
