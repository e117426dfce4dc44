"""The page and the site of real engines say what was measured; the crash files show it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rsp_conformance.cli.replaying import FAILED
from rsp_conformance.diagnosis.cause import UNEXPLAINED
from rsp_conformance.diagnosis.profile.findings import (
    ByShape,
    DialFinding,
    FoundJson,
    RivalValue,
)
from rsp_conformance.files.profiles import ProfileJson, profile_names
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import WRONG, recorded
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.dials import DIALS
from rsp_conformance.protocol import registry
from tools.engines import page, semantics, site
from tools.engines.counterexamples import unpack
from tools.engines.record import (
    CRASHES,
    RECORDS,
    cannot_start,
    deep_runs,
    defects,
    kept_crashes,
    measured,
    records,
    shown,
    write,
)
from tools.mutation import profiles

KEPT = [defect for defect in defects() if defect.crash]


def test_a_run_is_kept_and_shown(tmp_path: Path) -> None:
    made = measured(
        "reference", examples=10, seed=3, folder=tmp_path / "rsp", properties=["windows", "join"]
    )
    write(made, folder=tmp_path / "engines")
    assert records(tmp_path / "engines") == [made]
    assert {name: found.verdict for name, found in made.properties.items()} == {
        "windows": "passed",
        "join": "passed",
    }
    told = site.report(made)
    assert told.passed and told.verdicts == {"passed": 2} and told.profile == made.profile
    assert told.started == made.started != "" and told.judged_by == made.judged_by != ""


def test_the_page_is_what_was_measured() -> None:
    """`make engines` writes it, and `python -m tools.engines --page` without running anything."""
    shown = page.PAGE.read_text("utf-8")
    assert page.into(shown) == shown
    with pytest.raises(ValueError, match="shows 0 tables of engines"):
        page.into(shown.replace("<!-- engines -->", ""))
    kept = {(record.engine, name) for record in records() for name in record.defects}
    assert kept == {(defect.engine, defect.name) for defect in KEPT}


def test_a_declared_dial_that_is_contradicted_stands_out() -> None:
    rivals = (RivalValue("[o,c]", 0, 0),)
    by_join = (ByShape("join", "[o,c]"),)
    found = DialFinding("bounds", "[o,c)", "(o,c]", True, by_join, rivals=rivals)
    others = [
        DialFinding(dial, "none", "none", False, note="not asked")
        for dial in DIALS
        if dial != "bounds"
    ]
    document = FoundJson(
        engine="own",
        version="1",
        profile=ProfileJson(),
        mutants=(),
        cases=3,
        explained=2,
        unanswered={},
        complete=False,
        dials=(found, *others),
    )
    told = DialFinding("bounds", "(o,c]", "(o,c]", False, rivals=rivals)
    other = replace(document, engine="other", complete=True, dials=(told, *others))
    head, *rows = semantics.rows([document, other])
    assert [*head] == ["dial", "own", "other"]
    assert [[*row] for row in rows] == [
        ["`bounds`", "**`[o,c)`** (`(o,c]`); with join `[o,c]`", "*`(o,c]`*"],
        ["answers explained", "2 of 3 (cut short)", "2 of 3"],
    ]


def test_profiles_that_were_found_again_are_kept(tmp_path: Path) -> None:
    whole = profiles.Recovery([], [], [], ["numbers (value)"], 197, 197, True, 40.2, 9_000)
    lost = profiles.Recovery(
        ["newest-only"], ["bounds = (o,c], not [o,c)"], [], [], 3, 5, False, 600.0, 9_000
    )
    other = profiles.Recovery(["newest-only"], [], ["stale-join"], [], 5, 5, True, 1.0, 90)
    half = profiles.Recovery([], [], [], [], 196, 197, True, 1.0, 90)
    unseen = profiles.Recovery(["newest-only"], [], [], [], 5, 5, True, 1.0, 90)
    made = (whole, lost, other, half, unseen)
    assert [own.recovered for own in made] == [True, *[False] * 4]
    assert [own.is_unseen for own in made] == [*[False] * 4, True]
    profiles.keep("rsp-ql", [whole, lost, other], tmp_path)
    found = profiles.kept(tmp_path)
    assert found == {"rsp-ql": [whole, lost, other]}


def test_each_bundled_profile_was_found_again_alone_and_beside_a_mutant() -> None:
    found = profiles.kept()
    assert found.keys() == set(profile_names())
    for name, (plain, *beside) in found.items():
        assert plain.recovered and not plain.mutants, name
        assert beside and all(own.recovered and own.mutants for own in beside), name


def test_the_site_has_a_page_and_the_smallest_cases_of_each_engine(tmp_path: Path) -> None:
    index = site.write(tmp_path)
    matrix = index.read_text("utf-8")
    for record in records():
        told = site.report(record)
        own = index.with_name(f"{record.engine}-{record.version}.html".replace("+", "-"))
        assert own.name in matrix
        assert set(told.verdicts) <= {"passed", "failed", "skipped", "not tested"}
        assert any(cause.smallest.file for cause in told.causes)
        assert "is not at hand" not in own.read_text("utf-8")


def test_the_smallest_case_of_each_cause_is_kept_with_the_record(tmp_path: Path) -> None:
    crashes = sorted(CRASHES.glob("yasper-*.json"))[:2]
    smallest = [{"elements": 1, "file": own.name} for own in crashes]
    causes = [{"smallest": own} for own in (*smallest, smallest[0], {"elements": 2})]
    made = replace(records()[0], causes=causes)
    write(made, CRASHES, tmp_path)
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    assert unpack(kept_crashes(made, tmp_path), unpacked) == [own.name for own in crashes]
    for own in crashes:
        assert replace(read(unpacked / own.name), stderr=()) == replace(read(own), stderr=())
    assert unpack(tmp_path / "none", unpacked) == []
    # A record alone is written anew without its crash files, which stay.
    write(made, folder=tmp_path)
    assert kept_crashes(made, tmp_path).exists()


def test_what_is_kept_of_real_engines_names_no_place_of_a_machine(tmp_path: Path) -> None:
    for record in records():
        unpack(kept_crashes(record), tmp_path)
    kept = [own.read_text("utf-8") for own in (*tmp_path.glob("*.json"), *RECORDS.glob("*.json"))]
    assert not [text for text in kept if re.search(r"/(tmp|root|home|usr)/", text)]


def test_every_crash_file_belongs_to_a_defect() -> None:
    assert {path.name for path in CRASHES.glob("*.json")} == {defect.crash for defect in KEPT}


def test_answers_in_crash_files_are_wrong() -> None:
    judged = 0
    for defect in KEPT:
        crash = read(CRASHES / defect.crash)
        if crash.kind in WRONG and len(crash.cases) == 1:
            verdict = verdict_on(*recorded(crash))
            assert verdict is not None and not verdict.correct, defect.crash
            judged += 1
    assert judged or not KEPT


@pytest.mark.engine
@pytest.mark.parametrize("name", sorted({defect.engine for defect in KEPT}))
def test_the_real_engine_still_has_its_defects(name: str) -> None:
    if missing := cannot_start(registry.find(name)):
        pytest.skip(missing)
    assert {defect: found.status for defect, found in shown(name).items()} == {
        defect.name: FAILED for defect in KEPT if defect.engine == name
    }


def test_every_cause_that_was_named_has_its_row() -> None:
    """Which rests on that engine, its source or the adapter's page."""
    seen = {(defect.engine, cause) for defect in KEPT for cause in defect.causes}
    named = {(r.engine, cause["id"]) for r in records() for cause in r.causes}
    for engine, by_option in deep_runs().items():
        named |= {(engine, cause.id) for causes in by_option.values() for cause in causes}
    assert {(engine, id) for engine, id in named if not id.startswith(UNEXPLAINED)} <= seen
