"""Answers from before t_s, before both judges (decisions 21 and 44)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from tests.builders.cases import element, nearby_query, window
from tests.builders.terms import iri
from tests.judges.test_ends import judged

CASE = Case(
    nearby_query(window("w", 4, 2), window("v", 4, 2, stream="r")),
    (element(1, "a", "near", "x", stream="q"), element(6, "b", "near", "y", stream="r")),
    until=8,
    streams=(iri("s"), iri("q"), iri("r")),
)
"""Of the streams that the windows read one has nothing at all, and another its first element at 6;
t_s is 1."""
EARLY = Observed(5, Rows(("who", "where", "who1", "where1"), ()))


@pytest.mark.parametrize(
    ("report", "may_be_early"),
    [
        # By any stream: an evaluation at 0 would be told at 1.
        ("COMPUTED EVERY 7", False),
        # By the streams of the windows that are looked at: at 6, or at the end.
        ("CC[v]", True),
        ("CC[w]", True),
        ("CC[v] & COMPUTED EVERY 7", True),
    ],
)
def test_the_streams_of_windows_that_are_looked_at_say_how_late_an_early_answer_may_come(
    report: str, may_be_early: bool
) -> None:
    dials = Dials().with_dials(
        {"answer_time": "arrival", "clock": "own", "report": report, "empty_answers": "no"}
    )
    assert judged([], dials, CASE) == (True, None)
    assert judged([EARLY], dials, CASE)[0] is may_be_early
    # On a clock that all share, the element at 1 tells of whatever came before.
    shared = dials.with_dial("clock", "any")
    assert judged([EARLY], shared, CASE) == (False, "extra answer")
    late = replace(EARLY, t=7)
    assert judged([late], dials, CASE)[0] is (report == "CC[w]")
