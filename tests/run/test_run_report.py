"""The result of a run as JSON: of its form, with what it says, and written whole."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.pages.html import to_html
from rsp_conformance.pages.markdown import to_markdown
from rsp_conformance.run.events import (
    CauseDiscovered,
    CausesFound,
    Event,
    FindingConfirmed,
    KnownCausesSeen,
    PropertyFinished,
    RunFinished,
    RunStarted,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.run_report import REPORTS, RunReport, run_report, schema, write_report
from rsp_conformance.run.tally import COUNTED
from tests.docs.markdown import ROOT
from tests.run.test_causes import ALL

STARTED = RunStarted("e", "1.0", "rsp-ql", "the test", "7")
OTHER_PLACE = replace(ALL[0], id="elsewhere", file="/x/crashes/a.json")
PAGE = (ROOT / "docs" / "results.md").read_text("utf-8")


def outcome(*before: Event) -> RunOutcome:
    """What a run comes to, BEFORE which there was something more."""
    return RunOutcome().take(
        [
            STARTED,
            *before,
            PropertyFinished("gaps", "failed", "wrong rows", counts={"compared": 3}),
            PropertyFinished("ask", "skipped", missing=("ask",)),
            FindingConfirmed("gaps", "wrong rows", 2, "/x/a.json", "Twice."),
            CausesFound(tuple(CAUSES.write(Cause, cause) for cause in ALL)),
            KnownCausesSeen(("stale-join",), ("union-dedup",)),
            RunFinished({"engine": 1.23456}),
        ]
    )


def test_all_that_a_run_has_come_to_is_there() -> None:
    document = json.loads(json.dumps(run_report(outcome(), STARTED, passed=False)))
    report = REPORTS.read(RunReport, document)
    assert REPORTS.write(RunReport, report) == document
    assert (report.engine, report.version, report.seed) == ("e", "1.0", "7")
    gaps, ask = report.properties
    assert (gaps.verdict, gaps.causes) == ("failed", ("newest-only", "bounds=[o,c)", "?-0a1b"))
    assert (ask.missing, ask.causes) == (("ask",), ())
    assert [cause.id for cause in report.causes] == ["newest-only", "bounds=[o,c)", "?-0a1b"]
    assert report.causes[1].alternatives[0].dials == {"bounds": "[o,c]"}
    assert report.told == tuple(cause.id for cause in report.causes)
    assert (report.known.shown, report.known.gone) == (("stale-join",), ("union-dedup",))
    assert report.findings[0].confirmed == "Twice."
    assert report.counts == {**dict.fromkeys(COUNTED, 0), "compared": 3}
    assert report.verdicts == {"failed": 1, "skipped": 1}
    assert report.causes[0].evidence.startswith("Shows in 415 of 415 wrong answers")
    assert report.seconds == {"engine": 1.235}


def test_pages_number_causes_as_the_run_did(tmp_path: Path) -> None:
    """Also where one that it told of was given up in the end, which is said."""
    told = CauseDiscovered("windows", CAUSES.write(Cause, replace(ALL[0], id="answers-overtake")))
    report = REPORTS.read(RunReport, run_report(outcome(told), STARTED, passed=False))
    assert report.told == ("answers-overtake", "newest-only", "bounds=[o,c)", "?-0a1b")
    for page in ("\n".join(to_markdown(report)), to_html(report, tmp_path)):
        assert "2 newest-only" in page and "3 bounds=[o,c)" in page
        assert "Suspected on the way, and not borne out in the end: 1 answers-overtake." in page


def test_a_crash_file_is_named_from_the_folder_of_the_run_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result is read on other machines, with the crash files beside it."""
    monkeypatch.chdir(tmp_path)
    file = ".rsp/crashes/e-gaps-wrong-rows-0a1b2c.json"
    ours = replace(ALL[0], file=str(tmp_path / file), together=("newest-only", "stale-join"))
    found = RunOutcome(causes=(ours, OTHER_PLACE)).take(
        [FindingConfirmed("gaps", "wrong rows", 2, str(tmp_path / file), "")]
    )
    document = run_report(found, STARTED, passed=False, spec="stdio:./my driver")
    first, second = (cause["smallest"] for cause in document["causes"])
    together = ["newest-only", "stale-join"]
    assert first == {"file": file, "elements": 2, "id": "0a1b2c", "causes": together}
    assert second["file"] == OTHER_PLACE.file
    assert document["findings"][0]["file"] == file
    report = REPORTS.read(RunReport, document)
    command = "    rsp-conformance replay 0a1b2c --engine 'stdio:./my driver'"
    text, page = [*to_markdown(report)], html.unescape(to_html(report, tmp_path))
    assert command in text
    assert f"{command.strip()}" in page
    for shown in ("\n".join(text), page):
        assert shown.count("This case shows 2 causes: newest-only, stale-join.") == 1


def test_dials_that_were_turned_stand_beside_the_profile(tmp_path: Path) -> None:
    dials = {"bounds": "[o,c]", "stream_operators": "R I"}
    document = run_report(outcome(), STARTED, passed=False, dials=dials)
    assert document["dials"] == dials
    report = REPORTS.read(RunReport, document)
    said = "rsp-ql with bounds=[o,c] stream_operators=R I"
    assert f"profile {said};" in "\n".join(to_markdown(report))
    assert said in to_html(report, tmp_path)


def test_the_example_of_the_page_is_of_the_form() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    report = REPORTS.read(RunReport, json.loads(block))
    properties = schema()["$defs"]["RunReport"]["properties"]
    assert set(json.loads(block)) == set(properties) - {"campaign"}
    assert report.causes[0].mutants == ("newest-only",)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"
    write_report(path, {"said": "\ud800"})
    assert path.read_text("utf-8") == '{\n  "said": "\\ud800"\n}\n'

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_report(path, {})
    assert [found.name for found in tmp_path.iterdir()] == ["run.json"]
    assert "said" in path.read_text("utf-8")
