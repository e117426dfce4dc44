"""A contradiction, as a reader meets it: on a page, with what sets the cases apart."""

from __future__ import annotations

import pytest

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.findings import differing
from rsp_conformance.explain.render.layout import unglued
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding, FollowUpCase
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.trial import Stimulus, Variant
from rsp_conformance.relations.judging import judge_trial
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.run.properties import property_named
from rsp_conformance.text.parse import parse_query
from tests.builders.drawing import draw_many
from tests.generators.profiles import subject


def first_finding(relation: MetamorphicRelation, tested: EngineUnderTest, trials: list) -> Finding:  # type: ignore[type-arg]
    for trial in trials:
        observations: list[Observation] = [tested.ask(stimulus) for stimulus in trial.stimuli]
        found = judge_trial(relation, trial, observations, tested, tested.ask).finding
        if found is not None:
            return found
    raise AssertionError("nothing was found")


@pytest.mark.parametrize("name", ["law[H3]", "law[FWPush]", "relation[partition]"])
def test_queries_are_shown_before_answers_that_agree(name: str) -> None:  # type: ignore[no-untyped-def]
    relation = property_named(name).relation
    assert relation is not None
    tested = subject({}, fault="window-filter-forgotten")
    finding = first_finding(relation, tested, draw_many(relation.trials(tested), 60))
    text = failure_report(finding, width=80, max_lines=60, by_dial=by_dial)
    assert len(text.splitlines()) <= 60
    assert "Why the answers cannot all be right" in text
    assert finding.violation is not None
    for asked in finding.violation.cases[1:]:
        *_, last = text.split(f"What differs: {asked.label}")
        assert "FILTER" in last.split("\n\n")[0]


def test_an_order_across_streams_is_shown() -> None:
    s1, s2 = IRI("http://ex.org/s1"), IRI("http://ex.org/s2")
    names = [IRI(f"http://ex.org/{name}") for name in "abpq"]
    a, b, p, q = names
    one, two = StreamElement(s1, 4, (Triple(a, p, b),)), StreamElement(s2, 4, (Triple(a, q, b),))
    query = parse_query(
        "PREFIX : <http://ex.org/>\nSELECT ?x FROM NAMED WINDOW :v ON STREAM :s1 [RANGE 1 STEP 1] "
        "FROM NAMED WINDOW :w ON STREAM :s2 [RANGE 1 STEP 1] WHERE { WINDOW :v { ?x :p ?y } }"
    )
    first, other = (
        FollowUpCase(Variant(label, Stimulus(Case(query, elements, until=6))), "")
        for label, elements in (("as it is", (one, two)), ("reversed", (two, one)))
    )
    (said,) = map(unglued, differing(first, other))
    assert said == "arrivals across streams: :s2 (:a :q :b, 4), then :s1 (:a :p :b, 4)"


def test_background_is_shown_with_its_interval() -> None:
    a, p = IRI("http://ex.org/a"), IRI("http://ex.org/p")
    query = parse_query(
        "PREFIX : <http://ex.org/>\nSELECT ?x FROM NAMED WINDOW :v ON STREAM :s1 [RANGE 1 STEP 1] "
        "WHERE { WINDOW :v { ?x :p ?y } }"
    )

    def since(t: int) -> Background:
        return Background((BackgroundEntry((Triple(a, p, a),), since=t),))

    first, other = (
        FollowUpCase(Variant("", Stimulus(Case(query, (), since(t), until=6))), "") for t in (1, 3)
    )
    (line,) = differing(first, other)
    assert ":a :p :a" in line and "3" in line
