"""The names of the features that queries and cases use."""

from __future__ import annotations

import pytest

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.features import FEATURES, PARTS, with_implied, writes_triple_terms
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import BlankNode, Literal, Triple
from rsp_conformance.model.usage import case_features, query_features
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

W = "FROM NAMED WINDOW :w ON :s [RANGE {} STEP {}]"


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("SELECT * { ?s :p ?o }", "select"),
        ("ASK { ?s :p ?o }", "ask"),
        ("CONSTRUCT { ?s :q ?o } { ?s :p ?o }", "construct"),
        ("REGISTER RSTREAM :x AS SELECT * { ?s :p ?o }", "select rstream"),
        ("REGISTER ISTREAM :x AS SELECT * { ?s :p ?o }", "select istream"),
        ("REGISTER DSTREAM :x AS SELECT * { ?s :p ?o }", "select dstream"),
        ("SELECT * { ?s :p ?o FILTER(?o = :a) }", "select filter"),
        ("SELECT * { ?s :p ?o FILTER(?o > 1) }", "select filter typed-literals"),
        ("SELECT * { ?s :p ?o FILTER(STR(?o) IN ('a')) }", "select filter functions"),
        ("SELECT * { ?s :p ?o FILTER(!(-?o + ?s = ?o)) }", "select filter"),
        ("SELECT * { ?s :p ?o FILTER(xsd:string(?o) = 'a') }", "select filter functions"),
        ("SELECT * { ?s :p ?o OPTIONAL { ?s :q ?r } }", "select optional"),
        ("SELECT * { ?s :p ?o OPTIONAL { ?s :q ?r FILTER(?o = ?r) } }", "select optional filter"),
        ("SELECT * { { ?s :p ?o } UNION { ?s :q ?o } }", "select union"),
        ("SELECT * { ?s :p ?o BIND(?o AS ?x) }", "select bind"),
        ("SELECT (?o AS ?x) { ?s :p ?o }", "select bind"),
        ("SELECT * { ?s :p ?o MINUS { ?s :q ?o } }", "select minus"),
        ("SELECT * { ?s :p ?o VALUES ?o { :a 'a'@en } }", "select values language-tags"),
        ("SELECT * { ?s :p ?o } VALUES ?o { :a }", "select values"),
        ("SELECT * { ?s :p ?o FILTER NOT EXISTS { ?s :q+ ?o } }", "select filter exists paths"),
        ("SELECT * { { SELECT DISTINCT ?s { ?s :p ?o } } }", "select subqueries distinct"),
        ("SELECT (COUNT(*) AS ?n) { ?s :p ?o }", "select aggregates"),
        ("SELECT ?s { ?s :p ?o } GROUP BY ?s", "select aggregates"),
        ("SELECT ?s { ?s :p ?o } GROUP BY ?s HAVING (MAX(?o) = ?s)", "select aggregates having"),
        ("SELECT DISTINCT ?s { ?s :p ?o }", "select distinct"),
        ("SELECT * { ?s :p ?o } ORDER BY ?s LIMIT 2", "select order limit"),
        ("SELECT * { ?s :p ?o } OFFSET 2", "select limit"),
        ("SELECT * { << ?s :p ?o >> :q ?x }", "select rdf-star"),
        ("SELECT * { ?s :p 'a' }", "select"),
        ("SELECT * FROM :g { ?s :p ?o }", "select named-graphs"),
        ("SELECT * { GRAPH ?g { ?s :p ?o } }", "select named-graphs"),
        (f"SELECT * {W.format(5, 2)} {{ WINDOW :w {{ ?s :p ?o }} }}", "select"),
        (f"SELECT * {W.format(2, 5)} {{ WINDOW :w {{ ?s :p ?o }} }}", "select gap-windows"),
        (f"SELECT * {W.format('PT2S', 'PT5S')} {{ }}", "select gap-windows"),
        (f"SELECT * {W.format('PT5S', 'PT2S')} {{ }}", "select"),
        (f"SELECT * {W.format('PT5S', 2)} {{ }}", "select gap-windows"),
        (f"SELECT * {W.format(2, 2)} {{ WINDOW ?w {{ ?s :p ?o }} }}", "select window-variable"),
        (
            f"SELECT * {W.format(2, 2)} {{ WINDOW :w {{ FILTER EXISTS {{ GRAPH ?g {{ }} }} }} }}",
            "select filter exists named-elements",
        ),
        (
            f"SELECT * {W.format(2, 2)} {{ WINDOW :w {{ {{ SELECT * {{ GRAPH ?g {{}} }} }} }} }}",
            "select subqueries named-elements",
        ),
        (
            f"SELECT * {W.format(2, 2)} {{ WINDOW :w {{ GRAPH ?g {{ ?s :p ?o }} }} }}",
            "select named-elements",
        ),
        (
            f"SELECT * {W.format(2, 2)} FROM NAMED WINDOW :v ON :s [RANGE 3 STEP 1] {{ }}",
            "select same-stream-windows",
        ),
        (
            f"SELECT * {W.format(2, 2)} FROM NAMED WINDOW :v ON :t [RANGE 3] {{ }}",
            "select multi-window",
        ),
    ],
)
def test_queries(text, features):
    assert query_features(query(text)) - FINER == frozenset(features.split())


