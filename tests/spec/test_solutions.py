"""The operators on multisets of solution mappings against their definitions (SPARQL 1.1, 18.5)."""

from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.spec.solutions import (
    Multiset,
    Solution,
    filtered,
    join,
    left_join,
    minus,
    projected,
)
from tests.builders.terms import integer

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
