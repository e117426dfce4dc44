"""The profile that experiments have found, on an engine's page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.cli.main import main
from rsp_conformance.diagnosis.profile.findings import (
    FOUND,
    ByShape,
    DialFinding,
    FoundJson,
    RivalValue,
)
from rsp_conformance.files.profiles import ProfileJson
from rsp_conformance.run.run_report import REPORTS, RunReport, write_report
from tests.pages.test_site import read, right

PROFILE = FoundJson(
    engine="good",
    version="1",
    profile=ProfileJson(name="own"),
    mutants=("newest-only",),
    cases=40,
    explained=38,
    unanswered={},
    complete=False,
    dials=(
        DialFinding("bounds", "[o,c)", "(o,c]", True, rivals=(RivalValue("(o,c]", 9, 0),)),
        DialFinding("t0", "0", "0", False, rivals=(RivalValue("registration", 0, 0),)),
        DialFinding("r2s", "bag", "bag", False, (ByShape("istream", "set"),)),
        DialFinding("tick", "time", "time", False, note="no case depends on it"),
        DialFinding("numbers", "value", "value", False),
    ),
)
"""One dial is not as declared, one can't be told, one differs by shape, and two are left out."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A result of the engine, and what was found of it."""
    run, found = tmp_path / "run.json", tmp_path / "found.json"
    result = replace(right(), machine="Linux x86_64, 2 processors, Python 3.11.7")
    write_report(run, REPORTS.write(RunReport, result))
    found.write_text(json.dumps(FOUND.write(FoundJson, PROFILE)), "utf-8")
    return str(run), str(found)


def test_the_page_of_an_engine_has_the_profile_that_was_found(
    files: tuple[str, str], tmp_path: Path
) -> None:
    run, found = files
    site = tmp_path / "site"
    assert main(["results", run, "--report", str(site), "--found", found]) == 0
    page = read(site, "good-1.0.html")
    texts = " ".join("".join(page.itertext()).split())
    assert "judged 40 answers; the values found explain 38 of them" in texts
    assert "known bugs newest-only. The search was cut short." in texts
    assert "Linux x86_64, 2 processors, Python 3.11.7" in texts
    table = next(one for one in page.iter("table") if "declared" in "".join(one.itertext()))
    rows = [["".join(cell.itertext()).strip() for cell in row] for row in table.iter("tr")]
    assert rows[1:] == [
        ["bounds", "(o,c]", "[o,c)", "not what is declared"],
        ["t0", "0", "0", "no answer tells it from registration"],
        ["r2s", "bag", "bag, and set with istream", ""],
    ]


def test_it_needs_a_page_of_its_engine(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, found = files
    site = str(tmp_path / "site")
    assert main(["results", run, "--found", found]) == 2
    assert "--found: it stands on the pages of --report DIR" in capsys.readouterr().err
    other = tmp_path / "other.json"
    document = FOUND.write(FoundJson, replace(PROFILE, engine="other"))
    other.write_text(json.dumps(document), "utf-8")
    assert main(["results", run, "--report", site, "--found", str(other)]) == 2
    said = "the profile of other, of which no result is given"
    assert said in capsys.readouterr().err
    assert main(["results", run, "--report", site, "--found", run]) == 2
    assert "not what `profile --format json` writes" in capsys.readouterr().err
    assert not Path(site).exists()
