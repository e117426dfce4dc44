"""Crash files: whole, readable for ever, written by several at once."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rsp_conformance as rsp
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.crash_file import id_of, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.dependence import Dependence, Experiment
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.terms import Literal
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine, registry
from rsp_conformance.run.replay import replay

VERSION_1 = Path(__file__).parent / "crashes" / "version-1.json"
"""As the first release wrote it; it stays as it is."""


OPTIONS = {"fault": "bounds-end", "t0": "first"}


def found(subject: EngineUnderTest) -> Finding:
    crash = read(VERSION_1)
    observation = subject.ask(*crash.stimuli)
    finding = finding_of(crash.property_name, subject, observation, verdict_on(observation))
    assert finding is not None
    return finding


@pytest.fixture(scope="module")
def subject() -> Iterator[EngineUnderTest]:
    """`reference` with a mutant."""
    with registry.connect("reference", OPTIONS) as engine:
        yield EngineUnderTest.meet(engine)


@pytest.fixture(scope="module")
def finding(subject: EngineUnderTest) -> Finding:
    """What it gets wrong."""
    return found(subject)


def test_a_file_of_version_1_is_read() -> None:
    crash = read(VERSION_1)
    assert (crash.property_name, crash.kind, crash.engine) == ("windows", "wrong rows", "reference")
    assert crash.options == {"fault": "bounds-end", "t0": "first"}
    assert crash.profile.base.bounds == "(o,c]"
    (asked,) = crash.cases
    assert asked.variant.stimulus.pacing == "burst"
    assert [(e.t, len(e.graph)) for e in asked.case.elements] == [(1, 1)]
    assert asked.case.until == 3
    assert [answer.t for answer in asked.observed] == [1, 2, 3]
    assert [request["op"] for request in crash.requests] == ["run"]


def test_a_file_of_version_1_is_replayed() -> None:
    crash = read(VERSION_1)
    for options, outcome in ((crash.options, Outcome.WRONG), ({}, Outcome.RIGHT)):
        with registry.connect(crash.engine, options) as engine:
            assert replay(crash, EngineUnderTest.meet(engine, crash.profile)).outcome is outcome


def test_a_file_that_says_who_evaluated_is_read(tmp_path: Path) -> None:
    # So did files while patterns were evaluated in two ways.
    document = json.loads(VERSION_1.read_text("utf-8"))
    document["expected"] = {**document.get("expected", {}), "evaluated": ["definitions", "library"]}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(document), "utf-8")
    assert read(path) == read(VERSION_1)


def test_what_the_driver_wrote_beside_a_wrong_answer_is_kept(tmp_path: Path) -> None:
    class Talks(InProcessEngine):
        def run_many(self, requests: Any, *, patience: float = 1.0) -> Any:
            for id, outcome in super().run_many(requests, patience=patience):
                yield id, replace(outcome, stderr=("WARN no such window",))

    subject = EngineUnderTest.meet(Talks(ReferenceEngine(read_options(OPTIONS))))
    finding = found(subject)
    assert finding.stderr == ("WARN no such window",)
    path = Keeper(tmp_path / ".rsp", "reference", OPTIONS, "17").keep(finding, subject)
    assert json.loads(path.read_text("utf-8"))["stderr"] == ["WARN no such window"]
    assert read(path).kind == "wrong rows"


def test_what_is_written_is_read_again(
    subject: EngineUnderTest, finding: Finding, tmp_path: Path
) -> None:
    path = Keeper(tmp_path / ".rsp", "reference", OPTIONS, "17").keep(finding, subject)
    crash = read(path)
    (asked,) = crash.cases
    assert (asked.case, asked.observed) == (finding.case, finding.observed)
    assert crash.profile.base == finding.profile.base
    assert crash.options == OPTIONS
    document = json.loads(path.read_text("utf-8"))
    assert (document["seed"], document["expected"]["t_s"]) == ("17", 0)
    assert set(document["versions"]) == {"rsp-conformance", "hypothesis", "reference"}
    assert (tmp_path / ".rsp" / ".gitignore").read_text() == "*\n"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


WRITES_OFTEN = """
import sys
from pathlib import Path
from rsp_conformance.protocol import registry
from rsp_conformance.files.files import FileError
from rsp_conformance.judge.crash_file import id_of, read
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.judge.engine_under_test import EngineUnderTest
crash = read(Path(sys.argv[1]))
with registry.connect(crash.engine, crash.options) as engine:
    subject = EngineUnderTest.meet(engine)
    observation = subject.ask(*crash.stimuli)
    finding = finding_of("windows", subject, observation, verdict_on(observation))
    for _ in range(200):
        Keeper(Path(sys.argv[2]), "reference", crash.options, "17").keep(finding, subject)
