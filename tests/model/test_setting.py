"""Settings: switches that are put together, taken apart and applied."""

from __future__ import annotations

import pytest

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.setting import Setting


def test_equal_settings_are_equal_whatever_the_order() -> None:
    one = Setting.of({"t0": "0", "bounds": "[o,c)"}, ["b", "a"])
    other = Setting.of({"bounds": "[o,c)", "t0": "0"}, ["a", "b", "a"])
    assert one == other and one.digest == other.digest
    assert str(one) == "bounds=[o,c) + t0=0 + a + b"


def test_a_setting_is_its_parts_together() -> None:
    whole = Setting.of({"bounds": "[o,c)"}, ["a", "b"])
    assert [str(part) for part in whole.parts] == ["bounds=[o,c)", "a", "b"]
    together = Setting()
    for part in whole.parts:
        assert len(part) == 1 and len(whole.without(part)) == 2
        together |= part
    assert together == whole and len(whole) == 3


def test_of_two_values_of_a_dial_the_last_counts() -> None:
    both = Setting.of({"bounds": "[o,c)"}) | Setting.of({"bounds": "(o,c)"})
    assert both == Setting.of({"bounds": "(o,c)"})
    assert both.turned(Dials()) == Dials(bounds="(o,c)")
    assert Setting().turned(Dials()) == Dials()


def test_a_setting_that_only_compares_less_forgives() -> None:
    assert Setting.of({"t0": "any", "time_tolerance": "2"}).forgives
    assert not Setting().forgives
    assert not Setting.of({"t0": "any"}, ["a"]).forgives
    assert not Setting.of({"bounds": "[o,c)"}).forgives


def test_a_dial_or_a_value_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown dial"):
        Setting.of({"bound": "[o,c)"})
    with pytest.raises(ValueError, match="bounds"):
        Setting.of({"bounds": "[o,c"})
