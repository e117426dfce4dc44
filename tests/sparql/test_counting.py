"""COUNT(*) of joins and products: counted by cardinalities, as if every solution had been made.

That the counts are right is held by `tests/judges`.
"""

from __future__ import annotations

import pytest

from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from rsp_conformance.sparql.dataset import GraphBag as Bag
from tests.builders.compiled import solutions
from tests.builders.sparql import query
from tests.builders.terms import integer, iri, triple


def window(size: int) -> Dataset:
    held = [triple(f":s{i}", ":p" if i % 2 else ":q", i // 2) for i in range(size)]
    return Dataset(windows={iri("w"): WindowDataset(Bag(held))})


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("?s :p ?o . ?t :q ?r . ?u :p ?v . ?w :q ?x", 10**16),
        ("?s :p ?o . ?t :q ?o", 10**4),
        ("?s ?p ?o . ?t ?p ?r . ?u ?p ?v", 2 * 10**12),
        ("?s :p ?o . [] :q/^:q ?t . ?u :p|:q ?o", 2 * 10**8),
    ],
)
def test_a_product_is_not_enumerated(pattern: str, count: int) -> None:
    # The solutions of the first would take years.
    asked = query(f"SELECT (COUNT(*) AS ?n) {{ WINDOW :w {{ {pattern} }} }}")
    assert solutions(asked, window(20_000)).rows == [(integer(count),)]


def test_groups_having_and_order_see_the_counts() -> None:
    asked = query(
        "SELECT ?p (COUNT(?s) * 2 AS ?n) { WINDOW :w { ?s ?p ?o . ?t ?p ?r } } "
        "GROUP BY ?p HAVING (COUNT(*) > 4) ORDER BY DESC(COUNT(*)) ?p"
    )
    assert solutions(asked, window(5)).rows == [(iri("q"), integer(18))]


def test_a_counted_subquery_inside_exists_counts_what_the_tested_solution_leaves() -> None:
    asked = query(
        "SELECT ?s { WINDOW :w { ?s :p ?o FILTER EXISTS { "
        "{ SELECT ?s (COUNT(*) AS ?n) { ?s :p ?x . ?t :q ?x } GROUP BY ?s "
        "HAVING (COUNT(*) = 1) } } } }"
    )
    assert len(solutions(asked, window(6)).rows) == 3


def test_what_is_open_in_a_counted_path_is_open() -> None:
    held = Dataset(Bag([triple(":a", ":p", ":b"), triple(":a", ":q", ":b")]))
    asked = query("SELECT (COUNT(*) AS ?n) { ?s !:r ?o . ?t :p ?u }")
    found = solutions(asked, held)
    assert (found.rows, found.determined) == ([(integer(2),)], False)


def test_paths_are_counted() -> None:
    held = Dataset(Bag({triple(":a", ":p", ":b"): 2, triple(":b", ":q", ":c"): 3}))
    asked = query("SELECT (COUNT(*) AS ?n) { ?a :p/:q* ?b . ?c :p ?d }")
    assert solutions(asked, held).rows == [(integer(8),)]