"""


def test_several_processes_write_at_once_and_a_reader_sees_whole_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITES_OFTEN, str(VERSION_1), str(tmp_path)]
    writers = [subprocess.Popen(command) for _ in range(2)]
    folder, reads = tmp_path / "crashes", 0
    while any(writer.poll() is None for writer in writers):
        for path in folder.glob("reference-windows-wrong-rows-*.json"):
            assert read(path).kind == "wrong rows"
            reads += 1
        time.sleep(0.001)
    assert [writer.wait() for writer in writers] == [0, 0]
    assert reads
    (path,) = folder.iterdir()
    assert json.loads(path.read_text("utf-8"))["seen"]["count"] > 1


def test_what_is_met_again_is_counted_and_another_case_stays_beside_it(
    subject: EngineUnderTest, finding: Finding, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(finding, case=replace(finding.case, until=4))

    def run(*findings: Finding) -> list[Path]:
        keeper = Keeper(tmp_path, "reference", OPTIONS, "1")
        for one in findings:
            keeper.hold(one, subject)
        (held,) = tmp_path.glob("crashes/*-unfinished.json")
        assert read(held).cases[0].case == findings[-1].case
        return [keeper.keep(one, subject) for one in findings for _ in range(2)]

    first = run(finding)[0]
    once = json.loads(first.read_text("utf-8"))
    assert once["seen"]["count"] == 1 and once["seen"]["first"] == once["seen"]["last"]
    assert first.name == f"reference-windows-wrong-rows-{once['id']}.json"
    assert id_of(first) == once["id"] == Keeper(tmp_path, "reference", OPTIONS, "2").id(finding)
    again, _, beside, _ = run(replace(finding, version="9"), other)
    seen = json.loads(again.read_text("utf-8"))["seen"]
    assert again == first and seen["count"] == 2 and seen["first"] == once["seen"]["first"]
    assert seen["last"]["versions"]["reference"] == "9"
    assert [*seen["last"]] == ["at", "versions"]
    _check_explained(subject, finding, tmp_path)
    assert {*first.parent.iterdir()} == {first, beside}
    # Beyond what is kept the one goes that was seen longest ago, and no file of another name.
    (old := first.with_name("reference-windows-wrong-rows.json")).touch()
    os.utime(first, (0, 0))
    monkeypatch.setattr("rsp_conformance.judge.keeper.KEPT", 1)
    assert {*run(other)} == {beside} and {*first.parent.iterdir()} == {beside, old}


def _check_explained(subject: EngineUnderTest, finding: Finding, folder: Path) -> None:
    """The causes that a run names are those of the run, where earlier versions read any field."""
    keeper = Keeper(folder, "reference", OPTIONS, "1")
    path = keeper.keep(finding, subject)
    before = json.loads(path.read_text("utf-8"))
    assert (read(path).causes, read(path).dependence) == ((), Dependence())
    experiments = (Experiment((), 12), Experiment(("windows overlap",), 8, 7, 1))
    depends = Dependence(("windows overlap",), experiments)
    keeper.explain(path, (), depends)
    assert read(path).dependence == depends and read(path).causes == ()
    keeper.explain(path, ["bounds-end"])
    assert read(path).causes == ("bounds-end",)
    explained = json.loads(path.read_text("utf-8"))
    assert explained["seen"]["last"].pop("causes") == ["bounds-end"] and explained == before
    assert keeper.keep(finding, subject) == path and read(path).causes == ("bounds-end",)
    Keeper(folder, "reference", OPTIONS, "2").keep(finding, subject)
    assert read(path).causes == ()
    keeper.explain(path.with_name("gone.json"), ["bounds-end"])
    assert not path.with_name("gone.json").exists()


def test_what_is_being_shrunk_only_becomes_smaller(
    subject: EngineUnderTest, finding: Finding, tmp_path: Path
) -> None:
    smaller = replace(finding, case=replace(finding.case, elements=finding.case.elements[1:]))
    keeper = Keeper(tmp_path, "reference", OPTIONS, "1")
    for one in (finding, smaller, finding):
        keeper.hold(one, subject)
    (held,) = tmp_path.glob("crashes/*-unfinished.json")
    assert read(held).cases[0].case == smaller.case
    keeper.drop(finding)
    assert not held.exists()
    keeper.hold(finding, subject)
    assert read(held).cases[0].case == finding.case


def test_the_command_line_of_a_driver_is_known(
    finding: Finding, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs a failure again names a driver, which no file names, and no installed engine."""
    monkeypatch.chdir(tmp_path)
    command = "stdio:./my-driver --flag"
    for spec, more in ((command, ["--engine", command]), ("rsp-js", [])):
        keeper = Keeper(tmp_path, spec, {}, "1")
        folder = keeper.path(finding).parent.relative_to(tmp_path)
        said = ["rsp-conformance", "replay", f"{folder}/{keeper.id(finding)}", *more]
        assert shlex.split(keeper.replay_line(finding)) == said


