"""The forms of the W3C RSP community group's texts: read as RSP-QL that means the same.

What has no place in the model is refused by name, with what is to be written instead.
"""

from __future__ import annotations

import pytest

from rsp_conformance.text.errors import QuerySyntaxError, UnsupportedSyntax
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.text.corpus import pairs

P = "PREFIX : <http://e/> "
BODY = "WHERE { WINDOW :w { ?x :in ?room } }"
W = "FROM NAMED WINDOW :w ON STREAM :social"

# A text, and plain RSP-QL that means the same.
READ = pairs(
    """
[rsp-ql]
{P} SELECT ISTREAM ?room {W} [RANGE PT1M STEP PT1M] {BODY}
→ {P} REGISTER ISTREAM AS SELECT ?room {W} [RANGE PT1M STEP PT1M] {BODY}
{P} SELECT DSTREAM DISTINCT ?room (COUNT(*) AS ?n) {W} [RANGE 5] {BODY} GROUP BY ?room
→ {P} REGISTER DSTREAM AS SELECT DISTINCT ?room (COUNT(*) AS ?n) {W} [RANGE 5] {BODY} GROUP BY
  ?room
{P} REGISTER STREAM :out AS CONSTRUCT RSTREAM { ?x :is ?room } {W} [RANGE 5] {BODY}
→ {P} REGISTER RSTREAM STREAM :out AS CONSTRUCT { ?x :is ?room } {W} [RANGE 5] {BODY}
{P} REGISTER ISTREAM :out AS SELECT istream * {W} [RANGE 5] {BODY}
→ {P} REGISTER ISTREAM :out AS SELECT * {W} [RANGE 5] {BODY}
{P} CONSTRUCT ISTREAM FROM WINDOW :w ON :social [RANGE 5] WHERE { ?x :in ?y }
→ {P} REGISTER ISTREAM AS CONSTRUCT { ?x :in ?y } FROM WINDOW :w ON :social [RANGE 5] WHERE { ?x
  :in ?y }
{P} SELECT ?room FROM NAMED WINDOW :w ON :social [RANGE PT10M SLIDE PT01M] {BODY}
→ {P} SELECT ?room {W} [RANGE PT10M STEP PT1M] {BODY}
{P} SELECT ?room {W} [range 10 slide 5] {BODY}
→ {P} SELECT ?room {W} [RANGE 10 STEP 5] {BODY}
{P} SELECT ?room {W} [RANGE PT10M TUMBLING] {BODY}
→ {P} SELECT ?room {W} [RANGE PT10M STEP PT10M] {BODY}
{P} SELECT ?room {W} [FROM NOW-PT35M TO NOW STEP PT5M] {BODY}
→ {P} SELECT ?room {W} [RANGE PT35M STEP PT5M] {BODY}
{P} SELECT ?room {W} [FROM NOW - 35 TO NOW - 0] {BODY}
→ {P} SELECT ?room {W} [RANGE 35] {BODY}
{P} SELECT ?room {W} [FROM NOW - 35 TO NOW - 5 TUMBLING] {BODY}
→ {P} SELECT ?room {W} [from now-35 to now-5 step 30] {BODY}
{P} SELECT ?room {W} [FROM NOW-PT35M TO NOW-PT300S SLIDE PT5M] {BODY}
→ {P} SELECT ?room {W} [FROM NOW-PT35M TO NOW-PT5M STEP PT5M] {BODY}
{P} SELECT ?room FROM NAMED WINDOW ON STREAM :social [RANGE PT3H SLIDE PT10M] AS :w {BODY}
→ {P} SELECT ?room {W} [RANGE PT3H STEP PT10M] {BODY}
{P} SELECT ?room FROM WINDOW ON :social [RANGE 3] AS :w { ?x :in ?room }
→ {P} SELECT ?room FROM WINDOW :w ON STREAM :social [RANGE 3] { ?x :in ?room }
{P} SELECT ?room FROM STREAM :social [RANGE PT1M STEP PT1M] FROM STREAM :b [RANGE 5] {}
→ {P} SELECT ?room FROM WINDOW <w1> ON :social [RANGE PT1M STEP PT1M] FROM WINDOW <w2> ON :b [RANGE
  5] {}
{P} SELECT ?room {W} [rows 3] {BODY}
→ {P} SELECT ?room {W} [ELEMENTS 3] {BODY}
{P} SELECT ?room {W} [ROWS 3 SLIDE 2] {BODY}
→ {P} SELECT ?room {W} [ELEMENTS 3 STEP 2] {BODY}
{P} SELECT ?room {W} [RANGE TRIPLES 3 STEP 3] {BODY}
→ {P} SELECT ?room {W} [TRIPLES 3 STEP 3] {BODY}
{P} SELECT ?room {W} [UNBOUNDED] {BODY}
→ {P} SELECT ?room {W} [RANGE UNBOUNDED] {BODY}
{P} SELECT ?room {W} [now] {BODY}
→ {P} SELECT ?room {W} [NOW] {BODY}
{P} SELECT ?room {W} [RANGE TRIPLES 3] {BODY}
→ {P} SELECT ?room {W} [TRIPLES 3] {BODY}
{P} SELECT ?room FROM GRAPH :pois FROM NAMED GRAPH :people {W} [RANGE 5] {BODY}
→ {P} SELECT ?room FROM :pois FROM NAMED :people {W} [RANGE 5] {BODY}
""",
    P=P,
    W=W,
    BODY=BODY,
)


