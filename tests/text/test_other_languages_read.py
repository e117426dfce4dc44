"""Queries in C-SPARQL, CQELS-QL and SPARQLstream as users write them, in the terms of RSP-QL."""

from __future__ import annotations

import pytest

from rsp_conformance.text.errors import QuerySyntaxError, UnsupportedSyntax
from rsp_conformance.text.parse import parse_query
from tests.text.corpus import pairs

P = "PREFIX : <http://e/> "
W1 = "FROM WINDOW <w1> ON STREAM"
N1 = "FROM NAMED WINDOW <w1> ON STREAM"

# What is written, and RSP-QL that means the same.
MEANT = pairs(
    """
[c-sparql]
{P} REGISTER STREAM :b AS CONSTRUCT { :b :m ?w } FROM STREAM :a [RANGE 10m SLIDE 1m] { ?w :p ?o }
→ {P} REGISTER RSTREAM :b AS CONSTRUCT { :b :m ?w } {W1} :a [RANGE PT10M STEP PT1M] { ?w :p ?o }
REGISTER QUERY Cars AS {P} SELECT ?car FROM <http://e/city> FROM STREAM :toll [RANGE 30m STEP 5m]
  WHERE { ?car :enters ?road }
→ {P} REGISTER QUERY <Cars> AS SELECT ?car FROM :city {W1} :toll [RANGE PT30M STEP PT5M] WHERE {
  ?car :enters ?road }
{P} REGISTER STREAM Alarm COMPUTED EVERY 10s AS CONSTRUCT { ?x :hot true } FROM NAMED STREAM
  <http://e/s> [RANGE 1h TUMBLING] FROM STREAM <http://e/s> [RANGE 500 ms STEP 1d] WHERE { ?x :t ?t
  . FILTER(?t > 30) }
→ {P} REGISTER RSTREAM <Alarm> COMPUTED EVERY PT10S AS CONSTRUCT { ?x :hot true } {W1} :s [RANGE
  PT1H STEP PT1H] FROM WINDOW <w2> ON :s [RANGE PT0.5S STEP P1D] WHERE { ?x :t ?t . FILTER(?t > 30)
  }
REGISTER QUERY q AS {P} SELECT ?s FROM STREAM :a [range triples 10] { ?s :p ?o }
→ {P} REGISTER QUERY <q> AS SELECT ?s {W1} :a [TRIPLES 10] { ?s :p ?o }
[sparqlstream]
{P} SELECT ?s FROM STREAM :a [NOW-10 S SLIDE 10 S] WHERE { ?s :p ?o }
→ {P} SELECT ?s {W1} :a [RANGE PT10S STEP PT10S] WHERE { ?s :p ?o }
{P} SELECT ISTREAM ?s FROM NAMED STREAM :a [1 MINUTES SLIDE 1 MINUTES] { ?s :p ?o }
→ {P} REGISTER ISTREAM AS SELECT ?s {W1} :a [RANGE PT1M STEP PT1M] { ?s :p ?o }
{P} SELECT ISTREAM DISTINCT ?x FROM NAMED STREAM :obs [NOW - 10 MINUTES TO NOW SLIDE 1 MINUTE]
  WHERE { ?x :p ?y }
→ {P} REGISTER ISTREAM AS SELECT DISTINCT ?x {W1} :obs [RANGE PT10M STEP PT1M] WHERE { ?x :p ?y }
{P} ASK FROM NAMED STREAM :obs [now -10S to now - 0 s] FROM NAMED :g { ?x :p ?y }
→ {P} ASK {W1} :obs [RANGE PT10S] FROM NAMED :g { ?x :p ?y }
{P} SELECT * FROM NAMED STREAM :obs [NOW - 10 S TO NOW - 5 S SLIDE 2 S] { ?x :p ?y }
→ {P} SELECT * {W1} :obs [FROM NOW-PT10S TO NOW-PT5S STEP PT2S] { ?x :p ?y }
{P} SELECT * FROM NAMED STREAM :obs [triples 3] { ?x :p ?y }
→ {P} SELECT * {W1} :obs [TRIPLES 3] { ?x :p ?y }
{P} SELECT * FROM NAMED STREAM :obs [ now ] { ?x :p ?y }
→ {P} SELECT * {W1} :obs [NOW] { ?x :p ?y }
[cqels-ql]
{P} SELECT ?a ?b FROM NAMED :floor WHERE { GRAPH :floor { ?l :near ?m } STREAM :rfid [RANGE 1m 30s
  SLIDE 1s] { ?a :at ?l } STREAM :rfid [RANGE 3s TUMBLING] { ?b :at ?m } STREAM :rfid [RANGE 90s
  SLIDE 1000ms] { ?b :at ?l } }
→ {P} REGISTER ISTREAM AS SELECT ?a ?b FROM NAMED :floor {N1} :rfid [RANGE PT90S STEP PT1S] FROM
  NAMED WINDOW <w2> ON :rfid [RANGE PT3S STEP PT3S] WHERE { GRAPH :floor { ?l :near ?m } WINDOW
  <w1> { ?a :at ?l } WINDOW <w2> { ?b :at ?m } WINDOW <w1> { ?b :at ?l } }
{P} SELECT ?a { STREAM :s [RANGE 1000000ns] { ?a :at ?l FILTER(?l > 1) } }
→ {P} REGISTER ISTREAM AS SELECT ?a {N1} :s [RANGE PT0.001S] { WINDOW <w1> { ?a :at ?l FILTER(?l >
  1) } }
{P} SELECT * { STREAM :s [TRIPLES 3] { ?a :at ?l } STREAM :s [TRIPLES 2] { ?b :at ?l } STREAM :s
  [triples 03] { ?b :at ?m } }
→ {P} REGISTER ISTREAM AS SELECT * {N1} :s [TRIPLES 3] FROM NAMED WINDOW <w2> ON :s [TRIPLES 2] {
  WINDOW <w1> { ?a :at ?l } WINDOW <w2> { ?b :at ?l } WINDOW <w1> { ?b :at ?m } }
{P} SELECT * { STREAM :s [NOW] { ?a :at ?l } STREAM :s [all] { ?b :at ?l } }
→ {P} REGISTER ISTREAM AS SELECT * {N1} :s [NOW] FROM NAMED WINDOW <w2> ON :s [RANGE UNBOUNDED] {
  WINDOW <w1> { ?a :at ?l } WINDOW <w2> { ?b :at ?l } }
[cqels-ql-2]
{P} REGISTER QUERY PerSensor AS SELECT ?x, (AVG(?t) AS ?avg) (COUNT(*) AS ?n) FROM STREAM Readings
  [RANGE 3s] WHERE { STREAM Readings { ?x :temp ?t . } } GROUP BY ?x, ?y HAVING(?n > 1 && ?x != :a)
  ORDER BY ?avg DESC ?x ASC LIMIT 5
→ {P} REGISTER QUERY <PerSensor> AS SELECT ?x (AVG(?t) AS ?avg) (COUNT(*) AS ?n) FROM NAMED WINDOW
  <Readings> ON <Readings> [RANGE PT3S STEP PT3S] { WINDOW <Readings> { ?x :temp ?t } } GROUP BY ?x
  ?y HAVING(COUNT(*) > 1 && ?x != :a) ORDER BY DESC(?avg) ?x LIMIT 5
{P} SELECT ISTREAM(?x ?z) FROM STREAM A [SLIDE 4s STEP 2s] FROM STREAM B [FUTURE 1m] FROM STATIC :g
  WHERE { BIND(?y + 1 AS ?z) OPTIONAL { ?x :q ?w } ?x :r ?v . FILTER NOT EXISTS { ?x :s 1 } { ?x :a
  1 } UNION { ?x :a 2 } STREAM A { ?x :p ?y } STREAM B { ?x :p 1 } }
→ {P} REGISTER ISTREAM AS SELECT ?x ?z FROM NAMED WINDOW <A> ON <A> [RANGE PT4S STEP PT2S] FROM
  NAMED WINDOW <B> ON <B> [RANGE PT1M STEP PT1M] FROM :g WHERE { WINDOW <A> { ?x :p ?y } WINDOW <B>
  { ?x :p 1 } ?x :r ?v . { ?x :a 1 } UNION { ?x :a 2 } OPTIONAL { ?x :q ?w } BIND(?y + 1 AS ?z)
  FILTER NOT EXISTS { ?x :s 1 } }
{P} SELECT ?x FROM STREAM Signals [PAST 5s STEP 1s] { ?x :p ?y FILTER(?y > 1) } ORDER BY ?x
  DESC(?y)
→ {P} SELECT ?x FROM NAMED WINDOW <Signals> ON <Signals> [RANGE PT5S STEP PT1S] { WINDOW <Signals>
  { ?x :p ?y FILTER(?y > 1) } } ORDER BY ?x DESC(?y)
{P} SELECT ?x FROM NAMED WINDOW :w ON Sig [FUTURE 5s] { WINDOW :w { ?x :p 1 } }
→ {P} SELECT ?x FROM NAMED WINDOW :w ON <Sig> [RANGE PT5S STEP PT5S] { WINDOW :w { ?x :p 1 } }
{P} SELECT ?x FROM STREAM Signals [TRIPLES 5] { ?x :p ?y }
→ {P} SELECT ?x FROM NAMED WINDOW <Signals> ON <Signals> [TRIPLES 5] { WINDOW <Signals> { ?x :p ?y
  } }
{P} SELECT ?x FROM STREAM Signals [NOW] { ?x :p ?y }
→ {P} SELECT ?x FROM NAMED WINDOW <Signals> ON <Signals> [NOW] { WINDOW <Signals> { ?x :p ?y } }
""",
    P=P,
    W1=W1,
    N1=N1,
)


