"""ASK and CONSTRUCT (SPARQL 1.1, 16.2 and 16.3)."""

from __future__ import annotations

import pytest

from rsp_conformance.model.answers import Rows, Triples, Truth
from rsp_conformance.model.terms import BlankNode
from tests.builders.sparql import answer, evaluate, graph
from tests.builders.terms import iri, term, triple

pytestmark = pytest.mark.usefixtures("evaluator")


DATA = graph((":a", ":p", 1), (":b", ":p", 2))


def test_select():
    content = answer("SELECT ?s { ?s :p ?v } ORDER BY ?v", DATA)
    assert content == Rows(("s",), ((iri("a"),), (iri("b"),)), (0, 1))


def test_a_select_that_sparql_leaves_open_says_so():
    content = answer("SELECT ?s { ?s :p ?v } LIMIT 1", DATA)
    assert isinstance(content, Rows)
    assert not content.determined


def test_ask():
    assert answer("ASK { ?s :p 1 }", DATA) == Truth(True)
    assert answer("ASK { ?s :p 3 }", DATA) == Truth(False)
    assert answer("ASK { ?s :p ?v } HAVING (COUNT(*) > 2)", DATA) == Truth(False)


def test_ask_and_construct_keep_all_variables_for_the_streaming_operator():
    assert evaluate("ASK { ?s :p ?v }", DATA).variables == ("s", "v")
    assert evaluate("CONSTRUCT { ?s :q 1 } { ?s :p ?v }", DATA).variables == ("s", "v")


def test_construct_is_a_set():
    content = answer("CONSTRUCT { ?s :q :c . :c :q 1 } { ?s :p ?v }", DATA)
    assert content == Triples(
        frozenset([triple(":a", ":q", ":c"), triple(":b", ":q", ":c"), triple(":c", ":q", 1)])
    )


def test_construct_leaves_out_what_is_no_triple():
    content = answer(
        "CONSTRUCT { ?v :q ?s . ?s ?v 1 . ?s :q ?unbound . ?s :r ?v } { ?s :p ?v }", DATA
    )
    assert content == Triples(frozenset([triple(":a", ":r", 1), triple(":b", ":r", 2)]))


def test_construct_makes_new_blank_nodes_for_every_solution():
    content = answer("CONSTRUCT { _:x :q ?s ; :r _:y } { ?s :p ?v }", DATA)
    assert isinstance(content, Triples)
    by_solution = {t.object: t.subject for t in content.graph if t.predicate == iri("q")}
    assert set(by_solution) == {iri("a"), iri("b")}
    nodes = {n for t in content.graph for n in (t.subject, t.object) if isinstance(n, BlankNode)}
    assert len(content.graph) == 4
    assert len(nodes) == 4


def test_new_blank_nodes_are_none_of_the_data():
    data = graph(("_:x", ":p", 1), ("_:x0", ":p", 1), ("_:x_0", ":p", 1))
    content = answer("CONSTRUCT { _:x :q ?s } { ?s :p ?v }", data)
    assert isinstance(content, Triples)
    assert not {t.subject for t in content.graph} & {t.object for t in content.graph}


def test_construct_of_quoted_triples():
    content = answer("CONSTRUCT { << ?s :p ?v >> :q ?v . << ?v :p ?v >> :q 1 } { ?s :p ?v }", DATA)
    assert isinstance(content, Triples)
    assert {(repr(t.subject), t.object) for t in content.graph} == {
        (repr(triple(":a", ":p", 1)), term(1)),
        (repr(triple(":b", ":p", 2)), term(2)),
    }


def test_construct_respects_limit():
    content = answer("CONSTRUCT { ?s :q ?v } { ?s :p ?v } ORDER BY DESC(?v) LIMIT 1", DATA)
    assert content == Triples(frozenset([triple(":b", ":q", 2)]))
