"""COUNT(*) of joins and products: counted by cardinalities, as if every solution had been made."""

from __future__ import annotations

from collections import Counter
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Graph, Join, Pattern, TriplePattern, Window
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.paths import RepeatedPath, SequencePath
from rsp_conformance.model.query import GroupKey, Projection, Query
from rsp_conformance.model.terms import BlankNode, Term
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from rsp_conformance.sparql.dataset import GraphBag as Bag
from tests.builders.compiled import solutions
from tests.builders.sparql import query
from tests.builders.terms import integer, iri, triple
from tests.generators.datasets import datasets
from tests.generators.patterns import GRAPHS, WINDOWS
from tests.oracles.patterns import solve

P, Q = iri("p"), iri("q")
names = [Variable(name) for name in "abcd"]
plain = st.builds(
    TriplePattern,
    st.sampled_from([*names, iri("a"), BlankNode("n")]),
    st.sampled_from([P, P, Q, Q, Variable("a")]),
    st.sampled_from([*names, iri("b"), BlankNode("n")]),
)
leaves = st.builds(lambda triples: BGP(tuple(triples)), st.lists(plain, min_size=1, max_size=2))
places: list[st.SearchStrategy[Pattern]] = [
    leaves,
    leaves.map(lambda p: Window(WINDOWS[0], p)),
    leaves.map(lambda p: Graph(GRAPHS[0], p)),
]


@settings(max_examples=400, deadline=None)
@given(
    datasets(),
    st.lists(st.one_of(places), min_size=1, max_size=2),
    st.lists(st.sampled_from(names), max_size=2, unique=True),
    st.booleans(),
)
def test_random_joins(
    dataset: Dataset, parts: list[Pattern], keys: list[Variable], of_variable: bool
) -> None:
    pattern = reduce(Join, parts)
    due: Counter[tuple[Term | None, ...]] = Counter()
    found = solve(pattern, dataset.default, dataset)
    for mapping, count in found.items():
        due[tuple(dict(mapping).get(key.name) for key in keys)] += count
    if not keys and not due:
        due[()] = 0
    always = [name for name in names if all(name.name in dict(mapping) for mapping in found)]
    argument = always[0] if of_variable and always and found else None
    asked = Query(
        pattern,
        projection=(
            *map(Projection, keys),
            Projection(Variable("n"), Aggregate("COUNT", argument)),
        ),
        group_by=tuple(map(GroupKey, keys)) if keys else None,
    )
    assert Counter(solutions(asked, dataset).rows) == Counter(
        {(*key, integer(count)): 1 for key, count in due.items()}
    )


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
    path = SequencePath(P, RepeatedPath(Q, "*"))
    held = Dataset(Bag({triple(":a", ":p", ":b"): 2, triple(":b", ":q", ":c"): 3}))
    pattern = BGP((TriplePattern(names[0], path, names[1]), TriplePattern(names[2], P, names[3])))
    asked = Query(pattern, projection=(Projection(Variable("n"), Aggregate("COUNT", None)),))
    assert solutions(asked, held).rows == [(integer(8),)]
