"""`make evidence`, in small: what is recorded is read back, and a replay names the mutant."""

from __future__ import annotations

import json
import lzma
import os
import pickle
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.files.files import FileError
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol.registry import connect
from tools.evidence import recording
from tools.evidence.__main__ import main
from tools.evidence.record import Planned, planned, record
from tools.evidence.recording import (
    DATA,
    LARGEST,
    Found,
    Recording,
    names,
    path_of,
    read,
    read_head,
    sampled,
    size,
    write,
)
from tools.evidence.replay import (
    PREDICTIONS,
    QUICK,
    WHOLE,
    Figures,
    Named,
    Portion,
    chosen,
    less_their_truth,
    replay,
)
from tools.evidence.report import BASELINE, changes, document, read_document, write_document

ROOT = Path(__file__).parents[2]
RUN = Planned("small", mutants=("filter-error-true",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    said = record(RUN, folder, examples=12, only="filter")
    assert "visible: filter-error-true" in said
    return folder


@pytest.fixture(scope="module")
def small(folder: Path) -> Recording:
    return read("small", folder)


@pytest.fixture(scope="module")
def subject() -> EngineUnderTest:
    return EngineUnderTest.meet(connect("reference", RUN.options))


def written(own: Recording, subject: EngineUnderTest, folder: Path) -> Recording:
    write(own, subject, folder)
    return read(own.head.name, folder)


def text_of(path: Path) -> str:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return file.read()


def test_a_recording_is_read_back_as_it_was_written(
    small: Recording, subject: EngineUnderTest, tmp_path: Path
) -> None:
    assert small.found and {own.correct for own in small.answered} >= {True, False}
    again = written(small, subject, tmp_path)
    assert again.head == small.head and again.answered == small.answered
    assert again.evidence == small.evidence


def test_failures_are_read_back_with_all_that_tells_them_apart(
    small: Recording, subject: EngineUnderTest, tmp_path: Path
) -> None:
    lines = ("Error: no", "    at parse (engine.js:1:2)")
    failure = EngineFailure("crashed", "Error: no", 2, lines)
    (first, second, *_) = small.answered
    stimulus = replace(second.observation.stimulus, pacing="settled", unit=1000)
    dials = replace(second.observation.dials, unit=1000)
    answered = (
        replace(first, observation=replace(first.observation, failure=failure, stderr=lines)),
        replace(second, observation=replace(second.observation, stimulus=stimulus, dials=dials)),
    )
    twice = EngineFailure("unstable", "two runs of this case gave different answers")
    finding = small.found[0].finding
    unstable = replace(finding, verdict=None, failure=twice, again=finding.observed[:1])
    own = replace(small, answered=answered, found=(Found(unstable, "a.json", "filter"),))
    again = written(own, subject, tmp_path)
    assert again.answered == answered
    assert again.evidence.symptoms == own.evidence.symptoms
    assert [one.observation.failure for one in again.failures] == [failure]


def test_a_replay_names_the_mutant_and_repeats(small: Recording, folder: Path) -> None:
    found, again = replay(small), replay(read("small", folder))
    assert [own.id for own in found.named] == ["filter-error-true"]
    assert found.found == found.visible == ("filter-error-true",)
    assert not found.wrong_names and not found.unexplained and found.shown == 1
    assert same(found) == same(again)


def test_whatever_is_named_for_a_mutant_that_the_catalogue_lacks_is_wrong(
    small: Recording, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run,) = less_their_truth(["small"], folder)
    given = ["--data", str(folder), "--baseline", str(tmp_path / "none.json")]
    assert main([*given, "--without-truth", "--out", str(tmp_path / "out.json")]) == 0
    found = read_document(tmp_path / "out.json")[run]
    assert run == "small less filter-error-true" and run in capsys.readouterr().out
    assert not found.visible and found.unexplained > 0
    assert found.wrong_names == tuple(own.id for own in found.named)
    # The catalogue is whole again.
    assert replay(small).found == ("filter-error-true",)


def test_another_process_says_the_same(small: Recording, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command = [sys.executable, "-m", "tools.evidence", "--data", str(folder), "--out", str(out)]
    # Sets of names have another order there.
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, capture_output=True, env=environment, cwd=tmp_path)
    assert same(read_document(out)["small"]) == same(replay(small))


def same(found: Figures) -> Figures:
    return replace(found, seconds=0.0)


def test_a_search_ends_when_its_predictions_are_used_up(small: Recording) -> None:
    one, other = replay(small, predictions=20), replay(small, predictions=20)
    assert one.asked == other.asked < replay(small).asked
    assert one.named == other.named and one.unexplained == other.unexplained


def test_a_part_of_the_evidence_is_random_and_in_order(small: Recording) -> None:
    assert WHOLE.of(small) == small
    half, other = Portion(0.5, seed=1).of(small), Portion(0.5, seed=2).of(small)
    assert half == Portion(0.5, seed=1).of(small) and half.answered != other.answered
    for whole, part in ((small.answered, half.answered), (small.found, half.found)):
        assert len(part) == round(len(whole) / 2)
        assert [own for own in whole if own in part] == [*part]


def test_of_a_part_only_what_it_shows_is_visible(small: Recording) -> None:
    assert small.head.visible == ("filter-error-true",)
    right = tuple(own for own in small.answered if own.correct)
    quiet = replace(small, answered=right, found=())
    assert Portion(0.9).of(quiet).head.visible == ()
    assert replace(small.head, visible=()) == Portion(0.9).of(quiet).head


def test_shuffled_evidence_has_another_order_and_the_same_causes(small: Recording) -> None:
    shuffled = Portion(shuffled=True, seed=1).of(small)
    assert shuffled.head == small.head and shuffled.answered != small.answered
    assert {own.observation for own in shuffled.answered} == {
        own.observation for own in small.answered
    }
    assert same(replay(shuffled)) == same(replay(small))


def test_the_command_replays_a_part_with_a_smaller_budget(folder: Path, tmp_path: Path) -> None:
    baseline, out = tmp_path / "baseline.json", tmp_path / "out.json"
    given = ["--data", str(folder), "--baseline", str(baseline), "--out", str(out)]
    options = ["--part", "0.7", "--seed", "1", "--shuffled", "--budget", "0.25"]
    assert main([*given, *options, "--keep"]) == 0
    written = json.loads(out.read_text("utf-8"))
    assert written["predictions"] == PREDICTIONS / 4
    assert written["evidence"] == {"part": 0.7, "seed": 1, "shuffled": True}
    portion = Portion(0.7, 1, shuffled=True).of(read("small", folder))
    assert same(read_document(baseline)["small"]) == same(replay(portion, PREDICTIONS // 4))


@pytest.mark.parametrize("option", [["--part", "0.7"], ["--shuffled"], ["--budget", "0.25"]])
def test_only_whole_runs_make_the_baseline(
    option: list[str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = BASELINE.read_text("utf-8")
    given = ["--data", str(folder), "--out", str(tmp_path / "out.json"), "--keep"]
    for own in ([], ["--baseline", str(BASELINE)]):
        assert main([*given, *option, *own]) == 2
        assert "only whole runs make the baseline" in capsys.readouterr().err
    assert BASELINE.read_text("utf-8") == before


@pytest.mark.parametrize("share", ["0", "1.1", "half", "nan"])
def test_a_share_is_a_number_up_to_one(share: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--part", share])
    assert f"found '{share}'" in capsys.readouterr().err


def test_the_sample_depends_on_no_order(
    small: Recording, subject: EngineUnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "SAMPLED", 3)
    kept = sampled(small.answered)
    turned = sampled(reversed(small.answered))
    assert turned == kept[::-1]
    assert sum(own.correct is True for own in kept) == 3
    wrong = [own for own in small.answered if own.correct is False]
    assert [own for own in kept if own.correct is False] == wrong


@pytest.mark.parametrize("name", names())
def test_the_head_of_a_recording_is_complete(name: str) -> None:
    head, run = read_head(name), planned()[name]
    assert (head.name, head.engine, head.seed) == (name, run.engine, run.seed)
    assert dict(head.options) == run.options and head.truth == run.truth
    assert head.version and head.features and head.commit and head.date
    if head.truth is None:
        assert head.visible is None
    else:
        assert {*(head.visible or ())} <= {*map(str, head.truth.parts)}
    assert {"right", "wrong", "failed"} <= head.counts.keys() and any(head.counts.values())


FOLDER = re.compile(r"""(?:^|[\s"'=:(\[]|\\n)(/[\w.-]+/)(?=[\w.-])""")
"""Where an absolute path begins, with its first folder."""


@pytest.mark.parametrize("name", names())
def test_a_recording_names_no_folder_of_the_machine(name: str) -> None:
    text = text_of(path_of(name))
    assert not [word for word in ("/tmp/", "/home/", "/root/") if word in text]
    assert {*FOLDER.findall(text)} <= {"/installed/", "/kit/", "/you/"}


def test_the_recordings_are_small_and_outside_the_wheel() -> None:
    assert 0 < size() <= LARGEST
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (package,) = config["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert ROOT / package not in DATA.parents


def test_the_table_of_runs_is_what_the_issue_asks_for() -> None:
    runs = planned().values()
    sizes = [len(own.mutants) for own in runs if own.engine == "reference" and not own.turned]
    assert sizes == [1] * 20 + [2] * 10 + [3] * 20
    assert sum(bool(own.turned) for own in runs) == 6
    assert sum(own.engine != "reference" for own in runs) == 12
    for own in runs:
        assert own.truth is None or own.truth == Setting.of(own.turned, own.mutants)


def test_the_quick_choice_is_every_fourth_run_of_the_table() -> None:
    quick = chosen(quick=True)
    assert quick == [name for name in list(planned())[::QUICK] if name in names()]
    assert chosen([names()[0]]) == [names()[0]]


def figures(**other: object) -> Figures:
    named = (Named("a", ("b",), 3, 0), Named("c"))
    return replace(
        Figures(named, ("a", "d"), ("a", "d"), ("a",), ("c",), 9, 4, 0, 3, 1.5, 100), **other
    )


def test_figures_are_kept_and_compared(tmp_path: Path) -> None:
    before = {"one": figures(), "two": figures()}
    write_document(tmp_path / "baseline.json", document(before, 10))
    assert read_document(tmp_path / "baseline.json") == before
    after = {
        "one": figures(found=("a", "d"), unexplained=2, seconds=9.0, shown=8),
        "two": figures(found=(), wrong_names=("c", "e"), unexplained=5),
        "new": figures(found=()),
    }
    found = [(own.run, own.figure, own.is_better) for own in changes(before, after)]
    assert found == [
        ("one", "named", True),
        ("one", "unexplained", True),
        ("two", "named", False),
        ("two", "wrong names", False),
        ("two", "unexplained", False),
    ]


def test_the_command_compares_with_the_baseline(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline, out = tmp_path / "baseline.json", tmp_path / "out.json"
    given = ["--data", str(folder), "--baseline", str(baseline), "--out", str(out)]
    assert main([*given, "--keep"]) == 0
    assert "new" in capsys.readouterr().out
    assert json.loads(out.read_text("utf-8"))["totals"]["named"] == 1
    assert main(given) == 0
    assert "as before" in capsys.readouterr().out
    (own,) = read_document(baseline).values()
    better = {"small": replace(own, unexplained=-1)}
    write_document(baseline, document(better, 10))
    assert main(given) == 1
    assert "worse: unexplained -1 → 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nowhere"], "there is no recording 'nowhere'"),
        (["record", "single-0"], "no run 'single-0' in runs.toml"),
        (["record", "--mask", "a"], "--mask=a: expected TEXT=INSTEAD"),
        (["--baseline", str(ROOT / "Makefile")], "Makefile"),
    ],
)
def test_bad_input_is_one_line(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(given) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}\n", "not a recording"),
        ('{"rsp_evidence": 2}\n', "version 2 of recordings is newer"),
        ('{"rsp_evidence": 1}\n', "line 1: damaged"),
        ("[\n", "line 1: no JSON"),
        ("", "not a recording"),
    ],
)
def test_a_damaged_recording_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = path_of("damaged", tmp_path)
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(FileError, match="damaged") as error:
        read("damaged", tmp_path)
    assert said in str(error.value)
    # A process that replays it sends the error to the one that asked.
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_a_torn_recording_is_refused(folder: Path, tmp_path: Path) -> None:
    whole = path_of("small", folder).read_bytes()
    path_of("torn", tmp_path).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FileError, match="damaged"):
        read("torn", tmp_path)
    path_of("torn", tmp_path).write_bytes(b"nothing")
    with pytest.raises(FileError, match="damaged"):
        read_head("torn", tmp_path)


def test_a_line_that_is_no_observation_is_named(
    small: Recording, subject: EngineUnderTest, tmp_path: Path
) -> None:
    write(small, subject, tmp_path)
    path = path_of("small", tmp_path)
    lines = text_of(path).splitlines()
    lines[1] = json.dumps({"correct": 3, "crash": {}})
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    with pytest.raises(FileError, match=r"line 2: damaged"):
        read("small", tmp_path)
