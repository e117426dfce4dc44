"""Suites of cases that others have written: one line, which names the file and the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.files.files import FileError
from rsp_conformance.test_suite.manifest import read_suite
from tests.builders.command_line import run_here


@pytest.mark.parametrize("name", ["nowhere", "a\x00b", "file", "n" * 5_000])
def test_no_suite_at_all(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        read_suite(tmp_path / name)


def test_export_to_places_that_cannot_be(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("")
    for place in ("file", "file/below", "full", "a\x00b"):
        ran = run_here(capfd, "export", str(tmp_path / place))
        assert ran.status == 2 and ran.err.count("\n") == 1, ran.err
    for crash in ("file", "nowhere.json"):
        ran = run_here(capfd, "export", str(tmp_path / "new"), "--crash", str(tmp_path / crash))
        assert ran.status == 2 and not (tmp_path / "new").exists()
