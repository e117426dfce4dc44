"""C-SPARQL, CQELS-QL and SPARQLstream as they are printed, and what they refuse by name."""

from __future__ import annotations

import pytest

from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.languages import printer_of
from rsp_conformance.text.parse import parse_query
from tests.text.corpus import pairs

PREFIX = "PREFIX : <http://e/> "
MERGED = "FROM WINDOW :w ON STREAM :s1 [RANGE 4 STEP 2]"
NAMED = "FROM NAMED WINDOW :w ON STREAM :s1 [RANGE 4 STEP 2]"
READ = "WINDOW :w { ?x :p ?y }"
SECOND = "FROM NAMED WINDOW :v ON STREAM :s2 [RANGE PT3S STEP 1]"


def printed(language: str, text: str, unit: int = 1000, **dialect: object) -> str:
    """TEXT in LANGUAGE, its white space one blank."""
    return " ".join(printer_of(language, dialect)(parse_query(PREFIX + text), unit).split())


WRITTEN = pairs(
    r"""
[c-sparql]
SELECT ?x {MERGED} WHERE { ?x a :T FILTER(?x != :a) }
→ REGISTER QUERY q AS SELECT ?x FROM STREAM <http://e/s1> [RANGE 4s STEP 2s] WHERE { ?x a
  <http://e/T> . FILTER(?x != <http://e/a>) }
REGISTER RSTREAM :out AS CONSTRUCT { ?x :q 1 } FROM :g {MERGED} WHERE { ?x :p ?y }
→ REGISTER STREAM out AS CONSTRUCT { ?x <http://e/q> 1 . } FROM <http://e/g> FROM STREAM
  <http://e/s1> [RANGE 4s STEP 2s] WHERE { ?x <http://e/p> ?y . }
REGISTER QUERY :mystream AS BASE <http://e/> ASK {MERGED} { ?x :p ?y }
→ REGISTER QUERY q AS BASE <http://e/> ASK FROM STREAM <http://e/s1> [RANGE 4s STEP 2s] WHERE { ?x
  <http://e/p> ?y . }
[sparqlstream]
SELECT ?x FROM WINDOW :w ON :s1 [FROM NOW-5 TO NOW-2 STEP 1] WHERE { ?x :p ?y }
→ SELECT ?x FROM NAMED STREAM <http://e/s1> [NOW - 5 S TO NOW - 2 S SLIDE 1 S] WHERE { ?x
  <http://e/p> ?y . }
[cqels-ql-2]
SELECT * {NAMED} {SECOND} WHERE { :a :b ?c WINDOW :w { ?x :p -5, _:n FILTER(?x != :a) } WINDOW :v {
  ?x :q ?z } OPTIONAL { ?z :r 1 } FILTER NOT EXISTS { ?z :s ?u } BIND(STR(?z) AS ?t) FILTER
  ISIRI(?z) FILTER(?z != "é\n") } ORDER BY DESC(?z) LIMIT 3
→ REGISTER QUERY q AS SELECT ?c ?x ?z ?t FROM STREAM s1 [FUTURE 4s STEP 2s] FROM STREAM s2 [FUTURE
  3s STEP 1s] WHERE { STREAM s1 { ?x <http://e/p> "-5"^^<http://www.w3.org/2001/XMLSchema#integer>
  . ?x <http://e/p> ?b0 . } STREAM s2 { ?x <http://e/q> ?z } <http://e/a> <http://e/b> ?c .
  OPTIONAL { ?z <http://e/r> 1 } FILTER NOT EXISTS { ?z <http://e/s> ?u } BIND(STR(?z) AS ?t)
  FILTER(?x != <http://e/a>) FILTER(isIRI(?z)) FILTER(?z != "é\n") } ORDER BY DESC(?z) LIMIT 3
SELECT ?x (?y + 1 AS ?z) {NAMED} { {READ} BIND(2 AS ?t) FILTER(?t > 1) }
→ REGISTER QUERY q AS SELECT ?x ?z FROM STREAM s1 [FUTURE 4s STEP 2s] WHERE { STREAM s1 { ?x
  <http://e/p> ?y } BIND(2 AS ?t) BIND(?y + 1 AS ?z) FILTER(?t > 1) }
REGISTER QUERY :hot AS SELECT ?x (COUNT(?y) AS ?n) {NAMED} { WINDOW :w { { ?x :p ?y } UNION { ?x :q
  ?y } UNION { ?x :r ?y } } } GROUP BY ?x HAVING(COUNT(?y) > 1) (?x != :a) ORDER BY COUNT(?y)
→ REGISTER QUERY hot AS SELECT ?x (COUNT(?y) AS ?n) FROM STREAM s1 [FUTURE 4s STEP 2s] WHERE { { {
  STREAM s1 { ?x <http://e/p> ?y } } UNION { STREAM s1 { ?x <http://e/q> ?y } } } UNION { STREAM s1
  { ?x <http://e/r> ?y } } } GROUP BY ?x HAVING (?n > 1 && ?x != <http://e/a>) ORDER BY ?n
""",
    MERGED=MERGED,
    NAMED=NAMED,
    SECOND=SECOND,
    READ=READ,
)


