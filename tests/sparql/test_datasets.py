"""GRAPH and WINDOW over a query's dataset, rule by rule (SEMANTICS 4; decisions 10 to 13)."""

from __future__ import annotations

import pytest

from rsp_conformance.model.terms import BlankNode
from rsp_conformance.spark.worker.index import index
from rsp_conformance.sparql.dataset import EMPTY, Dataset, GraphBag, WindowDataset
from tests.builders.sparql import evaluate, graph, rows
from tests.builders.terms import iri, term, triple

pytestmark = pytest.mark.usefixtures("evaluator")


BACKGROUND = graph((":a", ":p", 1))
SHOPS = graph((":a", ":p", 2))
WINDOW = WindowDataset(graph((":a", ":p", 3)), {iri("e"): graph((":a", ":p", 4))})
OTHER = WindowDataset(graph((":a", ":p", 5)))
DATASET = Dataset(BACKGROUND, {iri("g"): SHOPS}, {iri("w"): WINDOW, iri("v"): OTHER})


def values(text: str, dataset: Dataset = DATASET, name: str = "x") -> list[str]:
    """The values of ?x in the solutions, sorted."""
    found = evaluate(f"SELECT * {{ {text} }}", dataset)
    column = found.variables.index(name)
    return sorted(getattr(r[column], "lexical", repr(r[column])) for r in found.rows)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("?s :p ?x", ["1"]),
        ("GRAPH :g { ?s :p ?x }", ["2"]),
        ("GRAPH :unknown { ?s :p ?x }", []),
        ("WINDOW :w { ?s :p ?x }", ["3"]),
        ("WINDOW :unknown { ?s :p ?x }", []),
        ("WINDOW :g { ?s :p ?x }", []),
        ("WINDOW :w { GRAPH :e { ?s :p ?x } }", ["4"]),
        ("WINDOW :w { GRAPH :g { ?s :p ?x } }", []),
        ("WINDOW :w { GRAPH :w { ?s :p ?x } }", []),
        ("WINDOW :w { WINDOW :w { ?s :p ?x } }", []),
        ("WINDOW :w { WINDOW ?n { ?s :p ?x } }", []),
        ("WINDOW :v { GRAPH ?n { ?s :p ?x } }", []),
        ("GRAPH :g { WINDOW :w { ?s :p ?x } }", ["3"]),
        ("GRAPH :w { ?s :p ?x }", ["3"]),
        ("GRAPH :e { ?s :p ?x }", []),
        ("GRAPH ?n { ?s :p ?x }", ["2", "3", "5"]),
        ("WINDOW ?n { ?s :p ?x }", ["3", "5"]),
        ("WINDOW ?n { GRAPH ?m { ?s :p ?x } }", ["4"]),
        ("GRAPH ?n { GRAPH :g { ?s :p ?x } }", ["2", "2", "2"]),
    ],
)
def test_where_patterns_look(pattern, expected):
    assert values(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("GRAPH ?x { ?s :p ?o }", ["g", "v", "w"]),
        ("WINDOW ?x { ?s :p ?o }", ["v", "w"]),
        ("WINDOW :w { GRAPH ?x { ?s :p ?o } }", ["e"]),
        ("GRAPH ?x {}", ["g", "v", "w"]),
        ("WINDOW ?x { ?s :q ?o }", []),
        ("WINDOW ?x { ?s :p ?o } FILTER(?x = :w)", ["w"]),
        ("WINDOW ?x { ?s :p ?o FILTER(?x = :w) }", []),  # not bound inside (18.6)
        ("WINDOW ?x { ?s :p ?o BIND(?x AS ?y) }", ["v", "w"]),
        ("VALUES ?x { :w :unknown } WINDOW ?x { ?s :p ?o }", ["w"]),
        ("WINDOW ?x { ?s :p ?o } GRAPH ?x { ?s :p ?o }", ["v", "w"]),
    ],
)
def test_variables_are_bound_to_names(pattern, expected):
    assert values(pattern) == sorted(repr(iri(name)) for name in expected)


def test_a_variable_that_the_pattern_inside_binds_too_is_joined():
    inside = WindowDataset(graph((iri("w"), ":p", 1), (iri("v"), ":p", 2)))
    dataset = Dataset(windows={iri("w"): inside, iri("v"): inside})
    found = evaluate("SELECT ?x ?o { WINDOW ?x { ?x :p ?o } }", dataset)
    assert sorted(map(repr, found.rows)) == sorted(
        map(repr, [(iri("w"), term(1)), (iri("v"), term(2))])
    )


