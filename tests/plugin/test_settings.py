"""Settings of every run: in pytest's configuration file, or in the project's own table."""

from __future__ import annotations

import pytest

from rsp_conformance.plugin.options import GROUPS, OPTIONS
from tests.builders.drivers import toy
from tests.docs.markdown import DOCS, fenced, section
from tests.plugin.conftest import Project, Ran

WINDOWS = ("rsp::test_windows", "-v", "--rsp-seed=1")


def examples(ran: Ran) -> int:
    """The cases that the property of windows came to."""
    assert ran.status == 0, ran.out + ran.err
    return ran.counts("windows")[1]


def table(project: Project, *lines: str) -> None:
    """The project's own table."""
    text = "\n".join(
        ('[project]\nname = "theirs"\nversion = "1"', "[tool.rsp_conformance]", *lines)
    )
    project.write("pyproject.toml", text + "\n")


def test_the_command_line_goes_before_pytests_file_and_that_before_the_table(
    project: Project,
) -> None:
    table(project, 'engine = "reference"', "examples = 6")
    off = "--rsp-spark=off"
    assert examples(project.pytest(*WINDOWS, off)) == 6
    project.write("pytest.ini", "[pytest]\nrsp_examples = 5\n")
    assert examples(project.pytest(*WINDOWS, off)) == 5
    assert examples(project.pytest(*WINDOWS, off, "-o", "rsp_examples=4")) == 4
    assert examples(project.pytest(*WINDOWS, off, "--rsp-examples=3")) == 3


NATIVE = """[tool.pytest]
rsp_engine = "reference"
rsp_examples = 5
rsp_only = true
rsp_spark = "off"
rsp_time_limit = 20
rsp_dial = ["bounds=(o,c]"]
"""
IN_STRINGS = """[tool.pytest.ini_options]
rsp_engine = "reference"
rsp_examples = "5"
rsp_only = "true"
rsp_spark = "off"
rsp_time_limit = "20.5"
rsp_dial = "'bounds=(o,c]'"
"""
OWN = """[tool.rsp_conformance]
engine = "reference"
examples = 5
only = true
spark = "off"
time-limit = 20.5
dial = {bounds = "(o,c]"}
engine-option = ["t0=first"]
"""


@pytest.mark.parametrize("text", [NATIVE, IN_STRINGS, OWN], ids=["native", "strings", "table"])
def test_every_file_has_a_way_to_say_it(project: Project, text: str) -> None:
    project.write("pyproject.toml", text)
    ran = project.pytest("-k", "windows or own", "-v", "--rsp-seed=1")
    assert examples(ran) == 5
    assert "tests/test_own.py::test_own" not in ran.tests, "the suite alone was asked for"
    assert "with bounds=(o,c]" in ran.out and "Spark is off" in ran.out


SHOWN = section((DOCS / "plugin.md").read_text("utf-8"), "Settings for every run")
EXAMPLES = [
    *(("pyproject.toml", text) for text in fenced(SHOWN, "toml")),
    *(("pytest.ini", text) for text in fenced(SHOWN, "ini")),
]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_what_the_page_shows_is_read(project: Project, name: str, text: str) -> None:
    """The dials are turned for any engine, whatever it answers."""
    project.write(name, text)
    arguments = (*WINDOWS, "--rsp-spark=off", "--rsp-examples=3")
    ran = project.pytest(*arguments, "-o", f"rsp_engine={toy('unsupported')}")
    assert ran.status == 1, ran.out + ran.err
    assert "with bounds=[o,c)" in ran.out and "t0=first-element" in ran.out
    ran = project.pytest(*arguments, "-o", "rsp_engine=reference", "-o", "rsp_dial=")
    assert examples(ran) == 3
    assert "bounds=" not in ran.out


def test_an_engine_of_every_run_can_be_left_out_of_one(project: Project) -> None:
    table(project, 'engine = "reference"', 'spark = "off"', "examples = 3")
    assert "1 passed" in project.pytest("-o", "rsp_engine=", "-q").out
    refused = project.pytest("--rsp-engine=", "--rsp-only")
    assert refused.status == pytest.ExitCode.USAGE_ERROR


def test_without_an_engine_settings_change_nothing(project: Project) -> None:
    table(project, "examples = 3", 'dial = {bounds = "[o,c)"}', "xfails-strict = true")
    ran = project.pytest()
    assert ran.status == 0 and "rsp-conformance:" not in ran.out


