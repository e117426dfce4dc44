"""Quoted triples in the reference engine, whose store has none as subjects (RSP-QL*)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.terms import BlankNode, Literal, Triple
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.text.ntriples import write_ntriples
from tests.builders.sparql import answer
from tests.builders.terms import EX, PREFIXES, iri, triple
from tests.sparql.test_quoted_triples import DATA, test_matching

NODE = triple("_:b", ":p", Literal("x", language="en"))
TAGGED = Triple(NODE, iri("q"), Triple(BlankNode("b"), iri("q"), NODE))


def asked(pattern: str, head: str = "SELECT ?x", tail: str = "", dials: Any = None) -> Content:
    """What the engine answers where the window holds all of DATA."""
    query = (
        f"{PREFIXES} {head} FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
        f"WHERE {{ WINDOW :w {{ {pattern} }} }} {tail}"
    )
    graph = write_ntriples([*DATA.counts, TAGGED])
    request = {
        "op": "run", "id": "c", "query": query, "streams": [EX + "s"], "registered": 0,
        "until": 4, "unit": 1, "pacing": "burst", "static": [],
        "elements": [{"stream": EX + "s", "t": 1, "graph": graph}] * 2,
    }  # fmt: skip
    reply = ReferenceEngine({"t0": "first"} | (dials or {})).run(request)
    assert "answers" in reply, reply
    return ANSWERS.read(Content, reply["answers"][0], "answer")


def bag(content: Content) -> Counter[frozenset[tuple[str, object]]]:
    assert isinstance(content, Rows)
    return Counter(frozenset(solution.items()) for solution in content.solutions())


def defined(text: str, times: int = 1) -> Content:
    counts = dict.fromkeys([*DATA.counts, TAGGED], times)
    return answer(text, Dataset(type(DATA)(counts)))


MATCHING = [pattern for pattern, _ in test_matching.pytestmark[0].args[1]]
PATTERNS = [
    *MATCHING,
    "<< ?b :p ?l >> :q ?x . ?b ?r ?b",
    "<< ?b :p 'x'@EN >> :q ?x",
    "?t :q << ?x :q ?t >>",
    "<< _:n :p ?l >> :q << _:n :q ?x >>",
    "<< ?s ?p ?o >> :q ?x . << ?s ?p ?o >> :q ?y",
    "<< << ?a ?b ?c >> ?d ?e >> ?f << ?x ?b ?c >>",
    "?t :q ?x FILTER(isTRIPLE(?t))",
    "?t :q ?y OPTIONAL { << ?a :p 1 >> ?q ?x FILTER(?y = ?x) }",
    "{ ?t :q 7 } UNION { ?t :q 8 } BIND(OBJECT(?t) AS ?x)",
    "<< ?x :p ?y >> :q ?z FILTER EXISTS { << ?x :p ?y >> :q 7 }",
    "<< ?x :p ?y >> :q ?z FILTER NOT EXISTS { << ?x :p ?y >> :q 7 }",
    "<< ?x :p ?y >> :q ?z FILTER EXISTS { << << ?x :p ?y >> :by ?u >> :q ?v }",
    "?t :q ?x FILTER EXISTS { ?t :q ?u FILTER EXISTS { << ?a ?b ?c >> :q ?u } }",
    "?t :q ?x MINUS { << ?a ?b ?c >> :q ?x . ?t ?r ?c }",
    "VALUES ?t { << :a :p 1 >> << :a :p 01 >> } ?t :q ?x",
    "VALUES (?t ?x) { (UNDEF 7) (<< :b :p 2 >> 1) } ?t :q 8",
]
EXPRESSIONS = """
    ?t ; SUBJECT(?t) ; PREDICATE(?t) ; OBJECT(?t) ; OBJECT(OBJECT(?t)) ; SUBJECT(?y)
    isTRIPLE(?t) ; isTRIPLE(?y) ; isTRIPLE(?z) ; isTRIPLE(<< ?t :p 1 >>)
    TRIPLE(?t, :p, ?y) ; TRIPLE(?y, :p, ?y) ; TRIPLE(?t, ?t, ?y) ; << ?t :p << :a :b ?y >> >>
    STR(?t) ; isIRI(?t) ; isIRI(PREDICATE(?t)) ; isBLANK(?t) ; isLITERAL(?t) ; isNUMERIC(?t)
    LANG(?t) ; DATATYPE(?t) ; IRI(?t) ; STRLEN(?t) ; xsd:string(?t) ; ?t + 1 ; CONCAT("a", ?t)
    ?t = ?u ; ?t != ?u ; sameTerm(?t, ?u) ; ?t < ?u ; ?t <= ?t ; ?t = :a ; :a != ?t ; ?t = 5
    ?t = ?z ; ?t = << :a :p 1.0 >> ; ?t = << :a :p "1"^^:odd >> ; ?t != << :b :p "1"^^:odd >>
    << :a :p "1"^^:odd >> = << :a :p "2"^^:odd >> ; << :a :p "1"^^:odd >> = << :b :p "2"^^:odd >>
    ?t IN (?u, << :a :p 1.0 >>) ; ?t NOT IN (?u, 5) ; ?t IN (5, :a) ; 7 IN (?t, ?y) ; ?t IN (?z, ?t)
    COALESCE(?z, ?t) ; IF(?t, 1, 2) ; IF(true, ?t, 2) ; COALESCE(?z, ?t) = ?t ; !?t ; ?t || true
    STR(OBJECT(?t)) ; DATATYPE(OBJECT(?t)) ; OBJECT(?t) + 1 ; LANG(OBJECT(?t)) ; BOUND(?t)
    IF(true, ?t, 1) = ?u ; (?t = ?u) = true ; (?t = ?u) = (?u = ?t)
