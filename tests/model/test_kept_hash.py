"""Cases and queries keep their hash."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.strategies.written import WrittenCase, WrittenQuery
from rsp_conformance.text.parse import parse_query

TEXT = "PREFIX : <http://ex.org/>\nSELECT ?x WHERE { ?x :p ?y FILTER(?y > 3) }"


@pytest.fixture
def query() -> Query:
    return parse_query(TEXT)


def test_equal_values_have_equal_hashes(query: Query) -> None:
    other = parse_query("PREFIX e: <http://ex.org/> SELECT ?x WHERE { ?x e:p ?y FILTER(?y > 3) }")
    assert query == other and query.prefixes != other.prefixes
    assert hash(query) == hash(other) == hash(query)
    assert hash(Case(query)) == hash(Case(other))
    assert len({Case(query), Case(other), Case(query, until=7)}) == 2


def test_a_generated_value_has_the_hash_of_the_plain_one(query: Query) -> None:
    named = {field.name: getattr(query, field.name) for field in fields(Query)}
    written = WrittenQuery(**named)
    assert written == query and hash(written) == hash(query)
    case = WrittenCase(written, until=7)
    assert case == Case(query, until=7) and hash(case) == hash(Case(query, until=7))
    assert case != Case(query, until=8) and case != query


def test_it_is_neither_copied_nor_pickled(query: Query) -> None:
    """In another process texts have other hashes."""
    case = Case(query, until=7)
    assert hash(case) == case._hash
    for other in (replace(case), copy.copy(case), pickle.loads(pickle.dumps(case))):
        assert other == case and not hasattr(other, "_hash")
        assert hash(other) == hash(case)
