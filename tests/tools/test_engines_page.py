"""The page on real engines says what was measured; the crash files behind it show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.cli.replaying import FAILED
from rsp_conformance.diagnosis.cause import UNEXPLAINED
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import WRONG, recorded
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.dials import DIALS
from rsp_conformance.protocol import registry
from tools.engines import page, semantics
from tools.engines.record import (
    CRASHES,
    Defect,
    cannot_start,
    deep_runs,
    defects,
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
    write(made, tmp_path / "engines")
    assert records(tmp_path / "engines") == [made]
    assert {name: found.verdict for name, found in made.properties.items()} == {
        "windows": "passed",
        "join": "passed",
    }
    told = page.page([made], [Defect("reference", "none", "It has none.", "", not_found="none")])
    assert "| `join` | passed |" in told
    assert "causes named" not in told
    assert "| `none` | It has none. | not found: none |" in told


def test_the_page_is_what_was_measured() -> None:
    """`make engines` writes it, and `python -m tools.engines --page` without running anything."""
    assert page.PAGE.read_text("utf-8") == page.page(records(), defects())
    kept = {(record.engine, name) for record in records() for name in record.defects}
    assert kept == {(defect.engine, defect.name) for defect in KEPT}


def test_a_declared_dial_that_is_contradicted_stands_out() -> None:
    found = {
        "dial": "bounds",
        "value": "[o,c)",
        "declared": "(o,c]",
        "contradicted": True,
        "overrides": [{"when": "join", "value": "[o,c]"}],
        "rivals": [{"value": "(o,c]", "told": 3, "against": 0}],
        "evidence": ["t=4 {}"],
    }
    others = [
        {"dial": dial, "value": "none", "contradicted": False, "rivals": [], "note": "not asked"}
        for dial in DIALS
        if dial != "bounds"
    ]
    document = {"engine": "own", "mutants": [], "explained": 2, "cases": 3, "complete": False}
    document["dials"] = [found, *others]
    head, rows = semantics.rows([document])
    assert head[:3] == ["dial", "own", "C-SPARQL (papers)"]
    shown = {row[0]: row[1] for row in rows}
    assert shown["`bounds`"] == "**`[o,c)`** (`(o,c]`); with join `[o,c]`"
    assert shown["`window`"] == "–"
    assert shown["answers explained"] == "2 of 3 (cut short)"
    assert "t=4 {}" in semantics.examples([document])[0]


def test_profiles_that_were_found_again_are_kept_and_shown(tmp_path: Path) -> None:
    whole = profiles.Recovery([], [], [], ["numbers (value)"], 197, 197, True, 40.2)
    lost = profiles.Recovery(
        ["newest-only"], ["bounds = (o,c], not [o,c)"], [], [], 3, 5, False, 600.0
    )
    other = profiles.Recovery(["newest-only"], [], ["stale-join"], [], 5, 5, True, 1.0)
    half = profiles.Recovery([], [], [], [], 196, 197, True, 1.0)
    unseen = profiles.Recovery(["newest-only"], [], [], [], 5, 5, True, 1.0)
    made = (whole, lost, other, half, unseen)
    assert [own.recovered for own in made] == [True, *[False] * 4]
    assert [own.is_unseen for own in made] == [*[False] * 4, True]
    profiles.keep("rsp-ql", [whole, lost, other], tmp_path)
    found = profiles.kept(tmp_path)
    assert found == {"rsp-ql": [whole, lost, other]}
    _, _, table = page._recovered(found)
    assert table.splitlines()[2:] == [
        "| `rsp-ql` | – | yes | – | `numbers (value)` | 197 of 197 | 40 |",
        "| `rsp-ql` | `newest-only` | **no**: `bounds = (o,c], not [o,c)` | – | – "
        "| 3 of 5 (cut short) | 600 |",
        "| `rsp-ql` | `newest-only` | **no**: `other faults` | `stale-join` | – | 5 of 5 | 1 |",
    ]
    assert page._recovered({}) == []


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
