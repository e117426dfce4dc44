"""Input that makes no sense: one line on standard error, status 2, no traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.builders.drivers import toy
from tests.plugin.conftest import Forking, Project, Ran

REFERENCE = "--engine=reference"


def line(ran: Ran) -> str:
    """The one line that a refused run writes."""
    assert ran.status == 2, ran.out + ran.err
    assert ran.err.startswith("ERROR: ") and ran.err.count("\n") == 1
    assert "Traceback" not in ran.out + ran.err
    return ran.err


REFUSED = [
    (("--engine=refrence",), "--rsp-engine: unknown engine 'refrence'; did you mean 'reference'?"),
    (("--engine=stdio:./nothing",), "'./nothing' was not found"),
    ((REFERENCE, "--engine-option", "fault"), "expected NAME=VALUE"),
    (
        (REFERENCE, "--engine-option", "fault=nothing"),
        "--rsp-engine-option: engine reference: unknown mutant 'nothing'",
    ),
    ((REFERENCE, "--rsp-profile=cqel"), "unknown profile 'cqel'; did you mean 'cqels'?"),
    ((REFERENCE, "--rsp-profile=."), ".: a folder, where a profile's name or JSON file was"),
    (("--engine=stdio:.",), "the driver's program '.' is a folder"),
    ((REFERENCE, "--rsp-dial=bound=x"), "did you mean 'bounds'?"),
    ((REFERENCE, "--rsp-examples=0"), "at least 1"),
    ((REFERENCE, "--rsp-mode=quik"), "--rsp-mode: unknown mode quik; did you mean 'quick'?"),
    ((REFERENCE, "--rsp-stop-after=0"), "--rsp-stop-after 0: expected a whole number, at least 1"),
    ((REFERENCE, "--rsp-time-limit=soon"), "a number of seconds above 0"),
    ((REFERENCE, "--rsp-xfails=nothing"), "--rsp-xfails: nothing: there is no such file"),
    ((REFERENCE, "--rsp-known=nothing"), "--rsp-known: nothing: there is no such file"),
    ((REFERENCE, "--rsp-trace=no/where"), "--rsp-trace no/where: No such file"),
    ((REFERENCE, "--against=cqel"), "--rsp-against: unknown engine 'cqel'; did you mean 'cqels'?"),
    ((REFERENCE, "--against=stdio:./nothing"), "--rsp-against=stdio:./nothing: the driver's"),
    (
        (REFERENCE, "--against=reference", "--against-option=falt=x"),
        "--rsp-against-option: engine reference: unknown option 'falt'; did you mean 'fault'?",
    ),
    ((REFERENCE, "--against=reference", "--rsp-deep"), "--rsp-against: known causes and deep"),
    *(
        ((REFERENCE, f"--rsp-{name}="), f"--rsp-{name}= expects the name of a file")
        for name in ("json", "known-write", "xfails", "trace")
    ),
    ((REFERENCE, "--rsp-json=no/where"), "--rsp-json: no/where: cannot be written"),
    ((REFERENCE, "--rsp-known-write=no/where"), "--rsp-known-write: no/where: cannot be written"),
    ((REFERENCE, "--rsp-json=."), "--rsp-json: .: not a file"),
    (
        (REFERENCE, "--rsp-json=x.json", "--rsp-earl=./x.json"),
        "--rsp-earl: x.json: --rsp-json is written there",
    ),
    (
        (REFERENCE, "--rsp-json=rep/index.html", "--rsp-report=rep"),
        "--rsp-json: rep/index.html: --rsp-report is written there",
    ),
    ((REFERENCE, "--rsp-burnin=many"), "--rsp-burnin many: expected a whole number, at least 1"),
    ((REFERENCE, "--rsp-seed=randm"), "--rsp-seed randm: expected a whole number, or random"),
    ((REFERENCE, "--rsp-xfails=xfails"), "xfails, line 2: unknown property 'windoes'"),
    (
        (REFERENCE, "--rsp-known=known.toml"),
        "--rsp-known: known.toml: known[0]: unknown mutant 'newest'; did you mean",
    ),
    ((REFERENCE, "--rsp-known-write=xfails"), "no TOML ("),
    ((f"--engine={toy('silent --hello=die')}",), "the driver failed 3 hellos in a row"),
    ((f"--engine={toy('silent --hello=unavailable')}",), "install it with: make it"),
    (
        (f"--engine={toy('silent', features='')}",),
        "declares no form of query (ask, construct, select)",
    ),
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
    project.write("xfails", "windows:wrong-rows it is known\nwindoes nor this\n")
    project.write("known.toml", '[[known]]\nmutants = ["newest"]\nreason = "why"\n')
    for arguments, message in REFUSED:
        assert message in line(project.pytest(*arguments))


def test_without_java_the_line_names_the_option(project: Project) -> None:
    """And with Spark off nobody needs it."""
    nowhere = {"PATH": str(Path(sys.executable).parent), "JAVA_HOME": ""}
    elsewhere = {"JAVA_HOME": str(project.folder)}
    for variables, master, said in (
        (nowhere, "local[1]", "java is not on PATH"),
        (elsewhere, "local[1]", "holds no bin/java"),
        (nowhere, "of", "--rsp-spark: 'of' is no master; did you mean 'off'?"),
    ):
        found = line(project.pytest(REFERENCE, spark=master, variables=variables))
        assert said in found and ("--rsp-spark off" in found or master == "of")
    run = (REFERENCE, "--rsp-examples=5", "rsp::test_ask")
    assert project.pytest(*run, variables=nowhere).status == 0


def test_a_page_that_is_no_report_of_ours_stays(project: Project) -> None:
    page = project.write("site/index.html", "<h1>mine</h1>")
    run = (REFERENCE, "rsp::test_windows", "--rsp-examples=3")
    said = line(project.pytest(*run, "--rsp-report=site"))
    assert "--rsp-report: site/index.html: not a report of rsp-conformance" in said
    assert page.read_text("utf-8") == "<h1>mine</h1>"
    for _ in range(2):
        assert project.pytest(*run, "--rsp-report=own").status == 0


def test_an_option_that_is_misspelt_is_a_usage_error(project: Project) -> None:
    for typed, meant in (
        ("--engin=reference", "--engine"),
        ("--aganist=reference", "--against"),
        ("--rsp-jsn=x", "--rsp-json"),
        ("--rsp-knwon=x", "--rsp-known"),
        ("--rsp-dep", "--rsp-deep"),
    ):
        ran = project.pytest(REFERENCE, typed)
        assert ran.status == pytest.ExitCode.USAGE_ERROR, ran.out
        name = typed.partition("=")[0]
        assert ran.err == f"ERROR: unknown option {name}; did you mean '{meant}'?\n\n"


def test_a_file_behind_an_option_does_not_move_the_root(tmp_path: Path, forking: Forking) -> None:
    """Pytest takes an existing one in a word of its own for a test's: one elsewhere is refused."""
    inside = Project(tmp_path / "project", forking)
    inside.write("pytest.ini", "[pytest]\nrsp_examples = 3\n")
    inside.write("r.json", "")
    inside.write("../out/r.json", "")
    run = (REFERENCE, "rsp::test_windows")
    said = line(inside.pytest(*run, "--rsp-json", "../out/r.json"))
    assert "--rsp-json ../out/r.json: pytest takes this" in said
    assert "write --rsp-json=../out/r.json" in said
    for given in (("--rsp-json=../out/r.json",), ("--rsp-json", "r.json")):
        ran = inside.pytest(*run, *given)
        assert ran.status == 0 and ran.counts("windows")[1] == 3, ran.out + ran.err


