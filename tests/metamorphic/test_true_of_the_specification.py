"""No relation contradicts the specification: Ans(Q_z) for every z in the engine's place."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.metamorphic.comparison import any_rows
from rsp_conformance.metamorphic.registry import BETWEEN_CASES
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.specified import specified
from tests.generators.profiles import profiles, subject

INSTANCES = 150


@pytest.mark.parametrize("relation", BETWEEN_CASES, ids=lambda relation: relation.name)
def test_no_start_contradicts_it(relation: MetamorphicRelation) -> None:
    told = total = 0

    @settings(
        max_examples=INSTANCES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        nonlocal told, total
        dials = data.draw(profiles())
        tested = subject(dials)
        assume(relation.not_applicable(tested) is None)
        trial = data.draw(relation.trials(tested))
        own = {variant.stimulus: tested.dials_of(variant.stimulus) for variant in trial.variants}
        for observations in specified(trial, own):
            total += 1
            told += any_rows(observations)
            said = relation.contradiction(trial, observations)
            assert said is None, said.says

    holds()
    assert told > INSTANCES // 3, f"{told} of {total}"
