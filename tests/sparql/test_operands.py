"""What operators and constructor functions take, either way, where pyoxigraph takes more or less.

Each expression is asked of a literal that stands in the query and of one that a variable has.
"""

from __future__ import annotations

import pytest

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import XSD, Literal
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.text.parse import parse_query
from tests.builders.sparql import solutions
from tests.oracles import oxigraph

DAY = '"2006-08-23"^^xsd:date'
BYTE, NAN, DATE = '"500"^^xsd:byte', '"NaN"^^xsd:double', '"2020-01-01"^^xsd:date'
EXPECTED = [
    # Strings with a language tag are in no row of the table of casts (17.5), nor are literals of
    # datatypes that SPARQL does not operate on, nor those without a value.
    ('"x"@en', "xsd:string(?x)", None),
    ('"1"@en', "xsd:integer(?x)", None),
    (DATE, "xsd:string(?x)", None),
    ('"x"^^<urn:t>', "xsd:string(?x)", None),
    ('"bad"^^xsd:integer', "xsd:string(?x)", None),
    ('" x "', "xsd:string(?x)", " x "),
    ("<urn:x>", "xsd:string(?x)", "urn:x"),
    ('"01"^^xsd:integer', "xsd:string(?x)", "1"),
    # White space around a string is no part of what it is cast to (F&O 17.1.1).
    ('" 5 "', "xsd:integer(?x)", "5"),
    ('" true"', "xsd:boolean(?x)", "true"),
    # 17.4.2.4 has an example: no number, though its digits are.
    (BYTE, "ISNUMERIC(?x)", "false"),
    ('"-1"^^xsd:unsignedInt', "ISNUMERIC(?x)", "false"),
    ('"127"^^xsd:byte', "ISNUMERIC(?x)", "true"),
    (BYTE, "?x + 1", None),
    (BYTE, "?x > 1", None),
    (BYTE, "?x = 500", None),
    (BYTE, "!?x", "true"),
    (BYTE, "xsd:integer(?x)", None),
    ('"bad"^^xsd:integer', "?x <= ?x", None),
    # The accessors of 17.4.5 take xsd:dateTime.
    (DATE, "YEAR(?x)", None),
    # Booleans are ordered (17.3), among themselves.
    ("false", "?x < true", "true"),
    ('"1"^^xsd:boolean', "?x <= true", "true"),
    ("true", "?x > 0", None),
    ("true", '?x > "a"', None),
    # NaN is neither less nor greater than anything (F&O 6.3).
    ("1", f"?x < {NAN}", "false"),
    (NAN, "?x >= ?x", "false"),
    (NAN, "!(?x < 1.5)", "true"),
    (NAN, '?x < "a"', None),
    # Literals that no operator of 17.3 takes are the same term, or it is a type error; pyoxigraph
    # by itself compares dates and durations by value, as extensions may (17.3.1).
    (DAY, f"?x = {DAY}", "true"),
    (DAY, '?x = "2006-08-23Z"^^xsd:date', None),
    (DAY, 'STRDT("2006-08-23", xsd:date) = ?x', "true"),
    (DAY, '?x != "2007-08-23"^^xsd:date', None),
    (DAY, '?x < "2007-08-23"^^xsd:date', None),
    (DAY, "?x IN (5, ?x)", "true"),
    (DAY, "IF(true, ?x, ?x) = ?x", "true"),
    ('"P1Y"^^xsd:duration', '?x = "P12M"^^xsd:duration', None),
    ('"a"^^<urn:t>', '?x = "a"^^<urn:t>', "true"),
    ('"a"^^<urn:t>', '?x = "b"^^<urn:t>', None),
    ('"x"@en', '?x = "x"@EN', "true"),
    ('"1"^^xsd:int', "?x = 1.0", "true"),
    ('"1"^^xsd:int', '?x = "1"', "false"),
]


@pytest.mark.parametrize(("term", "expression", "expected"), EXPECTED)
def test_both_ways(term: str, expression: str, expected: str | None) -> None:
    for text in (
        f"SELECT ?r {{ VALUES ?x {{ {term} }} BIND({expression} AS ?r) }}",
        f"SELECT ?r {{ BIND({expression.replace('?x', term)} AS ?r) }}",
    ):
        query = parse_query(f"PREFIX xsd: <{XSD}> {text}")
        for way in (solutions, oxigraph.solutions):
            ((found,),) = way(query, Dataset()).rows
            assert expected == (found.lexical if isinstance(found, Literal) else None)


def test_a_cast_that_sparql_does_not_have_is_refused_by_name() -> None:
    query = parse_query(f'PREFIX xsd: <{XSD}> SELECT (xsd:date("2020-01-01") AS ?d) {{}}')
    for way in (solutions, oxigraph.solutions):
        with pytest.raises(Unsupported, match="XMLSchema#date"):
            way(query, Dataset())
