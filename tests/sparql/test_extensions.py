"""Type errors that an engine may replace (SPARQL 1.1, 17.3.1)."""

from __future__ import annotations

import pytest

from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.text.parse import parse_query
from tests.builders.sparql import solutions

pytestmark = pytest.mark.usefixtures("evaluator")


XSD = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
DATE, LATER = '"2020-01-01"^^xsd:date', '"2021-01-01"^^xsd:date'
MOMENT = '"2020-01-01T00:00:00Z"^^xsd:dateTime'
DAY = '"P1D"^^xsd:dayTimeDuration'


def is_open(expression: str) -> bool:
    relation = solutions(parse_query(f"{XSD}SELECT ({expression} AS ?x) {{}}"), Dataset())
    return not relation.determined


@pytest.mark.parametrize(
    "expression",
    [
        f"{DATE} < {LATER}",
        f"{DATE} = {LATER}",
        f"{DATE} != {LATER}",
        f"{DATE} IN ({LATER})",
        f"YEAR({DATE})",
        f"{MOMENT} - {MOMENT}",
        f"{MOMENT} + {DAY}",
        f"{DAY} * 2",
    ],
)
def test_operators_that_engines_may_have(expression: str) -> None:
    assert is_open(expression)


@pytest.mark.parametrize(
    "expression",
    [
        f"{DATE} = {DATE}",
        f"{MOMENT} < {MOMENT}",
        f"YEAR({MOMENT})",
        '"a" < 1',
        '"a"^^xsd:integer = 1',
        '"a" + 1',
        f"{DATE} = <http://ex.org/a>",
        f"true || {DATE} < {LATER}",
        f"sameTerm({DATE}, {LATER})",
    ],
)
def test_other_errors_and_values_are_settled(expression: str) -> None:
    assert not is_open(expression)


def test_an_evaluation_does_not_remember_the_one_before() -> None:
    assert is_open(f"{DATE} < {LATER}")
    assert not is_open("1 < 2")


def test_within_a_subquery() -> None:
    text = f"{XSD}SELECT * {{ {{ SELECT ?y {{ VALUES ?y {{ {DATE} }} FILTER(?y < {LATER}) }} }} }}"
    assert not solutions(parse_query(text), Dataset()).determined