def test_a_setting_left_empty_is_left_out(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\nrsp_json = no/where\nrsp_examples = 3\n")
    run = (REFERENCE, "rsp::test_windows")
    assert "pytest.ini, rsp_json: " in line(project.pytest(*run))
    assert project.pytest(*run, "-o", "rsp_json=").counts("windows")[1] == 3


def test_what_needs_an_engine_is_refused_without_one(project: Project) -> None:
    for argument in WITHOUT_ENGINE:
        ran = project.pytest(argument, "tests")
        name = argument.replace("--engine", "--rsp-engine").partition("=")[0]
        assert ran.status == pytest.ExitCode.USAGE_ERROR, ran.out
        assert ran.err.startswith(f"ERROR: {name} needs --rsp-engine=NAME"), ran.err
        assert ran.err.strip().count("\n") == 0


def test_help_starts_nothing(project: Project) -> None:
    started = project.folder / "started"
    engine = toy(f"silent --hello-once={started}")
    variables = {"JAVA_HOME": str(project.folder)}
    for option in ("--help", "--version", "--markers", "--fixtures"):
        ran = project.pytest(f"--engine={engine}", option, spark="local[1]", variables=variables)
        assert (ran.status, ran.err) == (0, ""), ran.out + ran.err
    assert not started.exists()
    shown = project.pytest("--help").out
    assert "RSP conformance:" in shown
    for option in ("--engine", "--rsp-engine", "--rsp-max-time", "--rsp-xfails", "--rsp-trace"):
        assert option in shown
