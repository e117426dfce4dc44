"""Which of the two features for quoted triples a query or a case uses (docs/semantics.md)."""

from __future__ import annotations

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.features import with_implied, writes_triple_terms
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.usage import case_features, query_features
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

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
def test_queries(pattern: str, features: str) -> None:
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
def test_cases(data: Triple, text: str, features: str) -> None:
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
