"""Input that makes no sense: one line on standard error, status 2, no traceback."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.plugin.conftest import Project, Ran, driver

REFERENCE = "--engine=reference"


def line(ran: Ran) -> str:
    """The one line that a refused run writes."""
    assert ran.status == 2, ran.out + ran.err
    assert ran.err.startswith("ERROR: ") and ran.err.count("\n") == 1
    assert "Traceback" not in ran.out + ran.err
    return ran.err


REFUSED = [
    (("--engine=refrence",), "did you mean 'reference'?"),
    (("--engine=stdio:",), "a command line has to follow"),
    (("--engine=stdio:./nothing",), "'./nothing' was not found"),
    ((REFERENCE, "--engine-option", "fault"), "expected NAME=VALUE"),
    ((REFERENCE, "--engine-option", "fautl=x"), "did you mean 'fault'?"),
    ((REFERENCE, "--engine-option", "fault=nothing"), "unknown fault 'nothing'"),
    ((REFERENCE, "--rsp-profile=cqel"), "unknown profile 'cqel'; did you mean 'cqels'?"),
    ((REFERENCE, "--rsp-profile=nothing.json"), "nothing.json: "),
    ((REFERENCE, "--rsp-dial=bound=x"), "did you mean 'bounds'?"),
    ((REFERENCE, "--rsp-dial=bounds=x"), "expected (o,c]"),
    ((REFERENCE, "--rsp-examples=0"), "at least 1"),
    ((REFERENCE, "--rsp-time-limit=soon"), "a number of seconds above 0"),
    ((REFERENCE, "--rsp-max-time=-1"), "a number of seconds above 0"),
    ((REFERENCE, "--rsp-xfails=nothing"), "--rsp-xfails: nothing: No such file"),
    ((REFERENCE, "--rsp-known=nothing"), "--rsp-known: nothing: there is no such file"),
    ((REFERENCE, "--rsp-trace=no/where"), "--rsp-trace no/where: No such file"),
    ((REFERENCE, "--rsp-seed=randm"), "--rsp-seed randm: expected a whole number, or random"),
]

# None of these means anything without an engine; settings of every run stand elsewhere.
WITHOUT_ENGINE = [
    "--rsp-only",
    "--rsp-xfails=x",
    "--rsp-known=x",
    "--rsp-examples=200",
    "--rsp-seed=1",
    "--rsp-spark=off",
    "--rsp-burnin=1000",
    "--engine-option=fault=bounds-end",
    "rsp::test_windows",
]


def test_one_line_says_what_and_where(project: Project) -> None:
    for arguments, message in REFUSED:
        assert message in line(project.pytest(*arguments))


def test_what_is_no_master_is_refused_before_anything_starts(project: Project) -> None:
    said = line(project.pytest(REFERENCE, spark="of"))
    assert "--rsp-spark: 'of' is no master; did you mean 'off'?" in said


def test_what_needs_an_engine_is_refused_without_one(project: Project) -> None:
    for argument in WITHOUT_ENGINE:
        ran = project.pytest(argument, "tests")
        name = argument.replace("--engine", "--rsp-engine").partition("=")[0]
        assert ran.status == pytest.ExitCode.USAGE_ERROR, ran.out
        assert ran.err.startswith(f"ERROR: {name} needs --rsp-engine=NAME"), ran.err
        assert ran.err.strip().count("\n") == 0


def test_a_mark_that_makes_no_sense(project: Project) -> None:
    project.write("xfails", "windows:wrong-rows it is known\nwindoes nor this\n")
    said = line(project.pytest(REFERENCE, "--rsp-xfails=xfails"))
    assert "xfails, line 2: unknown property 'windoes'" in said


def test_a_cause_that_makes_no_sense(project: Project) -> None:
    project.write("known.toml", '[[known]]\nmutants = ["newest"]\nreason = "why"\n')
    said = line(project.pytest(REFERENCE, "--rsp-known=known.toml"))
    assert "--rsp-known: known.toml: known[0]: unknown mutant 'newest'; did you mean" in said


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("dead-hello", "the driver failed 3 hellos in a row"),
        ("unavailable", "install it with: make it"),
        ("no-features", "declares no form of query (ask, construct, select)"),
    ],
)
def test_an_engine_that_cannot_be_had(project: Project, how: str, message: str) -> None:
    assert message in line(project.pytest(f"--engine={driver(how)}"))


def test_without_java_the_line_names_the_option(project: Project) -> None:
    environment = {"PATH": str(Path(sys.executable).parent), "JAVA_HOME": ""}
    ran = project.pytest(REFERENCE, spark="local[1]", environment=environment)
    assert "java is not on PATH" in line(ran) and "--rsp-spark off" in line(ran)


def test_a_java_home_without_java(project: Project) -> None:
    environment = {"JAVA_HOME": str(project.folder)}
    ran = project.pytest(REFERENCE, spark="local[1]", environment=environment)
    assert "holds no bin/java" in line(ran) and "--rsp-spark off" in line(ran)


def test_without_java_the_run_goes_on_with_spark_off(project: Project) -> None:
    environment = {"PATH": str(Path(sys.executable).parent), "JAVA_HOME": ""}
    arguments = (REFERENCE, "--rsp-examples=5", "rsp::test_ask")
    assert project.pytest(*arguments, environment=environment).status == 0


def test_help_starts_nothing(project: Project) -> None:
    log = project.folder / "log"
    environment = {**os.environ, "DRIVER_LOG": str(log), "JAVA_HOME": str(project.folder)}
    for option in ("--help", "--version", "--markers", "--fixtures"):
        ran = project.pytest(
            f"--engine={driver('silent')}", option, spark="local[1]", environment=environment
        )
        assert (ran.status, ran.err) == (0, ""), ran.out + ran.err
    assert not log.exists()
    shown = project.pytest("--help").out
    assert "RSP conformance:" in shown
    for option in ("--engine", "--rsp-engine", "--rsp-max-time", "--rsp-xfails", "--rsp-trace"):
        assert option in shown
