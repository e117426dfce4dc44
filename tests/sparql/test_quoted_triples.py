"""Quoted triple patterns (RSP-QL* Definition 1; SEMANTICS 1)."""

from __future__ import annotations

import pytest

from rsp_conformance.model.terms import Triple
from rsp_conformance.spark.worker.index import index
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from tests.builders.sparql import evaluate
from tests.builders.terms import iri, term, triple

pytestmark = pytest.mark.usefixtures("evaluator")


SAID = triple(":a", ":p", 1)
OTHER = triple(":b", ":p", 2)
NESTED = Triple(Triple(SAID, iri("by"), iri("c")), iri("q"), SAID)
DATA = GraphBag(
    [
        Triple(SAID, iri("q"), term(7)),
        Triple(OTHER, iri("q"), term(8)),
        NESTED,
        triple(":a", ":p", 9),
    ]
)


def found(pattern: str) -> list[str]:
    result = evaluate(f"SELECT ?x {{ {pattern} }}", Dataset(DATA))
    return sorted(getattr(r[0], "lexical", repr(r[0])) for r in result.rows)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("<< :a :p 1 >> :q ?x", ["7"]),
        ("<< ?s :p ?o >> :q ?x", sorted(["7", "8"])),
        ("<< ?s :p ?x >> :q 7", ["1"]),
        ("<< << :a :p ?x >> :by :c >> :q ?y", ["1"]),
        ("<< << ?a :p ?x >> :by ?c >> :q << ?a :p ?x >>", ["1"]),
        ("<< << ?a :p ?y >> :by ?x >> :q << ?x :p ?y >>", []),
        ("<< [] :p 2 >> :q ?x", ["8"]),
        ("<< ?x :p ?x >> :q ?y", []),
        (":a :p ?x", ["9"]),  # what is quoted is not asserted
        ("?t :q 7 . ?t :q ?x", ["7"]),
        ("<< :a :p ?o >> :q ?x . :a :p ?o", []),
        ("?s :q 7 FILTER(?s = << :a :p 1.0 >>) BIND(1 AS ?x)", ["1"]),
        ("?s :p 9 BIND(<< ?s :r 1 >> AS ?x)", [repr(triple(":a", ":r", 1))]),
        ('BIND(<< "a" :r 1 >> AS ?x)', ["None"]),
        ("?t :q 7 BIND(TRIPLE(?t, :r, 1) AS ?x)", [repr(Triple(SAID, iri("r"), term(1)))]),
        ("?t :q 7 BIND(TRIPLE(1, :r, ?t) AS ?x)", ["None"]),
        ("?t :q 7 BIND(SUBJECT(?t) AS ?x)", [repr(iri("a"))]),
        ("?t :q 7 BIND(PREDICATE(?t) AS ?x)", [repr(iri("p"))]),
        ("?t :q 7 BIND(OBJECT(?t) AS ?x)", ["1"]),
        ("?t :q 7 BIND(OBJECT(OBJECT(?t)) AS ?x)", ["None"]),
        ("?s :p 9 BIND(isTRIPLE(?s) AS ?x)", ["false"]),
        ("?t :q 7 BIND(isTRIPLE(?t) AS ?x)", ["true"]),
    ],
)
def test_matching(pattern, expected):
    assert found(pattern) == expected


def test_triples_are_found_by_what_they_quote():
    by_object = index(DATA, ((0, 2),), iri("q"))
    assert {key: [m[2] for m in found] for key, found in by_object.items()} == {
        term(1): [term(7)],
        term(2): [term(8)],
        iri("c"): [SAID],
    }
    nested = index(DATA, ((0, 0, 0), (2,)), iri("q"))
    assert list(nested) == [(iri("a"), SAID)]
    assert index(DATA, ((0, 2),), iri("p")) == {}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("?s :p ?o FILTER EXISTS { << ?s :p ?o >> :q ?x }", [1]),
        ("?s :p ?o FILTER NOT EXISTS { << ?s ?p ?o >> :q ?x }", [9]),
        ("?s :p ?o MINUS { << ?s :p ?o >> :q ?x }", [9]),
        ("?s :p ?o { SELECT ?o { << :a :p ?o >> :q ?x } }", [1]),
    ],
)
def test_what_looks_at_annotations_again(pattern, expected):
    data = GraphBag([*DATA, SAID])
    found = evaluate(f"SELECT ?o {{ {pattern} }}", Dataset(data)).rows
    assert found == [(term(number),) for number in expected]
