"""Pages of a run: they say what its document says, and nothing that an engine says is markup."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rsp_conformance.cli.main import main
from rsp_conformance.diagnosis.cause import CAUSES, Cause, is_named
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.known_file import read_known
from rsp_conformance.judge.crash_file import read
from rsp_conformance.model.setting import Setting
from rsp_conformance.pages import summary
from rsp_conformance.pages.badge import badge, badge_svg
from rsp_conformance.pages.html import to_html, write_pages
from rsp_conformance.pages.markdown import to_markdown
from rsp_conformance.pages.summary import MEANING
from rsp_conformance.run.events import AS_BEFORE, CausesFound, FindingConfirmed, PropertyFinished
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.run_report import (
    REPORTS,
    CampaignJson,
    RunReport,
    TrendJson,
    read_report,
    run_report,
    schema,
    write_causes,
    write_report,
)
from rsp_conformance.run.tally import COUNTED
from tests.docs.markdown import ROOT
from tests.run.test_causes import NEWEST, STRANGE
from tests.run.test_run_report import STARTED, outcome

CRASHES = ROOT / "tools" / "engines" / "crashes"
SCRIPT = "<script>alert('1')</script> | [x](http://evil) \x1b[2J"
COUNTS = {"compared": 20, "unsupported": 0, "vacuous": 1, "unasked": 7}
HTML, SVG = "", "{http://www.w3.org/2000/svg}"


def campaign() -> CampaignJson:
    trend = TrendJson(
        run=2,
        started="today",
        version="1.0",
        cases=9,
        failing=4,
        causes=["newest-only"],
        covered=3,
        ended="time",
    )
    return CampaignJson(
        run=2,
        cases=9,
        rate=4.5,
        outcomes={"wrong": 4, "correct": 5},
        new_causes=["newest-only"],
        failing_unnamed=1,
        disagreements=1,
        covered=7,
        covered_of={"bind": 2, "4 elements": 1},
        lost=[],
        trend=[replace(trend, run=1), trend],
    )


def hostile(folder: Path) -> RunReport:
    """A run against an engine that says what a page must not take for its own."""
    crash = json.loads((CRASHES / "cqels-keyword-as-variable.json").read_text("utf-8"))
    crash["failure"]["message"] = crash["stderr"] = SCRIPT
    crash["stderr"] = [SCRIPT]
    (folder / "crashes").mkdir()
    failed = folder / "crashes" / "e-windows-rejected-0a1b2c.json"
    failed.write_text(json.dumps(crash), "utf-8")
    causes = (
        replace(NEWEST, file=str(CRASHES / "rsp-js-newest-only.json"), text=SCRIPT),
        replace(STRANGE, file=failed.name, text=f"rejected: {SCRIPT}"),
    )
    gaps = FindingConfirmed("gaps", "rejected", 2, str(failed), "Twice.", headline=SCRIPT)
    found = RunOutcome().take(
        [
            PropertyFinished("windows", "passed", counts={"compared": 3}),
            PropertyFinished("gaps", "failed", SCRIPT, counts={"compared": 3, "vacuous": 1}),
            PropertyFinished("ask", "skipped", missing=("ask",)),
            gaps,
            CausesFound(tuple(CAUSES.write(Cause, cause) for cause in causes)),
        ]
    )
    started = replace(STARTED, engine=SCRIPT, profile=SCRIPT)
    return REPORTS.read(RunReport, run_report(found, started, passed=False))


def test_a_document_is_of_its_schema() -> None:
    Draft202012Validator.check_schema(schema())
    validator = Draft202012Validator(schema())
    plain = run_report(outcome(), STARTED, passed=False)
    whole = run_report(outcome(), STARTED, passed=False, duration=3, campaign=campaign())
    for document in (plain, whole):
        validator.validate(json.loads(json.dumps(document)))
    assert "campaign" not in plain and whole["campaign"]["trend"][0]["ended"] == "time"
    assert not validator.is_valid({**whole, "campaign": {**whole["campaign"], "rate": "fast"}})


def test_a_page_opens_offline_and_an_engine_writes_none_of_it(tmp_path: Path) -> None:
    page = to_html(hostile(tmp_path), tmp_path)
    root = ET.fromstring(page)
    assert not [one for one in root.iter() if one.tag in ("script", "link", "iframe", "img")]
    for one in root.iter():
        assert not any(name.startswith("on") for name in one.attrib)
        addresses = [v for name, v in one.attrib.items() if name in ("href", "src", "srcset")]
        assert all(re.match(r"#cause-\d$|data:application/json;base64,", a) for a in addresses)
    (style,) = root.iter("style")
    assert not re.search(r"url\(|@import|@font-face", style.text or "")
    assert "prefers-color-scheme: dark" in (style.text or "")
    texts = " ".join(root.itertext())
    assert texts.count("<script>") >= 5 and "\x1b" not in page
    # Each cause has the argument of its smallest case, and the case itself.
    titles = ["".join(one.itertext()) for one in root.iter("h4")]
    assert titles.count("Why") == titles.count("What happened") == 1
    saved = [own.get("download", "") for own in root.iter("a") if own.get("download")]
    assert saved == ["run.json", "rsp-js-newest-only.json", "e-windows-rejected-0a1b2c.json"]
    (row,) = [own for own in root.iter("tr") if "is-failed" in own.get("class", "")]
    cells = [" ".join(" ".join(cell.itertext()).split()) for cell in row]
    assert cells[:3] == ["gaps", "failed", f"1 newest-only {STRANGE.id}"]
    assert cells[3].endswith("/crashes/0a1b2c")
    assert {own.get("data-label") for own in row} >= {"property", "what is wrong", "compared"}


def test_a_timeline_has_words_for_who_cannot_see_it(tmp_path: Path) -> None:
    (picture,) = ET.fromstring(to_html(hostile(tmp_path), tmp_path)).iter(f"{SVG}svg")
    title, description = (next(picture.iter(SVG + name)) for name in ("title", "desc"))
    labelled = picture.get("aria-labelledby")
    assert picture.get("role") == "img" and labelled == f"{title.get('id')} {description.get('id')}"
    crash = read(CRASHES / "rsp-js-newest-only.json")
    said = description.text or ""
    (element, *_) = crash.cases[0].case.elements
    assert f", {element.t})" in said and "window :w1 [" in said
    assert "the first difference is at" in said
    drawn = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert {"expected", "received", "first difference", "[", ")"} <= set(drawn)
    # It is drawn in the colours of the page that it stands in.
    assert picture.get("fill") == "currentColor"


def test_an_evaluation_has_a_mark_of_its_own(tmp_path: Path) -> None:
    """Its answer is due later, so both are on the picture, and the legend names both."""
    page = ET.fromstring(to_html(hostile(tmp_path), tmp_path))
    (picture,), (legend,) = page.iter(f"{SVG}svg"), page.iter("figcaption")
    drawn = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert "evaluation" in drawn
    said = (legend.text or "").replace("\N{NO-BREAK SPACE}", " ")
    assert "● element, □ evaluation, ◇ expected, ◆ received" in said
    marks = {shape.tag.removeprefix(SVG) for g in picture.iter(f"{SVG}g") for shape in g}
    assert {"circle", "rect", "path"} <= marks
    # The legend is below it, rather than have a small picture be cut on a small screen.
    assert int(picture.get("width", "")) < 450


def test_a_page_says_why_less_was_compared_and_why_what_was_skipped(tmp_path: Path) -> None:
    found = RunOutcome().take(
        [
            PropertyFinished("t0", "failed", f"{AS_BEFORE}: newest-only (9)", counts=COUNTS),
            PropertyFinished("ask", "skipped", "no ask", "no ask", missing=("ask",)),
            PropertyFinished("istream", "skipped", "no ISTREAM", "no ISTREAM"),
            PropertyFinished("dstream", "skipped", "no ISTREAM", "no ISTREAM"),
            PropertyFinished("windows", "failed", "missing answer", counts=COUNTS),
            CausesFound((CAUSES.write(Cause, replace(NEWEST, properties=("windows", "t0"))),)),
        ]
    )
    began = "2026-11-20T23:04:11+01:00"
    document = run_report(found, STARTED, passed=False, began=began)
    root = ET.fromstring(to_html(REPORTS.read(RunReport, document), tmp_path))
    texts = " ".join("".join(root.itertext()).split())
    assert "ask: no askistream, dstream: no ISTREAM" in texts
    assert "does not declare" not in texts and AS_BEFORE not in texts
    heads = ["".join(cell.itertext()) for cell in root.iter("th")]
    assert heads[-4:] == ["compared", "unsupported", "vacuous", "unasked"]
    assert f"unasked: 14 cases, {MEANING['unasked']}" in texts
    (time,) = root.iter("time")
    assert (time.get("datetime"), time.text) == (began, "2026-11-20 22:04 UTC")
    # The properties of a cause stand in the order of the run.
    assert "Found by the properties windows, t0." in texts
    # Every link within the page leads somewhere.
    links = [one.get("href", "") for one in root.iter("a")]
    ids = {f"#{one.get('id')}" for one in root.iter()}
    assert {own for own in links if own.startswith("#")} <= ids
    # Every word has its meaning.
    for word in ("RSP-QL", "property", "profile", "cause", "wrong answers"):
        assert f"{word}: " in texts


def test_every_way_of_a_case_has_its_meaning() -> None:
    assert tuple(MEANING) == COUNTED


def test_what_cannot_be_shown_is_said(tmp_path: Path) -> None:
    run = hostile(tmp_path)
    (tmp_path / "crashes" / "e-windows-rejected-0a1b2c.json").write_text("{}")
    assert "not a crash file" in to_html(run, tmp_path)
    (tmp_path / "crashes" / "e-windows-rejected-0a1b2c.json").unlink()
    assert "Its crash file is not at hand" in to_html(run, tmp_path)


def test_a_badge_says_how_many_properties_passed(tmp_path: Path) -> None:
    run = hostile(tmp_path)
    write_pages(run, tmp_path / "new" / "out", tmp_path)
    names = {path.name for path in (tmp_path / "new" / "out").iterdir()}
    assert names == {"index.html", "badge.json", "badge.svg"}
    said = json.loads((tmp_path / "new" / "out" / "badge.json").read_text())
    assert said == badge(run)
    assert (said["schemaVersion"], said["message"]) == (1, "1 of 2 properties")
    assert "RSP-QL: 1 of 2 properties" in "".join(ET.fromstring(badge_svg(run)).itertext())
    assert badge(replace(run, passed=True))["color"] != said["color"]


MARKDOWN = """\
# RSP-QL conformance report: e 1.0