def test_files_of_settings_stand_beside_them(project: Project) -> None:
    """Pytest runs in another folder than theirs."""
    project.write("kit/known", "windows it is known\n")
    project.write("own.json", '{"bounds": "(o,c]"}')
    project.write("kit/toy.sh", f"exec {toy('silent').removeprefix('stdio:')}\n").chmod(0o755)
    table(project, 'engine = "stdio:/bin/sh kit/toy.sh"', 'xfails = "kit/known"', 'spark = "off"')
    project.write("tests/sub/test_none.py", "")
    elsewhere = Project(project.folder / "tests" / "sub", project._forking)
    ran = elsewhere.pytest("rsp::test_windows", "-v", "-o", "rsp_profile=own.json")
    assert ran.tests == {"../../rsp::test_windows": "XFAIL"}, ran.out + ran.err
    again = elsewhere.pytest("../../rsp::test_windows", "-q")
    assert "1 xfailed" in again.out, again.out + again.err
    assert "profile own" in ran.out


LISTED = """[tool.rsp_conformance]
engine = "reference"
examples = 1
engine-option.fault = {}"""
REFUSED = [
    ("[tool.rsp_conformance]\nexmaples = 3", "[tool.rsp_conformance]: unknown setting 'exmaples'"),
    ("[tool.rsp_conformance]\nexmaples = 3", "did you mean 'examples'?"),
    ("[tool.rsp_conformance]\nexamples = '3'", "examples: expected a whole number, found '3'"),
    ("[tool.rsp_conformance]\nexamples = true", "examples: expected a whole number, found True"),
    ("[tool.rsp_conformance]\nonly = 1", "only: expected true or false, found 1"),
    ("[tool.rsp_conformance]\ndial = 'x'", "dial: expected a list of texts NAME=VALUE, or a"),
    ("[tool.rsp_conformance]\ndial = [1]", "dial: expected a list of texts NAME=VALUE, or a"),
    (
        "[tool.rsp_conformance]\nengine_option = {fault = {a = 1}}",
        "engine_option.fault: expected a text or a list of texts, found {'a': 1}",
    ),
    (
        "[tool.rsp_conformance]\nengine_option = {fault = ['a', ['b']]}",
        "engine_option.fault: expected a text or a list of texts, found ['a', ['b']]",
    ),
    # Each of a list comes to the engine, as of an option that is given several times.
    (LISTED.format("['x', 'path-bag']"), "unknown mutant 'x'"),
    (LISTED.format("['path-bag', 'x']"), "unknown mutant 'x'"),
    ("[tool.rsp_conformance]\nengine = ['x']", "engine: expected a text, found ['x']"),
    ("[tool.rsp_conformance]\nengine = 'refrence'", "did you mean 'reference'?"),
    ("[tool.rsp-conformance]\nengine = 'x'", "[tool.rsp-conformance] is written [tool.rsp_conf"),
    ("[tool]\nrsp_conformance = 3", "[tool.rsp_conformance]: expected a table, found 3"),
    ("[tool.pytest.ini_options]\nrsp_exmaples = 3", "'rsp_exmaples'; did you mean 'rsp_examples'"),
    (
        "[tool.pytest.ini_options]\nrsp_engine='reference'\nrsp_examples = 'x'",
        "pyproject.toml, rsp_examples x: expected a whole number, at least 1",
    ),
    (
        "[tool.pytest.ini_options]\nrsp_engine='reference'\nrsp_only = 'perhaps'",
        "pyproject.toml, rsp_only: expected true or false, found 'perhaps'",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_setting_that_is_none_is_one_line(project: Project, text: str, message: str) -> None:
    project.write("pyproject.toml", text + "\n")
    ran = project.pytest()
    assert ran.status == 2, ran.out + ran.err
    assert ran.err.startswith("ERROR: ") and ran.err.count("\n") == 1
    assert message in ran.err
    assert "Traceback" not in ran.out + ran.err


def test_another_plugins_setting_is_left_alone(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\nrsp_colour_of_theirs = red\n")
    ran = project.pytest()
    assert ran.status == 0 and "Unknown config option: rsp_colour_of_theirs" in ran.out


def test_every_option_has_a_setting_and_stands_in_the_help(project: Project) -> None:
    shown = project.pytest("--help").out
    for name in OPTIONS:
        assert f"--rsp-{name.replace('_', '-')}" in shown and f"rsp_{name} " in shown


def test_every_option_is_in_one_group() -> None:
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(OPTIONS)


def test_an_option_that_is_a_list_may_be_given_several_times() -> None:
    read = OPTIONS["engine_option"].read
    given = ["fault=union-dedup", "fault=path-bag", "t0=first", "t0=last"]
    assert read("--engine-option", given) == {"fault": "union-dedup,path-bag", "t0": "last"}
