"""What is printed parses back to the same query: random algebra."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from rsp_conformance.model.algebra import BGP, Filter
from rsp_conformance.model.expressions import Expression
from rsp_conformance.model.query import Query
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import QueryPrinter, print_query
from tests.generators.queries import expressions, queries

relaxed = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@relaxed
@given(queries())
def test_queries_parse_back(query: Query) -> None:
    assert parse_query(print_query(query)) == query
    assert parse_query(print_query(query, one_clause_a_line=False)) == query


@relaxed
@given(expressions())
def test_expressions_parse_back(expression: Expression) -> None:
    text = f"SELECT * {{ FILTER({QueryPrinter().expression(expression)}) }}"
    assert parse_query(text).pattern == Filter(expression, BGP())