def test_lone_surrogates_in_an_answer_do_not_stop_the_writing(
    subject: EngineUnderTest, finding: Finding, tmp_path: Path
) -> None:
    odd = Observed(1, Rows(("x",), ((Literal("\ud800"),),)))
    path = Keeper(tmp_path, "reference", OPTIONS, "1").keep(
        replace(finding, observed=(odd,)), subject
    )
    assert json.loads(path.read_bytes())["kind"] == "wrong rows"


def test_overrides_by_shape_hold_in_a_replay(tmp_path: Path) -> None:
    profile = PROFILES.read(
        Profile,
        {
            "t0": 0,
            "bounds": "[o,c)",
            "overrides": [{"when": ["tumbling"], "dials": {"bounds": "(o,c]"}}],
        },
    )
    # What the base would let pass is wrong for tumbling windows.
    wrong, right = ({"dial.t0": "0", "dial.bounds": bounds} for bounds in ("[o,c)", "(o,c]"))
    with registry.connect("reference", wrong) as engine:
        subject = EngineUnderTest.meet(engine, profile)
        case = rsp.case(
            "PREFIX : <http://ex.org/> SELECT * FROM NAMED WINDOW :w ON STREAM :s "
            "[RANGE 2 STEP 2] WHERE { WINDOW :w { ?s :p ?o } }",
            {":s": [(1, ":a :p :x"), (4, ":b :p :x")]},
            until=8,
        ).case
        observation = subject.ask(Stimulus(case))
        finding = finding_of("windows", subject, observation, verdict_on(observation))
        assert finding is not None
        path = Keeper(tmp_path / ".rsp", "reference", wrong, "17").keep(finding, subject)
        crash = read(path)
        (stimulus,) = crash.stimuli
        assert crash.dials(stimulus) == subject.dials_of(stimulus)
    for options, outcome in ((wrong, Outcome.WRONG), (right, Outcome.RIGHT)):
        with registry.connect("reference", options) as engine:
            assert replay(crash, EngineUnderTest.meet(engine, crash.profile)).outcome is outcome
