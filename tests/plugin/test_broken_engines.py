"""Nothing green over a broken engine."""

from __future__ import annotations

import re
import time

import pytest

from tests.builders.drivers import toy
from tests.plugin.conftest import Project


def test_an_engine_that_supports_nothing_does_not_pass(project: Project) -> None:
    ran = project.pytest(f"--engine={toy('unsupported')}", "--rsp-examples=20", "--rsp-only")
    assert ran.status == 1
    assert "Nothing was compared: this run says nothing about the engine." in ran.out
    assert ran.rows == {}
    assert re.search(r"^\d+ properties skipped: no feature ", ran.out, re.M)


@pytest.mark.parametrize(
    ("how", "kind"),
    [("silent", "silent"), ("throws", "crashed"), ("puzzled", "rejected")],
)
def test_an_engine_that_fails_on_each_case_fails(project: Project, how: str, kind: str) -> None:
    ran = project.pytest(
        f"--engine={toy(how)}", "--rsp-examples=20", "rsp::test_windows", "rsp::test_long"
    )
    assert ran.status == 1
    assert ran.counts("windows")[0] == "FAILED"
    assert f"{kind} · toy 1 · profile rsp-ql · property windows" in ran.out
    assert ran.rows["long"].startswith("FAILED")
    # What the engine says is a cause, shown once, and so is that it says nothing.
    assert [name.split("-")[1] for name in project.crashes] == ["windows"]
    if kind == "silent":
        assert "Cause 1 always-silent (property windows)" in ran.out
        assert re.search(r"^FAILED rsp::test_long - again: always-silent \(\d+\)$", ran.out, re.M)


@pytest.mark.parametrize(
    ("how", "kind", "did", "cases"),
    [
        ("die", "died", "died", 12),
        ("hang", "timeout", "did not answer in time", 4),
    ],
)
def test_an_engine_that_never_answers_ends_the_run(
    project: Project, how: str, kind: str, did: str, cases: int
) -> None:
    started = time.monotonic()
    ran = project.pytest(
        f"--engine={toy(how)}",
        *("--rsp-only", "--rsp-time-limit=0.3", "--rsp-examples=20", "--rsp-json=result.json"),
    )
    assert ran.status == 1
    assert f"{kind} · toy 1 · profile rsp-ql · property windows" in ran.out
    said = f"the engine answered none of its first {cases} cases, of 3 properties: it "
    assert said in ran.out
    table = re.search(rf"^The engine, or its driver, {did} \((\d+)\), in windows, ", ran.out, re.M)
    assert table is not None
    said = "after a hang nothing else was shrunk"
    assert (said in " ".join(ran.out.split())) is (how == "hang")
    properties = project.json("result.json")["properties"]
    assert {kind for one in properties for kind in one["losses"]} == {kind}
    assert sum(one["lost"] for one in properties) == int(table[1])
    assert all(one["lost"] == sum(one["losses"].values()) for one in properties)
    # Of the second property that hangs nobody knows whether it is only slow.
    assert ran.out.count("\nFAILED rsp::test_") == (2 if how == "hang" else 3)
    # The table says the cause of what comes again, which its columns leave room for.
    again = [row for row in ran.rows.values() if f"again: {kind[:11]}" in row]
    assert bool(again) is (how != "hang")
    assert not any("wrong for causes" in row for row in ran.rows.values())
    assert time.monotonic() - started < 60


def test_a_driver_that_cannot_be_started_again_ends_the_run(project: Project) -> None:
    ran = project.pytest(f"--engine={toy('silent --hello=once')}", "--rsp-only", "-v")
    assert ran.status == 1
    assert list(ran.tests.values()) == ["FAILED"]
    assert "! the driver failed 3 hellos in a row" in ran.out
    assert "Traceback" not in ran.out


def test_a_time_budget_says_what_was_cut(project: Project) -> None:
    ran = project.pytest("--engine=reference", "--rsp-max-time=0.001", "-k", "windows", "-v")
    assert ran.tests["rsp::test_windows"] == "SKIPPED"
    assert ran.counts("windows") == ("not tested", 0, 0, 0)
    assert "the time was up" in ran.rows["windows"]
    assert "Nothing was compared" in ran.out
    assert ran.status == 1


def test_expected_failures(project: Project) -> None:
    project.write("xfails", "windows:wrong-rows:bounds issue 12\nask:silent issue 13\n")
    arguments = (
        *("--engine=reference", "--engine-option=fault=bounds-end", "--engine-option=t0=first"),
        *("--rsp-examples=10", "rsp::test_windows", "rsp::test_ask", "-v", "--rsp-xfails=xfails"),
        "--rsp-dial=t0=registration",  # so that what is wrong is always the rows
    )
    ran = project.pytest(*arguments)
    assert ran.tests["rsp::test_windows"] == "XFAIL"
    assert ran.rows["windows"].startswith("xfailed")
    assert "Expected, and did not come: ask:silent (issue 13)" in ran.out
    assert not any("windows" in name for name in project.crashes)


def test_an_expected_failure_that_does_not_come(project: Project) -> None:
    project.write("xfails", "windows issue 12\n")
    arguments = ("--engine=reference", "--rsp-examples=5", "rsp::test_windows")
    ran = project.pytest(*arguments, "--rsp-xfails=xfails")
    assert ran.status == 0
    assert "Expected, and did not come: windows (issue 12)" in ran.out
    strict = project.pytest(*arguments, "--rsp-xfails=xfails", "--rsp-xfails-strict")
    assert strict.status == 1


def test_a_run_stops_after_so_many_causes(project: Project) -> None:
    faulty = ("--engine=reference", "--engine-option=fault=istream-ignored", "--rsp-mode=quick")
    names = ("-k", "test_istream or test_dstream", "--rsp-only", "--rsp-dial=unit=1")
    ran = project.pytest(*faulty, *names, "--rsp-stop-after=1", "--rsp-json=out.json")
    assert ran.status == 1 and list(ran.rows) == ["istream"]
    assert ran.out.count("--rsp-stop-after 1: causes found") == 1
    document = project.json("out.json")
    assert document["mode"] == "quick" and document["dials"] == {"unit": "1"}
    assert {name for cause in document["causes"] for name in cause["properties"]} == {"istream"}
    assert not document["complete"] and document["causes"][0]["id"] == "istream-ignored"
    assert document["properties"][0]["counts"]["compared"] > 30  # A quick run asks 40.
    ran = project.pytest(*faulty, *names, "--rsp-stop-after=1", "--rsp-examples=12", "-n2")
    assert ran.status == 1 and ran.out.count("--rsp-stop-after 1: causes found") == 1
