"""No relation contradicts the specification: Ans(Q_z) for every z in the engine's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.model.usage import case_features
from rsp_conformance.relations.comparison import any_rows
from rsp_conformance.relations.queries import PARTITION
from rsp_conformance.relations.registry import BETWEEN_CASES
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.relations.specified import specified
from rsp_conformance.relations.times import UNITS
from rsp_conformance.relations.windows import TUMBLING
from rsp_conformance.sparql.open_points import open_points
from rsp_conformance.sparql.open_points import told as in_words
from rsp_conformance.strategies import vocabulary
from rsp_conformance.text.parse import parse_query
from tests.builders.drawing import draw_many
from tests.generators.profiles import profiles, subject

INSTANCES = 50


ISTREAM_ONLY = {
    **{"stream_operators": "I", "report": "CC", "tick": "tuple", "t0": "first-aligned-open"},
    **{"window_content": "bag", "empty_answers": "no", "answer_time": "arrival", "trigger": ">="},
}
"""An engine that gives what comes of each arrival, and has no other query."""


def istream_only(r2s: str) -> EngineUnderTest:
    tested = subject({**ISTREAM_ONLY, "r2s": r2s})
    features = (tested.features | {"without-plain-queries"}) - {"rstream", "dstream"}
    return replace(tested, hello=replace(tested.hello, features=features))


def settled(trial: Trial, tested: EngineUnderTest) -> Iterator[tuple[Observation, ...]]:
    """What the specification answers to TRIAL, for each z; nothing where it leaves answers open."""
    own = {variant.stimulus: tested.dials_of(variant.stimulus) for variant in trial.variants}
    try:
        yield from specified(trial, own)
    except Unsupported as error:
        # All that may keep it from answering is that the texts leave open how a term is computed,
        # and in `delayed` 2³¹ instants before the first element.
        is_long = str(error).endswith(f"to {trial.variants[-1].case.until}")
        assert is_long or any(in_words(point) in str(error) for point in open_points()), error


def test_what_new_elements_give_is_parted_by_filters() -> None:
    tested, told = istream_only("elements"), 0
    for trial in draw_many(PARTITION.trials(tested), INSTANCES):
        assert {v.case.query.operator for v in trial.variants} == {StreamOperator.ISTREAM}
        for observations in settled(trial, tested):
            told += any_rows(observations)
            assert PARTITION.contradiction(trial, observations) is None
    assert told > INSTANCES // 3


def test_what_istream_shows_is_not_parted_by_filters_on_what_it_hides() -> None:
    assert PARTITION.not_applicable(istream_only("elements")) is None
    assert "no sum" in (PARTITION.not_applicable(istream_only("bag")) or "")


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
        for observations in settled(trial, tested):
            total += 1
            told += any_rows(observations)
            said = relation.contradiction(trial, observations)
            assert said is None, said.says

    holds()
    # Cases are others in each run, and many of one run are variants of a few.
    assert told > INSTANCES // 10, f"{told} of {total}"


STARTS_OPEN = {
    **{"bounds": "(o,c]", "t0": "any", "report": "WC", "tick": "time", "empty_answers": "yes"},
    **{"window": "active", "report_windows": "any", "answer_time": "arrival", "trigger": ">="},
    **{"r2s": "bag", "window_content": "set"},
}


def test_an_element_whose_answer_may_be_one_from_before_is_not_missed() -> None:
    """An evaluation before t_s may wait for it too, and nothing tells the two answers apart."""
    triple = Triple(vocabulary.RESOURCES[0], vocabulary.LINKS[0], vocabulary.name("i1"))
    query = parse_query(
        "PREFIX : <http://ex.org/> SELECT ?x ?y "
        "FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 2 STEP 2] WHERE { WINDOW :w1 { ?x :p ?y } }"
    )
    case = Case(query, (StreamElement(vocabulary.stream(1), 2, (triple,)),), until=7)
    trial = Trial((Variant("the case", Stimulus(case)),))
    for observations in settled(trial, subject(STARTS_OPEN)):
        assert TUMBLING.contradiction(trial, observations) is None


@pytest.mark.parametrize(("window", "expected"), [("active", True), ("last-closed", False)])
def test_windows_by_count_are_not_doubled_beside_windows_that_have_closed(
    window: str, expected: bool
) -> None:
    """One is evaluated at its close, the other at the next instant, which doubling tells apart."""
    tested = subject({"window": window, "report": "WC"})
    trials = draw_many(UNITS.trials(tested), INSTANCES)
    cases = [variant.case for trial in trials for variant in trial.variants]
    assert any("count-windows" in case_features(case) for case in cases) is expected
