"""The program starts at once, is called in every usual way, and writes plain text."""

from __future__ import annotations

import os
import pty
import re
import resource
import sys
from pathlib import Path

import pytest

from tests.builders.command_line import FIXTURES, ROOT, cli, program, python, run_process

HEAVY = {"pyspark", "hypothesis", "rdflib", "pyoxigraph", "pyarrow", "lark", "rich", "pandas"}
HEAVY |= {"scipy", "numpy", "grpc", "pytest"}
EX6 = (
    "answers",
    "--query",
    FIXTURES / "rsp-ql/ex6.rq",
    "--stream",
    f":S_nearby={FIXTURES}/rsp-ql/S_nearby.jsonl",
    "--t0",
    ":w=4",
    "--until",
    "8",
)


def modules_after(*arguments: str) -> set[str]:
    code = (
        "import sys; from rsp_conformance.cli.main import main\n"
        f"assert main({list(arguments)!r}) == 0\n"
        "print('\\n' + ' '.join(sys.modules))"
    )
    ran = python("-c", code)
    return {name.partition(".")[0] for name in ran.well.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "arguments", [("--help",), (), ("answers", "--help"), ("replay", "--help"), ("--version",)]
)
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert modules_after(*arguments) & HEAVY == set()


SPARK = {"pyspark", "py4j", "pandas", "pyarrow", "grpc", "scipy", "numpy"}


@pytest.mark.parametrize(
    "arguments", [tuple(map(str, EX6)), ("engines",), ("engines", "check", "reference")]
)
def test_judging_alone_imports_no_spark_and_no_hypothesis(arguments: tuple[str, ...]) -> None:
    assert modules_after(*arguments) & (SPARK | {"hypothesis"}) == set()


def test_help_is_there_in_well_under_a_second() -> None:
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run_process("--help").status == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.8


def test_the_version_and_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = cli("--version")
    assert ran.status == 0
    assert re.fullmatch(r"rsp-conformance \S.*\n", ran.out)
    monkeypatch.setattr(sys, "platform", "win32")
    assert "WSL" in cli("--version").line()


def test_nothing_is_coloured_where_nobody_looks(tmp_path: Path) -> None:
    env = {"TERM": "xterm-256color", "GITHUB_ACTIONS": "true"}
    for arguments in (EX6, ("profiles",), ("--help",), ("engines",)):
        ran = run_process(*arguments, cwd=tmp_path, env=env)
        assert ran.status == 0
        assert "\x1b" not in ran.out + ran.err
        assert max(map(len, ran.out.splitlines())) <= 80


def test_on_a_terminal_the_head_stands_out() -> None:
    """And only there: the same command line on a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
        os.execv(sys.executable, [sys.executable, "-m", "rsp_conformance", *map(str, EX6)])
    seen = b""
    try:
        while chunk := os.read(terminal, 4096):
            seen += chunk
    except OSError:  # how Linux says that the other end has closed
        pass
    finally:
        os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert b"\x1b[1m" in seen and b":carl" in seen


def test_readers_that_leave_and_encodings_that_lack_a_character(tmp_path: Path) -> None:
    command = f"{sys.executable} -m rsp_conformance features | head -1; echo ${{PIPESTATUS[0]}}"
    ran = program("bash", "-c", command)
    assert ran.err == ""
    assert ran.well.splitlines()[1] in {"0", "141"}
    ran = run_process(*EX6, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert (ran.status, ran.err) == (0, "")
    assert ":carl" in ran.out
