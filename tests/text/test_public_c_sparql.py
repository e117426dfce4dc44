"""The 18 queries of C-SPARQL's own repository, read and written again: 13 with windows by count.

They are those of the Java classes of streamreasoning/CSPARQL-engine at f1866cb (Apache License
2.0), each once: the 16 in code, and the 2 that Application and EDVApplication have in comments
beside these. Blanks are as there.
"""

from __future__ import annotations

import pytest

from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.windows import Count, Duration
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.languages import printer_of
from rsp_conformance.text.parse import parse_query

_GLUE = "FROM STREAM <http://www.glue.com/stream>"
_MINE = "FROM STREAM <http://myexample.org/stream>"
_TOPIC = "{ ?s <http://rdfs.org/sioc/ns#topic> ?t }"
COUNTED = [
    f'SELECT ?S ("http://ex.org/n" as ?p) (count(?O) as ?n) {_MINE} [RANGE TRIPLES 10] '
    "WHERE { ?S ?P ?O } GROUP BY ?S",
    f"SELECT ?S ?P ?O {_MINE} [RANGE TRIPLES 10] WHERE {{ ?S ?P ?O }}",
    f"SELECT ?S ?P ?O {_GLUE} [RANGE TRIPLES 1] {_MINE} [RANGE TRIPLES 1] WHERE {{ ?S ?P ?O }}",
    f"SELECT ?p  {_MINE} [RANGE TRIPLES 1]  FROM <http://dbpedia.org/resource/Castello_Sforzesco> "
    "WHERE { ?s ?p ?o }",
    f"SELECT ?t (count(?t) AS ?conto) {_GLUE} [RANGE TRIPLES 30] WHERE {_TOPIC} GROUP BY ?t ",
    f"SELECT ?s (COUNT(?s) AS ?conto) {_GLUE} [RANGE TRIPLES 1] WHERE {{ ?s ?p ?o }} GROUP BY ?s",
    f"SELECT ?s ?p ?o FROM <http://rdfs.org/sioc/ns>\n {_GLUE} [RANGE TRIPLES 1] "
    "WHERE { ?s ?p ?o }",
    "CONSTRUCT { <http://www.streams.org/s> <http://www.streams.org/s> ?n } "
    f"{_MINE} [RANGE TRIPLES 2]  WHERE {{  {{ SELECT (count(?o) as ?n)   {{ ?s ?p ?o }}   "
    "GROUP BY ?p } } ",
    f"SELECT ?S ?P ?O {_GLUE} [RANGE TRIPLES 1] WHERE {{ ?S ?P ?O }}",
    f"SELECT ?s ?t  {_GLUE} [RANGE TRIPLES 30] WHERE {_TOPIC}",
    f"SELECT ?S ?P ?O {_MINE} [RANGE TRIPLES 100] WHERE {{ ?S ?P ?O . ?S ?P ?Y . "
    "FILTER (?O = ?Y) }",
    f"SELECT ?S ?P ?O {_MINE} [RANGE TRIPLES 1000] WHERE {{ ?S ?P ?O }}",  # in a comment
]


@pytest.mark.parametrize("text", COUNTED)
def test_public_queries_with_windows_by_count_are_read_and_written(text: str) -> None:
    query = parse_query(f"REGISTER QUERY PIPPO AS {text}", language="c-sparql")
    assert query.windows
    for window in query.windows:
        assert isinstance(window.width, Count) and window.width.unit == "triples"
        assert window.slide is None and f"TRIPLES {window.width.number}]" in text
    again = parse_query(printer_of("c-sparql")(query, 1000), language="c-sparql")
    assert [own.width for own in again.windows] == [own.width for own in query.windows]
    assert again.pattern == query.pattern


def test_one_is_no_sparql_beside_its_window() -> None:
    text = (
        "REGISTER QUERY PIPPO AS CONSTRUCT { [] <http://ex.org/by> ?s ; <http://ex.org/count> ?n . "
        "} FROM STREAM <http://www.larkc.eu/defaultRDFInputStream> [RANGE TRIPLES 10] WHERE { "
        "{ SELECT ?s ?p (count(?o) as ?n) WHERE { ?s ?p ?o } GROUP BY ?s } }"
    )
    with pytest.raises(QuerySyntaxError, match=r"\?p is not in GROUP BY"):
        parse_query(text, language="c-sparql")


_ELSEWHERE = "SERVICE <http://localhost:3030/test/sparql> {?S ?P2 ?O2}"
TIMED = {
    f"SELECT ?S ?P ?O {_GLUE} [RANGE 5s STEP 1s] WHERE {{ ?S ?P ?O }}": (5, 1),  # in a comment
    f"SELECT ?t (count(?t) AS ?conto) {_GLUE} [RANGE 1m STEP 1s] WHERE {_TOPIC} GROUP BY ?t ": (
        60,
        1,
    ),
    # Width and slide are parameters of a test there; these are its first.
    f"SELECT (COUNT(*) AS ?tot) {_MINE} [RANGE 1s STEP 1s]  WHERE {{ ?S ?P ?O }}": (1, 1),
    f"SELECT * {_MINE} [RANGE 5s STEP 2s]  WHERE {{ ?S ?P ?O {_ELSEWHERE}}}": (5, 2),
}
"""Queries, with their windows' width and slide in seconds."""


@pytest.mark.parametrize(("text", "seconds"), TIMED.items())
def test_public_queries_with_windows_by_time_are_read_and_written(
    text: str, seconds: tuple[int, int]
) -> None:
    query = parse_query(f"REGISTER QUERY PIPPO AS {text}", language="c-sparql")
    (window,) = query.windows
    assert (window.width, window.slide) == tuple(Duration(1000 * own) for own in seconds)
    assert parse_query(printer_of("c-sparql")(query, 1000), language="c-sparql") == query


def test_the_query_of_another_endpoint_is_not_evaluated() -> None:
    (text,) = (text for text in TIMED if "SERVICE" in text)
    query = parse_query(f"REGISTER QUERY PIPPO AS {text}", language="c-sparql")
    dials = bundled_profile("c-sparql").dials(query)
    with pytest.raises(Unsupported, match="SERVICE"):
        judge(Case(query, (), until=4), dials, ())


def test_a_query_that_selects_nothing_is_no_sparql() -> None:
    text = f"REGISTER QUERY PIPPO AS SELECT {_MINE} [RANGE 2s STEP 1s]  WHERE {{ ?S ?P ?O }}"
    with pytest.raises(QuerySyntaxError, match=r"expected a variable, '\*' or .* found 'FROM'"):
        parse_query(text, language="c-sparql")
