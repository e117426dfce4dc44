"""How cases are chosen: a cover, without what is not needed, the same one every time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rsp_conformance.test_suite.manifest import packaged_suite
from rsp_conformance.test_suite.packed import PACKED
from tools.curation import __main__ as command
from tools.curation import verdicts
from tools.curation.cover import greedy_cover, without_redundant
from tools.curation.curate import CuratedSuite
from tools.curation.drawing import Amount, killing
from tools.curation.kills import ALL_MUTANTS, kills
from tools.curation.table import CLAIMS

POINTS = {"a": "123", "b": "34", "c": "4567", "d": "7", "e": "8"}
SIZES = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 9}


def test_a_cover_has_every_point_and_what_is_kept() -> None:
    chosen = greedy_cover(POINTS, SIZES, ["d"])
    assert chosen[0] == "d"
    assert set("".join(POINTS[one] for one in chosen)) == set("12345678")
    assert "b" not in chosen


def test_what_others_have_is_left_out() -> None:
    assert without_redundant([*"abcde"], POINTS, SIZES) == ["a", "c", "e"]
    assert without_redundant([*"abcde"], POINTS, SIZES, kept="b") == ["a", "b", "c", "e"]


def test_a_mutant_is_searched_for() -> None:
    mutant = ALL_MUTANTS["first-triple-only"]
    found = killing(mutant, Amount.about(4), "0")
    assert found is not None and kills(found.entry, mutant)
    assert len(found.entry.case.elements) <= 2
    assert killing(mutant, Amount.about(4), "0").entry == found.entry  # type: ignore[union-attr]


def test_what_is_chosen_is_written_as_the_package_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims, written = tmp_path / "claims.json", (PACKED, "coverage.md")
    shutil.copy(packaged_suite() / PACKED, tmp_path)
    shutil.copy(CLAIMS, claims)
    given = ["curation", "--add", "--to", str(tmp_path), "--claims", str(claims)]
    monkeypatch.setattr("sys.argv", given)
    monkeypatch.setattr(
        command, "extended", lambda suite, known, *_: CuratedSuite(suite.tests, dict(known))
    )
    command.main()
    for name in written:
        assert (tmp_path / name).read_bytes() == (packaged_suite() / name).read_bytes()
    assert claims.read_bytes() == CLAIMS.read_bytes()


def test_an_engine_that_cannot_start_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "cannot_start", lambda entry: f"{entry.name} is elsewhere")
    assert [*verdicts.table(("yasper", "cqels"))] == [
        verdicts.HEAD,
        "|---|---|---|---|---|---|---|",
        "",
        "Not asked: yasper is elsewhere, cqels is elsewhere.",
        "",
        verdicts.WHY,
        "|---|---|---|---|",
    ]
