"""Property paths by hand, over sets and bags; `tests/judges` has random ones."""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
import pytest

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.text.parse import parse_query
from tests.builders.sparql import graph, query, solutions
from tests.builders.terms import integer, iri, triple
from tests.oracles import oxigraph

pytestmark = pytest.mark.usefixtures("evaluator")


@pytest.mark.parametrize(
    ("path", "there"),
    [(":p*", "abn"), (":p+", "a"), (":p/:p*", "a"), ("^:p", "b"), (":q*/:q?", "ab")],
)
def test_exists_asks_for_a_path_from_the_term_that_it_tests(path: str, there: str) -> None:
    # 18.6 puts the term in the variable's place, so that it need not be a node of the graph.
    asked = query(f"SELECT ?x {{ VALUES ?x {{ :a :b :n }} FILTER EXISTS {{ ?x {path} ?y }} }}")
    found = solutions(asked, Dataset(graph((":a", ":p", ":b"))))
    assert sorted(found.rows, key=str) == [(iri(name),) for name in there]


def test_a_value_of_a_variable_that_is_no_node_goes_nowhere() -> None:
    held = Dataset(graph((":a", ":p", ":b")))
    assert solutions(query("SELECT * { ?s ?x ?o . ?x :q* ?y }"), held).rows == []
    assert len(solutions(query("SELECT * { ?s ?x ?o . ?x :q* :p }"), held).rows) == 1
    assert len(solutions(query("SELECT * { ?s ?q ?x . ?x :q* ?y }"), held).rows) == 1


def test_quoted_triples_are_ends_of_paths() -> None:
    held = Dataset(graph((Triple(*map(iri, "apb")), ":p", ":c"), (":c", ":p", ":d")))
    for text in ["<< ?x :p :b >> :p+ ?y", "<< ?x :p :b >> :p/:p* ?y", "?y ^:p+ << ?x ?z :b >>"]:
        found = solutions(query(f"SELECT ?x ?y {{ {text} }}"), held)
        assert sorted(found.rows, key=str) == [(iri("a"), iri("c")), (iri("a"), iri("d"))], text


CHAIN = graph((":a", ":p", ":b"), (":b", ":p", ":c"), (":a", ":q", ":b"), (":c", ":q", ":a"))


@pytest.mark.parametrize(
    ("path", "ends"),
    [
        (":p/:p", "c"),
        (":p|:q", "bb"),
        ("(:p|:q)/:p", "cc"),
        (":p+", "bc"),
        (":p*", "abc"),
        (":p?", "ab"),
        ("^:q", "c"),
        ("(:p|:q)+", "abc"),
        ("!:q", "b"),
        ("!^:p", "c"),
    ],
)
def test_from_a_by_hand(path: str, ends: str) -> None:
    asked = query(f"SELECT ?y {{ :a {path} ?y }}")
    found = solutions(asked, Dataset(CHAIN))
    assert sorted(str(row[0]) for row in found.rows) == [f"<{iri(e).value}>" for e in ends]


def test_over_a_bag_a_step_counts_as_its_triple_and_a_repeated_path_once() -> None:
    bag = GraphBag({triple(":a", ":p", ":b"): 2, triple(":b", ":p", ":c"): 3})
    dataset = Dataset(windows={iri("w1"): WindowDataset(bag)}, bags=True)
    counts = {":p/:p": 6, ":p|:p": 4, ":p+": 1, ":p?": 1, "^(^:p)": 2, ":p/:p*": 2}
    for path, count in counts.items():
        asked = query(f"SELECT ?x {{ WINDOW :w1 {{ :a {path} ?x }} }}")
        found = Counter(solutions(asked, dataset).rows)
        assert found[iri("c"),] == count or found[iri("b"),] == count, path


def test_what_an_engine_may_count_once_or_twice_is_open() -> None:
    several = graph((":a", ":p", ":b"), (":a", ":q", ":b"), (":c", ":s", ":a"))
    for text, held, is_open in [
        ("!:r", several, True),
        ("!(:r|^:p)", several, True),
        ("!:p", several, False),
        ("(!:r)+", several, False),
        ("^(:s/!:r)", several, True),
        ("!:r", graph((":a", ":p", ":b"), (":b", ":q", ":a")), False),
    ]:
        found = solutions(query(f"SELECT * {{ ?x {text} ?y }}"), Dataset(held))
        assert found.determined is not is_open, text


