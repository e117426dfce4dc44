"""Who listens to an evaluation hears it, and changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Aggregate, FunctionCall, Operation
from rsp_conformance.model.query import OrderKey
from rsp_conformance.model.terms import XSD, Term
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import some_cases
from tests.builders.cases import dials
from tests.builders.findings import case_of, stream

WORDS = """
select filter bind aggregates order functions exists subqueries optional union values minus
"""
ALL = frozenset(WORDS.split())
WINDOW = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]"


class Said:
    """Takes down what it hears, in a line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def applied(
        self, expression: Operation | FunctionCall, values: Sequence[tuple[int, Term | None]]
    ) -> None:
        name = expression.name if isinstance(expression, Operation) else "cast"
        self.lines.append(f"{name} {' '.join(f'{place}={shown(v)}' for place, v in values)}")

    def aggregated(self, aggregate: Aggregate, values: Collection[Term | None]) -> None:
        self.lines.append(f"{aggregate.name} of {sorted(map(str, values))}")

    def ordered(self, key: OrderKey, values: Collection[Term | None]) -> None:
        self.lines.append(f"ordered {sorted(map(str, values))}")

    def evaluated(self, relation: Relation) -> None:
        self.lines.append(f"{len(relation.rows)} rows")


def shown(value: Term | None) -> str:
    return str(value).partition("^^")[0].replace('"', "") if "^^" in str(value) else str(value)


def heard(pattern: str, *triples: str, select: str = "*", rest: str = "") -> list[str]:
    """What is said of a window that holds TRIPLES."""
    query = (
        f"PREFIX xsd: <{XSD}> SELECT {select} {WINDOW} WHERE {{ WINDOW :w {{ {pattern} }} }} {rest}"
    )
    case = case_of(query, stream("s", (" ; ".join(triples), 1)), until=2)
    said = Said()
    Expectation(case, dials(), listener=said).answer((0,))
    return said.lines


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("?x + 1 = 2", ["+ 0=1 1=1", "= 0=2 1=2"]),
        ("?x = 1 || ?nothing", ["|| 0=true 1=None"]),
        ("xsd:string(?x) IN (1, '1')", ["cast 0=1", 'IN 0="1" 1=1 2="1"']),
    ],
)
def test_operators_are_heard_with_their_values(condition: str, expected: list[str]) -> None:
    lines = heard(f"?s :p ?x FILTER({condition})", "a p 1")
    assert {*expected} <= {*lines}


def test_all_arguments_are_heard_behind_an_error() -> None:
    lines = heard("?s :p ?x FILTER(?nothing + ?x)", "a p b")
    assert "+ 0=None 1=<http://ex.org/b>" in lines


def test_if_and_coalesce_do_not_ask_for_all() -> None:
    lines = heard("?s :p ?x FILTER(IF(?x = :b, STR(?x), LANG(?x)) = COALESCE('b', ?x))", "a p b")
    assert any(line.startswith("IF 0=") and " 1=" in line and "2=" not in line for line in lines)
    assert 'COALESCE 0="b"' in lines
    assert not any(line.startswith("LANG ") for line in lines)


def test_an_operator_is_heard_once_for_a_solution() -> None:
    lines = heard("?s :p ?x FILTER(! (?x = :b))", "a p b")
    assert sum(line.startswith("= ") for line in lines) == 1


def test_groups_and_order_are_heard() -> None:
    groups = heard("?s :p ?x", "a p 1", "b p c", select="(MAX(?x) AS ?m)", rest="GROUP BY ?s")
    assert sum(line.startswith("MAX of") for line in groups) == 2
    assert any(
        line.startswith("ordered")
        for line in heard("?s :p ?x", "a p 1", "a p 2", rest="ORDER BY ?x")
    )
    alone = heard("?s :p ?x", "a p 1", rest="ORDER BY ?x")
    assert not any(line.startswith("ordered") for line in alone)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [
        case
        for focus in ("functions", "errors", "aggregates", "order", "exists", "filter")
        for case in some_cases(ALL, dials(), focus, 15, seed="listening")
    ]


def test_nothing_changes_where_somebody_listens(cases: list[Case]) -> None:
    said = 0
    for case in cases:
        own = Said()
        listened, plain = Expectation(case, dials(), listener=own), Expectation(case, dials())
        for starts in plain.queries():
            assert listened.answer(starts) == plain.answer(starts)
        assert listened.undetermined == plain.undetermined
        said += len(own.lines)
    assert said > len(cases)