@pytest.mark.parametrize(("language", "text", "expected"), WRITTEN)
def test_what_is_written(language: str, text: str, expected: str) -> None:
    assert printed(language, text) == expected


def test_c_sparql_stands_on_one_line_and_reads_background_data_as_a_graph() -> None:
    query = parse_query(
        f"{PREFIX} SELECT * {MERGED} {{ ?x :p ?y . ?y :p ?z OPTIONAL {{ ?x :q 1 }} }}"
    )
    text = printer_of("c-sparql", {"static_graph": "urn:static"})(query, 1000)
    assert "\n" not in text
    assert " FROM <urn:static> FROM STREAM <http://e/s1>" in text


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (
            "WINDOW :w { ?x :p ?y FILTER(?y > 1) }",
            "STREAM <http://e/s> [RANGE 4s] { ?x <http://e/p> ?y } FILTER(?y > 1)",
        ),
        (
            "WINDOW :w { ?x :p ?y BIND(?y + 1 AS ?z) } ?x :q ?v",
            "STREAM <http://e/s> [RANGE 4s] { ?x <http://e/p> ?y } "
            "?x <http://e/q> ?v . BIND(?y + 1 AS ?z)",
        ),
        (
            "WINDOW :w { ?x :p ?y { ?x :q ?z } }",
            "STREAM <http://e/s> [RANGE 4s] { ?x <http://e/p> ?y } "
            "STREAM <http://e/s> [RANGE 4s] { ?x <http://e/q> ?z }",
        ),
        ("WINDOW :w { ?x :p ?y BIND(?y + 1 AS ?z) } ?x :q ?z", None),  # ?z is that of the triple
        ("WINDOW :w { ?x :p ?y FILTER(?v > 1) } ?x :q ?v", None),  # ?v is not bound there
        ("WINDOW :w { ?x :p ?y FILTER EXISTS { ?x :q 1 } }", None),  # asked of the window
        ("WINDOW :w { ?x :p ?y OPTIONAL { ?x :q ?z } }", None),
    ],
)
def test_filter_and_bind_of_a_window_stand_behind_it(pattern: str, expected: str | None) -> None:
    window = "FROM NAMED WINDOW :w ON :s [RANGE PT4S]"
    text = f"REGISTER ISTREAM AS SELECT * {window} WHERE {{ {pattern} }}"
    if expected is None:
        with pytest.raises(NotExpressible, match="triple patterns"):
            printed("cqels-ql", text, triples_only=True)
    else:
        said = " ".join(printed("cqels-ql", text, triples_only=True).split())
        assert said.endswith(f"WHERE {{ {expected} }}")


def test_windows_of_cqels_ql_2_look_back_where_the_dialect_says_so() -> None:
    text = f"SELECT ?x {NAMED} {{ WINDOW :w {{ ?x :p ?y }} }}"
    assert "s1 [RANGE 4s STEP 2s]" in printed("cqels-ql-2", text, direction="range")
    tumbling = text.replace("STEP 2", "STEP 4")
    assert "s1 [RANGE 4s]" in printed("cqels-ql-2", tumbling, direction="range")
    new = printed("cqels-ql-2", f"REGISTER ISTREAM AS {text}", direction="range")
    assert "SELECT ISTREAM(?x) FROM" in new


