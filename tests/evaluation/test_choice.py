"""Which way a query goes: by what it asks, by how much there is, or as it is told."""

from __future__ import annotations

import pytest

from rsp_conformance.evaluation import ways
from rsp_conformance.evaluation.crossover import COUNTED_PRODUCT, crossover
from rsp_conformance.evaluation.ways import dataset_size, refuse, solutions
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.sparql.dataset import Dataset, Graph, WindowDataset
from rsp_conformance.sparql.relation import Relation
from tests.builders.sparql import integer, iri, query, triple

PRODUCT = "SELECT (COUNT(*) AS ?n) { WINDOW :w { ?s :p ?o . ?t :q ?r } }"


def window(triples: int) -> Dataset:
    held = [triple(f":s{i}", ":p" if i % 2 else ":q", i) for i in range(triples)]
    return Dataset(windows={iri("w"): WindowDataset(Graph(held))})


def test_what_the_definitions_cover_goes_their_way() -> None:
    found = solutions(query("SELECT ?s { WINDOW :w { ?s :p ?o } }"), window(1_000))
    assert (found.way, len(found.rows)) == ("definitions", 500)


def test_what_goes_beyond_them_goes_to_the_library() -> None:
    found = solutions(query("SELECT ?s { WINDOW :w { ?s :p|:q ?o } }"), window(4))
    assert (found.way, len(found.rows)) == ("library", 4)


@pytest.mark.parametrize(
    ("triples", "way"), [(COUNTED_PRODUCT - 1, "definitions"), (COUNTED_PRODUCT, "library")]
)
def test_a_counted_product_goes_by_size(triples: int, way: str) -> None:
    found = solutions(query(PRODUCT), window(triples))
    half = triples // 2
    assert (found.way, found.rows) == (way, [(integer(half * (triples - half)),)])


@pytest.mark.parametrize(
    "text",
    [
        PRODUCT,
        "SELECT ?r (COUNT(*) AS ?n) { WINDOW :w { ?s :p ?o } WINDOW :w { ?t :q ?r } } GROUP BY ?r",
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o . ?o :q ?z . ?t :q ?r }",
    ],
)
def test_shapes_that_the_library_counts_faster(text: str) -> None:
    assert crossover(query(text)) == COUNTED_PRODUCT


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o . ?s :q ?r }",
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o . ?t :q :r }",
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o . ?t :q ?r FILTER(?o < ?r) }",
        "SELECT (SUM(?o) AS ?n) { ?s :p ?o . ?t :q ?r }",
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o . ?t :q ?r } HAVING(COUNT(*) > 1)",
        "SELECT * { ?s :p ?o . ?t :q ?r }",
        "SELECT (COUNT(*) AS ?n) { ?s :p ?o OPTIONAL { ?t :q ?r } }",
        "ASK { ?s :p ?o . ?t :q ?r }",
    ],
)
def test_shapes_that_it_does_not(text: str) -> None:
    assert crossover(query(text)) is None


def test_the_size_counts_every_graph_and_a_repeated_triple_once() -> None:
    one, bag = Graph([triple(":a", ":p", 1)]), Graph({triple(":a", ":p", 2): 3})
    windows = {iri("w"): WindowDataset(bag, {iri("e"): one})}
    assert dataset_size(Dataset(one, {iri("g"): one}, windows, bags=True)) == 4


def test_a_way_that_is_named_is_taken() -> None:
    asked, data = query("SELECT ?s { WINDOW :w { ?s :p ?o } }"), window(6)
    one, other = (solutions(asked, data, way=way) for way in ("definitions", "library"))
    assert (one.way, other.way, set(one.rows)) == ("definitions", "library", set(other.rows))
    random = query("SELECT ?s { WINDOW :w { ?s :p ?o FILTER(RAND() < 2) } }")
    with pytest.raises(Unsupported, match="RAND"):
        solutions(random, data, way="definitions")
    with pytest.raises(Unsupported, match="RAND"):
        refuse(random, "definitions")
    refuse(random)


@pytest.mark.parametrize("way", ["auto", "definitions", "library"])
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("DESCRIBE :a", "DESCRIBE"),
        ("SELECT * { SERVICE :s { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { GRAPH :unknown { SERVICE :s { ?s ?p ?o } } }", "SERVICE"),
        ("SELECT * { WINDOW ?w { GRAPH ?g { SERVICE :s { ?s ?p ?o } } } }", "SERVICE"),
        ("SELECT (:f(?s) AS ?x) { ?s ?p ?o }", "function"),
    ],
)
def test_what_no_way_covers_is_refused_by_name_whatever_the_data(
    text: str, name: str, way: ways.Way
) -> None:
    asked: Query = query(text)
    with pytest.raises(Unsupported, match=name):
        refuse(asked, way)
    with pytest.raises(Unsupported, match=name):
        solutions(asked, Dataset(), way)


def test_who_evaluated_is_no_part_of_what_a_relation_is() -> None:
    assert Relation(("x",), [], way="library") == Relation(("x",), [])
