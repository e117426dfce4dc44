"""Both sides of every law have the same solutions, by each evaluator of patterns."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, seed

from rsp_conformance.laws import BAGS, HEURISTICS, LAWS, SETS, Binding, Law
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.spec import evaluate as specification
from tests.builders import compiled
from tests.builders.drawing import drawing
from tests.generators.law_instances import Evaluate, bindings, datasets, solved
from tests.oracles import oxigraph

WAYS: dict[str, Evaluate] = {
    "specification": specification.solutions,
    "compiled": compiled.solutions,
    "oxigraph": oxigraph.solutions,
}
EXAMPLES = {"specification": 40, "compiled": 40, "oxigraph": 12}
CELLS = [
    pytest.param(law, semantics, way, id=f"{law.name}-{semantics}-{way}")
    for law in (*LAWS, *HEURISTICS)
    for semantics in (SETS, BAGS)
    if semantics in law.holds_on
    for way in WAYS
]


@pytest.mark.parametrize(("law", "semantics", "way"), CELLS)
def test_both_sides_have_the_same_solutions(law: Law, semantics: str, way: str) -> None:
    told: Counter[bool] = Counter()

    @seed(8)
    @drawing(EXAMPLES[way])
    @given(binding=bindings(law, semantics), dataset=datasets(semantics))
    def equal(binding: Binding, dataset: Dataset) -> None:
        left = solved(WAYS[way], law.left(binding), dataset, semantics)
        assert left == solved(WAYS[way], law.right(binding), dataset, semantics)
        told[bool(left)] += 1

    equal()
    assert told[True] >= max(1, EXAMPLES[way] // 20), told
