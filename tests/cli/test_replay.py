"""`replay`: FIXED, FAILED or ERROR, with the argument and the status that belong to each."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.cli.check import trivial
from rsp_conformance.judge.crash_file import short
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.model.dependence import NOTHING_FOUND, Dependence, Experiment
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import registry
from tests.builders.command_line import cli, python
from tests.builders.drivers import toy

CRASHES = Path(__file__).parents[2] / "tools" / "engines" / "crashes"
OPTIONS = {"fault": "bounds-end", "dial.t0": "0"}


@pytest.fixture
def crash(tmp_path: Path) -> Path:
    """A crash file as a failing run leaves it, of the reference engine with a fault."""
    return kept(tmp_path)


def kept(
    tmp_path: Path,
    times: int = 1,
    causes: Sequence[str] = (),
    depends: Dependence = NOTHING_FOUND,
    **options: str,
) -> Path:
    """A crash file of a case in which every element comes so many TIMES, explained by CAUSES."""
    options = OPTIONS | options
    with registry.connect("reference", options) as engine:
        subject = EngineUnderTest.meet(engine)
        case = trivial(subject.profile.base, subject.features)
        case = replace(case, elements=tuple(e for e in case.elements for _ in range(times)))
        observation = subject.ask(Stimulus(case))
        finding = finding_of("window bounds", subject, observation, verdict_on(observation))
        assert finding is not None
        keeper = Keeper(tmp_path / ".rsp", "reference", options, "17")
        path = keeper.keep(finding, subject)
        keeper.explain(path, causes, depends)
        return path


def test_a_fault_is_still_there_or_gone(crash: Path) -> None:
    ran = cli("replay", crash)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.startswith("FAILED: window bounds on reference\n")
    for part in ("\nStream :s", "\nTimeline, with t0(", "\nWhy  "):
        assert part in ran.out
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) <= 62
    ran = cli("replay", crash, "--engine-option", "fault=none")
    assert (ran.status, ran.out, ran.err) == (0, "FIXED: window bounds on reference\n", "")


def test_on_what_an_unexplained_answer_depends_is_said(tmp_path: Path) -> None:
    experiments = (Experiment((), 12), Experiment(("windows overlap",), 8, 7, 1))
    path = kept(tmp_path, depends=Dependence(("windows overlap",), experiments))
    said = " ".join(cli("replay", path).out.split())
    assert said.endswith(
        "The run that wrote this file met it only if windows overlap. 7 of 8 cases are right "
        "without this condition, none of 12 with; 1 is wrong in another way."
    )


def test_what_a_run_s_report_leaves_out_is_shown(tmp_path: Path) -> None:
    ran = cli("replay", kept(tmp_path, times=70))
    assert len(ran.out.splitlines()) > 70 and "PREFIX : " in ran.out
    assert "…" not in ran.out


BY = "The run that wrote this file explains it by"
END = "bounds-end: The closing end belongs to the window where it should not, and the other way"
LATE = "late-by-slide: Answers are stamped one slide too late."


def test_the_causes_that_the_run_named_are_said_and_tried(tmp_path: Path) -> None:
    def said(path: Path, *options: str) -> str:
        ran = cli("replay", path, *options)
        assert ran.status == 1
        return " ".join(ran.out.split()).partition(BY)[2]

    one = kept(tmp_path / "one", causes=["bounds-end"])
    predicted = said(one)
    assert predicted.startswith(f" {END} round.")
    assert predicted.endswith(" It predicts the answer that came now, too.")
    late = "--engine-option=fault=late-by-slide"
    assert said(one, late).endswith(" It no longer predicts the answer that came now.")
    none = "There is no answer now that could be predicted."
    assert said(one, "--engine", toy("throws")).endswith(none)
    both = ("bounds-end", "late-by-slide")
    two = kept(tmp_path / "two", causes=both, fault=",".join(both))
    predicted = said(two)
    assert predicted.startswith(f" bounds-end and late-by-slide together. {END} round.")
    assert f" {LATE} Together they predict the answer that came now, too." in predicted
    assert said(two, late).endswith("Together they no longer predict the answer that came now.")
    assert said(kept(tmp_path / "none")) == ""


def test_a_cause_that_no_version_knows_is_named_all_the_same(tmp_path: Path) -> None:
    out = cli("replay", kept(tmp_path, causes=["bounds-end", "a\x1b[2J"])).out
    assert f"{BY} bounds-end and a\\x1b[2J, which" in " ".join(out.split())
    assert " ".join(out.split()).endswith("this version of the kit does not know.")


@pytest.mark.parametrize(
    "setting", ["--dial bounds=(o,c)", "--profile rsp-ql --dial t0=0 --dial bounds=(o,c)"]
)
def test_another_setting_is_tried_and_said(setting: str, crash: Path) -> None:
    """The fault takes windows for open at their end: judged by that, its answer is right."""
    ran = cli("replay", crash, *setting.split())
    said = f"FIXED: window bounds on reference, tried with {setting}\n"
    assert (ran.status, ran.out, ran.err) == (0, said, "")


def test_a_setting_that_explains_nothing_leaves_the_case_failed(crash: Path) -> None:
    ran = cli("replay", crash, "--dial", "bounds=[o,c)")
    assert ran.status == 1
    assert ran.out.startswith(
        "FAILED: window bounds on reference, tried with --dial bounds=[o,c)\n"
    )
    assert "(bounds=[o,c))" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dial", "bounds=x"], "--dial: dial bounds='x': expected (o,c] "),
        (["--request", "--dial", "t0=0"], "--request: prints the messages in the file: leave out"),
        (["--profile", "c-sparql"], "the profile or the texts leave the answer open"),
    ],
)
def test_a_setting_that_cannot_be_tried_is_one_line(
    options: list[str], said: str, crash: Path
) -> None:
    assert said in cli("replay", crash, *options).line()


def test_an_engine_of_any_profile_runs_under_that_of_the_file() -> None:
    """It is held to it: under another profile it would be told that it has failed."""
    file = CRASHES / "cqels-distinct-for-ever.json"
    ran = cli("replay", file, "--engine", "reference")
    assert (ran.status, ran.out) == (0, "FIXED: distinct on reference\n")
    ran = cli("replay", file, "--engine", "reference", "--engine-option", "profile=rsp-ql")
    assert ran.status == 1


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("nope", "--engine: unknown engine 'nope'"),
        ("stdio:./folder", "--engine=stdio:./folder: the driver's program './folder' is a folder"),
    ],
)
def test_an_engine_that_is_none_is_no_fault_of_the_file(
    engine: str, said: str, tmp_path: Path
) -> None:
    crash = kept(tmp_path)
    (tmp_path / "folder").mkdir()
    with contextlib.chdir(tmp_path):
        ran = cli("replay", crash, "--engine", engine)
    assert (ran.status, ran.out) == (2, "ERROR\n")
    assert ran.err.startswith(f"rsp-conformance: {said}") and ran.err.count("\n") == 1


def test_another_engine_takes_no_options_of_the_first(crash: Path) -> None:
    ran = cli("replay", crash, "--engine", toy("silent"))
    assert ran.status == 1
    assert ran.out.startswith("FAILED: ") and "silent" in ran.out
    line = cli("replay", crash, "--engine", toy("unsupported")).line()
    assert "the engine does not support this case: this is unsupported" in line
    ran = cli("replay", crash, "--engine", toy("throws"))
    assert ran.status == 1 and "NullPointerException" in ran.out


def test_the_requests_can_be_piped_into_a_driver(crash: Path) -> None:
    ran = cli("replay", crash, "--request")
    assert (ran.status, ran.err) == (0, "")
    hello, run = (json.loads(line) for line in ran.out.splitlines())
    assert hello["op"] == "hello"
    assert run == json.loads(crash.read_text("utf-8"))["request"]
    answered = python("-m", "rsp_conformance.adapters.reference", input=ran.out)
    replies = [json.loads(line) for line in answered.well.splitlines()]
    assert [reply["op"] for reply in replies] == ["hello", "run"]
    assert replies[1]["answers"]


def test_from_another_folder(crash: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for folder, file in ((elsewhere, crash), (tmp_path, crash.relative_to(tmp_path))):
        with contextlib.chdir(folder):
            ran = cli("replay", file)
        assert ran.status == 1 and ran.out.startswith("FAILED")


def test_a_file_is_named_by_its_id(crash: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(crash.parents[2])
    id = crash.stem[-6:]
    assert cli("replay", id, "--request").out.count("\n") == 2
    within = crash.parents[2] / "a" / "b"
    within.mkdir(parents=True)
    with contextlib.chdir(within):
        assert cli("replay", id, "--request").out.count("\n") == 2
        assert short(crash) == id
    assert short(Path(".rsp/crashes") / crash.name) == id
    with contextlib.chdir("/"):  # From elsewhere, the folder comes first.
        assert short(crash) == str(crash.with_name(id))
        assert cli("replay", short(crash), "--request").out.count("\n") == 2
    assert short("out/crash.json") == "out/crash.json"
    other = crash.with_name(f"other-{id}.json")
    other.touch()
    ran = cli("replay", id)
    assert ran.status == 2 and f"{other.name} and " in ran.err
    assert "there is no such file" in cli("replay", "ffffff").err
