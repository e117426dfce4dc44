"""The tutorial works as it is written: its files, its commands, and the output that it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rsp_conformance.protocol import ProtocolEngine
from rsp_conformance.protocol.forms import Hello
from tests.docs.markdown import DOCS, fenced, section

PAGE = (DOCS / "tutorial.md").read_text("utf-8")
NAMED = {
    "toy.py": fenced(section(PAGE, "The engine: `toy.py`"), "python")[0],
    "driver.py": fenced(section(PAGE, "The driver: `driver.py`"), "python")[0],
}
BEFORE = '    "profile": {"base": "rsp-ql", "t0": 0, "numbers": "value"},\n'
(AFTER,) = fenced(section(PAGE, "Trying it"), "python")
CHECK, CHECK_AGAIN = fenced(section(PAGE, "Trying it"), "console")
WHOLE, ONE = fenced(section(PAGE, "Running the suite"), "console")
(REPORT,) = fenced(section(PAGE, "Running the suite"), "text")


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


def run(folder: Path, shown: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the command that a SHOWN block begins with, by this Python."""
    program, *arguments = shlex.split(shown.splitlines()[0].removeprefix("$ "))
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


def test_the_suite_finds_what_the_tutorial_says(mended: Path) -> None:
    found = run(mended, ONE, "--rsp-spark=off", "--rsp-seed=1", "-p", "no:cacheprovider")
    assert "\n".join(lines(REPORT)) in "\n".join(lines(found.stdout))
    assert "1 failed" in found.stdout


def test_everything_passes(mended: Path) -> None:
    found = run(mended, WHOLE, "--rsp-spark=off", "--rsp-seed=1", "--rsp-examples=12")
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


def test_the_engine_entry_of_the_tutorial_connects(folder: Path) -> None:
    code = fenced(section(PAGE, "An engine in a package"), "python")[0]
    names: dict[str, object] = {}
    exec(compile(code, "docs/tutorial.md", "exec"), names)
    names["COMMAND"] = [sys.executable, str(folder / "driver.py")]
    with names["ENGINE"].connect({}, 5.0) as engine:  # type: ignore[attr-defined]
        assert engine.hello().engine == "toy"


def test_the_recorded_answers_are_judged(tmp_path: Path) -> None:
    shown = section(PAGE, "Answers that are recorded")
    stream, answers = fenced(shown, "text")
    (command,) = fenced(shown, "console")
    (tmp_path / "s.jsonl").write_text(stream, "utf-8")
    (tmp_path / "ANSWERS.json").write_text(answers, "utf-8")
    (tmp_path / "Q.rq").write_text(
        "PREFIX : <http://ex.org/> SELECT ?who FROM NAMED WINDOW :w ON STREAM :s "
        "[RANGE 2 STEP 2] WHERE { WINDOW :w { ?who :near :a } }",
        "utf-8",
    )
    ran = run(tmp_path, command.replace("--until 10", "--until 2"), "--dial", "t0=0")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("correct")
