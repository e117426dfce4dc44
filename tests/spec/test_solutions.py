"""The operators on multisets of solution mappings against their definitions (SPARQL 1.1, 18.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.model.paths import RepeatedPath
from rsp_conformance.model.terms import Triple
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.spec.matching import FEW, matching
from rsp_conformance.spec.paths import ends
from rsp_conformance.spec.solutions import (
    Multiset,
    Solution,
    filtered,
    join,
    left_join,
    minus,
    projected,
)
from tests.builders.terms import integer, iri, triple

mappings = st.dictionaries(st.sampled_from("xyz"), st.sampled_from([integer(1), integer(2)]))
multisets: st.SearchStrategy[Multiset] = st.dictionaries(
    mappings.map(Solution), st.integers(1, 3), max_size=5
).map(Counter)


def compatible(one: Solution, other: Solution) -> bool:
    return all(one[v] == other[v] for v in one.keys() & other.keys())


def merged(one: Solution, other: Solution) -> Solution:
    return Solution({**one, **other})


def low(mu: Solution) -> bool:
    """A condition that an OPTIONAL might have, on variables of either side."""
    return mu.get("x", integer(1)) == integer(1) and "z" in mu


@given(multisets, multisets)
def test_join(left: Multiset, right: Multiset) -> None:
    expected: Multiset = Counter()
    for one, other in product(left.elements(), right.elements()):
        if compatible(one, other):
            expected[merged(one, other)] += 1
    assert join(left, right) == expected


@given(multisets, multisets)
def test_left_join(left: Multiset, right: Multiset) -> None:
    expected = filtered(low, join(left, right))
    for one in left.elements():
        if not any(compatible(one, other) and low(merged(one, other)) for other in right):
            expected[one] += 1
    assert left_join(left, right, low) == expected


@given(multisets, multisets)
def test_minus(left: Multiset, right: Multiset) -> None:
    kept = [
        one
        for one in left.elements()
        if not any(compatible(one, other) and one.keys() & other.keys() for other in right)
    ]
    assert minus(left, right) == Counter(kept)


@given(multisets)
def test_projection_adds_cardinalities_up(solutions: Multiset) -> None:
    assert projected(solutions, lambda key: key != "x") == Counter(
        Solution({"x": mu["x"]}) if "x" in mu else Solution() for mu in solutions.elements()
    )


# --- The triples that a pattern asks for, by the specification's own means ------------------------


@pytest.mark.parametrize("names", ["a", "ab", "abc"])
def test_every_combination_against_the_definition(names: str) -> None:
    terms = [iri(name) for name in names]
    triples = [Triple(*parts) for parts in product(terms, repeat=3)]
    graph = GraphBag({triple: 1 + n % 2 for n, triple in enumerate(triples) if n % 3 != 1})
    for asked in 2 * [*product([None, iri("z"), *terms], repeat=3)]:
        wanted = {
            triple: count
            for triple, count in graph.counts.items()
            if all(one in (None, part) for one, part in zip(asked, triple, strict=True))
        }
        found = matching(graph, *asked)
        assert dict(found) == wanted and len(found) == len(wanted)
    assert bool(graph.memo) is (len(graph) > FEW)


# --- Property paths by the definition; what they match is tested in tests/sparql ------------------

NODES = [iri(f"n{number}") for number in range(9)]
CHAIN = GraphBag([triple(f":n{n}", ":p", f":n{n + 1}") for n in range(8)])


@pytest.mark.parametrize(
    ("modifier", "steps"), [("+", range(1, 9)), ("*", range(9)), ("?", (0, 1))]
)
def test_pairs_come_in_the_order_of_the_graph(modifier: str, steps: Sequence[int]) -> None:
    """Whatever order sets have in a process: an exported suite is the same every time."""
    found = ends(RepeatedPath(iri("p"), modifier), None, None, CHAIN, lambda reason: None)
    assert [*found] == [(NODES[n], NODES[n + k]) for n in range(9) for k in steps if n + k < 9]
