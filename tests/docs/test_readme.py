"""The README and the quick start show what the demo prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import DOCS, ROOT, fenced


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `rsp-conformance demo` prints in an empty folder."""
    run = subprocess.run(
        [sys.executable, "-m", "rsp_conformance", "demo"],
        cwd=tmp_path_factory.mktemp("demo"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return "\n".join(line.rstrip() for line in run.stdout.splitlines())


def test_the_readme_begins_with_the_demo(demo: str) -> None:
    block = next(b for b in fenced((ROOT / "README.md").read_text("utf-8"), "console"))
    shown = block.partition("rsp-conformance demo\n")[2].partition("...")[0]
    assert shown and demo.startswith(shown.rstrip())


def test_the_quick_start_shows_the_demo(demo: str) -> None:
    blocks = fenced(Path(DOCS / "quick-start.md").read_text("utf-8"), "text")
    assert len(blocks) == 3
    for block in blocks:
        assert block.strip("\n") in demo