def test_what_leads_elsewhere_twice_leaves_nothing_open() -> None:
    """From :b two properties lead to :b, and none to :a, which is asked for."""
    held = Dataset(graph((":b", ":p", ":b"), (":b", ":q", ":b")))
    for end, is_open in ((":a", False), (":b", True)):
        found = solutions(query(f"SELECT * {{ :b !:r {end} }}"), held)
        assert found.determined is not is_open, end


def test_count_of_distinct_solutions_does_not_see_the_nodes_between() -> None:
    two = graph((":a", ":p", ":b"), (":a", ":p", ":c"), (":b", ":q", ":d"), (":c", ":q", ":d"))
    asked = query("SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT *) AS ?m) { ?x :p/:q ?y }")
    assert solutions(asked, Dataset(two)).rows == [(integer(2), integer(1))]


def test_a_path_over_graphs_that_blank_nodes_name() -> None:
    held = graph((":a", ":p", ":b"), (":b", ":p", ":c"))
    dataset = Dataset(named={BlankNode("g"): held, iri("h"): CHAIN})
    asked = query("SELECT ?g { GRAPH ?g { :a :p/:p :c } }")
    assert set(solutions(asked, dataset).rows) == {(BlankNode("g"),), (iri("h"),)}


# --- Paths of length zero at terms that are not in the graph (SPARQL 1.1, 18.4, ZeroLengthPath) ---

A, B, P, Q = (IRI(f"urn:{name}") for name in "abpq")
NOWHERE = IRI("urn:nowhere")
LITERAL = Literal("text")


def answers(pattern: str, triples: list[Triple]) -> list[Term | None]:
    query = parse_query(f"BASE <urn:x> SELECT ?x {{ {pattern} }}")
    bags = len(set(triples)) < len(triples)
    dataset = Dataset(GraphBag(triples), bags=bags)
    return [row[0] for row in oxigraph.solutions(query, dataset).rows]


GRAPHS = {
    "empty": [],
    "without the term": [Triple(A, P, B)],
    "a bag without the term": [Triple(A, P, B)] * 2,
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize(
    "path",
    [
        "<urn:p>*",
        "<urn:p>?",
        "^(<urn:p>*)",
        "(<urn:p>/<urn:q>)*",
        "<urn:p>|<urn:q>?",
        "(<urn:p>*)+",
    ],
)
def test_a_term_reaches_itself(path: str, graph: list[Triple]) -> None:
    assert answers(f"<urn:nowhere> {path} ?x", graph) == [NOWHERE]
    assert answers(f"?x {path} <urn:nowhere>", graph) == [NOWHERE]
    assert answers(f'?x {path} "text"', graph) == [LITERAL]
    same = f"<urn:nowhere> {path} <urn:nowhere> BIND(1 AS ?x)"
    other = f"<urn:nowhere> {path} <urn:elsewhere> BIND(1 AS ?x)"
    assert (len(answers(same, graph)), len(answers(other, graph))) == (1, 0)


@pytest.mark.parametrize("path", ["<urn:p>", "<urn:p>+", "<urn:p>/<urn:q>*", "!<urn:p>"])
def test_a_path_of_one_step_or_more_leaves_no_term_where_it_is(path: str) -> None:
    assert answers(f"<urn:nowhere> {path} ?x", [Triple(A, P, B)]) == []


def test_between_two_parts_stand_nodes_of_the_graph_only() -> None:
    # Path(X, seq(P, Q), Y) is a join (18.2.2.4), whose part between two variables ranges over the
    # nodes of the graph (18.4).
    assert answers("<urn:nowhere> <urn:p>*/<urn:q>* ?x", [Triple(A, P, B)]) == []
    found = answers("<urn:a> <urn:p>*/<urn:q>* ?x", [Triple(A, P, B)])
    assert sorted(found, key=str) == [A, B]


@pytest.mark.parametrize("graph", [[Triple(A, P, B)], [Triple(A, P, B)] * 2], ids=["set", "bag"])
def test_a_term_of_the_graph_reaches_itself_once(graph: list[Triple]) -> None:
    assert sorted(answers("<urn:a> <urn:p>* ?x", graph), key=str) == [A, B]
    assert answers("<urn:b> <urn:p>? ?x", graph) == [B]


def test_pyoxigraph_by_itself_has_no_such_solution() -> None:
    # Should this fail one day, ``adapters.reference.oxigraph.paths.stayed`` is no longer needed.
    store = ox.Store()
    assert len(list(store.query("SELECT * { <urn:nowhere> <urn:p>* ?x }"))) == 0  # type: ignore[arg-type]