def test_bind_of_a_graph_variable_inside_is_an_error():
    """18.6 joins GRAPH's binding on after the pattern inside is evaluated."""
    assert values("GRAPH ?n { ?s :p ?o BIND(STR(?n) AS ?x) }") == ["None"] * 3


def test_the_dial_that_keeps_windows_from_graph_variables():
    """RSP-QL*: GRAPH ?g ranges over the background; a window's IRI still names its graph."""
    dataset = Dataset(BACKGROUND, {iri("g"): SHOPS}, {iri("w"): WINDOW}, "background")
    assert values("GRAPH ?n { ?s :p ?x }", dataset) == ["2"]
    assert values("GRAPH :w { ?s :p ?x }", dataset) == ["3"]
    assert values("WINDOW :w { GRAPH ?n { ?s :p ?x } }", dataset) == ["4"]


@pytest.mark.parametrize(("bags", "count"), [(False, 1), (True, 2)])
def test_a_window_and_a_graph_of_one_name_are_one_graph(bags, count):
    """Decision 12; SEMANTICS 4: merging is union, or adds counters."""
    same = graph((":a", ":p", 1))
    named = {iri("w"): graph((":a", ":p", 1), (":b", ":p", 2))}
    dataset = Dataset(named=named, windows={iri("w"): WindowDataset(same)}, bags=bags)
    assert values("GRAPH :w { ?s :p ?x }", dataset) == ["1"] * count + ["2"]
    assert values("GRAPH ?n { ?s :p ?x }", dataset) == ["1"] * count + ["2"]
    assert values("WINDOW :w { ?s :p ?x }", dataset) == ["1"]


def test_an_empty_window_still_has_its_name():
    dataset = Dataset(windows={iri("w"): WindowDataset()})
    assert values("WINDOW ?x {}", dataset) == [repr(iri("w"))]
    assert rows("SELECT (COUNT(?x) AS ?n) { WINDOW :w { ?s :p ?x } }", dataset) == [(term(0),)]


def test_blank_nodes_name_graphs_and_join_across_the_dataset():
    node = BlankNode("n")
    dataset = Dataset(
        graph(("_:n", ":q", 1)),
        {node: graph((":a", ":p", 2))},
        {iri("w"): WindowDataset(graph(("_:n", ":p", 3)))},
    )
    assert values("GRAPH ?g { :a :p ?x } ?g :q 1", dataset) == ["2"]
    assert values("?n :q 1 WINDOW :w { ?n :p ?x }", dataset) == ["3"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("?s :p ?x", ["1", "1", "2"]),
        ("?s :p ?x . ?s :p ?x", ["1", "1", "1", "1", "2"]),
        ("{ ?s :p ?x } UNION { ?s :p ?x }", ["1", "1", "1", "1", "2", "2"]),
        ("?s :p ?x OPTIONAL { ?s :p ?y FILTER(?y = 1) }", ["1"] * 4 + ["2"] * 2),
    ],
)
def test_counts_multiply(pattern, expected):
    """Decision 13."""
    dataset = Dataset(GraphBag({triple(":a", ":p", 1): 2, triple(":a", ":p", 2): 1}))
    assert values(pattern, dataset) == expected


class TestGraph:
    def test_repeated_triples_count(self):
        one = triple(":a", ":p", 1)
        assert GraphBag([one, one]).counts == {one: 2}
        assert GraphBag({one: 2}) == GraphBag([one, one])
        assert GraphBag({one}) == GraphBag(frozenset([one])) != GraphBag([one, one])

    def test_length_is_the_number_of_different_triples(self):
        one = triple(":a", ":p", 1)
        assert len(GraphBag([one, one])) == 1

    def test_merging(self):
        one, two = triple(":a", ":p", 1), triple(":a", ":p", 2)
        left, right = GraphBag([one, one]), GraphBag([one, two])
        assert left.merged(right, add=True).counts == {one: 3, two: 1}
        assert left.merged(right, add=False).counts == {one: 1, two: 1}
        assert left.merged(EMPTY, add=True) == left
        assert left.merged(EMPTY, add=False).counts == {one: 1}

    @pytest.mark.parametrize("positions", [(), (0,), (1,), (0, 2), (0, 1, 2)])
    def test_an_index_holds_every_triple_once(self, positions):
        g = GraphBag({triple(":a", ":p", 1): 2, triple(":a", ":q", 1): 1, triple(":b", ":p", 1): 3})
        found = [match for matches in index(g, positions).values() for match in matches]
        assert sorted(map(repr, found)) == sorted(
            repr((t.subject, t.predicate, t.object, n)) for t, n in g.counts.items()
        )