PAST = "[FROM NOW-5 TO NOW-2 STEP 1]"
REFUSED = {
    "c-sparql": {
        f"SELECT * {NAMED} {{ {READ} }}": "C-SPARQL has no named windows",
        f"SELECT * {MERGED} {{ {READ} }}": "C-SPARQL has no WINDOW",
        f"SELECT * {MERGED} {{ GRAPH ?g {{ ?x :p ?y }} }}": "C-SPARQL has no named graphs",
        f"SELECT * FROM NAMED :g {MERGED} {{ ?x :p ?y }}": "C-SPARQL has no FROM NAMED",
        f"REGISTER ISTREAM AS SELECT * {MERGED} {{ ?x :p ?y }}": "C-SPARQL has no ISTREAM",
        f"REGISTER COMPUTED EVERY 5 AS SELECT * {MERGED} {{ ?x ?y 1 }}": "no COMPUTED EVERY",
        f"DESCRIBE :a {MERGED}": "C-SPARQL has no DESCRIBE",
        "SELECT * { ?x :p ?y }": "C-SPARQL has no queries without a stream",
        f"SELECT * {MERGED} {{ << ?x :p ?y >> :q 1 }}": "C-SPARQL has no quoted triples",
        "SELECT * FROM WINDOW :w ON :s [RANGE PT2.5S] { ?x :p ?y }": "no lengths of 2500 ms",
        "SELECT * FROM WINDOW :w ON :s [ELEMENTS 3] { ?x :p ?y }": "no windows by count of",
        "SELECT * FROM WINDOW :w ON :s [TRIPLES 3 STEP 3] { ?x :p ?y }": "no slides of windows by",
        "SELECT * FROM WINDOW :w ON :s [RANGE UNBOUNDED] { ?x :p ?y }": "no UNBOUNDED windows",
        f"SELECT * FROM WINDOW :w ON :s {PAST} {{ ?x :p ?y }}": "C-SPARQL has no windows in the p",
    },
    "sparqlstream": {
        f"SELECT * {NAMED} {{ {READ} }}": "SPARQLstream has no named windows",
        f"REGISTER ISTREAM AS ASK {MERGED} {{ ?x :p ?y }}": "SPARQLstream has no ISTREAM of ASK",
        f"SELECT * {MERGED} {{ FILTER(UUID() = :a) }}": "SPARQLstream has no UUID",
        f"SELECT * {MERGED} {{ ?x :p ?y VALUES ?x {{ 1 }} }}": "SPARQLstream has no VALUES but",
    },
    "cqels-ql": {
        f"REGISTER ISTREAM AS SELECT * FROM NAMED WINDOW :w ON :s {PAST} {{ {READ} }}": "the past",
        f"SELECT * {NAMED} {{ {READ} }}": "CQELS-QL has no answers but new ones",
        f"REGISTER ISTREAM AS ASK {NAMED} {{ {READ} }}": "CQELS-QL has no ASK",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} VALUES ?x {{ 1 }} }}": "no VALUES",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} }} VALUES ?x {{ 1 }}": "no VALUES",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ ?x :p ?y }}": "no windows that no pattern reads",
        f"REGISTER ISTREAM AS SELECT * {MERGED} {{ ?x :p ?y }}": "no windows in the default graph",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} WINDOW ?v {{ ?x :p 1 }} }}": "WINDOW ?x",
        f"REGISTER ISTREAM AS SELECT * {{ {READ} }}": "no undeclared windows",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ WINDOW :w {{ {READ} }} }}": "within STREAM",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} GRAPH :w {{ ?x :q 1 }} }}": "GRAPH of a",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} FILTER(STRAFTER(?x, 'a') = 'b') }}": (
            "CQELS-QL has no STRAFTER"
        ),
        f"REGISTER ISTREAM AS SELECT * {NAMED} {NAMED.replace(':w', ':v')} "
        f"{{ {READ} WINDOW :v {{ ?x :q ?z }} }}": "no two windows of one size over one stream",
    },
    "cqels-ql-2": {
        f"SELECT * FROM NAMED WINDOW :w ON :s {PAST} {{ {READ} }}": "all of its windows end at the",
        f"ASK {NAMED} {{ {READ} }}": "CQELS-QL 2 has no ASK",
        f"SELECT REDUCED * {NAMED} {{ {READ} }}": "CQELS-QL 2 has no REDUCED",
        f"SELECT (COUNT(*) AS ?c) {NAMED} {{ {READ} }} HAVING(?c > 1)": (
            "CQELS-QL 2 has no variable in HAVING that SELECT names later"
        ),
        f"SELECT * {NAMED} {{ {READ} }} OFFSET 2": "CQELS-QL 2 has no OFFSET",
        f"SELECT * {NAMED} {{ {READ} }} VALUES ?x {{ 1 }}": "CQELS-QL 2 has no VALUES",
        f"SELECT * {NAMED} {{ {READ} VALUES ?x {{ 1 }} }}": "CQELS-QL 2 has no VALUES",
        f"SELECT * {NAMED} {{ {READ} MINUS {{ ?x :q 1 }} }}": "CQELS-QL 2 has no MINUS",
        f"SELECT * {NAMED} {{ {READ} {{ SELECT ?x {{ ?x :q 1 }} }} }}": "has no subqueries",
        f"SELECT * {NAMED} {{ WINDOW :w {{ ?x :p/:q ?y }} }}": "has no property paths",
        f"SELECT * {NAMED} {{ {READ} FILTER(?x IN (1)) }}": "CQELS-QL 2 has no IN",
        f"SELECT * {NAMED} {{ {READ} FILTER EXISTS {{ ?x :q 1 }} }}": "has no EXISTS",
        f"SELECT * {NAMED} {{ {READ} GRAPH ?g {{ ?x :q 1 }} }}": "has no GRAPH here",
        f"SELECT * {NAMED} {{ {READ} OPTIONAL {{ }} }}": "has no empty groups",
        f"SELECT * {NAMED} {{ WINDOW :w {{ ?x :p 1 FILTER(?z > 0) }} BIND(1 AS ?z) }}": "order",
        f"SELECT * {NAMED} {{ {READ} OPTIONAL {{ ?x :q ?z }} ?z :r 1 }}": "clauses in this order",
        f"SELECT * {NAMED} {{ WINDOW :w {{ ?x :p 1 FILTER(!BOUND(?z)) }} ?z :r 1 }}": "this order",
        f"SELECT (COUNT(DISTINCT ?x) AS ?n) {NAMED} {{ {READ} }}": "no COUNT(DISTINCT …)",
        f"SELECT (SAMPLE(?x) AS ?n) {NAMED} {{ {READ} }}": "CQELS-QL 2 has no SAMPLE",
        f"SELECT ?z {NAMED} {{ {READ} }} GROUP BY (STR(?x) AS ?z)": "no GROUP BY an expression",
        f"SELECT * {NAMED} {{ {READ} }} ORDER BY STR(?x)": "no ORDER BY an expression",
        f"REGISTER ISTREAM AS SELECT * {NAMED} {{ {READ} }}": "no ISTREAM under FUTURE",
        f"SELECT * {NAMED} {{ ?x :p ?y }}": "no windows that no pattern reads",
        f"SELECT * {NAMED} {SECOND.replace('s2', 's1')} {{ {READ} WINDOW :v {{ ?x :q 1 }} }}": (
            "no two windows over one stream"
        ),
        f"SELECT * {NAMED.replace('s1', 'graph')} {{ {READ} }}": "no name for the stream http://e/gr",
    },
}


