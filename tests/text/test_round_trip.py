"""What is printed parses back to the same query: texts by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.text.corpus import ALL


@pytest.fixture(params=ALL.values(), ids=ALL.keys())
def query(request: pytest.FixtureRequest) -> Query:
    return parse_query(request.param)


def test_printed_queries_parse_back(query: Query) -> None:
    assert parse_query(print_query(query)) == query


def test_printing_settles_at_once(query: Query) -> None:
    text = print_query(query)
    assert print_query(parse_query(text)) == text


def test_one_line_parses_back(query: Query) -> None:
    text = print_query(query, one_clause_a_line=False)
    assert "\n" not in text
    assert parse_query(text) == query


def test_without_prefixes(query: Query) -> None:
    bare = replace(query, prefixes=())
    text = print_query(bare)
    assert "PREFIX" not in text
    assert parse_query(text) == query


def test_every_query_registered_in_full_parses_back(query: Query) -> None:
    text = print_query(
        query, bare_stream=True, explicit_register=True, capital_operators=True, full_iris=True
    )
    assert re.search(r"^REGISTER [RID]STREAM <[^>]+> .*AS$", text, re.MULTILINE)
    assert "PREFIX" not in text and "STREAM <urn:rsp:s" not in text
    assert parse_query(text) == replace(
        query,
        operator=query.operator or StreamOperator.RSTREAM,
        name=query.name or IRI("urn:rsp:answers"),
        prefixes=(),
    )


def test_prefixes_and_base_are_kept() -> None:
    query = parse_query("BASE <urn:x:> PREFIX a: <urn:a> PREFIX b: <urn:b> SELECT * {}")
    assert query.prefixes == (("a", "urn:a"), ("b", "urn:b"))
    assert query.base == "urn:x:"
    # IRI("c") means another IRI under another base, so the base is printed.
    assert parse_query(print_query(query)).base == query.base


def test_a_text_has_the_base_that_it_was_retrieved_from() -> None:
    query = parse_query("BASE <d/> SELECT * FROM <a> { <../b> ?p ?o }", base="http://ex.org/q/x.rq")
    assert query == parse_query("SELECT * FROM <http://ex.org/q/d/a> { <http://ex.org/q/b> ?p ?o }")
    assert query.base == "http://ex.org/q/d/"
