"""The tutorial works as it is written: its files, its commands, and the output that it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from rsp_conformance.protocol import ProtocolEngine
from rsp_conformance.protocol.forms import Hello
from tests.docs.markdown import DOCS, fenced, section

PAGE = (DOCS / "test-your-engine.md").read_text("utf-8")
NAMED = {
    "toy.py": fenced(section(PAGE, "The engine: `toy.py`"), "python")[0],
    "driver.py": fenced(section(PAGE, "The driver: `driver.py`"), "python")[0],
}
BEFORE = '    "profile": {"base": "rsp-ql", "t0": 0, "numbers": "value"},\n'
(AFTER,) = fenced(section(PAGE, "A bug, or a dial?"), "python")
(SAY_HELLO,) = fenced(section(PAGE, "Say hello"), "console")
(CASE,), (RUN_CASE,) = (fenced(section(PAGE, "Run one case"), kind) for kind in ("text", "console"))
(CHECK,) = fenced(section(PAGE, "Check the driver"), "console")
(CHECK_AGAIN,) = fenced(section(PAGE, "A bug, or a dial?"), "console")
(ONE,), (REPORT,) = (fenced(section(PAGE, "Find a real bug"), kind) for kind in ("console", "text"))
(LOOP,) = fenced(section(PAGE, "Fix it"), "python")
REPLAY, WHOLE = fenced(section(PAGE, "Fix it"), "console")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The tutorial's two files, as a reader would copy them."""
    for name, text in NAMED.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def mended(folder: Path) -> Path:
    """The files with the profile that the reader is told to set."""
    driver = folder / "driver.py"
    text = driver.read_text("utf-8")
    assert text.count(BEFORE) == 1
    driver.write_text(text.replace(BEFORE, AFTER), "utf-8")
    return folder


def fix(folder: Path) -> None:
    """Replace the loop of the engine by the one that is right."""
    engine = folder / "toy.py"
    text = engine.read_text("utf-8")
    (loop,) = re.findall(r"^        while .*?(?=^        quads)", text, re.DOTALL | re.MULTILINE)
    engine.write_text(text.replace(loop, indent(LOOP, " " * 8)), "utf-8")


def run(folder: Path, shown: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the command that a SHOWN block begins with, by this Python."""
    command = shown.replace("\\\n", "").splitlines()[0]
    program, *arguments = shlex.split(command.removeprefix("$ "))
    module = {"pytest": "pytest", "rsp-conformance": "rsp_conformance"}[program]
    (bin := folder / "bin").mkdir(exist_ok=True)
    (bin / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (bin / "python").chmod(0o755)
    return subprocess.run(
        [sys.executable, "-m", module, *arguments, *more],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def steps(text: str) -> list[str]:
    """The lines of `engines check`, but for what pyoxigraph says of the bad query."""
    return lines(re.sub(r"rejected: .*?\n(?=an unknown)", "rejected\n", text, flags=re.DOTALL))


def test_the_driver_has_about_fifty_lines() -> None:
    assert len(NAMED["driver.py"].splitlines()) <= 55


def test_engines_check_finds_the_wrong_bounds(folder: Path) -> None:
    found = run(folder, CHECK)
    assert steps(found.stdout) == steps(CHECK)[1:]
    assert found.returncode == 1


def test_engines_check_is_content_with_the_profile_of_the_tutorial(mended: Path) -> None:
    found = run(mended, CHECK_AGAIN)
    assert steps(found.stdout) == steps(CHECK_AGAIN)[1:]
    assert found.returncode == 0


@pytest.mark.parametrize(("shown", "said"), [(SAY_HELLO, ""), (RUN_CASE, CASE)])
def test_the_driver_says_by_hand_what_the_page_shows(folder: Path, shown: str, said: str) -> None:
    (request,) = re.findall(r"echo '(.*)'", shown) or [said]
    found = subprocess.run(
        [sys.executable, "driver.py"],
        cwd=folder,
        input=request,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert lines(found.stdout) == lines(shown)[1:]


def test_the_bug_is_found_and_fixed_as_the_page_says(mended: Path) -> None:
    found = run(mended, ONE, "-p", "no:cacheprovider")
    assert "\n".join(lines(REPORT)) in "\n".join(lines(found.stdout))
    assert "1 failed" in found.stdout
    assert run(mended, REPLAY).stdout.startswith("FAILED")
    fix(mended)
    assert lines(run(mended, REPLAY).stdout) == lines(REPLAY)[2:]


def test_everything_passes(mended: Path) -> None:
    fix(mended)
    found = run(mended, WHOLE, "--rsp-examples=12")
    assert "failed" not in found.stdout
    assert re.search(r"\d+ passed", found.stdout)


def test_queries_that_the_toy_does_not_take_are_refused(folder: Path) -> None:
    window = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 1 STEP 1]\n"
    kinds = {window + "} no query": "rejected", window * 2: "unsupported", "": "unsupported"}
    with ProtocolEngine([sys.executable, "driver.py"], cwd=folder) as engine:
        assert isinstance(engine.hello(), Hello)
        for query, kind in kinds.items():
            outcome = engine.run({"op": "run", "id": "c", "query": query, "elements": []})
            assert getattr(outcome, "kind", None) == kind
