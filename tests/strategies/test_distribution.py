"""Most cases have answers. Run with ``-s`` to see the shares."""

from __future__ import annotations

import pytest

from rsp_conformance.model.answers import Content, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import FOCUSES
from tests.builders.drawing import drawn

PLAIN = Dials()
CHANGES = PLAIN.with_dial("report", "CC")
"""For UNBOUNDED windows, which never close."""


def has_rows(content: Content) -> bool:
    return content.value if isinstance(content, Truth) else len(content) > 0


# A share of so few cases varies by some ten percent.
FLOOR, FLOOR_OF_ALL = 0.5, 0.64
LEFT_OPEN = 0.05
"""So many cases at most are not judged, since SPARQL leaves their answer open: 0.040 are."""


def looked_at(case: Case, focus: str) -> tuple[bool, bool]:
    """Whether some t0 gives CASE rows that are compared, and whether its answer is left open."""
    dials = CHANGES if focus == "unbounded-window" else PLAIN
    expectation, start, with_rows = Expectation(case, dials), t_s(case, dials), False
    for vector in rspql_queries(case, dials):
        found = expectation.answer(vector)
        if expectation.undetermined:  # not judged
            return with_rows, True
        with_rows = with_rows or any(has_rows(e.content) for e in found if start <= e.t)
    return with_rows, False


@pytest.mark.slow
def test_most_cases_have_a_legal_answer_with_rows() -> None:
    """Of each focus half, and of all foci two of three."""
    looked = {focus: [looked_at(case, focus) for case in drawn(focus)[:50]] for focus in FOCUSES}
    shares = {focus: sum(rows for rows, _ in found) / 50 for focus, found in looked.items()}
    for focus, share in shares.items():
        print(f"{focus:20} with rows {share:4.0%}")
    assert not {focus: share for focus, share in shares.items() if share < FLOOR}
    assert sum(shares.values()) / len(shares) >= FLOOR_OF_ALL
    left_open = [is_open for found in looked.values() for _, is_open in found[:40]]
    assert sum(left_open) <= LEFT_OPEN * len(left_open)
