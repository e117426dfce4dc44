"""Folders of campaigns that others have written, cut, or mixed up: one line, and status 2."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rsp_conformance.campaigns.store import SCHEMAS, Batch, Run, Store
from tests.builders.command_line import run_here

ABOUT = {"rsp_campaign": 1, "engine": "reference", "options": {}}
RUN = Run(1, "now", "reference", "1", "rsp-ql", "0", "0", "nobody")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of one batch."""
    folder = tmp_path_factory.mktemp("written") / "campaign"
    store = Store(folder, "reference", {})
    store.write(RUN, Batch(1, 1.0, {"drawing": 0.1}, {"correct": 0}), [])
    store.write_causes(RUN, 1, [])
    return folder


def file(folder: Path, table: str = "runs") -> Path:
    """The one file of TABLE."""
    (path,) = folder.glob(f"{table}/*/*.parquet")
    return path


def about(text: object) -> Callable[[Path], object]:
    """Have campaign.json say TEXT."""
    whole = text if isinstance(text, str) else json.dumps(text)
    return lambda folder: (folder / "campaign.json").write_text(whole)


def renamed(version: str) -> Callable[[Path], object]:
    """Have a batch say that it is of another VERSION."""

    def change(folder: Path) -> None:
        table = pq.read_table(file(folder))
        metadata = {**table.schema.metadata, b"rsp_campaign": version.encode()}
        pq.write_table(table.replace_schema_metadata(metadata), file(folder))

    return change


def without(column: str) -> Callable[[Path], object]:
    """Take a COLUMN out of a batch."""

    def change(folder: Path) -> None:
        table = pq.read_table(file(folder)).drop_columns([column])
        pq.write_table(table, file(folder))

    return change


def foreign(folder: Path) -> None:
    """Put another program's table in the place of a batch."""
    pq.write_table(pa.table({"run": [1]}), file(folder))


FOLDERS: list[tuple[str, Callable[[Path], object], str]] = [
    ("no-about", lambda f: (f / "campaign.json").unlink(), "holds no campaign"),
    ("empty-about", about(""), "campaign.json"),
    ("other-json", about([]), "not a campaign of rsp-conformance"),
    ("no-version", about({"engine": "reference"}), "not a campaign of rsp-conformance"),
    ("newer", about({**ABOUT, "rsp_campaign": 2}), "version 2 of campaigns is not the one"),
    ("text-version", about({**ABOUT, "rsp_campaign": "x" * 9_000}), "is not the one"),
    ("no-engine", about({"rsp_campaign": 1}), "damaged: it names no engine"),
    ("engine-number", about({**ABOUT, "engine": 1}), "damaged: it names no engine"),
    ("deep", about('{"a":' * 500 + "1" + "}" * 500), "nested"),
    ("nothing-run", lambda f: shutil.rmtree(f / "runs"), "there is no finished batch in it"),
    ("cut", lambda f: file(f).write_bytes(file(f).read_bytes()[:200]), "damaged"),
    ("empty", lambda f: file(f).write_bytes(b""), "damaged"),
    ("no-parquet", lambda f: file(f).write_text("run,batch\n"), "damaged"),
    ("causes-cut", lambda f: file(f, "causes").write_bytes(b"PAR1"), "damaged"),
    ("batch-newer", renamed("2"), "version '2' of campaigns is not the one"),
    ("batch-binary", renamed("\x1b[31m" * 999), "is not the one"),
    ("foreign", foreign, "not a campaign of rsp-conformance"),
    ("no-units", without("units"), "damaged: without the column units"),
    ("no-wall", without("wall"), "damaged: without the column wall"),
]


@pytest.mark.parametrize(
    ("change", "said"), [own[1:] for own in FOLDERS], ids=[o[0] for o in FOLDERS]
)
def test_a_folder_is_refused_in_one_line(
    written: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path], object],
    said: str,
) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(written, folder)
    change(folder)
    line = run_here(capsys, "fuzz", "report", str(folder)).line()
    assert said in line and len(line) < 2_500 and line[:-1].isprintable()


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