@pytest.mark.parametrize(
    ("language", "text", "says"),
    [(language, *pair) for language, texts in REFUSED.items() for pair in texts.items()],
)
def test_what_a_language_has_not_is_refused_by_name(language: str, text: str, says: str) -> None:
    with pytest.raises(NotExpressible) as refused:
        printed(language, text)
    assert says in str(refused.value)


def test_cqels_ql_2_shows_what_its_pattern_binds() -> None:
    """CQELS 2 refuses any other variable under FUTURE; it is unbound in every row."""
    assert "SELECT ?x FROM" in printed("cqels-ql-2", f"SELECT ?x ?z {NAMED} {{ {READ} }}")
    with pytest.raises(NotExpressible, match="nowhere bound"):
        printed("cqels-ql-2", f"SELECT ?z {NAMED} {{ {READ} }}")


def test_cqels_ql_2_writes_a_step_where_it_is_asked_for() -> None:
    """RANGE alone is a tumbling window there."""
    text = f"SELECT ?x {NAMED.replace('STEP 2', 'STEP 4')} {{ {READ} }}"
    assert "[RANGE 4s]" in printed("cqels-ql-2", text, direction="range")
    assert "[RANGE 4s STEP 4s]" in printed(
        "cqels-ql-2", text, direction="range", explicit_step=True
    )
