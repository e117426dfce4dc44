"""Errors say where, what was expected and what stands there."""

from __future__ import annotations

import pickle
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.text.errors import QuerySyntaxError, UnsupportedSyntax, caret
from rsp_conformance.text.parse import parse_query
from tests.text.corpus import ALL
from tests.text.test_rsp_group import READ

WINDOW = "SELECT * FROM NAMED WINDOW <w> ON STREAM <s> "


def error(text: str) -> QuerySyntaxError:
    with pytest.raises(QuerySyntaxError) as caught:
        parse_query(text)
    return caught.value


def marked(text: str) -> QuerySyntaxError:
    """The error of a text, which stands where the text has a mark."""
    before, mark, after = text.partition("↓")
    got = error(before + after)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert mark and (got.line, got.column) == (line, column)
    return got


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("↓", "SELECT, ASK, CONSTRUCT or DESCRIBE, ", "the end of the query"),
        ("SELECT ?x\nWHERE ↓?x", "'{'", "'?x'"),
        ("SELECT ↓WHERE {}", "a variable, '*' or (expression AS ?variable)", "'WHERE'"),
        ("SELECT * {\n  ?s ?p\n↓}", "a term", "'}'"),
        ("SELECT * {\r\n  ?s ↓1\r\n}", "a property", "'1'"),
        ("SELECT * { ?s ?p ?o FILTER ↓?o }", "a condition in brackets", "'?o'"),
        ("SELECT * { FILTER(1 + ↓) }", "an expression", "')'"),
        ("SELECT * { FILTER(?x ↓5) }", "an operator or ')'", "'5'"),
        ("SELECT * { GRAPH ↓{ ?s ?p ?o } }", "a variable or an IRI", "'{'"),
        ("SELECT * { ?s ?p ?o↓ ", "a graph pattern, ',', '.', ';' or '}'", "the end of the query"),
        ("SELECT * {} LIMIT ↓?x", "a whole number", "'?x'"),
        ("SELECT * { ?s ?p ?o } ↓}", "the end of the query, ", "'}'"),
        ("PREFIX ↓a <urn:a> ASK {}", "a prefix such as ex:", "'a'"),
        ("REGISTER ↓?x AS ASK {}", "RSTREAM, ISTREAM or DSTREAM, ", "'?x'"),
        (WINDOW + "↓5 {}", "'['", "'5'"),
        (WINDOW + "[↓STEP 5] {}", "'RANGE'", "'STEP'"),
        (WINDOW + "[RANGE ↓5s] {}", "a duration such as PT5S, a whole number, ", "'5s'"),
        (WINDOW + "[RANGE 5 ↓5] {}", "'STEP', 'TUMBLING' or ']'", "'5'"),
        (
            WINDOW + '[RANGE ↓"PT5S"^^<urn:d> STEP 4] {}',
            "a duration such as PT5S, a whole number, 'TRIPLES' or 'UNBOUNDED'",
            '"PT5S"',
        ),
        ("SELECT * { ?s ?p ↓$ }", "a term", "'$'"),
        ('SELECT * {\n  ?s ↓"p" ?o }', "a property", '"p"'),
        ('SELECT * { ?s ↓"""a\nb""" ?o }', "a property", '"""a…'),
        ("SELECT ↓DISTINCTx ?s {}", "a variable, '*' or (expr", "'DISTINCTx'"),
    ],
)
def test_syntax(text: str, expected: str, found: str) -> None:
    got = marked(text)
    assert got.expected.startswith(expected)
    assert got.found == found
    assert str(got).splitlines()[0] == (
        f"line {got.line}, column {got.column}: expected {got.expected}, found {found}"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * { ↓x:s ?p ?o }", "the prefix x: is not declared; add PREFIX x: <…>"),
        ("SELECT * { ?s ?p ↓'a }", "the string that begins here is not closed"),
        ("SELECT * { ?s ?p ↓'\\q' }", "the string holds \\q, and there is no such escape"),
        ("SELECT * { ?s ?p '↓\\uD800' }", "the escape \\uD800 stands for no character"),
        ("SELECT * {\n ?s ?p ?o\n BIND(1 AS ↓?o) }", "BIND cannot assign ?o"),
        ("SELECT * { OPTIONAL { ?s ?p ?o } BIND(1 AS ↓?o) }", "BIND cannot assign ?o"),
        ("SELECT (1 AS ↓?o) { ?s ?p ?o }", "SELECT cannot assign ?o"),
        ("SELECT (1 AS ?v) (2 AS ↓?v) { }", "SELECT cannot assign ?v"),
        ("SELECT ?s { ?s ?p ?o } GROUP BY (1 AS ↓?o)", "GROUP BY cannot assign ?o"),
        ("SELECT ?s ↓?o { ?s ?p ?o } GROUP BY ?s", "?o is not in GROUP BY; add it there"),
        ("SELECT (COUNT(*) + ?o AS ↓?n) { ?s ?p ?o }", "?o is not in GROUP BY"),
        ("SELECT ↓* { ?s ?p ?o } GROUP BY ?s", "SELECT * cannot stand with GROUP BY"),
        ("SELECT (SUM(1 + ↓MIN(?o)) AS ?n) { }", "an aggregate cannot stand within an agg"),
        ("SELECT * { FILTER(↓SUM(?o) > 1) }", "an aggregate cannot stand in FILTER"),
        ("SELECT * { BIND(↓SUM(?o) AS ?n) }", "an aggregate cannot stand in BIND"),
        ("SELECT (1 AS ?n) { } GROUP BY (↓SUM(?o) AS ?m)", "an aggregate cannot stand in G"),
        ("SELECT (SUM(↓*) AS ?n) { }", "only COUNT takes *, not SUM"),
        ("SELECT * { _:a ?p ?o { ↓_:a ?q ?r } }", "the blank node _:a occurs in two basic"),
        ("SELECT * { FILTER(↓STRLEN() > 1) }", "STRLEN takes 1 argument, not 0"),
        ("SELECT * { FILTER(↓NOW(1) > 1) }", "NOW takes no argument, not 1"),
        ("SELECT * { FILTER(↓SUBSTR(?x)) }", "SUBSTR takes 2 or 3 arguments, not 1"),
        ("SELECT * { FILTER(↓BOUND(1)) }", "BOUND takes a variable"),
        ("SELECT * { VALUES (?x ?y) { ↓(1) } }", "a row of VALUES has 1 terms for 2 variables"),
        ("SELECT * { VALUES (?x ?y ↓?x) {} }", "VALUES names ?x twice"),
        ("CONSTRUCT ↓{ ?s <p>+ ?o } { ?s ?p ?o }", "a CONSTRUCT template cannot contain"),
        (WINDOW + "[RANGE ↓0 STEP 1] {}", "RANGE is at least one instant"),
        (WINDOW + "[RANGE 5 STEP ↓PT0S] {}", "STEP is at least one instant"),
        (WINDOW + "[ELEMENTS ↓0] {}", "ELEMENTS takes a number from 1 to"),
        (WINDOW + "[TRIPLES ↓99999999999999999999] {}", "TRIPLES takes a number from 1"),
        (WINDOW + "[ELEMENTS 2 STEP ↓0] {}", "STEP takes a number from 1 to"),
        (WINDOW + "[FROM NOW-2 TO NOW-↓5] {}", "the window ends before it begins"),
        (WINDOW + "[FROM NOW-5 TO NOW-↓5] {}", "the window ends before it begins"),
        (
            WINDOW + "[FROM NOW-PT5S TO NOW-↓2] {}",
            "a window in the past begins and ends by lengths",
        ),
        (WINDOW + "[RANGE ↓P1M] {}", "the duration P1M has years or months"),
        (WINDOW + "[RANGE ↓PT] {}", "PT is no ISO 8601 duration such as PT5S"),
        (WINDOW + "[RANGE ↓PT0.0001S] {}", "the duration PT0.0001S is no whole number of"),
        (
            WINDOW + "[RANGE 5] FROM ↓WINDOW <w> ON <t> [RANGE 3] {}",
            "the window <w> is declared twice; give one another name",
        ),
    ],
)
def test_meaning(text: str, message: str) -> None:
    got = marked(text)
    assert got.message.startswith(message)
    assert got.expected


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ("ELEMENTS 5 ↓TUMBLING", "windows by count have no TUMBLING of their own; write STEP and"),
        ("range triples 5 ↓tumbling", "windows by count have no tumbling of their own"),
        ("rows 5 STEP ↓PT2S", "windows by count slide by a number of units, not by PT2S"),
        ("RANGE TRIPLES 5 SLIDE ↓PT2S", "windows by count slide by a number of units, not by"),
        ("RANGE 5 STEP 3 ↓TRIPLES", "windows by time slide by a length of time, not by TRIPLES"),
        ("ROWS 5 ↓PARTITION BY ?x", "PARTITION BY is not supported: a window counts the units"),
        ("↓PARTITION BY ?x ROWS 5", "PARTITION BY is not supported: a window counts the units"),
    ],
)
def test_slides_and_parts_that_windows_do_not_have_are_refused_by_name(
    size: str, message: str
) -> None:
    got = error(f"{WINDOW}[{size.replace('↓', '')}] {{}}")
    assert isinstance(got, UnsupportedSyntax)
    assert got.message.lower().startswith(message.lower())
    assert got.column == 47 + size.index("↓")


