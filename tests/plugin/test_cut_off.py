"""Properties that something outside the suite ends, repeats or hinders: what was found is told."""

from __future__ import annotations

import sys

import pytest

from tests.plugin.conftest import Project

FAULTY = ("--engine=reference", "--engine-option=fault=newest-only", "--rsp-only", "--rsp-seed=1")
CUTTING = """
import pytest
from rsp_conformance.run.session import Session

own = Session._add

def cut(self, property, records):
    own(self, property, records)
    if property.name == "gaps":
        raise {error}

Session._add = cut
"""
TWICE = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    runtestprotocol(item, nextitem=item, log=False)
"""


@pytest.mark.parametrize(
    ("error", "status", "verdict"),
    [
        ("KeyboardInterrupt", pytest.ExitCode.INTERRUPTED, "failed"),
        ("pytest.fail.Exception('Timeout (>5.0s)')", pytest.ExitCode.TESTS_FAILED, "timed out"),
    ],
    ids=["interrupt", "time limit of a plugin"],
)
def test_a_property_that_is_cut_off_is_told_with_what_was_found(
    project: Project, error: str, status: int, verdict: str
) -> None:
    project.write("cutting.py", CUTTING.format(error=error))
    ran = project.pytest(
        *("-pcutting", *FAULTY, "--rsp-spark=off", "--rsp-examples=30", "--rsp-json=run.json"),
        *("rsp::test_windows", "rsp::test_gaps"),
    )
    assert ran.status == status, ran.out
    assert "Traceback" not in ran.out and "INTERNALERROR" not in ran.out
    assert set(ran.rows) == {"windows", "gaps"}
    found = {own["name"]: own for own in project.json("run.json")["properties"]}
    assert found["gaps"]["verdict"] == verdict
    assert 0 < found["gaps"]["counts"]["compared"] < found["windows"]["counts"]["compared"]


NOTHING_ASKED = """
from rsp_conformance.run.session import Session

def cut(self, property, shares=1):
    self._begun(property)
    raise KeyboardInterrupt

Session.run = cut
"""
HALF_A_BLOCK = """
from itertools import islice
import pytest
from rsp_conformance.run.worker import Worker

own = Worker.judged

def judged(self, *given):
    yield from islice(own(self, *given), 12)
    raise pytest.fail.Exception("Timeout (>5.0s)")

Worker.judged = judged
"""
SHRINKING = """
import pytest
from rsp_conformance.run.naming import Naming

own = Naming._shrunk

def shrunk(self, *given, **more):
    Naming._shrunk = own
    raise pytest.fail.Exception("Timeout (>5.0s)")

Naming._shrunk = shrunk
"""


def test_an_interrupt_before_the_first_answer_accuses_nobody(project: Project) -> None:
    project.write("cutting.py", NOTHING_ASKED)
    ran = project.pytest(
        *("-pcutting", "--engine=reference", "--rsp-only", "--rsp-spark=off"),
        *("--rsp-json=run.json", "rsp::test_windows"),
    )
    assert ran.status == pytest.ExitCode.INTERRUPTED, ran.out
    (found,) = project.json("run.json")["properties"]
    assert (found["verdict"], found["note"]) == ("not tested", "interrupted")
    assert "Incomplete. None of 1 property failed" in ran.out and "FAILED" not in ran.out


@pytest.mark.parametrize("cutting", [HALF_A_BLOCK, SHRINKING], ids=["in a block", "shrinking"])
def test_what_a_time_limit_cuts_off_is_named_in_the_end(project: Project, cutting: str) -> None:
    project.write("cutting.py", cutting)
    ran = project.pytest(
        *("-pcutting", *FAULTY, "--rsp-spark=off", "--rsp-examples=30", "--rsp-json=run.json"),
        "rsp::test_windows",
    )
    assert ran.status == pytest.ExitCode.TESTS_FAILED, ran.out
    told = project.json("run.json")
    assert [cause["id"] for cause in told["causes"]] == ["newest-only"]
    assert told["findings"]
    (found,) = told["properties"]
    assert found["verdict"] == "timed out" and "wrong: " in found["note"]


def test_a_property_that_is_run_again_counts_once(project: Project) -> None:
    project.write("twice.py", TWICE)
    once = ("--engine=reference", "--rsp-only", "--rsp-spark=off", "--rsp-seed=1")
    asked = ("--rsp-examples=20", "rsp::test_windows")
    alone, twice = project.pytest(*once, *asked), project.pytest("-ptwice", *once, *asked)
    assert (twice.status, twice.rows) == (0, alone.rows), twice.out
    assert twice.counts("windows") == alone.counts("windows")


AGAIN = """
from pathlib import Path
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if has_failed := any(report.failed for report in reports):
        Path("again").touch()
    for report in reports:
        report.outcome = "rerun" if report.failed else report.outcome
        item.ihook.pytest_runtest_logreport(report=report)
    return None if has_failed else True
