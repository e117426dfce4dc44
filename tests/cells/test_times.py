"""Instants, windows and arrivals, in classes."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.times import BEYOND, held, instant, size, time_cells, times_met
from rsp_conformance.model.case import Case
from tests.builders.findings import case_of, stream


def case(*times: int, windows: str = "", pattern: str = "?s :p ?x", registered: int = 0) -> Case:
    windows = windows or "FROM WINDOW :w ON :s [RANGE 4 STEP 2]"
    elements = stream("s", *[(f"a p {n}", t) for n, t in enumerate(times)])
    until = max(times, default=0) + 1
    query = f"SELECT * {windows} {{ {pattern} }}"
    return case_of(query, elements, until=until, registered=registered)


@pytest.mark.parametrize(
    ("t", "unit", "expected"),
    [
        (0, 1, "at 0"),
        (9, 1, "1 to 9"),
        (10, 1, "10 to 99"),
        (2**31 - 5, 1, "around 2^31"),
        (2**40, 1, "beyond 2^31"),
        (1_700_000_123, 1000, "around 1.7e9 at unit 1000"),
        (1_700_000_123, 1, "10^6 to 2^31"),
        (1_700_000_000_123, 1, "around 1.7e12 at unit 1"),
        (1_700_000_000_123, 1000, "around 1.7e12 at unit 1000"),
    ],
)
def test_instants_are_in_classes(t: int, unit: int, expected: str) -> None:
    assert instant(t, unit) == expected
    assert f"elements begin {expected}" in time_cells()


def test_sizes_are_in_classes() -> None:
    assert [size(n, (1, 2, 4)) for n in (1, 2, 3, 4, 5)] == [
        "1",
        "2",
        "3 to 4",
        "3 to 4",
        "more than 4",
    ]
    assert held(0) == "window holds 0" and held(7) == "window holds 6 to 20"
    assert held(20) in time_cells()


TWO = "FROM WINDOW :v ON :s [RANGE 3 STEP 3] FROM NAMED WINDOW :w ON :r [RANGE 3 STEP 5]"
CASES = [
    (case(1), "width 3 to 4"),
    (case(1), "open at once 2"),
    (case(1), "slide divides width"),
    (case(1, windows=TWO), "tumbling"),
    (case(1, windows=TWO), "gap"),
    (case(1, windows=TWO), "2 windows on 2 streams"),
    (case(1, windows=TWO), "2 windows, no operator"),
    (case(1, windows=TWO), "stream that never speaks"),
    (case(1, windows=TWO, pattern="WINDOW ?w { ?s :p ?x }"), "WINDOW ?v over 2 or more"),
    (case(1, windows="FROM WINDOW :w ON :s [RANGE 500]"), "RANGE without STEP"),
    (case(1, windows="FROM WINDOW :w ON :s [RANGE 500 STEP 10]"), "open at once 33 to 50"),
    (case(3, 3), "ties"),
    (case(3, 43), "a silence of 10 widths"),
    (case(3, registered=3), "an element at registration"),
    (case(*[3] * 10), "a burst of 10 at one instant"),
    (case(1, 11, 21, 31), "all far apart (each gap beyond the width)"),
    (case(*range(3)), "3 to 4 elements"),
    (case(2**31 - 1, 2**31 + 1), "instants cross 2^31"),
]


@pytest.mark.parametrize(("own", "cell"), CASES)
def test_a_case_meets_its_cell(own: Case, cell: str) -> None:
    assert cell in times_met(own, 1)
    assert time_cells()[cell] == ""


def test_windows_that_are_merged_beside_named_ones_have_no_feature() -> None:
    assert "default and named" in times_met(case(1, windows=TWO), 1)
    assert "no feature" in time_cells()["default and named"]


def test_every_cell_that_is_met_is_listed() -> None:
    met = {cell for own, _ in CASES for cell in times_met(own, 1)}
    assert met <= time_cells().keys()
    assert time_cells()["open at once more than 50"] == BEYOND


@pytest.mark.parametrize(
    ("own", "cell"),
    [
        (case(3, 42), "a silence of 10 widths"),
        (case(1, 5, 21), "all far apart (each gap beyond the width)"),
        (case(3), "an element at registration"),
        (case(1, windows=TWO), "same stream twice"),
        (case(1), "RANGE without STEP"),
    ],
)
def test_a_case_does_not_meet_another_one(own: Case, cell: str) -> None:
    assert cell not in times_met(own, 1)