@pytest.mark.parametrize(("language", "text", "meant"), MEANT)
def test_what_is_meant(language: str, text: str, meant: str) -> None:
    assert parse_query(text, language=language) == parse_query(meant)


# What is refused: the language, a text with a mark before the place, and the message.
REFUSED = [
    ("c-sparql", "FROM STREAM <s> [RANGE ↓ELEMENTS 5] { }", "windows by count of ELEMENTS are not"),
    ("c-sparql", "FROM STREAM <s> [RANGE TRIPLES 5 ↓STEP 1s] { }", "windows by count have no STEP"),
    ("cqels-ql", "{ STREAM <s> [↓ELEMENTS 5] { } }", "windows by count of ELEMENTS are not"),
    ("cqels-ql", "{ STREAM <s> [TRIPLES 5 ↓SLIDE 1s] { } }", "windows by count have no SLIDE"),
    ("c-sparql", "FROM STREAM <s> [↓NOW] { }", "NOW windows are not supported; write [RANGE width"),
    (
        "c-sparql",
        "FROM STREAM <s> [RANGE ↓ROWS 5] { }",
        "windows by count of ROWS are not supported; write [RANGE TRIPLES number]",
    ),
    ("cqels-ql", "{ STREAM ↓?s [RANGE 1s] { } }", "streams by variable (?S) are not supported"),
    ("cqels-ql-2", "FROM STREAM s [RANGE 5s ↓FUTURE 2s] { }", "windows around an anchor (FUTURE)"),
    (
        "cqels-ql-2",
        "FROM STREAM s [TRIPLES ↓PAST 5 FUTURE 2] { }",
        "windows around an anchor (PAST)",
    ),
    ("cqels-ql-2", "FROM STREAM s [TRIPLES ↓FUTURE 2] { }", "windows around an anchor (FUTURE)"),
    ("cqels-ql-2", "FROM STREAM s [FUTURE 5s ↓EMIT ON_CLOSE] { }", "EMIT is not supported"),
    ("cqels-ql-2", "FROM STREAM s [RANGE 5s ↓LATENESS 2s] { }", "LATENESS is not supported"),
    ("cqels-ql-2", "FROM <g> ↓WITH DEPTH 2 { }", "WITH DEPTH is not supported"),
    ("cqels-ql-2", "FROM <g> ↓CACHE 5m { }", "CACHE is not supported"),
    ("cqels-ql-2", "FROM STREAM s [RANGE 5s] { ?x ?y ?z FILTER(↓SEQ(?x ; ?y)) }", "complex event"),
    ("sparqlstream", "FROM NAMED STREAM <s> [↓ROWS 5] { }", "windows by count of ROWS are not"),
    ("sparqlstream", "{ ↓STREAM <s> [NOW - 1 S] { } }", "STREAM is not supported in patterns"),
    ("c-sparql", "FROM STREAM <s> [↓FROM NOW-9s TO NOW-1s] { }", "windows in the past (FROM NOW)"),
    ("cqels-ql", "{ STREAM <s> [↓FROM NOW-9s TO NOW-1s] { } }", "windows in the past (FROM NOW)"),
    ("cqels-ql-2", "FROM STREAM s [↓FROM NOW-9s TO NOW - 1s] { }", "windows in the past (FROM"),
]


