"""The papers' windows, streams, starts and listings, beside their answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import of_stream
from rsp_conformance.model.terms import IRI
from rsp_conformance.spec.content import Moment, arrivals, content
from rsp_conformance.spec.correctness import judge, rspql_queries, t_s
from rsp_conformance.spec.trace import answer
from rsp_conformance.spec.windows import evaluated
from rsp_conformance.text.parse import parse_query
from tests.papers.rows import EX, FIXTURES, the


@pytest.mark.parametrize(
    ("changed", "printed"),
    [
        ("HAVING(AVG(?hr) > ?hrMax &&", "HAVING(?avgHr > ?hrMax &&"),
        ("  }\n  FILTER(?place != ?home)", "  FILTER(?place != ?home) }"),
    ],
)
def test_the_e_health_listing_as_printed_never_answers(changed: str, printed: str) -> None:
    given = the("RSP-QL*, the e-health listing: confidence of readings")
    text = (FIXTURES / "rsp-ql-star/health.rq").read_text()
    assert changed in text
    query = parse_query(text.replace(changed, printed))
    case = replace(given.case, query=query)
    found = answer(case, given.dials, (0, 0, 0, 0, 0))
    assert len(found) == 64 and all(is_empty(e.content) for e in found)


@pytest.mark.parametrize(
    ("source", "t0", "t", "text"),
    [
        ("RSP-QL Example 7: (5,2,1) at 9 is (5,10]", 1, 9, "(5,10]"),
        ("RSP-QL Examples 9 and 10, WINDOW", 1, 8, "(3,8]"),
        ("RSP-QL Examples 9 and 10, WINDOW", 1, 16, "(11,16]"),
        ("Theorem 1's limit: (5,2,1) at 4 is (1,6]", 1, 4, "(1,6]"),
        ("Theorem 1's limit: (5,2,3) at 4 is (3,8]", 3, 4, "(3,8]"),
        ("SECRET, CSRBench Figure 4: (3,2,1), [o,c)", 1, 4, "[1,4)"),
        ("SECRET, CSRBench Figure 4: (3,2,1), [o,c)", 1, 6, "[3,6)"),
        ("SECRET, CSRBench Figure 4: (3,2,1), [o,c)", 1, 8, "[5,8)"),
        ("RSP-QL* Definition 15: (10,10,0)", 0, 10, None),
        ("RSP-QL* Definition 15: (10,10,0)", 0, 11, "[0,10)"),
        ("RSP-QL* Definition 15: (10,10,0)", 0, 20, "[0,10)"),
        ("RSP-QL* Definition 15: (10,10,0)", 0, 21, "[10,20)"),
    ],
)
def test_which_window(source: str, t0: int, t: int, text: str | None) -> None:
    given = the(source)
    window = given.case.query.sliding_windows(given.dials.unit)[0]
    found = evaluated(window, t0, t, given.dials)
    assert (None if found is None else found.text(given.dials.bounds)) == text


@pytest.mark.parametrize(("t0", "number"), [(1, 2), (3, 0)])
def test_theorem_1_does_not_hold_for_the_active_window_at_once(t0: int, number: int) -> None:
    given = the("Theorem 1's limit: (5,2,1) at 4 is (1,6]")
    (window,) = given.case.query.sliding_windows(given.dials.unit)
    elements = given.case.elements
    arrived = sum(element.t <= 4 for element in elements)
    stream = arrivals(window.stream, elements)
    found = content(window, t0, Moment(4, arrived), stream, given.dials)
    assert len(found.elements) == number


@pytest.mark.parametrize("registered", [0, 1, 2])
def test_definition_26(registered: int) -> None:
    """|Z| = 4 and t_s = a + 1 for the windows of Example 10."""
    case = the("RSP-QL Examples 9 and 10, WINDOW").case
    moved = type(case)(case.query, case.elements, case.background, registered, case.until)
    assert len(set(rspql_queries(moved, Dials()))) == 4
    assert t_s(moved, Dials()) == registered + 1


def test_the_papers_answer_to_example_10_is_correct() -> None:
    """As an engine would give it, judged with t0 open."""
    from rsp_conformance.results import read_observed

    given = the("RSP-QL Examples 9 and 10, WINDOW")
    observed = read_observed(FIXTURES / "rsp-ql" / "ex10-answers.json", given.case)
    assert [answer.t for answer in observed] == [8, 16]
    verdict = judge(given.case, given.dials, observed)
    assert verdict.correct
    assert verdict.t0 == (1, 0)
    assert verdict.t_s == 1


def test_the_streams_are_the_papers() -> None:
    given = the("RSP-QL Examples 9 and 10, WINDOW")
    for stream, instants in (("S_nearby", [2, 2, 5, 7, 12]), ("S_coupon", [8, 15])):
        found = of_stream(given.case.elements, IRI(EX + stream))
        assert [element.t for element in found] == instants
    shops = {t: len(given.case.background.at(t)[0]) for t in (1, 2, 13, 14, 99)}
    assert shops == {1: 0, 2: 2, 13: 2, 14: 1, 99: 1}