"""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns(pattern: str) -> None:
    assert bag(asked(pattern)) == bag(defined(f"SELECT ?x {{ {pattern} }}"))


@pytest.mark.parametrize(
    "expression",
    [part.strip() for line in EXPRESSIONS.strip().splitlines() for part in line.split(" ; ")],
)
def test_expressions(expression: str) -> None:
    pattern = f"?t :q ?y . ?u :q ?v BIND({expression} AS ?x)"
    assert bag(asked(pattern)) == bag(defined(f"SELECT ?x {{ {pattern} }}"))
    tested = f"?t :q ?y . ?u :q ?v FILTER({expression})"
    assert bag(asked(tested, "SELECT *")) == bag(defined(f"SELECT * {{ {tested} }}"))


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("SELECT DISTINCT ?t", ""),
        ("SELECT ?t (COUNT(*) AS ?n)", "GROUP BY ?t"),
        ("SELECT (COUNT(DISTINCT ?t) AS ?n) (SUM(?t) AS ?m)", ""),
        ("SELECT (COUNT(DISTINCT *) AS ?n)", ""),
        ("SELECT ?k", "GROUP BY (SUBJECT(?t) AS ?k) HAVING (isTRIPLE(?k))"),
        ("SELECT (GROUP_CONCAT(?t) AS ?n) (MAX(OBJECT(?t)) AS ?m) (MAX(?t) AS ?o)", "GROUP BY ?t"),
        ("SELECT ?t", "ORDER BY ?t ?y"),
    ],
)
def test_modifiers(head: str, tail: str) -> None:
    pattern = "?t :q ?y . ?u :q ?v"
    assert bag(asked(pattern, head, tail)) == bag(defined(f"{head} {{ {pattern} }} {tail}"))


@pytest.mark.parametrize("pattern", PATTERNS[-12:])
def test_bags(pattern: str) -> None:
    found = asked(pattern, dials={"dial.window_content": "bag"})
    assert bag(found) == bag(defined(f"SELECT ?x {{ {pattern} }}", times=2))


@pytest.mark.parametrize(
    "template", ["?t :r ?y", "<< ?t :r ?y >> :r << :a :r ?t >>", "?y :r ?t", ":a :r << ?y :r 1 >>"]
)
def test_templates(template: str) -> None:
    head = f"CONSTRUCT {{ {template} }}"
    assert asked("?t :q ?y", head) == defined(f"{head} WHERE {{ ?t :q ?y }}")


def test_blank_nodes_keep_their_identity_within_quoted_triples() -> None:
    (solution,) = bag(asked("<< ?b :p ?l >> :q << ?b :q ?t >>", "SELECT ?b ?t"))
    assert dict(solution) == {"b": BlankNode("b"), "t": NODE}


def test_a_quoted_triple_is_not_asserted() -> None:
    assert not bag(asked(":b :p ?x"))


def test_iris_like_those_that_stand_for_quoted_triples_are_refused() -> None:
    graph = f"<urn:x-rsp:quoted:a> <{EX}p> <{EX}b> .\n"
    request = {
        "op": "run", "id": "c", "query": "SELECT * FROM NAMED WINDOW <urn:w> ON STREAM <urn:s> "
        "[RANGE 1] { WINDOW <urn:w> { ?s ?p ?o } }", "streams": ["urn:s"], "registered": 0,
        "until": 4, "unit": 1, "elements": [{"stream": "urn:s", "t": 1, "graph": graph}],
    }  # fmt: skip
    error = ReferenceEngine().run(request)["error"]
    assert error["kind"] == "unsupported" and "urn:x-rsp:quoted:" in error["message"]
