"""A file never names a program that is run, unless its reader allows it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.protocol import registry
from tests.builders.command_line import run_here
from tests.hostile.crash_files import crash_with, written
from tests.hostile.table import short

PROGRAMS = [
    "stdio:{}",
    "stdio:sh -c {}",
    "stdio: {}",
    "http://localhost:1/{}",
    "python:{}",
    "file:{}",
    "module:thing",
    "STDIO:{}",
    "stdio:" + "x" * 5_000,
    "stdio:\x1b[2J{}",
]


@pytest.mark.parametrize("spec", PROGRAMS, ids=short)
def test_a_file_never_names_a_program(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "mark"
    program = written(tmp_path, f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n", "program")
    program.chmod(0o755)
    document = crash_with("engine", spec.replace("{}", str(program)))
    path = written(tmp_path, {**document, "options": {}})
    ran = run_here(capsys, "replay", path)
    assert "this file asks to run" in ran.line()
    assert "name the engine with --engine, or allow it with --trust-file" in ran.line()
    assert len(ran.err) < 500 and "\x1b" not in ran.err
    assert not mark.exists()
    asked = run_here(capsys, "replay", path, "--request")
    assert asked.status == 0 and not mark.exists()


def test_a_file_that_is_trusted_may_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f"stdio:{sys.executable} -m rsp_conformance.adapters.reference"
    path = written(tmp_path, {**crash_with("engine", spec), "options": {}})
    assert run_here(capsys, "replay", path, "--trust-file").status == 0
    assert run_here(capsys, "replay", path, "--engine", spec).status == 0
    assert run_here(capsys, "replay", path, "--engine", "reference").status == 0


def test_an_option_of_a_file_names_none_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> Any:
        raise registry.EngineUnavailable("it would have started")

    entry = registry.EngineEntry("jvm", "", connect, {"jar": "", "mode": ""}, harmless=("mode",))
    monkeypatch.setattr(registry, "find", lambda name: entry)
    document = crash_with("engine", "jvm")
    path = written(tmp_path, {**document, "options": {"jar": "/tmp/evil.jar", "mode": "x"}})
    for named in ((), ("--engine", "jvm")):
        line = run_here(capsys, "replay", path, *named).line()
        assert "this file asks to run 'jvm with jar=/tmp/evil.jar'" in line
        assert "--engine-option" in line
    for allowed in (("--trust-file",), ("--engine-option", "jar=mine.jar")):
        assert "it would have started" in run_here(capsys, "replay", path, *allowed).line()
    path = written(tmp_path, {**document, "options": {"mode": "x"}})
    assert "it would have started" in run_here(capsys, "replay", path).line()
