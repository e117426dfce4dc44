"""What is printed parses back to the same query: texts by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Store

from rsp_conformance.model.algebra import BGP, Filter
from rsp_conformance.model.expressions import Expression
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.names import prefixed
from rsp_conformance.text.printer.rspql import QueryPrinter, print_query
from tests.generators.queries import expressions, queries
from tests.text.corpus import ALL


@pytest.fixture(params=ALL.values(), ids=ALL.keys())
def query(request: pytest.FixtureRequest) -> Query:
    return parse_query(request.param)


def test_printed_queries_parse_back(query: Query) -> None:
    assert parse_query(print_query(query)) == query
    in_a_line = print_query(query, one_clause_a_line=False)
    assert "\n" not in in_a_line
    assert parse_query(in_a_line) == query


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


# --- What is printed parses back to the same query: random algebra --------------------------------

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


# --- IRIs as prefixed names: read back by the kit, and by pyoxigraph, which has another grammar ---

NAMESPACE = "http://ex.org/"
PREFIXES = (("", NAMESPACE), ("deep", f"{NAMESPACE}a/"))


def read(name: str) -> str:
    """The IRI that NAME is, as the kit reads it and pyoxigraph does.

    pyoxigraph ends a name of several dots too soon: it reads `:0.0.0` as two terms. And it refuses
    what is no IRI, as one with two fragments.
    """
    text = f"SELECT * {{ VALUES ?x {{ {name} }} }}"
    text = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in PREFIXES) + text
    query = parse_query(text)
    assert isinstance(query, Query)
    ((ours,),) = query.pattern.rows  # type: ignore[union-attr]
    assert isinstance(ours, IRI)
    if name.count(".") < 2 and name.count("#") < 2:
        ((theirs,),) = Store().query(text)  # type: ignore[union-attr]
        assert isinstance(theirs, NamedNode)
        assert ours.value == theirs.value
    return ours.value


@pytest.mark.parametrize(
    ("local", "name"),
    [
        ("", ":"),
        ("a.b", ":a.b"),
        (".a.", r":\.a\."),
        (":", "::"),
        ("-a-", r":\-a-"),
        ("a/b", "deep:b"),
        ("b/c#d?e=f", r":b\/c\#d\?e\=f"),
        ("e\u0301", ":e\u0301"),
        ("a'b~", r":a\'b\~"),
    ],
)
def test_a_name_is_read_back(local: str, name: str) -> None:
    assert prefixed(NAMESPACE + local, PREFIXES) == name
    assert read(name) == NAMESPACE + local


def test_a_percent_sign_alone_is_escaped() -> None:
    # By itself it is in no legal IRI, and pyoxigraph refuses it in each spelling.
    assert prefixed(f"{NAMESPACE}100%", PREFIXES) == r":100\%"
    assert prefixed(f"{NAMESPACE}%4", PREFIXES) == r":\%4"


@pytest.mark.parametrize(
    "iri", ["urn:x", f"{NAMESPACE}²", f"{NAMESPACE}\u0301e", f"{NAMESPACE}a[b"]
)
def test_what_no_name_can_hold(iri: str) -> None:
    assert prefixed(iri, PREFIXES) is None


@given(st.text("aé1._-:~/#?'()*+,;=@&$!20³\u0301\u00b7日", max_size=6))
def test_random_names_are_read_back(local: str) -> None:
    name = prefixed(NAMESPACE + local, PREFIXES)
    if name is not None:
        assert read(name) == NAMESPACE + local
