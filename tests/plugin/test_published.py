"""A result that cannot be written is told of, place by place, and ends nothing."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from rsp_conformance.plugin.published import publish, step_summary
from rsp_conformance.run.run_report import run_report
from tests.run.test_run_report import STARTED, outcome


def test_each_place_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary.md"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert step_summary() is None
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (tmp_path / "file").touch()
    options = SimpleNamespace(json=tmp_path / "no" / "run.json", report=tmp_path / "file")
    document = run_report(outcome(), STARTED, passed=False)
    said = list(publish(document, options, tmp_path))  # type: ignore[arg-type]
    names = [line.partition(" ")[0] for line in said]
    assert names == ["--rsp-json", "--rsp-report", "GITHUB_STEP_SUMMARY"]
    assert all(": " in line and "\n" not in line for line in said)
    # A second step of a job, and a second run, stand behind the first.
    (tmp_path / "no").mkdir()
    options.report = None
    assert not [*publish(document, options, tmp_path), *publish(document, options, tmp_path)]  # type: ignore[arg-type]
    assert (tmp_path / "no" / "summary.md").read_text("utf-8").count("# e 1.0: failed\n") == 2
    assert (tmp_path / "no" / "run.json").is_file()