@pytest.mark.parametrize(("language", "text", "meant"), READ)
def test_forms_are_read(language: str, text: str, meant: str) -> None:
    query = parse_query(text, language=language)
    assert query == parse_query(meant)
    assert parse_query(print_query(query)) == query


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "REGISTER RSTREAM :o AS SELECT ↓ISTREAM * {}",
            "ISTREAM stands where REGISTER has RSTREAM; name one",
        ),
        (
            "SELECT ?x { { SELECT ↓ISTREAM ?x { ?x :p ?o } } }",
            "ISTREAM in a subquery is not supported; write SELECT ISTREAM of the whole query",
        ),
        *(
            (
                f"SELECT * {W} [{size}] {{}}",
                "windows by count of BGP are not supported; write [ELEMENTS number] or [TRIPLES",
            )
            for size in ("↓BGP 3", "RANGE ↓BGP 3")
        ),
        (
            "SELECT * FROM ↓NAMED STREAM :s [RANGE 5] {}",
            "FROM NAMED STREAM is not supported; write FROM NAMED WINDOW :w ON STREAM, or FROM",
        ),
        (
            "SELECT * FROM NAMED ↓WINDOW :w ON :s WHERE {}",
            "a WINDOW without a size is not supported; write [RANGE width STEP slide] behind",
        ),
        (
            "SELECT * FROM NAMED ↓WINDOW :w ON STREAM :s {}",
            "a WINDOW without a size is not supported; write [RANGE width STEP slide] behind",
        ),
        (
            "SELECT ↓COUNT(?x) AS ?n { ?x :p ?o }",
            "COUNT without brackets is not SPARQL; write (COUNT(?x) AS ?y)",
        ),
        (
            "REGISTER STREAM :o ↓UNDER ENTAILMENT REGIME <urn:r> AS SELECT * {}",
            "UNDER ENTAILMENT regimes are not supported",
        ),
        ("SELECT * { { ?x :p ?o } ↓BEGIN AT ?t }", "BEGIN AT is not supported"),
        ("SELECT * { { ?x :p ?o } ↓WITH DURATION ?t }", "WITH DURATION is not supported"),
        ("SELECT * { ?x :p ?o } ↓AGGREGATE { GROUP BY ?x }", "AGGREGATE is not supported"),
    ],
)
def test_what_is_not_read_is_named(text: str, message: str) -> None:
    before, mark, after = (P + text).partition("↓")
    assert mark
    with pytest.raises(QuerySyntaxError) as refused:
        parse_query(before + after)
    assert refused.value.message.startswith(message)
    assert refused.value.column == len(before) + 1
    assert isinstance(refused.value, UnsupportedSyntax) is ("REGISTER has" not in message)
