"""Folders of campaigns that others have written, cut, or mixed up: one line, and status 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rsp_conformance.campaigns.store import SCHEMAS, Batch, Run, Store
from tests.builders.command_line import run_here

RUN = Run(1, "now", "reference", "1", "rsp-ql", "0", "0", "nobody")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of one batch."""
    folder = tmp_path_factory.mktemp("written") / "campaign"
    store = Store(folder, "reference", {})
    store.write(RUN, Batch(1, 1.0, {"drawing": 0.1}, {"correct": 0}), [])
    store.write_causes(RUN, 1, [])
    return folder


def test_a_folder_without_a_campaign_or_a_batch(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(written, folder)
    shutil.rmtree(folder / "runs")
    assert "there is no finished batch in it" in run_here(capsys, "fuzz", "report", folder).line()
    (folder / "campaign.json").unlink()
    assert "holds no campaign" in run_here(capsys, "fuzz", "report", folder).line()


def test_a_folder_that_is_whole_is_read(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run_here(capsys, "fuzz", "report", str(written))
    assert ran.status == 1 and "Nothing was compared" in ran.out
    assert [*Store(written).rows("verdicts", 1, SCHEMAS["verdicts"].names)] == []


@pytest.mark.parametrize("number", ["2", "999999999"])
def test_a_run_that_is_not_there(
    written: Path, capsys: pytest.CaptureFixture[str], number: str
) -> None:
    assert (
        f"there is no run {number} in it"
        in run_here(capsys, "fuzz", "report", str(written), "--run", number).line()
    )


def test_a_folder_of_somebody_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    ran = run_here(capsys, "fuzz", "--engine", "reference", "--out", str(tmp_path))
    assert "holds something else than campaigns" in ran.line()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
