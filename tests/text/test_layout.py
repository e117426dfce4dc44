"""How queries look: as a person writes them, and as line-based readers of RSP-QL need them."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import QueryPrinter, print_query
from rsp_conformance.text.printer.terms import print_term
from tests.generators.queries import queries
from tests.text.corpus import ALL

WRITTEN = """\
PREFIX : <http://ex.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
REGISTER RStream :out COMPUTED EVERY PT5S AS
SELECT DISTINCT ?who (COUNT(?x) AS ?n)
FROM :g
FROM NAMED :h
FROM NAMED WINDOW :w ON STREAM :s [RANGE PT5S STEP PT2S]
FROM WINDOW :v ON STREAM :t [RANGE 3]
WHERE {
  ?who a :Person .
  WINDOW :w {
    ?who :isNearby ?x .
    << ?who :isNearby ?x >> :since "2026-11-21"^^xsd:date .
  }
  OPTIONAL {
    WINDOW :v { ?x :offers ?y }
    FILTER(?y > 1)
  }
  { ?x :p 1 } UNION { ?x :q "two"@en } UNION {
    GRAPH :h { ?x :r ?z }
  }
  MINUS { ?x :s 2.5 }
  BIND(?y + 1 AS ?u)
  VALUES (?k ?l) { (1 UNDEF) (:a :b) }
  {
    SELECT ?q
    WHERE {
      ?q :p/:q* ?x .
    }
    LIMIT 1
  }
  FILTER(?x != ?q && !BOUND(?y))
  FILTER NOT EXISTS { ?x :t _:b }
  FILTER STRSTARTS(STR(?x), "http")
}
GROUP BY ?who
HAVING (COUNT(?x) > 1)
ORDER BY DESC(?n) ?who
LIMIT 10
OFFSET 2
"""


def test_whole_layout() -> None:
    assert print_query(parse_query(WRITTEN)) == WRITTEN


def test_construct_and_describe() -> None:
    text = "CONSTRUCT {\n  ?s <urn:p> _:b .\n}\nWHERE {\n  ?s <urn:q> ?o .\n}\n"
    assert print_query(parse_query(text)) == text
    assert print_query(parse_query("DESCRIBE ?x <urn:a>")) == "DESCRIBE ?x <urn:a>\n"


def line_based_reader(text: str) -> None:
    """The rules of readers that cut a query into lines and look at how each begins."""
    declared: set[str] = set()
    for line in text.splitlines():
        stripped = line.strip()
        outside = re.sub(r'"(?:[^"\\]|\\.)*"|<[^<>\s]*>', "", stripped)
        assert len(re.findall(r"\bWINDOW\b", outside)) <= 1, line
        if re.search(r"\bWINDOW\b", outside):
            assert stripped.startswith(("WINDOW ", "FROM NAMED WINDOW ", "FROM WINDOW ")), line
        if stripped.startswith("PREFIX "):
            match = re.fullmatch(r"PREFIX (\S*:) <[^>]*>", stripped)
            assert match, line
            declared.add(match[1])
        if stripped.startswith("FROM NAMED WINDOW "):
            name = r"(<[^>]*>|[^\s<>]+)"
            by_time = r"(RANGE \S+|FROM NOW-\S+ TO NOW-\S+)( STEP \S+)?"
            size = rf"\[({by_time}|(ELEMENTS|TRIPLES) \d+( STEP \d+)?|NOW)\]"
            match = re.fullmatch(rf"FROM NAMED WINDOW {name} ON STREAM {name} {size}", stripped)
            assert match, line
            for used in (match[1], match[2]):
                assert used.startswith("<") or used.split(":")[0] + ":" in declared
        if stripped.startswith("REGISTER"):
            assert stripped.endswith(" AS"), line
        if re.search(r"\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", outside):
            assert re.match("SELECT|ASK|CONSTRUCT|DESCRIBE", stripped), line


@pytest.mark.parametrize("name", ALL)
def test_lines_of_the_corpus(name: str) -> None:
    line_based_reader(print_query(parse_query(ALL[name])))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(queries())
def test_lines_of_random_queries(query: Query) -> None:
    text = print_query(query)
    # Windows of these names would look like the keyword itself.
    line_based_reader(re.sub(r"\?select\b", "?s", text))


@pytest.mark.parametrize(
    ("style", "unit", "expected"),
    [
        (None, 1000, "COMPUTED EVERY 2 [RANGE PT5S STEP 1]"),
        ("instants", 1000, "COMPUTED EVERY 2 [RANGE 5 STEP 1]"),
        ("instants", 500, "COMPUTED EVERY 2 [RANGE 10 STEP 1]"),
        ("iso", 500, "COMPUTED EVERY PT1S [RANGE PT5S STEP PT0.5S]"),
        ("ms", 500, "COMPUTED EVERY 1000 [RANGE 5000 STEP 500]"),
        ("s", 1000, "COMPUTED EVERY 2 [RANGE 5 STEP 1]"),
        ("iso", 60_000, "COMPUTED EVERY PT2M [RANGE PT5S STEP PT1M]"),
        ("iso-seconds", 60_000, "COMPUTED EVERY PT120S [RANGE PT5S STEP PT60S]"),
    ],
)
def test_styles_of_durations(style: str | None, unit: int, expected: str) -> None:
    query = parse_query(
        "REGISTER COMPUTED EVERY 2 AS ASK FROM WINDOW <w> ON <s> [RANGE PT5S STEP 1] {}"
    )
    text = print_query(query, duration=style, unit=unit)
    found = re.search(r"(COMPUTED EVERY \S+) AS.*(\[.*\])", text, re.DOTALL)
    assert found
    assert f"{found[1]} {found[2]}" == expected


def test_durations_that_do_not_fit() -> None:
    query = parse_query("ASK FROM WINDOW <w> ON <s> [RANGE PT0.5S] {}")
    with pytest.raises(ValueError, match="no whole number of instants of 1000 ms"):
        print_query(query, duration="instants", unit=1000)


@pytest.mark.parametrize("style", ["s", "iso-seconds"])
def test_half_a_second_cannot_be_written_in_whole_seconds(style: str) -> None:
    query = parse_query("ASK FROM WINDOW <w> ON <s> [RANGE 3 STEP 2] {}")
    with pytest.raises(NotExpressible, match="whole seconds only, and no 1500 ms"):
        print_query(query, duration=style, unit=500)


def test_triple_terms() -> None:
    query = parse_query("ASK { << ?s ?p << ?a ?b ?c >> >> ?q 1 }")
    text = print_query(query, triple_terms=True)
    assert "<<( ?s ?p <<( ?a ?b ?c )>> )>> ?q 1 ." in text
    assert parse_query(text) == query


def test_the_longest_prefix_is_taken_and_odd_names_are_written_in_full() -> None:
    prefixes = (("", "http://ex.org/"), ("d", "http://ex.org/deep/"))
    written = {
        "http://ex.org/a": ":a",
        "http://ex.org/deep/a": "d:a",
        "http://ex.org/deep/a/b": "<http://ex.org/deep/a/b>",
        "http://ex.org/": "<http://ex.org/>",
        "http://ex.org/-a": "<http://ex.org/-a>",
        "http://ex.org/a\u00b2": "<http://ex.org/a\u00b2>",
    }
    assert {i: print_term(IRI(i), prefixes) for i in written} == written


def test_what_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="holds ' ', which SPARQL's IRIs cannot hold"):
        print_term(IRI("http://ex.org/a b"))
    with pytest.raises(ValueError, match="cannot be the label of a blank node"):
        print_term(BlankNode("a b"))


def test_parts_of_queries() -> None:
    query = parse_query("PREFIX : <urn:> ASK { WINDOW :w { ?s :p 1 } FILTER(?s > 1) }")
    expected = "WINDOW :w { ?s :p 1 }\nFILTER(?s > 1)"
    assert "\n".join(QueryPrinter(query.prefixes).group_lines(query.pattern)) == expected
