"""The causes of what failed, at a terminal: in one process, in several, and quietly."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rsp_conformance.plugin.results import Results
from rsp_conformance.run.events import FindingConfirmed, PropertyFinished
from rsp_conformance.run.run_report import REPORTS, RunReport, read_report
from tests.plugin.conftest import Project

INTERRUPTING = """
class Interrupting:
    def pytest_runtest_logstart(self, nodeid):
        if "gaps" in nodeid:
            raise KeyboardInterrupt

def pytest_configure(config):
    config.pluginmanager.register(Interrupting())
"""
FAULTY = ("--engine=reference", "--engine-option=fault=bounds-end", "--engine-option=dial.t0=0")


@pytest.mark.parametrize("more", [(), ("-n", "2", "-q", "--tb=no")])
def test_failures_are_named_by_their_cause(project: Project, more: tuple[str, ...]) -> None:
    run = ("--rsp-only", "--rsp-examples=12", "-k", "test_windows or gaps")
    written = ("--junitxml=out/rsp.xml", "--rsp-json=run.json")
    ran = project.pytest(*FAULTY, *run, *written, *more)
    assert ran.status == 1, ran.out
    for name in ("windows", "gaps"):
        assert ran.rows[name].startswith("FAILED") and " 1 " in ran.rows[name], ran.out
    table = ran.out.partition("Causes of what failed")[2]
    assert re.search(r"^1 .* {3}rsp-conformance replay \w{6}$", table, re.MULTILINE), ran.out
    assert "would make none of " in " ".join(table.split()), ran.out
    assert "\nAs JSON: run.json\n" in ran.out
    if "-q" not in more:
        said = "rsp-conformance results run.json --known-write known.toml, then run with"
        assert said in " ".join(ran.out.split())
    # A command stays whole, to be copied.
    said = [line for line in table.splitlines() if "rsp-conformance replay" not in line]
    assert max(map(len, said)) <= 80
    id = re.findall(r"^1 (\S+)", table, re.M)[0]
    for case in ElementTree.parse(project.folder / "out/rsp.xml").iter("testcase"):
        own = [(one.get("name"), one.get("value")) for one in case.iter("property")]
        kinds = [value for name, value in own if name == "rsp_kind"]
        assert ("rsp_cause", id) in own
        assert "--tb=no" in more or all(str(kind) in ran.out for kind in kinds)
        crash = str(dict(own)["rsp_crash"])  # from the folder of the run on, for other machines
        assert not Path(crash).is_absolute() and (project.folder / crash).is_file()
    # What is wrong stands in the list of failures, in JUnit's messages, and before each report.
    found = re.findall(r"^FAILED rsp::test_\S+ - (.* at t=.*?)(?:\.\.\.)?$", ran.out, re.M)
    tree = ElementTree.parse(project.folder / "out/rsp.xml")
    messages = [one.get("message", "") for one in tree.iter("failure")]
    assert found and all(any(m.startswith(said) for m in messages) for said in found)
    shown = re.findall(r"^\S.* at t=.*\n\S.* · reference .* · property (\S+)$", ran.out, re.M)
    assert bool(shown) is ("--tb=no" not in more)
    assert "this answer is right" not in ran.out
    _check_json(project)


def test_in_junit_a_crash_file_is_named_once(tmp_path: Path) -> None:
    """Also where two searches of a property end in the same case."""
    path = tmp_path / "out.xml"
    case = '<testcase classname="rsp" name="test_windows"><properties/></testcase>'
    path.write_text(f"<testsuites><testsuite>{case}</testsuite></testsuites>")
    found = FindingConfirmed("windows", "silent", 1, "/x/a.json", "")
    other = replace(found, kind="timeout", file="/x/b.json")
    results = Results().take([found, other, found, PropertyFinished("windows", "failed")])
    results.complete_junit(path, {"rsp_engine": "e"})
    (whole,) = ElementTree.parse(path).iterfind("testsuite/properties/property")
    assert (whole.get("name"), whole.get("value")) == ("rsp_engine", "e")
    own = [(one.get("name"), one.get("value")) for one in ElementTree.parse(path).iter("property")]
    assert [value for name, value in own if name == "rsp_crash"] == ["/x/a.json", "/x/b.json"]


def test_a_run_that_is_interrupted_names_what_it_has_found(project: Project) -> None:
    project.write("conftest.py", INTERRUPTING)
    faulty = ("--engine=reference", "--engine-option=fault=late-by-slide", "--rsp-mode=quick")
    # With this seed the cause is found early, so it is named on a busy machine as well.
    run = ("-k", "windows or gaps", "--rsp-seed=1", "--rsp-json=run.json")
    ran = project.pytest(*faulty, *run)
    assert ran.status == 2 and "\n1 late-by-slide " in ran.out, ran.out
    report = read_report(project.folder / "run.json")
    assert (report.complete, [own.property for own in report.properties]) == (False, ["windows"])
    assert [own.id for own in report.causes] == ["late-by-slide"]
    assert report.properties[0].causes == ("late-by-slide",)


def _check_json(project: Project) -> None:
    """The result as JSON: one file, whatever processes have a share in it."""
    document = project.json("run.json")
    report = REPORTS.read(RunReport, document)
    assert (report.engine, report.passed, report.complete) == ("reference", False, True)
    assert {own.property: own.verdict for own in report.properties}["windows"] == "failed"
    cause = report.causes[0]
    assert "windows" in cause.properties and cause.explains > 0 and cause.contradicts == 0
    assert cause.mutants or cause.dials
    assert (project.folder / cause.smallest.file).is_file()
    assert {own.file for own in report.findings} >= {cause.smallest.file}
    assert report.properties[0].causes == (cause.id,)
    assert [path.name for path in project.folder.glob("*run.json*")] == ["run.json"]


def test_a_run_that_passes_names_none(project: Project) -> None:
    ran = project.pytest("--engine=reference", "--rsp-only", "--rsp-examples=10", "-k", "windows")
    assert ran.status == 0 and "Cause" not in ran.out
