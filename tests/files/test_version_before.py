"""A file of the version before is read, or refused by name with what to do next.

`version_before/` holds what commit c548ab19 wrote: a campaign of three cases against `reference`
with the mutant newest-only, a run's result, its crash file and file of known causes (with the other
forms that entries have), a suite made of that crash file, and a profile.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.campaigns.report import read_result
from rsp_conformance.campaigns.store import Store
from rsp_conformance.diagnosis.known_file import read_known
from rsp_conformance.files.answers import STORED_ANSWERS
from rsp_conformance.files.cases import CASES
from rsp_conformance.files.files import parse_json
from rsp_conformance.judge import crash_file
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.run.run_report import read_report
from rsp_conformance.test_suite.manifest import read_suite
from tests.builders.command_line import cli

BEFORE = Path(__file__).parent / "version_before"
CRASH = "crashes/reference-same_stream_windows-missing-answer-8c4915.json"
NEWEST_ONLY = ("--engine", "reference", "--engine-option", "fault=newest-only")


def crash(path: Path) -> None:
    """A crash file, which the engine still fails."""
    found = crash_file.read(path)
    assert (found.engine, found.property_name) == ("reference", "same_stream_windows")
    assert cli("replay", path, "--engine", "reference").out.startswith("FAILED")
    mended = cli("replay", path, "--engine", "reference", "--engine-option", "fault=none")
    assert mended.out.startswith("FIXED")


def known(path: Path) -> None:
    """Known causes, by each form of an entry."""
    found = read_known(path)
    newest, dials, _, both, crashed = found
    assert newest.setting.mutants == ("newest-only",)
    assert dict(dials.setting.dials) == {"bounds": "[o,c)", "empty_answers": "no"}
    assert len(both.setting) == 2 and len(crashed.fingerprint) == 8


def report(path: Path) -> None:
    """The result of a run."""
    found = read_report(path)
    (cause,) = found.causes
    assert cause.mutants == ("newest-only",) and cause.explains == 148
    assert {own.property for own in found.findings} == {"windows", "same_stream_windows"}


def suite(path: Path) -> None:
    """A suite of one case."""
    ((entry,),) = (one.cases for one in read_suite(path).tests)
    assert entry.case.elements and entry.legal and entry.requires[0]["bounds"] == ("(o,c]",)


def profile(path: Path) -> None:
    """A profile with every dial, and values by shape that are no texts."""
    found = rsp.profile(path)
    assert (found.name, found.base.tick, found.base.unit) == ("mine", "tuple", 1000)
    (override,) = found.overrides
    assert override.when == {"ask", "!join"}
    assert dict(override.dials) == {"empty_answers": "no", "t0": "5", "bounds": "[o,c)"}


def campaign(path: Path) -> None:
    """A campaign's folder: its report, its cases, and that no run is written into it."""
    store = Store(path)
    (cause,) = read_result(store).causes
    assert cause.cause.mutants == ("newest-only",) and cause.failures == 2
    ((run, batches),) = store.runs()
    assert [unit.cases for batch in batches for unit in batch.units] == [3]
    for table, column, form, hint in (
        ("cases", "case", CASES, Case),
        ("answers", "answered", STORED_ANSWERS, tuple[Observed, ...]),
    ):
        texts = [row[column] for row in store.rows(table, run.number, (column,)) if row[column]]
        assert texts and all(form.read(hint, parse_json(text, path)) is not None for text in texts)
    resumed = cli("fuzz", *NEWEST_ONLY, "--resume", "--out", path)
    assert "of version 1, which are only shown (rsp-conformance fuzz report)" in resumed.line()
    assert resumed.line().endswith("name another folder\n")


FILES: dict[Callable[[Path], None], str] = {
    crash: CRASH,
    known: "known.toml",
    report: "report.json",
    suite: "suite",
    profile: "profile.json",
    campaign: "campaign",
}


@pytest.mark.parametrize("reads", FILES)
def test_a_file_of_the_version_before_is_read(
    reads: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "before"
    shutil.copytree(BEFORE, folder)
    reads(folder / FILES[reads])