@pytest.mark.parametrize(
    ("streams", "background", "parts"),
    [
        ("_:x", ":b", "separate-blank-nodes"),
        (":a", "_:x", "separate-blank-nodes"),
        ("_:x", "_:y", "separate-blank-nodes"),
        ("_:x", "_:x", "separate-blank-nodes shared-blank-nodes"),
        (":a", ":b", ""),
    ],
)
def test_blank_nodes_across_streams_and_background_data(streams, background, parts):
    held = Background((BackgroundEntry((triple(":c", ":q", background),)),))
    moved = (element(triple(streams, ":p", ":b")),)
    case = Case(query("SELECT * { ?s :p ?o }"), moved, background=held, until=5)
    assert case_features(case) & FINER == set(parts.split())
    assert ("blank-nodes" in case_features(case)) == bool(parts)


def element(*triples: Triple, **parts: object) -> StreamElement:
    return StreamElement(iri("s"), 1, triples, **parts)  # type: ignore[arg-type]


FINER = {part for parts in PARTS.values() for part in parts}
PLAIN = triple(":a", ":p", ":b")


@pytest.mark.parametrize(
    ("parts", "features"),
    [
        ({"elements": (element(PLAIN),)}, ""),
        ({"elements": (element(PLAIN, triple(":a", ":p", ":c")),)}, "multi-triple-elements"),
        ({"elements": (element(PLAIN, name=iri("g")),)}, "named-elements"),
        ({"elements": (element(PLAIN, name=BlankNode("g")),)}, "named-elements blank-nodes"),
        ({"elements": (element(triple(":a", ":p", 1)),)}, "typed-literals"),
        ({"elements": (element(triple(":a", ":p", "x")),)}, ""),
        (
            {"elements": (element(triple(":a", ":p", Literal("x", language="en"))),)},
            "language-tags",
        ),
        ({"elements": (element(triple("_:x", ":p", ":b")),)}, "blank-nodes"),
        (
            {"elements": (element(Triple(triple("_:x", ":p", 1), iri("q"), iri("c"))),)},
            "rdf-star blank-nodes typed-literals",
        ),
        ({"background": Background((BackgroundEntry((PLAIN,)),))}, "static-data"),
        ({"background": Background((BackgroundEntry((PLAIN,), iri("g")),))}, "named-graphs"),
        (
            {"background": Background((BackgroundEntry((PLAIN,), until=3),))},
            "static-data time-varying-data",
        ),
    ],
)
def test_cases(parts, features):
    case = Case(query("SELECT * { ?s :p ?o }"), until=5, **parts)
    assert case_features(case) - FINER == frozenset(features.split()) | {"select"}
    assert case_features(case) <= set(FEATURES)


# --- quoted triples

QUOTING = frozenset({"rdf-star", "triple-terms"})
SAID = triple(":a", ":p", ":b")
OBJECT = Triple(iri("c"), iri("q"), SAID)
SUBJECT = Triple(SAID, iri("q"), iri("c"))


