"""Property paths by hand, over sets and bags; `tests/judges` has random ones."""

from __future__ import annotations

from collections import Counter

import pytest

from rsp_conformance.model.terms import BlankNode, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from tests.builders.sparql import graph, query, solutions
from tests.builders.terms import integer, iri, triple

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
