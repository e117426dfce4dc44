"""``demo``: what a newcomer sees first."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.builders.command_line import run_here, run_process


def test_the_demo_finds_shrinks_argues_and_names_a_defect(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.pytest]\naddopts = ["--nonsense"]\n')
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert False\n")
    # Pytest warns of a plugin's module that is imported by then: of ours, as an installed package.
    environment = {**os.environ, "PYTEST_PLUGINS": "rsp_conformance.cli.demo"}
    shown = run_process("demo", cwd=tmp_path, env=environment)
    assert "Warning" not in shown.out and "collected" not in shown.out
    assert shown.status == 0 and "test_own" not in shown.out, shown.out + shown.err
    assert shown.out.count("Why this is wrong") == 1
    assert "1 newest-only" in shown.out and "What to do next:" in shown.out
    (command,) = set(re.findall(r"^ *rsp-conformance replay (\S+)$", shown.out, re.M))
    assert (tmp_path / command).is_file()


def test_an_engine_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_here(capsys, "demo", "--engine", "refrence")
    assert shown.status == 2 and shown.err.count("\n") == 1
    assert "unknown engine 'refrence'; did you mean 'reference'?" in shown.err
