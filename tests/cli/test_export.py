"""``export``: the packaged suite, or one made of crash files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tests.builders.command_line import FIXTURES, run_here, run_process

CRASHES = ("rsp-js-newest-only", "yasper-newest-window-only", "rsp-rs-istream-not-applied")


def test_the_packaged_suite_is_copied(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "suite"
    for _ in range(2):  # also over an earlier one
        ran = run_here(capfd, "export", folder)
        assert ran.status == 0, ran.err
        assert ran.out.startswith("The case suite is in")
    names = {p.relative_to(folder) for p in folder.rglob("*")}
    assert names == {p.relative_to(packaged_suite()) for p in packaged_suite().rglob("*")}


def test_a_suite_of_crash_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each case stands there under the engine's dials; what the engine answered is wrong."""
    files = [FIXTURES / "crashes" / f"{name}.json" for name in CRASHES]
    ran = run_here(capfd, "export", tmp_path, *(x for f in files for x in ("--crash", f)))
    assert ran.status == 0, ran.err
    tests = read_suite(tmp_path).tests
    assert [entry.name for entry in tests] == [*CRASHES]
    assert all(entry.requires for entry in tests)
    assert "by rsp-js" in tests[0].title
    assert (tmp_path / "README.md").exists() and (tmp_path / "runner.mjs").exists()


def test_the_same_cases_are_the_same_bytes(tmp_path: Path) -> None:
    """Whatever order sets have in a process."""
    files = [x for name in CRASHES for x in ("--crash", FIXTURES / "crashes" / f"{name}.json")]
    written = []
    for seed in "12":
        ran = run_process("export", tmp_path / seed, *files, env={"PYTHONHASHSEED": seed})
        assert ran.status == 0, ran.err
        paths = sorted(p for p in (tmp_path / seed).rglob("*") if p.is_file())
        written.append({p.relative_to(tmp_path / seed): p.read_bytes() for p in paths})
    assert written[0] and written[0] == written[1]