Failed. 1 of 2 properties failed (1 skipped). 2 causes identified; 1 group of failures \
unexplained. 3 cases compared.

took 2 min 5 s; profile rsp-ql; seed 7; rsp-conformance {version}; judged by the test.

Known, and no longer shown: union-dedup (fixed: remove it).

## Causes of what failed, each with its smallest case

| cause | what is wrong | wrong answers | properties | smallest case |
|---|---|---|---|---|
| 1 newest-only | Of several closed windows only the newest is answered. | 412 | 2 | 2 elements |
| 2 bounds=[o,c) | It answers so. | 1 | 1 | - |
| ?-0a1b | Crashed: \\x1b[2J …. |  | 2 | - |

### 1 newest-only

Of several closed windows only the newest is answered. Shows in 415 of 415 wrong answers and \
explains 412 of them; would make none of 900 right answers wrong.

Found by the properties windows, gaps.

    rsp-conformance replay /x/crashes/a.json

### 2 bounds=[o,c)

It answers so. Explains the 1 wrong answer in which it shows; would make 2 of 900 right answers \
wrong.

Found by the property gaps.

As likely: bounds = [o,c].

None of its cases was shrunk.

### ?-0a1b

Crashed: \\x1b[2J …. No dial and no known bug explains it.

Found by the properties gaps, join.

None of its cases was shrunk.

## Properties

| property | verdict | causes | what is wrong | compared | unsupported | vacuous |
|---|---|---|---|---|---|---|
| gaps | failed | 1 newest-only; 2 bounds=[o,c); ?-0a1b | wrong rows; \
`rsp-conformance replay /x/a.json` | 3 |  |  |

1 property skipped: no feature ask.

<details><summary>Which, and why</summary>

- ask: no feature ask

</details>

## What the words mean
"""


def test_markdown_is_what_the_document_says() -> None:
    document = run_report(outcome(), STARTED, passed=False, duration=125.2)
    run = REPORTS.read(RunReport, document)
    text = "\n".join(to_markdown(run))
    assert text.startswith(MARKDOWN.format(version=run.rsp_conformance))


def test_groups_that_may_be_one_bug_are_not_counted_as_bugs() -> None:
    def said(*groups: str) -> str:
        run = REPORTS.read(RunReport, run_report(outcome(), STARTED, passed=False))
        (own,) = [cause for cause in run.causes if not is_named(cause.id)]
        causes = tuple(replace(own, id=f"?-{id}") for id in groups)
        return " ".join(summary.said(replace(run, causes=causes)))

    assert "No cause identified; 1 group of failures unexplained. 3" in said("0a1b")
    several = "No cause identified; 2 groups of failures unexplained, perhaps of fewer bugs. 3"
    assert (
        "No cause identified; 2 groups of failures unexplained, perhaps of fewer bugs. 3" in several
    )


def test_markdown_has_the_smallest_case_of_a_cause_if_its_file_is_there(tmp_path: Path) -> None:
    run = hostile(tmp_path)
    text = "\n".join(to_markdown(run, tmp_path))
    assert "<details><summary>Its smallest case, of 2 elements, and why" in text
    assert (
        "\n:s1             o  o        + <- added by the kit" in text
        and "← first difference |" in text
    )
    assert "  WINDOW :w1 { ?x :p ?y }\n}\n```" in text
    assert "Its smallest case" not in "\n".join(to_markdown(run))


def test_in_markdown_an_engine_writes_no_markup(tmp_path: Path) -> None:
    text = "\n".join(to_markdown(hostile(tmp_path)))
    assert "<script" not in text and "](http" not in text and "\x1b" not in text
    (row,) = [line for line in text.splitlines() if line.startswith("| gaps ")]
    assert len(re.split(r"(?<!\\)\|", row)) == 9


def test_a_campaign_is_shown_by_the_same_words(tmp_path: Path) -> None:
    document = run_report(outcome(), STARTED, passed=False, campaign=campaign())
    run = REPORTS.read(RunReport, document)
    text = "\n".join(to_markdown(run))
    assert "9 cases at 4 a second (5 correct, 4 wrong). 1 new cause, 2 known." in text
    assert "| 1 newest-only (new, since run 1) |" in text and "| ?-0a1b (known) |" in text
    assert "1 more wrong answer were not looked at" in text and "bug of rsp-conformance" in text
    assert "Fewest cases have: bind (2)." in text and "| 2 | today | 1.0 | 9 |" in text
    assert "campaign 2" in to_html(run, tmp_path) and badge(run)["message"] == "1 new cause"


def test_a_saved_result_is_shown_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.json"
    document = run_report(outcome(), STARTED, passed=False)
    write_report(path, document)
    assert REPORTS.write(RunReport, read_report(path)) == document
    assert main(["results", str(path)]) == 1
    assert capsys.readouterr().out.startswith("# RSP-QL conformance report: e 1.0\n")
    assert main(["results", str(path), "--report", str(tmp_path / "out")]) == 1
    assert (tmp_path / "out" / "index.html").is_file()
    # As an earlier version has written it, without what was added; and what is no result.
    old = {name: value for name, value in document.items() if name not in ("troubles", "counts")}
    write_report(path, old)
    assert main(["results", str(path)]) == 1
    for other, said in ((["--report", "x"], "name the file"), ([str(path)], "no rsp_report in it")):
        write_report(path, {})
        assert main(["results", *other]) == 2
        assert said in capsys.readouterr().err
    write_report(path, {**document, "seed": 5})
    assert main(["results", str(path)]) == 2
    assert "seed: expected a string, found 5" in capsys.readouterr().err


def test_a_file_of_known_causes_is_written_from_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, known = tmp_path / "run.json", tmp_path / "known.toml"
    strange = replace(STRANGE, id="?-0a1b2c3d")
    found = RunOutcome(causes=(NEWEST, strange), shown={"stale-join"})
    write_report(path, run_report(found, STARTED, passed=False))
    named = replace(NEWEST, setting=Setting(), id="union-dedup")  # As a campaign has it.
    other = run_report(RunOutcome(causes=(named, NEWEST)), STARTED, passed=False)
    write_report(tmp_path / "other.json", other)
    assert main(["results", str(path), "--known-write", str(known)]) == 1
    out = capsys.readouterr().out
    assert out == f"Known causes: {known} (with 2 causes of this result)\n"
    ids = ["newest-only", "?-0a1b2c3d", "stale-join"]
    assert [own.id for own in read_known(known)] == ids
    assert read_known(known)[0].reason.startswith("found by a run: of several closed windows")
    site = tmp_path / "site"
    more = (str(tmp_path / "other.json"), "--known-write", str(known), "--report", str(site))
    assert main(["results", str(path), *more]) == 1
    assert [own.id for own in read_known(known)] == [*ids, "union-dedup"]
    assert (site / "index.html").is_file()
    # The same that a run writes, but for the reasons that its user has given.
    write_causes(again := tmp_path / "again.toml", [read_report(path)], [KnownCause.of(NEWEST)])
    assert [own.id for own in read_known(again)] == ids
    capsys.readouterr()
    (tmp_path / "text").write_text("something else\n")
    wrong = {str(tmp_path / "text"): "no TOML", str(tmp_path / "no" / "where"): "no such folder"}
    for place, said in wrong.items():
        assert main(["results", str(path), "--known-write", place]) == 2
        err = capsys.readouterr().err
        assert "--known-write" in err and said in err and err.count("\n") == 1
    assert main(["results", "--known-write", str(known)]) == 2
    assert "--known-write: name the file with the result" in capsys.readouterr().err


def test_a_run_that_was_to_stop_early_is_not_called_interrupted() -> None:
    document = run_report(outcome(), STARTED, passed=False, complete=False)
    text = "\n".join(to_markdown(REPORTS.read(RunReport, document)))
    assert "It ended before all properties were run." in text and "interrupted" not in text
