"""Cases and answers as JSON come back as they were."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.files.answers import KEPT_ANSWERS
from rsp_conformance.files.cases import CASES
from rsp_conformance.model.algebra import BGP
from rsp_conformance.model.answers import Evaluation, Observed, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from tests.generators.values import cases, contents


def through_text(document: Any) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


@given(cases)
def test_cases_come_back(case: Case) -> None:
    assert CASES.read(Case, through_text(CASES.write(Case, case)), "case") == case


@given(
    st.lists(
        st.builds(
            Observed,
            st.none() | st.integers(0, 9) | st.fractions(0, 9, max_denominator=10),
            contents,
            st.none() | st.just("end") | st.integers(0, 9),
        ),
        max_size=3,
    )
)
def test_observed_answers_come_back(observed: list[Observed]) -> None:
    document = through_text(KEPT_ANSWERS.write(tuple[Observed, ...], observed))
    assert KEPT_ANSWERS.read(tuple[Observed, ...], document, "answers") == tuple(observed)


@given(st.lists(st.builds(Evaluation, st.integers(-3, 9), contents), max_size=3))
def test_expected_answers_come_back(evaluations: list[Evaluation]) -> None:
    document = through_text(KEPT_ANSWERS.write(tuple[Evaluation, ...], evaluations))
    observed = tuple(Observed(e.t, e.content) for e in evaluations)
    assert KEPT_ANSWERS.read(tuple[Observed, ...], document, "answers") == observed


def test_an_instant_that_is_none_is_written_exactly() -> None:
    third = Observed(Fraction(1, 3), Truth(True))
    assert KEPT_ANSWERS.write(tuple[Observed, ...], [third])[0]["t"] == "1/3"


def test_a_layout_comes_back_and_is_no_field_where_there_is_none() -> None:
    case = Case(Query(BGP()))
    assert "layout" not in CASES.write(Case, case)
    laid = replace(case, layout=Layout(lists=2, dollar=True))
    document = through_text(CASES.write(Case, laid))
    assert document["layout"] == {"lists": 2, "dollar": True}
    assert CASES.read(Case, document, "case") == laid != case
    assert CASES.read(Case, CASES.write(Case, case), "case").layout is None
