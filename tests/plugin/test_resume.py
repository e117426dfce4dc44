"""``--rsp-resume``: the last run of a folder goes on, and asks nothing twice."""

from __future__ import annotations

import sys

from tests.plugin.conftest import Project

TESTS = ("rsp::test_windows", "rsp::test_gaps")
DRIVER = f"stdio:{sys.executable} -m rsp_conformance.adapters.reference"
ENGINE = (f"--engine={DRIVER}", "--rsp-examples=20", "-v")


def test_a_run_that_has_ended_asks_nothing_again(project: Project) -> None:
    """In however many processes it was asked, and goes on."""
    trace = "--rsp-trace=wire"
    first = project.pytest(*ENGINE, trace, TESTS[0])
    assert first.status == 0 and len(project.asked()) > 20
    both = project.pytest(*ENGINE, trace, "--rsp-resume", *TESTS, "-n", "2")
    assert both.status == 0 and len(project.asked()) > 20
    again = project.pytest(*ENGINE, trace, "--rsp-resume", *TESTS)
    assert again.status == 0 and project.asked() == []
    table = [line.split()[:3] for line in again.out.splitlines()]
    assert ["windows", "passed", "20"] in table and ["gaps", "passed", "20"] in table


def test_that_a_later_run_will_know_nothing_is_told_once(project: Project) -> None:
    project.write(".rsp/run.jsonl.gz/file", "A folder in the file's place fails as a full disk.")
    ran = project.pytest("--engine=reference", "--rsp-examples=20", "--rsp-spark=off", TESTS[0])
    assert ran.status == 0, ran.out
    said = [line for line in ran.out.splitlines() if "--rsp-resume" in line]
    assert len(said) == 1 and said[0].startswith("--rsp-resume will know nothing of this run: ")
    assert said[0].endswith("run.jsonl.gz: Is a directory")


def test_nothing_to_go_on_with_and_something_else(project: Project) -> None:
    ran = project.pytest(*ENGINE, "--rsp-resume", "--rsp-seed=3", TESTS[0])
    assert ran.status == 0
    assert ran.err.startswith("note: --rsp-resume: ") and "a new one begins" in ran.err
    ran = project.pytest(*ENGINE, "--rsp-resume", "--rsp-seed=4", TESTS[0])
    assert ran.status == 2 and len(ran.err.splitlines()) == 1
    assert "the last run is of seed '3', and now it is '4'" in ran.err
