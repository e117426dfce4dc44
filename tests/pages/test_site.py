"""The site of several results: it says of each engine what its own page says."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.cli.main import main
from rsp_conformance.files.earl import EARL, OUTCOMES
from rsp_conformance.pages.document import anchor_of
from rsp_conformance.pages.filters import filters, tags_of
from rsp_conformance.pages.site import KINDS, Speed, entries, write_site
from rsp_conformance.run.events import CausesFound, PropertyFinished
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.run_report import REPORTS, RunReport, run_report, write_report
from tests.pages.test_pages import hostile
from tests.run.test_run_report import STARTED, outcome

COUNTS = {"compared": 5}
OUTCOME = rdflib.URIRef(f"{EARL}outcome")


def right(version: str = "1.0", **verdicts: str) -> RunReport:
    """A run in which some properties came to these verdicts, the others passed."""
    names = ("windows", "gaps", "ask")
    found = RunOutcome().take(
        [
            *(
                PropertyFinished(n, verdicts.get(n, "passed"), counts={"compared": 5})
                for n in names
            ),
            CausesFound(()),
        ]
    )
    started = replace(STARTED, engine="good", version=version)
    report: RunReport = REPORTS.read(RunReport, run_report(found, started, passed=True))
    return report


def result() -> RunReport:
    report: RunReport = REPORTS.read(RunReport, run_report(outcome(), STARTED, passed=False))
    return report


def read(folder: Path, name: str) -> ET.Element:
    return ET.fromstring((folder / name).read_text("utf-8"))


def links(folder: Path) -> set[str]:
    """Where all pages of a site lead, as ``file#anchor``, but for what they hold themselves."""
    found = set()
    for path in folder.glob("*.html"):
        for one in ET.fromstring(path.read_text("utf-8")).iter("a"):
            href = one.get("href", "")
            if not href.startswith("data:"):
                found.add(f"{path.name}{href}" if href.startswith("#") else href)
    return found


def cells(folder: Path, property: str) -> list[str]:
    (row,) = [
        r for r in read(folder, "index.html").iter("tr") if r.get("id") == anchor_of(property)
    ]
    return [" ".join(" ".join(cell.itertext()).split()) for cell in row][1:]


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert (
        write_site([(hostile(tmp_path), tmp_path), (right(), tmp_path)], site).name == "index.html"
    )
    for own in links(site):
        file, _, anchor = own.partition("#")
        assert (site / file).is_file(), own
        if anchor:
            assert any(one.get("id") == anchor for one in read(site, file).iter()), own
    for path in site.glob("*.html"):
        root = ET.fromstring(path.read_text("utf-8"))
        assert not [one for one in root.iter() if one.tag in ("script", "link", "iframe", "img")]
        assert "\x1b" not in path.read_text("utf-8")


def test_a_mark_says_what_the_engine_came_to(tmp_path: Path) -> None:
    write_site([(result(), tmp_path), (right(gaps="not tested"), tmp_path)], tmp_path / "site")
    assert cells(tmp_path / "site", "gaps") == [
        "✗ 1 2 ? failed: gaps, e 1.0",
        "– not tested: gaps, good 1.0",
    ]
    assert cells(tmp_path / "site", "windows") == [
        "○ not asked in this run: windows, e 1.0",
        "✓ passed: windows, good 1.0",
    ]
    assert cells(tmp_path / "site", "ask")[0].startswith("skipped: ")
    rows = [one for one in read(tmp_path / "site", "index.html").iter("tr") if one.get("id")]
    kinds = {one.get("id"): one.get("class", "").split() for one in rows}
    assert {"is-windows-and-time", "is-has-gap-windows", "is-differs", "is-newest-only"} <= {
        *kinds["property-gaps"]
    }
    assert "is-alike" in kinds["property-windows"]
    texts = " ".join("".join(rows[0].itertext()).split())
    assert "A correct engine puts into each window the elements between its bounds" in texts
    assert "RSP-QL Def. 11-13" in texts


def test_a_property_that_a_run_was_without_is_no_property_that_the_engine_lacks(
    tmp_path: Path,
) -> None:
    """`outcome` was without windows, and skipped ask."""
    write_site([(result(), tmp_path), (right(), tmp_path)], tmp_path / "site")
    (table, *_) = read(tmp_path / "site", "index.html").iter("table")
    heads = [cell.text for cell in table.iter("th")]
    number = heads.index("not asked")
    assert [row[number].text for row in list(table)[1]] == ["1", "0"]
    texts = {
        name: " ".join("".join(read(tmp_path / "site", name).itertext()).split())
        for name in ("index.html", "e-1.0.html", "good-1.0.html")
    }
    assert "Not asked: e 1.0 in runs that were without some properties." in texts["index.html"]
    assert "○: not asked in this run: the run is older" in texts["index.html"]
    assert "Not asked in this run 1 property: windows." in texts["e-1.0.html"].replace(
        "run1", "run 1"
    )
    assert "Not asked in this run" not in texts["good-1.0.html"]


