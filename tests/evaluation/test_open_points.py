"""What SPARQL leaves open is never missed, though a library does not say so."""

from __future__ import annotations

import pytest

from rsp_conformance.evaluation import by_library, by_rdflib
from rsp_conformance.evaluation.ways import solutions
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from tests.builders.sparql import graph, iri, query

HELD = graph(
    *((":a", ":p", 1), (":b", ":p", 1), (":b", ":p", 2), (":c", ":q", 1)),
    *((":c", ":r", 1), (":c", ":r", "text")),
)
DATASET = Dataset(HELD, {iri("g"): HELD}, {iri("w"): WindowDataset(HELD)})

OPEN = [
    "SELECT (SAMPLE(?o) AS ?x) { ?s :p ?o }",
    'SELECT (GROUP_CONCAT(STR(?o); separator="") AS ?x) { ?s :p ?o }',
    "SELECT REDUCED ?o { ?s :p ?o }",
    "SELECT ?s { ?s :p ?o } ORDER BY ?o LIMIT 1",
    "SELECT ?s { ?s :p ?o } LIMIT 2",
    "SELECT ?s { ?s :p ?o } OFFSET 1",
    "SELECT * { { SELECT ?s { ?s :p ?o } ORDER BY ?o LIMIT 1 } }",
    "SELECT * { WINDOW :w { { SELECT ?s { ?s :p ?o } LIMIT 1 } } }",
    "SELECT * { WINDOW ?w { { SELECT ?s { ?s :p ?o } LIMIT 1 } } }",
    "SELECT * { GRAPH ?g { { SELECT ?s { ?s :p ?o } LIMIT 1 } } }",
    "SELECT * { { SELECT REDUCED ?o { ?s :p ?o } } }",
    "SELECT * { { SELECT (SAMPLE(?s) AS ?x) { ?s :p ?o } } }",
    "SELECT * { { SELECT * { { SELECT ?s { ?s :p ?o } LIMIT 1 } } } OPTIONAL { ?s :p ?o } }",
    "SELECT ?s { ?s :p ?o } GROUP BY ?s ORDER BY ?o",
    "SELECT (MIN(?o) AS ?x) { ?s :r ?o }",
]
DETERMINED = [
    "SELECT (SAMPLE(?o) AS ?x) { :a :p ?o }",
    "SELECT (COUNT(?o) AS ?x) (SUM(?o) AS ?y) { ?s :p ?o }",
    "SELECT REDUCED ?s ?o { ?s :p ?o }",
    "SELECT ?o { ?s :p ?o } ORDER BY ?o LIMIT 2",
    "SELECT ?s { ?s :p ?o } LIMIT 9",
    "SELECT * { { SELECT ?o { ?s :p ?o } ORDER BY ?o LIMIT 1 } }",
    "SELECT * { GRAPH :unknown { { SELECT ?s { ?s :p ?o } LIMIT 1 } } }",
    "SELECT * { WINDOW :w { { SELECT ?s { ?s :q 1 } LIMIT 1 } } }",
    "SELECT (MAX(?o) AS ?x) { ?s :p ?o } GROUP BY ?s",
]


@pytest.mark.parametrize("text", [*OPEN, *DETERMINED])
def test_both_ways_and_rdflib_say_the_same_of_what_is_open(text: str) -> None:
    asked = query(text)
    told = {
        name: evaluate(asked, DATASET).determined
        for name, evaluate in [
            ("definitions", lambda q, d: solutions(q, d, "definitions")),
            ("pyoxigraph", by_library.solutions),
            ("rdflib", by_rdflib.solutions),
        ]
    }
    assert set(told.values()) == {text in DETERMINED}, told


def test_within_exists_what_may_be_open_counts_as_open() -> None:
    text = "SELECT ?s { ?s :p ?o FILTER EXISTS { { SELECT ?s { ?s :q ?z } LIMIT 1 } } }"
    assert not by_library.solutions(query(text), DATASET).determined
