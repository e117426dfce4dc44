"""Expressions by SPARQL 1.1, section 17: one table a part of it.

``!`` in a table stands for a type error, which leaves the variable of SELECT unbound.
"""

from __future__ import annotations

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


def table(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return [tuple(part.strip() for part in line.split(" → ")) for line in lines]  # type: ignore[misc]


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


EQUALITY = table(
    """
    1 = 1.0 → 'true'
    1 = 1.0e0 → 'true'
    "1"^^xsd:byte = "01"^^xsd:long → 'true'
    0.1 = 0.1e0 → 'true'
    xsd:float("0.1") = 0.1 → 'true'
    xsd:float("0.1") = 0.1e0 → 'false'
    9007199254740993 = 9007199254740992e0 → 'true'
    "NaN"^^xsd:double = "NaN"^^xsd:double → 'false'
    "NaN"^^xsd:double != "NaN"^^xsd:double → 'true'
    "1"^^xsd:boolean = true → 'true'
    "a" = "a" → 'true'
    "a" = "b" → 'false'
    "a"@en = "a"@EN → 'true'
    "a"@en = "a" → 'false'
    "a"@en != "a"^^:t → 'true'
    "a" = 1 → 'false'
    1 = true → 'false'
    1 = "x"^^xsd:integer → !
    "x"^^xsd:integer = "x"^^xsd:integer → 'true'
    "x"^^xsd:integer = "y"^^xsd:integer → !
    "x"^^:t = "x"^^:t → 'true'
    "x"^^:t = "y"^^:t → !
    "x"^^:t != "y"^^:t → !
    "x"^^:t = "x" → !
    "x"^^:t = :x → 'false'
    :a = :a → 'true'
    :a != :b → 'true'
    :a = "http://ex.org/a" → 'false'
    "2011-01-10T12:00:00Z"^^xsd:dateTime = "2011-01-10T13:00:00+01:00"^^xsd:dateTime → 'true'
    "2011-01-10T24:00:00"^^xsd:dateTime = "2011-01-11T00:00:00"^^xsd:dateTime → 'true'
    "2011-01-10T00:00:00"^^xsd:dateTime = "2011-01-10T00:00:00Z"^^xsd:dateTime → 'false'
    "2011-01-10"^^xsd:date = "2011-01-10"^^xsd:date → 'true'
    "2011-01-10"^^xsd:date = "2011-01-11"^^xsd:date → !
    sameTerm(1, 1) → 'true'
    sameTerm(1, 01) → 'false'
    sameTerm("a"@en, "a"@EN) → 'true'
    << :a :p 1 >> = << :a :p 1.0 >> → 'true'
    << :a :p 1 >> = << :b :p "x"^^:t >> → 'false'
    """
)

ORDER = table(
    """
    1 < 1.5 → 'true'
    2 > 1e0 → 'true'
    1 <= 1.0 → 'true'
    "NaN"^^xsd:double < 1 → 'false'
    "NaN"^^xsd:double <= "NaN"^^xsd:double → 'false'
    1 < "INF"^^xsd:double → 'true'
    "a" < "b" → 'true'
    "B" < "a" → 'true'
    "a"@en < "b"@en → !
    "a" < "b"@en → !
    "a" < 1 → !
    false < true → 'true'
    true <= true → 'true'
    true < 1 → !
    :a < :b → !
    :a <= :a → !
    "x"^^:t <= "x"^^:t → !
    "x"^^xsd:integer < 1 → !
    "2011-01-10T00:00:00"^^xsd:dateTime < "2011-01-10T14:00:00Z"^^xsd:dateTime → !
    "2011-01-10T00:00:00"^^xsd:dateTime < "2011-01-10T14:00:01Z"^^xsd:dateTime → 'true'
    "2011-01-10T00:00:00"^^xsd:dateTime < "2011-01-10T00:00:00.5"^^xsd:dateTime → 'true'
    "-0001-01-10T00:00:00Z"^^xsd:dateTime < "0001-01-10T00:00:00Z"^^xsd:dateTime → 'true'
    """
)

MEMBERSHIP = table(
    """
    2 IN () → 'false'
    2 IN (:a, "str", 2.0) → 'true'
    2 IN (1/0, 2) → 'true'
    2 IN (2, 1/0) → 'true'
    2 IN (3, 1/0) → !
    2 NOT IN () → 'true'
    2 NOT IN (:a, "str", 2.0) → 'false'
    2 NOT IN (1/0, 2) → 'false'
    2 NOT IN (3, 1/0) → !
    2 NOT IN (3, 4) → 'true'
    IF(true, 1, 1/0) → '1'
    IF("", 1, 2) → '2'
    IF(1/0, 1, 2) → !
    IF(:a, 1, 2) → !
    COALESCE(1/0, ?x, 3) → '3'
    COALESCE() → !
    COALESCE(?x) → !
    BOUND(?x) → 'false'
    ?x = ?x → !
    """
)

ARITHMETIC = table(
    """
    1 + 2 → '3'
    "1"^^xsd:byte + "2"^^xsd:unsignedInt → '3'
    1 - 1.0 → '0'^^xsd:decimal
    1.5 * 1.5 → '2.25'^^xsd:decimal
    0.1 + 0.2 → '0.3'^^xsd:decimal
    1 + 1e0 → '2'^^xsd:double
    0.1e0 + 0.2 → '0.30000000000000004'^^xsd:double
    xsd:float("1.5") + 1 → '2.5'^^xsd:float
    xsd:float("1.1") + 1.0 → '2.1'^^xsd:float
    xsd:float("1.5") + 1e0 → '2.5'^^xsd:double
    xsd:float("16777216") + 1 → '16777216'^^xsd:float
    10 / 2 → '5'^^xsd:decimal
    1 / 8 → '0.125'^^xsd:decimal
    2 / 3 → '0.666666666666666666'^^xsd:decimal
    -2 / 3 → '-0.666666666666666666'^^xsd:decimal
    1 / 0 → !
    1 / 0.0 → !
    1 / 0e0 → 'INF'^^xsd:double
    -1e0 / 0 → '-INF'^^xsd:double
    0e0 / 0 → 'NaN'^^xsd:double
    1e300 * 1e300 → 'INF'^^xsd:double
    1e21 * 1 → '1000000000000000000000'^^xsd:double
    1e-7 * 1 → '0.0000001'^^xsd:double
    9223372036854775807 + 1 → '9223372036854775808'
    "300"^^xsd:byte + 1 → !
    "-1"^^xsd:nonNegativeInteger + 1 → !
    "1" + 1 → !
    1 + true → !
    - "3"^^xsd:byte → '-3'
    + "1.50"^^xsd:decimal → '1.5'^^xsd:decimal
    ABS(-1.50) → '1.5'^^xsd:decimal
    ABS("-3"^^xsd:byte) → '3'
    ROUND(2.5) → '3'^^xsd:decimal
    ROUND(-2.5) → '-2'^^xsd:decimal
    ROUND(2.4999) → '2'^^xsd:decimal
    ROUND(0.49999999999999994e0) → '0'^^xsd:double
    ROUND(4503599627370497.5e0) → '4503599627370498'^^xsd:double
    ROUND(-0.4e0) → '-0'^^xsd:double
    ROUND("NaN"^^xsd:double) → 'NaN'^^xsd:double
    CEIL(10.5) → '11'^^xsd:decimal
    CEIL(-10.5) → '-10'^^xsd:decimal
    FLOOR(-10.5) → '-11'^^xsd:decimal
    FLOOR(xsd:float("1.7")) → '1'^^xsd:float
    ROUND("x") → !
    """
)

CASTS = table(
    """
    xsd:integer("007") → '7'
    xsd:integer(" 7 ") → '7'
    xsd:integer("1.0") → !
    xsd:integer(-1.9) → '-1'
    xsd:integer(1.9e0) → '1'
    xsd:integer("INF"^^xsd:double) → !
    xsd:integer(true) → '1'
    xsd:integer(:a) → !
    xsd:integer("1"@en) → !
    xsd:decimal("1.50") → '1.5'^^xsd:decimal
    xsd:decimal("1e3") → !
    xsd:decimal(1.5e3) → '1500'^^xsd:decimal
    xsd:decimal("NaN"^^xsd:double) → !
    xsd:double("1e3") → '1000'^^xsd:double
    xsd:double("+INF") → 'INF'^^xsd:double
    xsd:double(true) → '1'^^xsd:double
    xsd:double("one") → !
    xsd:float("1.1") → '1.1'^^xsd:float
    xsd:float(1e39) → 'INF'^^xsd:float
    xsd:boolean("1") → 'true'
    xsd:boolean("TRUE") → !
    xsd:boolean(0.0) → 'false'
    xsd:boolean("NaN"^^xsd:double) → 'false'
    xsd:string(1.50) → '1.5'
    xsd:string(1e0) → '1'
    xsd:string(1e7) → '1.0E7'
    xsd:string(-1.25e-7) → '-1.25E-7'
    xsd:string("1"^^xsd:boolean) → 'true'
    xsd:string(:a) → 'http://ex.org/a'
    xsd:dateTime("2011-01-10T14:45:13.500Z") → '2011-01-10T14:45:13.5Z'^^xsd:dateTime
    xsd:dateTime("2011-02-29T00:00:00") → !
    xsd:dateTime("2012-12-31T24:00:00") → '2013-01-01T00:00:00'^^xsd:dateTime
    xsd:dateTime(5) → !
    """
)

TERMS = table(
    """
    STR(1.50) → '1.50'
    STR("a"@en) → 'a'
    STR(:a) → 'http://ex.org/a'
    LANG("a"@en) → 'en'
    LANG(1) → ''
    LANG(:a) → !
    DATATYPE("a") → xsd:string
    DATATYPE("1"^^xsd:byte) → xsd:byte
    DATATYPE(:a) → !
    IRI("http://ex.org/a") → :a
    IRI(:a) → :a
    IRI("a") → !
    IRI("http://ex.org/a b") → !
    IRI("a"@en) → !
    STRDT("1", xsd:integer) → '1'
    STRDT(1, xsd:integer) → !
    STRLANG("a", "en") → 'a'@en
    STRLANG("a"@en, "en") → !
    STRLANG("a", "e n") → !
    ISIRI(:a) → 'true'
    ISURI("a") → 'false'
    ISBLANK(:a) → 'false'
    ISLITERAL(1) → 'true'
    ISNUMERIC(1.5) → 'true'
    ISNUMERIC("1") → 'false'
    ISNUMERIC("x"^^xsd:integer) → 'false'
    ISNUMERIC(?x) → !
    LANGMATCHES("en-GB", "EN") → 'true'
    LANGMATCHES("english", "en") → 'false'
    LANGMATCHES("en", "*") → 'true'
    LANGMATCHES("", "*") → 'false'
    """
)

STRINGS = table(
    """
    STRLEN("aé𝄞") → '3'
    STRLEN(1) → !
    SUBSTR("foobar", 4) → 'bar'
    SUBSTR("foobar"@en, 4, 1) → 'b'@en
    SUBSTR("foobar", 0, 3) → 'fo'
    SUBSTR("foobar", -1, 3) → 'f'
    SUBSTR("foobar", 5, 100) → 'ar'
    SUBSTR("foobar", 9) → ''
    SUBSTR("foobar", 2, -1) → ''
    SUBSTR("foobar", "1") → !
    UCASE("straße"@de) → 'STRASSE'@de
    LCASE("ÀB") → 'àb'
    STRSTARTS("abc", "") → 'true'
    STRSTARTS("abc"@en, "a") → 'true'
    STRSTARTS("abc"@en, "a"@EN) → 'true'
    STRSTARTS("abc"@en, "a"@fr) → !
    STRSTARTS("abc", "a"@en) → !
    STRENDS("abc", "bc") → 'true'
    CONTAINS("abc", "d") → 'false'
    CONTAINS("abc", 1) → !
    STRBEFORE("abc", "b") → 'a'
    STRBEFORE("abc"@en, "bc") → 'a'@en
    STRBEFORE("abc"@en, "b"@cy) → !
    STRBEFORE("abc"@en, "") → ''@en
    STRBEFORE("abc"@en, "z") → ''
    STRAFTER("abc"@en, "ab") → 'c'@en
    STRAFTER("abc"@en, "") → 'abc'@en
    STRAFTER("abc"@en, "z"@en) → ''
    ENCODE_FOR_URI("Los Angeles~-._/é"@en) → 'Los%20Angeles~-._%2F%C3%A9'
    CONCAT() → ''
    CONCAT("a"@en, "b"@en) → 'ab'@en
    CONCAT("a"@en, "b") → 'ab'
    CONCAT("a", 1) → !
    MD5("abc") → '900150983cd24fb0d6963f7d28e17f72'
    SHA1("abc") → 'a9993e364706816aba3e25717850c26c9cd0d89d'
    SHA256("") → 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    MD5(1) → !
    """
)

DATES = table(
    """
    YEAR("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime) → '2011'
    MONTH("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime) → '1'
    DAY("2012-02-28T24:00:00"^^xsd:dateTime) → '29'
    HOURS("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime) → '14'
    MINUTES("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime) → '45'
    SECONDS("2011-01-10T14:45:13.815-05:00"^^xsd:dateTime) → '13.815'^^xsd:decimal
    TIMEZONE("2011-01-10T14:45:13-05:00"^^xsd:dateTime) → '-PT5H'^^xsd:dayTimeDuration
    TIMEZONE("2011-01-10T14:45:13+05:30"^^xsd:dateTime) → 'PT5H30M'^^xsd:dayTimeDuration
    TIMEZONE("2011-01-10T14:45:13Z"^^xsd:dateTime) → 'PT0S'^^xsd:dayTimeDuration
    TIMEZONE("2011-01-10T14:45:13"^^xsd:dateTime) → !
    TZ("2011-01-10T14:45:13-05:00"^^xsd:dateTime) → '-05:00'
    TZ("2011-01-10T14:45:13"^^xsd:dateTime) → ''
    YEAR("2011-13-10T14:45:13"^^xsd:dateTime) → !
    YEAR("2011") → !
    """
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [*EQUALITY, *ORDER, *MEMBERSHIP, *ARITHMETIC, *CASTS, *TERMS, *STRINGS, *DATES],
)
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
