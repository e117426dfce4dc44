"""`fuzz` as users run it, without Spark: its log, a full disk, and what a cause is held against."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pyarrow.parquet as pq
import pytest

from rsp_conformance.campaigns import campaign as campaigns
from rsp_conformance.campaigns.campaign import Campaign
from rsp_conformance.campaigns.report import read_result, to_json
from rsp_conformance.campaigns.store import NAME, Store
from rsp_conformance.cli import progress
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.pages.markdown import to_markdown
from rsp_conformance.run.run_report import REPORTS, RunReport
from tests.builders.command_line import Ran, cli
from tests.campaigns.running import Here

Fuzz = Callable[..., Ran]
STEP = Campaign._step


class Workers(Here):
    """As those of Spark begin."""

    def __init__(self, master: str) -> None:
        pass

    def check(self, *_: object) -> None:
        pass


@pytest.fixture
def fuzz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fuzz:
    """Runs the command on `reference`, into the folder ``out``; names no cause.

    The engine has a mutant unless RIGHT. The seed is one whose cases are soon judged.
    """
    monkeypatch.setattr(campaigns, "Workers", Workers)
    monkeypatch.setattr(Campaign, "_step", lambda *_, **__: False)
    monkeypatch.setattr(Campaign, "_recount", lambda *_: None)

    def run(*options: object, right: bool = False, log: bool = False) -> Ran:
        mutant = () if right else ("--engine-option", "fault=newest-only")
        out = ("--out", tmp_path / "out", "--seed", 6)
        return cli("fuzz", "--engine", "reference", *mutant, *out, *options, log=log)

    return run


@pytest.fixture
def naming(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Causes are named, once all cases are judged: both happens in this process."""
    name = Campaign._finish_naming

    def when_over(self: Campaign) -> None:
        monkeypatch.setattr(Campaign, "_step", STEP)
        name(self)

    monkeypatch.setattr(campaigns, "SHRINKING", 1.0)
    monkeypatch.setattr(Campaign, "_finish_naming", when_over)


def test_a_log_has_lines_and_the_end(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    # A fast machine has judged these cases before a campaign is taken for one that hangs.
    monkeypatch.setattr(progress, "QUICK", 0.01)
    monkeypatch.setattr(progress, "LOGGED", 0.1)
    ran = fuzz("--examples", 20, log=True)
    *lines, last = ran.err.splitlines()
    assert ran.status == 1
    assert any(" s: starting" in line or " cases, " in line for line in lines), lines
    assert last.startswith("rsp-conformance: ") and " s: 20 cases, " in last
    assert "/s, 0 causes, " in last and last.endswith(", 100%: ended")


def test_what_ends_before_it_begins_has_its_one_line_alone(fuzz: Fuzz) -> None:
    assert "--dial" in fuzz("--dial", "bound=x").line()


@pytest.mark.parametrize("table", ["cases", "runs"])
def test_a_full_disk_is_one_line_and_the_run_goes_on(
    table: str, fuzz: Fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first file of a TABLE does not fit, nor does anything after it."""
    monkeypatch.setattr(campaigns, "UNIT", 10)
    write, full = pq.write_table, False

    def fitting(table_: Any, path: Path) -> None:
        nonlocal full
        full = full or path.parent.parent.name == table
        if full:
            path.write_bytes(b"PAR1")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(table_, path)

    monkeypatch.setattr(pq, "write_table", fitting)
    ran = fuzz("--examples", 20)
    *_, said = ran.err.splitlines()
    assert ran.status == 2 and "Traceback" not in ran.err
    assert said.startswith("rsp-conformance: ") and "No space left on device" in said
    assert "--resume" in said
    assert (tmp_path / "out" / NAME).exists()

    monkeypatch.setattr(pq, "write_table", write)
    ran = fuzz("--examples", 20, "--resume")
    assert ran.status == 1 and "20 cases" in ran.out
    found = read_result(Store(tmp_path / "out"))
    assert (found.run.number, found.cases, found.ended) == (1, 20, "examples")


def test_a_crash_file_that_does_not_fit_is_one_line(
    fuzz: Fuzz, naming: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(*_: object) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Keeper, "keep", keep)
    ran = fuzz("--examples", 40)
    assert ran.status == 2 and "No space left on device" in ran.err.splitlines()[-1]


def test_a_cause_is_held_against_all_right_answers_also_of_before(
    fuzz: Fuzz, naming: None, tmp_path: Path
) -> None:
    def held() -> int:
        found = read_result(Store(tmp_path / "out"))
        (own,) = found.causes
        assert own.cause.contradicts == 0
        (told,) = to_json(found)["causes"]
        assert own.cause.passing == told["right"] == found.outcomes["correct"]
        return own.cause.passing

    fuzz("--examples", 60)
    first = held()
    assert first > 0
    fuzz("--examples", 150, "--resume")
    assert held() > first


def test_of_many_right_answers_a_sample_is_kept_whole(
    fuzz: Fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "MOST_HELD", 5)
    monkeypatch.setattr(campaigns, "UNIT", 10)
    monkeypatch.setattr(campaigns, "JOB", 0.1)
    fuzz("--examples", 80, right=True)
    store = Store(tmp_path / "out")
    columns = ("unit", "place", "verdict")
    right = {
        (row["unit"], row["place"])
        for row in store.rows("verdicts", 1, columns)
        if row["verdict"] == "correct"
    }
    whole = [
        row["case"]
        for row in store.rows("cases", 1, ("unit", "place", "case"))
        if row["case"] and (row["unit"], row["place"]) in right
    ]
    assert 5 <= len(whole) < len(right)


def test_a_cause_says_of_how_many_answers_its_counts_are_a_sample(
    fuzz: Fuzz, naming: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document counts what the batches do, and not what they hand over."""
    for name, most in {"MOST_HELD": 5, "UNIT": 10, "JOB": 0.1}.items():
        monkeypatch.setattr(campaigns, name, most)
    fuzz("--examples", 80)
    found = read_result(Store(tmp_path / "out"))
    document = to_json(found)
    (told,) = document["causes"]
    wrong, right = found.outcomes["wrong"], found.outcomes["correct"]
    assert told["passing"] < told["right"] == right
    assert told["explains"] <= told["wrong"] == wrong
    page = "\n".join(to_markdown(REPORTS.read(RunReport, document)))
    said = f"In all {wrong:,} answers were wrong and {right:,} right."
    assert f"These are counts of samples. {said}" in page


@pytest.mark.parametrize("folder", ["gone", "begun"])
def test_a_folder_without_a_run_is_told_of(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(campaigns, "fuzz", stopped)
    Store(tmp_path / "begun", "reference")
    command = ("fuzz", "--engine", "reference", "--out", tmp_path / folder)
    said = f"note: --resume: {tmp_path / folder} holds no run to continue: a new one begins\n"
    assert said in cli(*command, "--resume").err
    assert said not in cli(*command).err