def test_speed_and_a_profile_of_its_own_stand_on_the_page_of_an_engine(tmp_path: Path) -> None:
    own = '{"base": "rsp-js", "bounds": "(o,c]", "t0": "first-element-close"}'
    runs = [(replace(right(), profile=own), tmp_path), (right("2.0"), tmp_path)]
    write_site(runs, tmp_path / "site", speeds=[Speed("good", "1.0", 1.25, 1234.5)])
    texts = [
        " ".join("".join(read(tmp_path / "site", f"good-{version}.html").itertext()).split())
        for version in ("1.0", "2.0")
    ]
    assert "profilersp-js with bounds=(o,c], t0=first-element-close" in texts[0]
    assert "start-up1.2 s" in texts[0] and "1,234 cases per second" in texts[0]
    assert "start-up" not in texts[1]


def test_every_property_has_its_kind_of_window_and_its_features() -> None:
    tags = {one.name: tags_of(one) for one in SUITE}
    assert all(
        any(own.startswith(("windows-", "has-")) for own in found) for found in tags.values()
    )
    assert "has-count-windows" in tags["count_windows"] and "has-past-windows" in tags["past"]
    assert "has-now-window" in tags["now"] and "windows-by-time" in tags["windows"]
    assert "has-count-windows" in tags["relation[counted]"]
    assert {"has-optional", "has-filter"} <= {*tags["nesting"]}
    # The feature of a part is that of the whole, and an operator is one too.
    assert "has-filter" in tags["relation[partition]"] and "has-istream" in tags["istream"]
    assert {"has-optional", "has-union"} <= {*tags["law[LUDistR]"]}
    shown = [one for one in SUITE if one.name in ("past", "optional")]
    kinds = {own.name: [said for _, said in own.choices] for own in filters(shown, [[]])}
    assert kinds["windows"] == ["by time", "in the past"] and kinds["feature"] == ["optional"]
    assert kinds.keys() == {"group", "windows", "feature"}


def test_only_what_every_engine_was_asked_is_compared(tmp_path: Path) -> None:
    """`outcome` has failed gaps alone, and skipped ask."""
    write_site([(result(), tmp_path), (right(), tmp_path)], tmp_path / "site")
    texts = " ".join("".join(read(tmp_path / "site", "index.html").itertext()).split())
    assert "1 property can be compared" in texts and "passed of 1" in texts
    (table, *_) = read(tmp_path / "site", "index.html").iter("table")
    (first, second) = ([c.text for c in row if c.get("class") == "n"] for row in list(table)[1])
    assert (first[5], second[5]) == ("0", "1")


def test_causes_are_told_by_kind_with_their_engines(tmp_path: Path) -> None:
    write_site([(result(), tmp_path), (hostile(tmp_path), tmp_path)], tmp_path / "site")
    page = read(tmp_path / "site", "causes.html")
    heads = ["".join(one.itertext()) for one in page.iter("h2")]
    assert KINDS[seams.DUE] in heads and KINDS[seams.DIALS] in heads
    texts = " ".join("".join(page.itertext()).split())
    assert "e 1.0: 412 wrong answers" in texts and "2 groups of failures have no cause" in texts


def test_every_place_in_an_engine_has_its_kind() -> None:
    every = {own for own in vars(seams).values() if isinstance(own, seams.Seam)}
    assert KINDS.keys() == every


def test_two_runs_of_one_engine_are_two_columns() -> None:
    here = Path()
    same = entries([(right(), here), (right(), here), (right("2.0"), here)])
    assert [own.name for own in same] == ["good 1.0 (1)", "good 1.0 (2)", "good 2.0"]
    assert len({own.slug for own in same}) == 3


def test_results_are_compared_from_their_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for number, run in enumerate((result(), right())):
        files.append(str(tmp_path / f"{number}.json"))
        write_report(Path(files[-1]), REPORTS.write(RunReport, run))
    assert main(["results", *files, "--report", str(tmp_path / "site")]) == 1
    assert capsys.readouterr().out == f"{tmp_path / 'site' / 'index.html'}\n"
    assert {own.name for own in (tmp_path / "site").iterdir()} == {
        *("index.html", "causes.html"),
        *(
            f"{slug}.{kind}"
            for slug in ("e-1.0", "good-1.0")
            for kind in ("html", "json", "svg", "ttl")
        ),
    }
    said = rdflib.Graph().parse(tmp_path / "site" / "e-1.0.ttl")
    outcomes = Counter(str(one).rpartition("#")[2] for one in said.objects(None, OUTCOME))
    assert outcomes == Counter(OUTCOMES[own.outcome] for own in result().properties)
    assert main(["results", *files]) == 1
    assert capsys.readouterr().out.count("# RSP-QL conformance report: ") == 2
    assert main(["results", files[1]]) == 0