@pytest.mark.parametrize(
    ("pattern", "column"),
    [
        ("?s ?p ?o {| ?a ?b |}", 22),
        ("?s ?p ?o {|?a ?b|}", 22),
        ("?s ?p ?o ~ ?r", 21),
        ("?s ?p ?o ~?r {| ?a ?b |}", 21),
        ("<< ?s ?p ?o ~ ?r >> ?a ?b", 24),
    ],
)
def test_reifiers_of_rdf_1_2_are_refused_by_name(pattern: str, column: int) -> None:
    got = error(f"SELECT * {{ {pattern} }}")
    assert isinstance(got, UnsupportedSyntax)
    assert got.message.startswith("RDF 1.2's reifiers (~) and annotations ({| |}) are not")
    assert (got.line, got.column) == (1, column)


def test_the_place_is_shown() -> None:
    assert str(error("SELECT *\nWHERE {\n\t?s ?p }")).splitlines() == [
        "line 3, column 8: expected a term, found '}'",
        "   ?s ?p }",
        "         ^",
    ]


def test_long_lines_are_cut_around_the_place() -> None:
    text = "SELECT * { " + "?s ?p ?o . " * 40 + "}} # " + "x" * 200
    lines = str(error(text)).splitlines()
    assert max(map(len, lines[1:])) <= 80
    assert lines[1][lines[2].index("^")] == "}"


