"""Literals that no operator of SPARQL 1.1 takes (17.3): the same term or a type error, either way.

pyoxigraph by itself compares dates and durations by value, as extensions may (17.3.1).
"""

from __future__ import annotations

import pytest

from rsp_conformance.model.terms import XSD, XSD_BOOLEAN, Literal
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.text.parse import parse_query
from tests.builders.sparql import solutions
from tests.oracles import oxigraph

TRUE, FALSE = Literal("true", XSD_BOOLEAN), Literal("false", XSD_BOOLEAN)
EXPECTED = {
    '?d = "2006-08-23"^^xsd:date': TRUE,
    '"2006-08-23"^^xsd:date = "2006-08-23"^^xsd:date': TRUE,
    '"2006-08-23"^^xsd:date = "2006-08-23Z"^^xsd:date': None,
    'STRDT("2006-08-23", xsd:date) = "2006-08-23"^^xsd:date': TRUE,
    '?d != "2007-08-23"^^xsd:date': None,
    '?d < "2007-08-23"^^xsd:date': None,
    "?d IN (5, ?d)": TRUE,
    "IF(true, ?d, ?d) = ?d": TRUE,
    '"P1Y"^^xsd:duration = "P12M"^^xsd:duration': None,
    '"a"^^<urn:t> = "a"^^<urn:t>': TRUE,
    '"a"^^<urn:t> = "b"^^<urn:t>': None,
    '"x"@en = "x"@EN': TRUE,
    '"1"^^xsd:int = 1.0': TRUE,
    '"1"^^xsd:int = "1"': FALSE,
}


@pytest.mark.parametrize("expression", EXPECTED)
def test_both_ways(expression: str) -> None:
    query = parse_query(
        f"PREFIX xsd: <{XSD}> "
        f'SELECT ?r {{ VALUES ?d {{ "2006-08-23"^^xsd:date }} BIND({expression} AS ?r) }}'
    )
    dataset = Dataset(GraphBag([]))
    assert solutions(query, dataset).rows == [(EXPECTED[expression],)]
    assert oxigraph.solutions(query, dataset).rows == [(EXPECTED[expression],)]
