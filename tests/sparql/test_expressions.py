"""Expressions by SPARQL 1.1, section 17: one table a part of it.

``!`` in a table stands for a type error, which leaves the variable of SELECT unbound.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rsp_conformance.model.terms import XSD
from tests.builders.sparql import rows
from tests.builders.terms import EX

pytestmark = pytest.mark.usefixtures("evaluator")


def value(expression: str) -> str:
    """The value of a constant expression, written short."""
    [(term,)] = rows(f"SELECT ({expression} AS ?r) {{}}")
    if term is None:
        return "!"
    text = repr(term).replace(f"^^<{XSD}integer>", "").replace(f"^^<{XSD}boolean>", "")
    text = text.replace(f"<{XSD}", "xsd:").replace(f"<{EX}", ":")
    return text.replace(">", "").replace('"', "'")


TABLES = tomllib.loads(Path(__file__).with_name("expressions.toml").read_text("utf-8"))
ROWS = [row.split(" → ") for table in TABLES.values() for row in table.splitlines()]


TRUE, FALSE = "'true'", "'false'"
ERROR = "(1/0)"


@pytest.mark.parametrize("left", ["true", "false", ERROR])
@pytest.mark.parametrize("right", ["true", "false", ERROR])
def test_three_valued_logic(left, right):
    """17.2: the truth tables of || and &&."""
    known = {"true": True, "false": False, ERROR: None}
    a, b = known[left], known[right]
    either = True if True in (a, b) else None if None in (a, b) else False
    both = False if False in (a, b) else None if None in (a, b) else True
    shown = {True: TRUE, False: FALSE, None: "!"}
    assert value(f"{left} || {right}") == shown[either]
    assert value(f"{left} && {right}") == shown[both]


@pytest.mark.parametrize(
    ("term", "truth"),
    [
        ("true", TRUE),
        ('"0"^^xsd:boolean', FALSE),
        ('"x"^^xsd:boolean', FALSE),  # ill-formed booleans and numbers are false, not errors
        ('"x"^^xsd:integer', FALSE),
        ('"300"^^xsd:byte', FALSE),
        ("0.0", FALSE),
        ("-0e0", FALSE),
        ('"NaN"^^xsd:double', FALSE),
        ('"INF"^^xsd:float', TRUE),
        ('"7"^^xsd:unsignedByte', TRUE),
        ('""', FALSE),
        ('"false"', TRUE),
        ('""@en', FALSE),  # a plain literal, with or without a tag
        ('"a"@en', TRUE),
        (":a", "!"),
        ('"x"^^:t', "!"),
        ('"2011-01-10T00:00:00Z"^^xsd:dateTime', "!"),
        (ERROR, "!"),
    ],
)
def test_effective_boolean_value(term, truth):
    """17.2.2."""
    assert value(f"!(!({term}))") == truth


@pytest.mark.parametrize(("expression", "expected"), ROWS)
def test_value(expression, expected):
    assert value(expression) == expected


@pytest.mark.parametrize("digits", [400, 4400])
def test_numbers_of_many_digits(digits):
    """Beyond all doubles, and beyond what Python reads as an int."""
    number = "7" * digits
    assert value(f"!(!({number}))") == TRUE
    assert value(f"xsd:boolean({number})") == TRUE
    assert value(f"{number} + 1") == f"'{number[:-1]}8'"
    assert value(f"{number} * 10 = {number}0") == TRUE
    assert value(f"{number} < {number}.5") == TRUE
    assert value(f"FLOOR({number}.5)") == f"'{number}'^^xsd:decimal"
    assert value(f"xsd:double({number})") == "'INF'^^xsd:double"
    assert value(f'YEAR("{number}-01-01T00:00:00Z"^^xsd:dateTime)') == f"'{number}'"


@pytest.mark.parametrize(
    ("base", "text", "iri"),
    [
        ("http://ex.org/x/", "../a", "http://ex.org/a"),
        ("http://ex.org/x#f", "", "http://ex.org/x"),
        ("http://ex.org/x?q#f", "", "http://ex.org/x?q"),
        ("http://ex.org/x?q", "?", "http://ex.org/x?"),
        ("http://ex.org/x?q", "#", "http://ex.org/x?q#"),
        ("http://ex.org/x/", "g?", "http://ex.org/x/g?"),
        ("http://ex.org/x/", "g#", "http://ex.org/x/g#"),
        ("http://ex.org/", "a//b/../c", "http://ex.org/a//c"),
        ("http://ex.org/x/y", "/..//a/.", "http://ex.org//a/"),
        ("http://ex.org", "g", "http://ex.org/g"),
        ("http://ex.org/x", "//a/b/../c", "http://a/c"),
        ("http://ex.org/x", "https:g", "https:g"),
        ("urn:x:y", "g", "urn:g"),
    ],
)
def test_iri_is_resolved_against_the_base_of_the_query(base, text, iri):
    """RFC 3986, 5.2.2 to 5.2.4 and 5.3."""
    [(term,)] = rows(f'BASE <{base}> SELECT (IRI("{text}") AS ?r) {{}}')
    assert repr(term) == f"<{iri}>"


def test_an_error_in_bind_leaves_the_variable_unbound():
    assert rows("SELECT ?x ?y { BIND(1 AS ?x) BIND(?x / 0 AS ?y) }") == [
        (rows("SELECT (1 AS ?x) {}")[0][0], None)
    ]


def test_an_error_in_a_filter_removes_the_solution():
    assert rows("SELECT * { FILTER(1/0 = 1) }") == []
    assert rows("SELECT * { FILTER(!(1/0 = 1)) }") == []


def test_a_select_expression_uses_the_ones_before_it():
    [(two, four)] = rows("SELECT (1 + 1 AS ?x) (?x * 2 AS ?y) {}")
    assert (two.lexical, four.lexical) == ("2", "4")