"""
"""As pytest-rerunfailures does; a file says that it has."""
MENDED = """
import sys
from pathlib import Path
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.adapters.stdio import serve

class Mended:
    wrong, right = (ReferenceEngine(read_options(own)) for own in ({"fault": "newest-only"}, {}))

    def hello(self, request):
        return self.right.hello(request)

    def run(self, request):
        return (self.right if Path(sys.argv[1]).exists() else self.wrong).run(request)

serve(Mended(), sys.stdin, sys.stdout, ("hello", "run"))
"""
"""A driver that is wrong until a file exists."""


def test_a_property_that_is_right_when_it_is_run_again_has_passed(project: Project) -> None:
    project.write("conftest.py", AGAIN)
    driver = f"{sys.executable} {project.write('mended.py', MENDED)} {project.folder / 'again'}"
    ran = project.pytest(
        *(f"--engine=stdio:{driver}", "--rsp-only", "--rsp-examples=20"),
        *("--rsp-json=run.json", "rsp::test_windows"),
    )
    assert ran.status == 0 and "1 rerun" in ran.out, ran.out
    (windows,) = project.json("run.json")["properties"]
    assert (windows["verdict"], windows["counts"].get("wrong", 0)) == ("passed", 0)
    assert windows["counts"]["compared"] == 21  # The crash file of the first time comes first.
    assert not project.json("run.json")["findings"] and not project.json("run.json")["causes"]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_property_that_fails_again_is_told_once(project: Project, workers: str) -> None:
    """A worker of xdist does not know that a property has failed, so it runs none again."""
    asked = (*FAULTY, "--rsp-examples=20", "-n", workers, "rsp::test_windows", "rsp::test_silence")
    found = []
    for number, plugin in enumerate(("", AGAIN)):
        project.write("conftest.py", plugin)
        ran = project.pytest("--rsp-json=run.json", f"--rsp-dir={number}", *asked)
        assert ran.status == 1, ran.out
        assert (" rerun" in ran.out) == (number == 1 and workers == "0"), ran.out
        run = project.json("run.json")
        # Which of two workers finds the cause first is open, and its case is the same.
        told = [(workers == "2" or own["property"], own["headline"]) for own in run["findings"]]
        told += [(own["id"], own["explains"] == own["wrong"]) for own in run["causes"]]
        found.append([*told, *((own["name"], own["verdict"]) for own in run["properties"])])
    once, again = found
    assert again == once


ORDERED = """
import random

def pytest_collection_modifyitems(items):
    items.reverse()

def pytest_runtest_setup(item):
    random.seed(0)
"""
"""As pytest-randomly does."""
TRACED = """
import sys, threading

def pytest_configure():
    sys.settrace(lambda *_: None)
    threading.settrace(lambda *_: None)
"""
"""As pytest-cov does without Python's newer way of measuring."""


@pytest.mark.parametrize("plugin", [ORDERED, TRACED], ids=["order and seeds", "traces"])
@pytest.mark.parametrize("workers", ["0", "2"])
def test_order_seeds_and_traces_of_others_change_nothing(
    project: Project, plugin: str, workers: str
) -> None:
    right = ("--engine=reference", "--rsp-only", "--rsp-seed=1", "--rsp-spark=off")
    asked = (*right, "--rsp-examples=15", "-k", "gaps or silence or t0")
    alone = project.pytest(*asked)
    project.write("conftest.py", plugin)
    beside = project.pytest("-n", workers, *asked)
    assert beside.status == alone.status == 0, beside.out
    assert {name: beside.counts(name) for name in beside.rows} == {
        name: alone.counts(name) for name in alone.rows
    }


def test_crash_files_that_cannot_be_written_end_nothing(project: Project) -> None:
    project.write(".rsp/crashes", "A file in the place of a folder fails as a full disk does.")
    ran = project.pytest(
        *(*FAULTY, "--rsp-spark=off", "--rsp-examples=30", "--rsp-json=run.json"),
        "rsp::test_windows",
    )
    assert (ran.status, ran.err) == (1, ""), ran.out
    assert "Not written: crash files: " in ran.out and "Traceback" not in ran.out
    assert [cause["id"] for cause in project.json("run.json")["causes"]] == ["newest-only"]
    assert [found["property"] for found in project.json("run.json")["findings"]] == ["windows"]


def test_a_file_of_another_plugin_that_cannot_be_written_loses_no_result(project: Project) -> None:
    project.write("there", "A file in the place of a folder fails as a full disk does.")
    ran = project.pytest(
        *("--engine=reference", "--rsp-only", "--rsp-spark=off", "--rsp-examples=5"),
        *("--junitxml=there/junit.xml", "--rsp-json=run.json", "rsp::test_windows"),
    )
    assert ran.status != 0
    (found,) = project.json("run.json")["properties"]
    assert found["verdict"] == "passed"
