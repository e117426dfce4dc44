"""Laws and relations send an engine nothing that it did not declare."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.metamorphic.queries import PARTITION
from rsp_conformance.metamorphic.registry import RELATIONS
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.model.features import PARTS, case_features, with_implied
from tests.builders.drawing import drawing
from tests.generators.profiles import subject

INSTANCES = 60


def with_features(tested: EngineUnderTest, features: frozenset[str]) -> EngineUnderTest:
    return replace(tested, hello=tested.hello.model_copy(update={"features": features}))


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.property_name)
def test_every_variant_is_within_what_was_declared(relation: MetamorphicRelation) -> None:
    tested = subject({})
    every = sorted(tested.features - {"select"})
    drawn = 0

    @drawing(INSTANCES)
    @given(st.data())
    def within(data: st.DataObject) -> None:
        nonlocal drawn
        left_out = data.draw(st.sets(st.sampled_from(every), max_size=6))
        kept = tested.features - left_out
        # A feature whose parts are left out is left out, for alone it would mean all of them.
        kept -= {whole for whole, parts in PARTS.items() if kept.isdisjoint(parts)}
        narrow = with_features(tested, kept)
        assume(relation.not_applicable(narrow) is None)
        trial = data.draw(relation.trials(narrow))
        for variant in trial.variants:
            used = case_features(variant.case)
            assert used <= with_implied(narrow.features), sorted(used - narrow.features)
        drawn += 1

    within()
    assert drawn > INSTANCES // 6


def test_errors_of_a_filter_need_typed_literals() -> None:
    tested = subject({})
    narrow = with_features(tested, tested.hello.features - {"typed-literals"})

    @settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
    @given(PARTITION.trials(narrow))
    def two_filters(trial: object) -> None:
        assert len(trial.variants) == 3  # type: ignore[attr-defined]

    two_filters()
