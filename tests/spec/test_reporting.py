"""When the query is evaluated (RSP-QL Example 13 and the report dials; SEMANTICS 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.spec.content import WindowContent, content
from rsp_conformance.spec.reporting import Reporter
from tests.builders.cases import S_NEARBY, dials, element, nearby_case, nearby_query, window


def instants(case: Case, *starts: int | None, **values: object) -> list[int]:
    reporter = Reporter(case, dials(**values), starts)
    return [moment.t for moment, _, _ in reporter.evaluations()]


@pytest.mark.parametrize(
    ("report", "change", "expected"),
    [
        ("WC & NC", "insertions", [6, 8, 10, 12, 14, 16]),
        ("CC", "insertions", [2, 5, 7, 12]),
        ("CC", "any", [2, 5, 7, 9, 11, 12, 17]),
    ],
)
def test_example_13(report: str, change: str, expected: list[int]) -> None:
    case = nearby_case(5, 2, until=24)
    assert instants(case, 1, report=report, content_change=change) == expected


def test_window_close_alone_reports_empty_windows_too() -> None:
    assert instants(nearby_case(5, 2, until=12), 1) == [6, 8, 10, 12]


def test_a_period_counts_from_the_start_of_its_window() -> None:
    case = nearby_case(5, 2, until=12)
    assert instants(case, 1, report="P(3)") == [4, 7, 10]
    assert instants(case, None, report="P(3)") == []


def test_computed_every_counts_from_the_registration() -> None:
    case = nearby_case(5, 2, until=12)
    assert instants(case, 1, report="COMPUTED EVERY 5") == [5, 10]
    in_query = replace(case, query=replace(case.query, computed_every=4))
    assert instants(in_query, 1) == [4, 8, 12]
    assert instants(
        replace(case, query=replace(case.query, windows=())), report="COMPUTED EVERY 5"
    ) == [5, 10]


def test_computed_every_without_a_period_is_refused() -> None:
    with pytest.raises(ValueError, match="no such clause"):
        instants(nearby_case(5, 2), 1, report="COMPUTED EVERY")


def test_a_bound_policy_looks_at_the_windows_it_names() -> None:
    case = Case(nearby_query(window("w1", 5, 2), window("w2", 2, 2)), S_NEARBY, until=17)
    assert instants(case, 1, 0, report="WC[w2] & NC[w2]") == [2, 6, 8, 12]
    full = "WC[http://ex.org/w2] & NC[http://ex.org/w2]"
    assert instants(case, 1, 0, report=full) == [2, 6, 8, 12]
    with pytest.raises(ValueError, match="names window 'w3'"):
        instants(case, 1, 0, report="WC[w3]")


@pytest.mark.parametrize(
    ("which", "expected"), [("any", [2, 3, 4, 6, 8, 9, 10]), ("all", [6]), ("first", [3, 6, 9])]
)
def test_an_unbound_policy_looks_at_one_window_at_a_time(which: str, expected: list[int]) -> None:
    case = Case(nearby_query(window("w1", 3, 3), window("w2", 2, 2)), S_NEARBY, until=10)
    assert instants(case, 0, 0, report_windows=which) == expected


def test_strategies_are_false_for_an_undefined_window() -> None:
    case = Case(nearby_query(window("w", 1, 4)), (element(1, "a", "near", "b"),), until=6)
    # The window (0,1] holds the element; at 2 no window is active, so nothing is reported.
    assert instants(case, 0, report="CC", content_change="any") == [1]
    assert instants(case, 0, report="NC") == [1]
    assert instants(case, 0, report="!NC") == [2, 3, 4, 5, 6]


def test_last_closed_windows_close_one_instant_late() -> None:
    case = nearby_case(5, 2, until=12)
    assert instants(case, 1, window="last-closed") == [7, 9, 11]
    assert instants(case, 1, window="last-closed-inclusive") == [6, 8, 10, 12]


def test_the_content_of_what_has_closed_changes_at_closes_only() -> None:
    """(1,6] comes into view at 6, and loses carl and gains eve with (3,8] at 8."""
    case = nearby_case(5, 2, until=12)
    dials = {"window": "last-closed-inclusive", "report": "CC", "content_change": "any"}
    assert instants(case, 1, **dials) == [6, 8, 10, 12]
    assert instants(case, 1, **dials | {"tick": "tuple"}) == [6, 8, 10, 12]


def test_under_tuple_ticks_content_policies_are_tested_after_each_element() -> None:
    case = nearby_case(5, 2, until=8)
    assert instants(case, 1, tick="tuple", report="CC") == [2, 2, 5, 7]
    assert instants(case, 1, tick="tuple", report="NC") == [2, 2, 3, 4, 5, 6, 7, 8]
    assert instants(case, 1, tick="tuple", report="WC & NC") == [6, 8]


def test_an_element_of_another_stream_is_no_tick() -> None:
    other = element(5, "x", "near", "y", stream="elsewhere")
    elements = (*S_NEARBY[:3], other, *S_NEARBY[3:])
    case = replace(nearby_case(5, 2, until=8), elements=elements)
    assert instants(case, 1, tick="tuple", report="NC") == [2, 2, 3, 4, 5, 6, 7, 8]


def test_a_repeated_element_is_an_insertion() -> None:
    twice = (element(2, "a", "near", "b"), element(3, "a", "near", "b"))
    case = Case(nearby_query(window("w", 9, 9)), twice, until=9)
    assert instants(case, 0, report="CC") == [2, 3]


def test_long_silences_are_passed_over_without_changing_the_answer() -> None:
    elements = (element(3, "a", "near", "b"), element(1_000_000_000, "a", "near", "c"))
    case = Case(nearby_query(window("w", 5, 2)), elements, until=1_000_000_004)
    found = instants(case, 1, report="WC & NC")
    assert found == [6, 1_000_000_000, 1_000_000_002, 1_000_000_004]


@pytest.mark.parametrize(("report", "looks"), [("WC", 10), ("WC & NC", 10), ("WC & CC", 12)])
def test_a_member_of_z_looks_at_no_instant_at_which_nothing_can_happen(
    monkeypatch: pytest.MonkeyPatch, report: str, looks: int
) -> None:
    case = nearby_case(100, 100, until=1_000)
    looked: list[object] = []

    def seen(*arguments: Any) -> WindowContent:
        looked.append(arguments)
        return content(*arguments)

    monkeypatch.setattr("rsp_conformance.spec.reporting.content", seen)
    instants(case, 1, report=report)
    assert len(looked) <= looks
    assert len(looked) > 0
