"""Property paths by the definition; what they match is tested in tests/sparql."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rsp_conformance.model.paths import RepeatedPath
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.spec.paths import ends
from tests.builders.terms import iri, triple

NODES = [iri(f"n{number}") for number in range(9)]
CHAIN = GraphBag([triple(f":n{n}", ":p", f":n{n + 1}") for n in range(8)])


@pytest.mark.parametrize(
    ("modifier", "steps"), [("+", range(1, 9)), ("*", range(9)), ("?", (0, 1))]
)
def test_pairs_come_in_the_order_of_the_graph(modifier: str, steps: Sequence[int]) -> None:
    """Whatever order sets have in a process: an exported suite is the same every time."""
    found = ends(RepeatedPath(iri("p"), modifier), None, None, CHAIN, lambda reason: None)
    assert [*found] == [(NODES[n], NODES[n + k]) for n in range(9) for k in steps if n + k < 9]
