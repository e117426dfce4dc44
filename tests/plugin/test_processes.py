"""Several processes, signals, terminals; nothing is left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugin.conftest import QUIET, Project

DRIVER = f"stdio:{sys.executable} -m rsp_conformance.adapters.reference"


def children_of(session: int) -> set[str]:
    """The command lines of all processes whose environment carries the session's mark."""
    found = set()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and b"RSP_TEST=%d" % session in (
                (entry / "environ").read_bytes().split(b"\0")
            ):
                found.add((entry / "cmdline").read_text().replace("\0", " "))
    return found


@contextlib.contextmanager
def nothing_left(mark: int) -> Iterator[dict[str, str]]:
    """An environment; afterwards no process that had it is there, nor any file of the kit's."""
    with tempfile.TemporaryDirectory() as folder:
        yield {**os.environ, "RSP_TEST": str(mark), "TMPDIR": folder}
        deadline = time.monotonic() + 10
        while (left := children_of(mark)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert left == set()
        assert list(Path(folder).glob("rsp-*")) == []


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


def test_workers_share_seed_selection_and_table(project: Project) -> None:
    arguments = ("--engine=reference", "--rsp-examples=10", "--rsp-seed=5")
    ids = ("tests", *(f"rsp::test_{name}" for name in ("windows", "same_stream_windows", "ask")))
    # How many properties a worker is handed at once.
    handed = "def pytest_terminal_summary(config): print('at once', config.option.maxschedchunk)"
    project.write("conftest.py", handed)
    ran = project.pytest(*arguments, "-n", "2", "-v", *ids)
    assert (ran.status, ran.err) == (0, "") and "at once 1" in ran.out, ran.out
    assert set(ran.rows) == {"windows", "same_stream_windows", "ask"}
    assert ran.counts("windows")[:2] == ("passed", 10)
    alone = project.pytest(
        *arguments, "-n", "0", "-k", "own or (windows and not count) or test_ask"
    )
    assert alone.rows == ran.rows
    assert "\x1b" not in ran.out


@needs_proc
@pytest.mark.parametrize(
    ("number", "status", "shown", "workers"),
    [
        (signal.SIGINT, 2, "KeyboardInterrupt", 0),
        (signal.SIGTERM, 143, "Ended: SIGTERM", 0),
        (signal.SIGTERM, 143, "Ended: SIGTERM", 2),
    ],
)
def test_a_signal_leaves_nothing(
    project: Project, number: signal.Signals, status: int, shown: str, workers: int
) -> None:
    with nothing_left(os.getpid() * 100 + number) as environment:
        run = subprocess.Popen(
            [
                *(sys.executable, "-m", "pytest", *QUIET, f"--engine={DRIVER}", "--rsp-only"),
                *("--rsp-spark=off", "--rsp-trace=wire", "-v", "--rsp-examples=10"),
                f"-n{workers}",
            ],
            cwd=project.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wire = project.folder / ("wire.gw0" if workers else "wire")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (wire.exists() and wire.stat().st_size > 2_000):
            time.sleep(0.05)
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    assert run.returncode == status, out + err
    assert err == ""
    assert shown in out


LOSING = """
import os, signal, time, pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            raise SystemError("AST constructor") from None
    return report
"""


def test_an_interrupt_that_gets_lost_ends_the_run_all_the_same(project: Project) -> None:
    """As within Python's parser (3.11); tests/hostile/test_signals.py has other ways."""
    project.write("losing.py", LOSING)
    ran = project.pytest(
        *("-plosing", f"--engine={DRIVER}", "--rsp-examples=5", "--rsp-only"),
        *("rsp::test_ask", "rsp::test_windows"),
    )
    assert ran.status == pytest.ExitCode.INTERRUPTED, ran.out
    assert "INTERNALERROR" not in ran.out and "!!! KeyboardInterrupt !!!" in ran.out
    assert "2 passed" not in ran.out


TOLD_TO_END = """
import os, signal
from rsp_conformance.plugin import outputs
from rsp_conformance.diagnosis.seam import Diagnosis

own = {where}

def told(*args, **kwargs):
    os.kill(os.getpid(), signal.{name})
    while {is_endless}:
        pass
    return own(*args, **kwargs)

{where} = told
"""


@pytest.mark.parametrize(
    ("where", "name", "status"),
    [("Diagnosis._last", "SIGINT", 2), ("outputs.run_report", "SIGTERM", 143)],
)
def test_a_signal_while_a_run_ends_loses_nothing(
    project: Project, where: str, name: str, status: int
) -> None:
    is_naming = where == "Diagnosis._last"
    project.write("told.py", TOLD_TO_END.format(where=where, name=name, is_endless=is_naming))
    ran = project.pytest(
        *("-ptold", "--engine=reference", "--engine-option=fault=newest-only", "--rsp-only"),
        *("--rsp-spark=off", "--rsp-examples=20", "--rsp-seed=1", "rsp::test_windows"),
        "--junitxml=junit.xml",
        *("--rsp-json=run.json", "--rsp-earl=earl.ttl", "--rsp-known-write=known.toml"),
    )
    assert (ran.status, ran.err) == (status, "")
    assert "Traceback" not in ran.out
    assert ("Interrupted: the causes are those found on the way." in ran.out) is is_naming
    found = project.json("run.json")
    assert found["complete"] is not is_naming
    assert [finding["property"] for finding in found["findings"]] == ["windows"]
    assert "newest-only" in {cause["id"] for cause in found["causes"]}
    assert "earl:failed" in project.read("earl.ttl")
    assert "rsp_crash" in project.read("junit.xml")
    assert "newest-only" in project.read("known.toml")


@needs_proc
def test_the_end_leaves_nothing(project: Project) -> None:
    with nothing_left(os.getpid() * 100) as environment:
        ran = project.pytest(
            f"--engine={DRIVER}", "--rsp-examples=5", "-x", "-k=ask", environment=environment
        )
        assert (ran.status, ran.err) == (0, "")


def test_a_terminal_sees_what_goes_on(project: Project) -> None:
    """Cut to its width; what a wide one sees is in `test_progress`."""
    columns = 40
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    run = subprocess.Popen(
        [
            *(sys.executable, "-m", "pytest", *QUIET, f"--engine={DRIVER}", "rsp::test_windows"),
            *("rsp::test_gaps", "--rsp-spark=off", "--rsp-examples=20", "--rsp-seed=1"),
        ],
        cwd=project.folder,
        stdout=theirs,
        stderr=theirs,
        env={
            **{name: own for name, own in os.environ.items() if name != "COLUMNS"},
            "TERM": "xterm",
        },
    )
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # the other end is gone
        while chunk := os.read(ours, 4096):
            seen += chunk
    os.close(ours)
    assert run.wait(60) == 0
    text = seen.decode()
    assert re.search(r"windows: (generating cases|asking \d+ of \d+)", text)
    lines = re.split(r"[\r\n\b]+", re.sub(r"\x1b\[[0-9;]*[mK]", "", text))
    going = [line for line in lines if re.search(r"windows: |gaps: ", line)]
    assert max(map(len, going)) < columns
    # Whatever was shown has been taken back: a line of pytest's is what it always was.
    shown = re.sub(r"\x1b\[[0-9;]*[mK]", "", play(text))
    assert re.search(r"^rsp \.\. +\[100%\]$", shown, re.M), shown


def play(text: str) -> str:
    """What stands on the screen after TEXT: backspaces go back, and erase to the end of line."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        cells: list[str] = []
        place = 0
        for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", line):
            if part == "\b":
                place -= 1
            elif part == "\x1b[K":
                del cells[place:]
            elif not part.startswith("\x1b"):
                cells[place : place + 1] = [part]
                place += 1
        lines.append("".join(cells))
    return "\n".join(lines)
