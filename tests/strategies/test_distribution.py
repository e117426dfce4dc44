"""Most cases have answers. Run with ``-s`` to see the shares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from rsp_conformance.model.answers import Content, Evaluation, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import FOCUSES
from tests.builders.drawing import drawn

PLAIN = Dials()


def has_rows(content: Content) -> bool:
    return content.value if isinstance(content, Truth) else len(content) > 0


def compared(case: Case) -> Iterator[Evaluation]:
    """The evaluations from t_s on, for all t0."""
    expectation, start = Expectation(case, PLAIN), t_s(case, PLAIN)
    for vector in rspql_queries(case, PLAIN):
        found = [e for e in expectation.answer(vector) if start <= e.t]
        if expectation.undetermined:  # not judged
            return
        yield from found


# A share of so few cases varies by some ten percent.
FLOOR, FLOOR_OF_ALL = 0.5, 0.64
LEFT_OPEN = 0.05
"""So many cases at most are not judged, since SPARQL leaves their answer open: 0.040 are."""


def is_open(case: Case) -> bool:
    expectation = Expectation(case, PLAIN)
    for vector in rspql_queries(case, PLAIN):
        expectation.answer(vector)
    return expectation.undetermined is not None


@cache
def told(focus: str) -> list[bool]:
    """Of each case that is drawn whether some start gives it rows."""
    return [any(has_rows(e.content) for e in compared(case)) for case in drawn(focus)[:50]]


@pytest.mark.parametrize("focus", FOCUSES)
def test_most_cases_have_a_legal_answer_with_rows(focus):
    share = sum(told(focus)) / len(told(focus))
    print(f"\n{focus:20} with rows {share:4.0%}")
    assert share >= FLOOR


@pytest.mark.slow
def test_over_all_foci_two_cases_of_three_have_rows():
    left_open = [is_open(case) for focus in FOCUSES for case in drawn(focus)[:40]]
    assert sum(left_open) <= LEFT_OPEN * len(left_open)
    shares = [sum(told(focus)) / len(told(focus)) for focus in FOCUSES]
    assert sum(shares) / len(shares) >= FLOOR_OF_ALL