def test_the_place_counts_the_source_with_its_escapes() -> None:
    got = error("SELECT * { ?s <\\u0061> '\\u00e9\\u00e9' . } ]")
    assert got.column == 43


def test_errors_survive_pickling() -> None:
    got = error("SELECT *\n{ ?s }")
    again = pickle.loads(pickle.dumps(got))
    assert str(again) == str(got)
    assert (again.line, again.column, again.found) == (got.line, got.column, got.found)


def test_caret_without_source() -> None:
    assert caret("", 1, 1) == ()
    assert caret("a\nb", 3, 1) == ()


# --- A token of any kind in any wrong place of a query: the message names it, where it stands -----

TABLES = tomllib.loads(Path(__file__).with_name("misplaced.toml").read_text("utf-8"))

KINDS = TABLES["kinds"]
TOKEN = re.compile(
    r"""\"{3}(?:.|\n)*?\"{3}|'{3}(?:.|\n)*?'{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|<[^<>\s]*>"""
    r"""|\#\s.*|[?$]?[\w:.\-%\\~]*[\w:]|\^\^|\S"""
)
TEXTS = [*ALL.values(), *(text for _, text, _ in READ)]
TEXTS = [text for text in TEXTS if "#" not in text and "\\u" not in text]


def fails(text: str) -> QuerySyntaxError | None:
    try:
        parse_query(text)
    except QuerySyntaxError as error:
        return error
    return None


def index(text: str, error: QuerySyntaxError) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1


def is_of_syntax(error: QuerySyntaxError) -> bool:
    """Whether the grammar says no; what is refused by name, or means nothing, has its own words."""
    return error.message == f"expected {error.expected}, found {error.found}"


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data())
def test_the_first_wrong_token_is_named(kind: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS), "text")
    places = [match.span() for match in TOKEN.finditer(text)]
    start, end = data.draw(st.sampled_from(places), "place")
    instead = data.draw(st.booleans(), "instead of what stands there")
    wrong = KINDS[kind]
    damaged = f"{text[:start]} {wrong} {text[end if instead else start :]}"
    error = fails(damaged)
    assume(error is not None)
    assert error is not None
    assume(is_of_syntax(error))
    at = index(damaged, error)
    assert at >= start
    if error.found == "the end of the query":
        assert at == len(damaged.rstrip())
        return
    found = error.found.strip("'") if error.found[1:2] not in "'\"" else error.found[1:-1]
    found = wrong if at == start + 1 and wrong in (error.found, error.found[1:-1]) else found
    assert damaged.startswith(found.removesuffix("…"), at), (damaged, str(error))
    if at == start + 1:
        # It is the token that was put there: the whole of it.
        # (What closes makes one token of a bracket, `[ ]`, where no other may stand.)
        assert error.found in (wrong, f"'{wrong}'") or error.found[1] == wrong[0] in "(["
    assert f"'{found}'" not in error.expected
    # Everything before is the beginning of a query, ...
    before = fails(damaged[:at])
    assert before is None or not is_of_syntax(before) or before.found == "the end of the query"
    # ... and with the token it is none, whatever follows.
    through = fails(damaged[: at + len(found)])
    if found[0] in "([":
        return  # ... unless a bracket that is not closed at once may stand there.
    assert through is not None
    assert (through.line, through.column) == (error.line, error.column)
