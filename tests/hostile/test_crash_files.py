"""Crash files that others have written: read strictly, and nothing is said to be fixed."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.protocol import registry
from tests.builders.command_line import cli
from tests.hostile.crash_files import CRASH, crash_with, written
from tests.hostile.readers import GONE, short

CRASHES: list[tuple[str, Any, str]] = [
    ("property", "no such \x1b[31m" + "x" * 5_000, GONE),
    ("kind", GONE, "kind: expected one of"),
    ("engine", "refrence", "unknown engine 'refrence'; did you mean 'reference'?"),
    ("engine", "", "unknown engine ''"),
    ("options.falt", "x", "unknown option 'falt'"),
    ("case.until", 10**9, "there are more than 10,000,000 instants"),
    ("answers", [], GONE),
    ("request", 5, "request: expected an object"),
]


@pytest.mark.parametrize(("place", "value", "said"), CRASHES, ids=short)
def test_a_crash_file_is_read_strictly(place: str, value: Any, said: Any, tmp_path: Path) -> None:
    path = written(tmp_path, crash_with(place, value))
    ran = cli("replay", path)
    assert "\x1b" not in ran.out + ran.err and len(ran.err) < 2_500
    if said is GONE:  # nothing is wrong with it
        assert (ran.status, ran.err) == (1, "")
        return
    assert said in ran.line()
    assert ran.out == "ERROR\n"
    assert written(tmp_path, crash_with(place, value)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("case.until", 0),  # compared from t_s = 0 on, and nothing is due at 0
        ("case.elements", []),
    ],
    ids=short,
)
@pytest.mark.parametrize("options", [{}, {"fault": "bounds-end", "t0": "first"}], ids=short)
def test_what_shows_nothing_is_never_fixed(
    place: str,
    value: Any,
    options: dict[str, str],
    tmp_path: Path,
) -> None:
    document = {**crash_with(place, value), "options": options}
    until = document["case"]["until"]
    document["answers"] = [{"t": t, "solutions": []} for t in (1, 2, 3) if t <= until]
    ran = cli("replay", written(tmp_path, document))
    assert "it shows no failure" in ran.line()


def test_what_ends_before_answers_count_is_never_fixed(tmp_path: Path) -> None:
    document = crash_with("kind", "protocol-error")
    query = document["case"]["query"]
    document["case"]["query"] = re.sub(r"STEP \w+", "STEP PT90S", query)
    assert document["case"]["query"] != query
    ran = cli("replay", written(tmp_path, {**document, "answers": [], "options": {}}))
    assert ran.out == "ERROR\n"
    assert "nothing was compared" in ran.line()


@pytest.mark.parametrize(("place", "value"), [("case.until", 0), ("case.elements", [])], ids=short)
@pytest.mark.parametrize("kind", ["crashed", "died", "unstable", "rejected", "too many rows"])
def test_where_no_evaluation_is_due_nothing_is_fixed(
    kind: str, place: str, value: Any, tmp_path: Path
) -> None:
    document = {**crash_with(place, value), "kind": kind, "answers": []}
    document["options"] = {"dial.report": "WC & NC"}
    document["profile"]["report"] = "WC & NC"
    ran = cli("replay", written(tmp_path, document))
    assert ran.out == "ERROR\n"
    until = document["case"]["until"]
    said = f"nothing was compared: no evaluation is expected from 0 on, where until is {until}"
    assert said in ran.line()


@pytest.mark.parametrize("kind", ["unstable", "timeout"])
def test_what_comes_and_goes_is_not_reproduced(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, {**crash_with("kind", kind), "options": {}})
    ran = cli("replay", path, "--times", "4")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "FIXED: windows on reference (not reproduced in 4 runs)\n"
    runs = {"unstable": "3 runs", "timeout": "1 run"}[kind]
    assert f"(not reproduced in {runs})" in cli("replay", path).out
    if kind == "unstable":
        assert "takes at least two runs" in cli("replay", path, "--times", "1").line()
    assert "'--times'" in cli("replay", path, "--times", "0").line()


CONTRADICTION = CRASH.with_name("contradiction.json")
"""What a run under the fault ``error-negated`` left: two cases that the law FReordI relates."""


def test_answers_that_do_not_contradict_each_other_show_nothing(tmp_path: Path) -> None:
    assert cli("replay", CONTRADICTION).out == "FIXED: law[FReordI] on reference\n"
    faulty = ("--engine-option", "fault=error-negated")
    assert cli("replay", CONTRADICTION, *faulty).status == 1
    document = json.loads(CONTRADICTION.read_text("utf-8"))
    first, *others = document["related"]["asked"]
    for other in others:
        other["answers"] = first["answers"]
    ran = cli("replay", written(tmp_path, document))
    assert "do not contradict each other: it shows no failure" in ran.line()


def test_a_case_less_than_a_law_compares_is_damage(tmp_path: Path) -> None:
    document = json.loads(CONTRADICTION.read_text("utf-8"))
    first, *_ = document["related"]["asked"]
    for asked, said in (([first], "1 case"), ([first] * 3, "3 cases")):
        document["related"]["asked"] = asked
        ran = cli("replay", written(tmp_path, document))
        assert f"damaged: related.asked: {said}, and law[FReordI] compares 2" in ran.line()
        assert ran.out == "ERROR\n"


# --- A file never names a program that is run, unless its reader allows it ------------------------

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
def test_a_file_never_names_a_program(spec: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    program = written(tmp_path, f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n", "program")
    program.chmod(0o755)
    document = crash_with("engine", spec.replace("{}", str(program)))
    path = written(tmp_path, {**document, "options": {}})
    ran = cli("replay", path)
    assert "this file asks to run" in ran.line()
    assert "name the engine with --engine, or allow it with --trust-file" in ran.line()
    assert len(ran.err) < 500 and "\x1b" not in ran.err
    assert not mark.exists()
    asked = cli("replay", path, "--request")
    assert asked.status == 0 and not mark.exists()


def test_a_file_that_is_trusted_may_name_one(tmp_path: Path) -> None:
    spec = f"stdio:{sys.executable} -m rsp_conformance.adapters.reference"
    path = written(tmp_path, {**crash_with("engine", spec), "options": {}})
    assert cli("replay", path, "--trust-file").status == 0
    assert cli("replay", path, "--engine", spec).status == 0
    assert cli("replay", path, "--engine", "reference").status == 0


def test_an_option_of_a_file_names_none_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> Any:
        raise registry.EngineUnavailable("it would have started")

    entry = registry.EngineEntry("jvm", "", connect, {"jar": "", "mode": ""}, harmless=("mode",))
    monkeypatch.setattr(registry, "find", lambda name: entry)
    document = crash_with("engine", "jvm")
    path = written(tmp_path, {**document, "options": {"jar": "/tmp/evil.jar", "mode": "x"}})
    for named in ((), ("--engine", "jvm")):
        line = cli("replay", path, *named).line()
        assert "this file asks to run 'jvm with jar=/tmp/evil.jar'" in line
        assert "--engine-option" in line
    for allowed in (("--trust-file",), ("--engine-option", "jar=mine.jar")):
        assert "it would have started" in cli("replay", path, *allowed).line()
    path = written(tmp_path, {**document, "options": {"mode": "x"}})
    assert "it would have started" in cli("replay", path).line()