WRONG = [
    ("c-sparql", "FROM STREAM <s> [RANGE ↓5 fortnights STEP 1s] { }", "fortnights is no unit of"),
    ("c-sparql", "FROM STREAM <s> [RANGE ↓0s STEP 1s] { }", "RANGE is at least one instant"),
    ("c-sparql", "FROM STREAM <s> [RANGE 5s↓] { }", "expected 'STEP' or 'TUMBLING', found ']'"),
    ("cqels-ql", "{ STREAM <s> [TRIPLES ↓0] { } }", "TRIPLES takes a number from 1"),
    ("cqels-ql", "{ STREAM <s> [RANGE ↓5ns] { } }", "the length 5ns is no whole number of"),
    ("cqels-ql-2", "FROM STREAM s [RANGE 5s] { STREAM ↓t { } }", "the stream t has no window"),
    ("cqels-ql-2", "FROM STREAM s [RANGE 5s] FROM STREAM ↓s [FUTURE 5s] { }", "the window <s> is"),
    ("sparqlstream", "FROM NAMED STREAM <s> [NOW ↓5 S] { }", "expected '-'"),
    (
        "sparqlstream",
        "FROM NAMED STREAM <s> [NOW-1 S TO NOW-↓9 S] { }",
        "the window ends before it",
    ),
]


@pytest.mark.parametrize(("language", "text", "says"), [*REFUSED, *WRONG])
def test_what_cannot_be_read_is_refused_by_name_and_place(
    language: str, text: str, says: str
) -> None:
    written = f"SELECT * {text}"
    with pytest.raises(QuerySyntaxError) as refused:
        parse_query(f"{P}\n{written.replace('↓', '')}", language=language)
    error = refused.value
    assert error.message.startswith(says)
    assert (error.line, error.column) == (2, written.index("↓") + 1)
    assert isinstance(error, UnsupportedSyntax) or (language, text, says) in WRONG


def test_names_are_relative_to_the_base() -> None:
    text = (
        "BASE <http://e/> REGISTER STREAM out AS SELECT ?x FROM STREAM <s> [RANGE 1s STEP 1s] { }"
    )
    query = parse_query(text, language="c-sparql")
    assert [query.name, query.windows[0].name] == [
        *map(query.expand, ("http://e/out", "http://e/w1"))
    ]
