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


# By the sign of its zero, and so left open; but the other operand is an error, or decides.
OPEN = '(1 / "-0"^^xsd:double)'
ERROR = "(true + <http://ex.org/a>)"


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">="])
def test_an_operand_leaves_nothing_open_beside_an_error(operator: str) -> None:
    assert not is_open(f"{ERROR} {operator} {OPEN}")
    assert not is_open(f"{OPEN} {operator} {ERROR}")
    assert not is_open(f"{OPEN} {operator} ?unbound")
    assert is_open(f"{OPEN} {operator} 1")
    assert is_open(f"({DATE} < {LATER}) {operator} {OPEN}")  # an error that engines may replace


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"SUBSTR('text', {OPEN}, {ERROR})", False),
        (f"SUBSTR(?unbound, 1, {OPEN})", False),
        (f"SUBSTR('text', {OPEN}, 1)", True),
        (f"CONCAT(STR({OPEN}), STR({OPEN}), STR({ERROR}))", False),
        (f"CONCAT(STR({OPEN}), 'text')", True),
        (f"sameTerm({OPEN}, ?unbound)", False),
        (f"STRDT(STR({OPEN}), IRI({ERROR}))", False),
        # What an outer operator has forgotten, an inner one has not met again.
        (f"({OPEN} + 1) * (({OPEN} + 2) * {ERROR})", False),
        (f"COALESCE({OPEN} * {ERROR}, 1)", False),
        (f"COALESCE({ERROR}, {OPEN})", True),
        (f"IF({OPEN} = {ERROR}, 1, 2)", False),
        (f"COALESCE({OPEN} + 1, 1) + ({OPEN} * {ERROR})", False),
        (f"IF({OPEN} > 0, {OPEN} * {ERROR}, 2)", True),
        # The second operand is an error by the same open point that the first one has met.
        (f"{OPEN} + (IF({OPEN} > 0, 1, 'text') + 1)", True),
        (f"{OPEN} < 0 || true", False),
        (f"true || {OPEN} < 0", False),
        (f"{OPEN} < 0 || false", True),
        (f"{OPEN} < 0 || {ERROR}", True),
        (f"{OPEN} < 0 && false", False),
        (f"false && {OPEN} < 0", False),
        (f"{OPEN} < 0 && true", True),
        (f"{OPEN} > 0 || {OPEN} > 0", True),
        (f"1 IN ({OPEN}, 2, 1)", False),
        (f"1 NOT IN ({OPEN}, 1)", False),
        (f"1 IN ({OPEN}, 2)", True),
        (f"{OPEN} IN ({ERROR})", False),
        (f"{OPEN} IN ({ERROR}, 1)", True),
        (f"EXISTS {{ FILTER({OPEN} < 0) }} || true", False),
        (f"EXISTS {{ FILTER({OPEN} < 0) }} || false", True),
    ],
)
def test_what_cannot_change_the_result_leaves_nothing_open(expression: str, expected: bool) -> None:
    assert is_open(expression) is expected


def test_what_one_expression_forgets_another_has_left_open() -> None:
    text = f"{XSD}SELECT ({OPEN} AS ?x) ({OPEN} * {ERROR} AS ?y) {{}}"
    assert not solutions(parse_query(text), Dataset()).determined


def test_an_evaluation_does_not_remember_the_one_before() -> None:
    assert is_open(f"{DATE} < {LATER}")
    assert not is_open("1 < 2")


def test_within_a_subquery() -> None:
    text = f"{XSD}SELECT * {{ {{ SELECT ?y {{ VALUES ?y {{ {DATE} }} FILTER(?y < {LATER}) }} }} }}"
    assert not solutions(parse_query(text), Dataset()).determined
