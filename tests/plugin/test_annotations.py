"""On GitHub a failure stands at a file of the repository, with its argument."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest

from rsp_conformance.plugin.annotations import commands
from rsp_conformance.run.outcome import RunOutcome
from tests.builders.drivers import toy
from tests.plugin.conftest import Project
from tests.run.test_causes import ALL

FAULTY = (
    *("--engine=reference", "--engine-option=fault=bounds-end", "--engine-option=dial.t0=0"),
    *("--rsp-examples=20", "rsp::test_windows"),
)
COMMAND = re.compile(
    r"^::error (?:file=(?P<file>[^,:]+),line=1,)?title=(?P<title>[^,]+?)::(.*)$", re.M
)


def test_a_counterexample_is_the_file_from_the_workspace_on(project: Project) -> None:
    summary = project.folder / "summary.md"
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(project.folder.parent)}
    variables |= {"GITHUB_STEP_SUMMARY": str(summary)}
    ran = project.pytest(*FAULTY, "--rsp-report=out", "-n2", variables=variables)
    assert ran.status == 1
    (found,) = COMMAND.finditer(ran.out)
    assert found["file"].startswith(f"{project.folder.name}/.rsp/crashes/")
    assert (project.folder.parent / found["file"]).is_file()
    assert re.fullmatch(r"1 \S+: 1 property", unquote(found["title"]))
    message = unquote(found[3])
    # The report is there whole, of a worker's failure as well.
    assert "\nWhy  " in COMMAND.sub("", ran.out)
    assert ran.counts("windows")[0] == "FAILED"
    assert project.crashes == ["reference-windows-wrong-rows.json"]
    assert "\nIn windows.\nrsp-conformance replay " in message
    assert "\nwrong rows · reference" in message
    assert "\nAs a page: out/index.html\n" in ran.out
    # The same cause stands in the step's summary and on the page.
    (line,) = [line for line in summary.read_text().splitlines() if line.startswith("| windows ")]
    assert unquote(found["title"]).removesuffix(": 1 property") in line
    assert "<details><summary>Its smallest case, of " in summary.read_text()
    assert "1 of 1 property failed. 1 cause identified" in project.read("out/index.html")


def test_a_failure_without_a_counterexample_stands_at_the_configuration(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\n")
    arguments = (f"--engine={toy('silent --hello=once')}", "rsp::test_windows")
    ran = project.pytest(*arguments, variables={"GITHUB_ACTIONS": "true"})
    (found,) = COMMAND.finditer(ran.out)
    assert found["file"] == "pytest.ini" and "the driver failed 3 hellos in a row" in found[3]
    (project.folder / "greeted").unlink()
    elsewhere = project.pytest(*arguments)
    assert elsewhere.status == 1 and "::error" not in elsewhere.out


def test_there_is_one_annotation_a_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    names = ("windows", "gaps", "join", "filter")
    failed = [
        SimpleNamespace(location=("x", 0, ""), nodeid=f"rsp::test_{name}", longrepr=f"why {name}")
        for name in names
    ]
    # The first property's failure is another cause's: it is the second one that argues for this.
    for report, file in zip(failed, ("other.json", ALL[0].file), strict=False):
        report.rsp_failures = [{"files": [file], "text": f"argued: {report.longrepr}"}]
    config = SimpleNamespace(
        rootpath=tmp_path, pluginmanager=SimpleNamespace(hasplugin=lambda _: False)
    )
    outcome = RunOutcome(causes=ALL)
    lines = list(commands(config, failed, outcome))  # type: ignore[arg-type]
    titles = [unquote(line.partition("title=")[2].partition("::")[0]) for line in lines]
    assert titles == [
        "1 newest-only: 2 properties",
        "2 bounds=[o,c): 1 property",
        "unexplained: 2 properties",
        "rsp::test_filter",
    ]
    newest = unquote(lines[0]).splitlines()
    assert newest[1].startswith("Shows in 415 of 415") and newest[2] == "In windows, gaps."
    assert newest[3:] == [f"rsp-conformance replay {ALL[0].file}", "", "argued: why gaps"]
    (first, *_) = commands(config, failed, outcome, "stdio:./my-driver")  # type: ignore[arg-type]
    assert f"replay {ALL[0].file} --engine stdio:./my-driver\n" in unquote(first)
    # A number is that of the report, which was shown on the way.
    outcome.discovered = {"given-up": replace(ALL[0], id="given-up")}
    (first, *_) = commands(config, failed, outcome)  # type: ignore[arg-type]
    assert "title=2 newest-only" in first


def test_what_would_end_a_command_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (tmp_path / "a,b:c%.json").touch()
    report = SimpleNamespace(
        location=("a,b:c%.json", 0, "test"),
        nodeid="rsp::test_x",
        longrepr="100 %\r\na::b" * 999,
    )
    others: set[str] = set()
    config = SimpleNamespace(
        rootpath=tmp_path, pluginmanager=SimpleNamespace(hasplugin=others.__contains__)
    )
    (line,) = commands(config, [report])  # type: ignore[arg-type, list-item]
    assert line.startswith(
        "::error file=a%2Cb%3Ac%25.json,line=1,title=rsp%3A%3Atest_x::100 %25%0D%0Aa::b"
    )
    assert "\n" not in line and len(unquote(line)) < 4_100
    # Another plugin that annotates finds the file in the report.
    others.add("annotate_errors")
    assert not list(commands(config, [report]))  # type: ignore[arg-type, list-item]
