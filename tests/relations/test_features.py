"""Laws and relations send an engine nothing that it did not declare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.features import PARTS, with_implied
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.usage import case_features
from rsp_conformance.relations.queries import PARTITION
from rsp_conformance.relations.registry import RELATIONS
from rsp_conformance.relations.relation import MetamorphicRelation
from tests.builders.drawing import draw_many, drawing
from tests.generators.profiles import subject

INSTANCES = 24
MERGED = {"windows_in": "default"}
"""Windows in the default graph: patterns read them and the background data."""
CHANGES = {"report": "CC"}

FINER = sorted(part for parts in PARTS.values() for part in parts)


def with_features(tested: EngineUnderTest, features: frozenset[str]) -> EngineUnderTest:
    return replace(tested, hello=replace(tested.hello, features=features))


def without(tested: EngineUnderTest, left_out: Iterable[str]) -> EngineUnderTest:
    kept = tested.features - frozenset(left_out)
    # A feature whose parts are left out is left out, for alone it would mean all of them.
    kept -= {whole for whole, parts in PARTS.items() if kept.isdisjoint(parts)}
    return with_features(tested, kept)


def undeclared(trial: Trial, tested: EngineUnderTest) -> list[str]:
    used = frozenset[str]().union(*(case_features(variant.case) for variant in trial.variants))
    return sorted(used - with_implied(tested.features))


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.property_name)
def test_every_variant_is_within_what_was_declared(relation: MetamorphicRelation) -> None:
    # Some relations hold under no policy that asks for closes.
    each = [subject({**dials, **own}) for own in ({}, CHANGES) for dials in ({}, MERGED)]
    engines = [tested for tested in each if relation.not_applicable(tested) is None]
    every = sorted(engines[0].features - {"select"})
    drawn = 0

    @drawing(INSTANCES)
    @given(st.data())
    def within(data: st.DataObject) -> None:
        nonlocal drawn
        tested = data.draw(st.sampled_from(engines))
        left_out = data.draw(st.sets(st.sampled_from(every), max_size=5))
        left_out |= data.draw(st.sets(st.sampled_from(FINER), max_size=5))
        narrow = without(tested, left_out)
        assume(relation.not_applicable(narrow) is None)
        trial = data.draw(relation.trials(narrow))
        assert not undeclared(trial, narrow) and len(trial.variants) in relation.compares
        drawn += 1

    within()
    assert drawn > INSTANCES // 6


@pytest.mark.parametrize(
    ("name", "dials", "left_out"),
    [
        ("law[Lazy]", {}, "filter-functions"),  # what BIND computes stands in the FILTER
        ("law[UComm]", MERGED, "union-static"),
        ("law[FLPush]", MERGED, "optional-static"),
        ("law[JComm]", MERGED, "optional-stream"),
    ],
)
def test_a_part_that_is_left_out_is_not_used(
    name: str, dials: dict[str, str], left_out: str
) -> None:
    (relation,) = (relation for relation in RELATIONS if relation.property_name == name)
    narrow = without(subject(dials), {left_out})
    if relation.not_applicable(narrow) is None:
        for trial in draw_many(relation.trials(narrow), 80):
            assert not undeclared(trial, narrow)
    else:
        assert left_out in str(relation.not_applicable(narrow))


def test_errors_of_a_filter_need_typed_literals() -> None:
    tested = subject({})
    narrow = with_features(tested, tested.hello.features - {"typed-literals"})

    @settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
    @given(PARTITION.trials(narrow))
    def two_filters(trial: object) -> None:
        assert len(trial.variants) == 3  # type: ignore[attr-defined]

    two_filters()
