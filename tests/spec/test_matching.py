"""The triples that a pattern asks for, by the specification's own means."""

from __future__ import annotations

from itertools import product

import pytest

from rsp_conformance.model.terms import Triple
from rsp_conformance.sparql.dataset import GraphBag
from rsp_conformance.spec.matching import FEW, matching
from tests.builders.terms import iri


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
