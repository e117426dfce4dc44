"""The tutorial works as it is written: the driver runs, the finding and its remedy are as told."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tutorial's two files, as a reader would copy them."""
    made = tmp_path_factory.mktemp("tutorial")
    text = PAGE.read_text("utf-8")
    for name in ("toy.py", "driver.py"):
        block = re.search(rf"`{name}`\n.*?```python\n(.*?)```", text, re.DOTALL)
        assert block is not None
        (made / name).write_text(block[1], "utf-8")
    return made


def run_suite(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "COLUMNS": "100"}
    command = [sys.executable, "-m", "pytest", "--rsp-only", "--rsp-spark=off", "--rsp-seed=1"]
    engine = f"--engine=stdio:{shlex.quote(sys.executable)} driver.py"
    found = subprocess.run(
        [*command, engine, "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "INTERNALERROR" not in found.stdout + found.stderr
    return found.stdout


def test_the_driver_has_about_thirty_lines(folder: Path) -> None:
    assert len((folder / "driver.py").read_text("utf-8").splitlines()) < 40


def test_the_suite_finds_what_the_tutorial_says(folder: Path) -> None:
    found = run_suite(folder, "-k", "windows and not same_stream")
    told = re.search(
        r"Why this is wrong.*?the answer is right\.", PAGE.read_text("utf-8"), re.DOTALL
    )
    assert told is not None
    assert told[0] in found
    assert "1 failed" in found


def test_with_the_profile_of_the_tutorial_everything_passes(folder: Path) -> None:
    found = run_suite(folder, "--rsp-dial", "bounds=[o,c)", "--rsp-examples=30")
    assert "failed" not in found
    assert re.search(r"\d+ passed", found)