@pytest.mark.parametrize(
    ("pattern", "features"),
    [
        ("?s ?p ?o", ""),
        ("?s :q << ?a :p ?b >>", "triple-terms"),
        ("<< ?a :p ?b >> :q ?o", "rdf-star"),
        ("?s :q << :a :p << ?a :p ?b >> >>", "triple-terms"),
        ("?s :q << << ?a :p ?b >> :p :a >>", "triple-terms rdf-star"),
        ("?s :p ?o BIND(<< ?s :p ?o >> AS ?t)", "triple-terms"),
        ("?s :p ?o BIND(<< << ?s :p 1 >> :p ?o >> AS ?t)", "triple-terms rdf-star"),
        ("?s :p ?o FILTER(isTRIPLE(?o))", "triple-terms"),
        ("VALUES ?t { << :a :p :b >> }", "triple-terms"),
        ("VALUES ?t { << << :a :p :b >> :p :b >> }", "triple-terms rdf-star"),
    ],
)
def test_queries_of_quoted_triples(pattern: str, features: str) -> None:
    used = query_features(query(f"SELECT * {{ {pattern} }}"))
    assert used & QUOTING == frozenset(features.split())


@pytest.mark.parametrize(
    ("data", "text", "features"),
    [
        (OBJECT, "SELECT * { ?s ?p ?o }", "triple-terms"),
        (SUBJECT, "SELECT * { ?s ?p ?o }", "rdf-star"),
        (Triple(SUBJECT, iri("q"), iri("c")), "SELECT * { ?s ?p ?o }", "rdf-star"),
        # What RDF-star makes a triple of, and RDF 1.2 does not.
        (OBJECT, "CONSTRUCT { ?o :r ?s } { ?s ?p ?o }", "triple-terms rdf-star"),
        (OBJECT, "CONSTRUCT { ?s :r ?o } { ?s ?p ?o }", "triple-terms"),
        (OBJECT, "SELECT * { ?s ?p ?o BIND(<< ?o :r 1 >> AS ?t) }", "triple-terms rdf-star"),
        (OBJECT, "SELECT * { ?s ?p ?o BIND(<< ?s :r ?o >> AS ?t) }", "triple-terms"),
        (OBJECT, "SELECT (TRIPLE(?o, :r, 1) AS ?t) { ?s ?p ?o }", "triple-terms rdf-star"),
        (OBJECT, "SELECT (TRIPLE(?s, :r, 1) AS ?t) { ?s ?p ?o }", "triple-terms"),
        (OBJECT, "SELECT (TRIPLE(IRI(?o), :r, 1) AS ?t) { ?s ?p ?o }", "triple-terms rdf-star"),
        (OBJECT, "SELECT * { { SELECT (?o AS ?x) { ?s ?p ?o } } BIND(<< ?x :r 1 >> AS ?t) }",
         "triple-terms rdf-star"),
        (OBJECT, "SELECT * { ?s ^:q ?o BIND(<< ?s :r 1 >> AS ?t) }", "triple-terms rdf-star"),
        (triple(":a", ":p", ":b"), "CONSTRUCT { ?o :r ?s } { ?s ?p ?o }", ""),
    ],
)  # fmt: skip
def test_cases_of_quoted_triples(data: Triple, text: str, features: str) -> None:
    case = Case(query(text), (StreamElement(iri("s"), 1, (data,)),), until=5)
    assert case_features(case) & QUOTING == frozenset(features.split())


@pytest.mark.parametrize(
    ("declared", "allowed", "rdf_1_2"),
    [
        ("select", "", False),
        ("triple-terms", "triple-terms", True),
        ("rdf-star", "rdf-star triple-terms", False),
        ("rdf-star triple-terms", "rdf-star triple-terms", False),
    ],
)
def test_what_an_engine_is_sent(declared: str, allowed: str, rdf_1_2: bool) -> None:
    features = declared.split()
    assert with_implied(features) & QUOTING == frozenset(allowed.split())
    assert writes_triple_terms(features) is rdf_1_2
