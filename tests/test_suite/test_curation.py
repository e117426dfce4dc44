"""How cases are chosen: a cover, without what is not needed, the same one every time."""

from __future__ import annotations

from tools.curation.cover import greedy_cover, without_redundant
from tools.curation.drawing import Amount, killing
from tools.curation.kills import ALL_MUTANTS, kills

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
