"""Quoted triples on their way to an engine and back, in the spelling that it understands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from tests.builders.sparql import query
from tests.builders.terms import iri, triple


class Declaring(ReferenceEngine):
    """The reference engine with another hello, which remembers what it was asked."""

    def __init__(self, **hello: Any) -> None:
        super().__init__({"t0": "first"})
        self.changed = hello
        self.requests: list[Mapping[str, Any]] = []

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return super().hello(request) | self.changed

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        return super().run(request)


SAID = Triple(iri("bob"), iri("says"), Triple(iri("a"), iri("p"), triple(":a", ":q", 1)))
CASE = Case(
    query(
        "SELECT ?x ?t FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
        "{ ?x :trusts :a WINDOW :w { ?x :says << :a :p ?t >> FILTER(?t = << :a :q 1.0 >>) } }"
    ),
    elements=(StreamElement(iri("s"), 1, (SAID,)), StreamElement(iri("s"), 3, (SAID,))),
    background=Background((BackgroundEntry((triple(":bob", ":trusts", ":a"), SAID)),)),
    until=6,
)


@pytest.mark.parametrize(
    ("features", "opening"),
    [("select static-data triple-terms", "<<("), ("select static-data rdf-star", "<< ")],
)
def test_an_engine_gets_its_own_spelling(features: str, opening: str) -> None:
    driver = Declaring(features=features.split())
    subject = EngineUnderTest.meet(InProcessEngine(driver))
    observation = subject.ask(Stimulus(CASE))
    (request,) = driver.requests
    for text in (
        request["query"],
        request["static"][0]["quads"],
        *(element["graph"] for element in request["elements"]),
    ):
        assert opening in text
        assert text.count("<<") == text.count(opening)
    assert [answer.t for answer in observation.observed] == [4, 6]
    verdict = verdict_on(observation)
    assert verdict is not None and verdict.correct


def test_a_language_of_its_own() -> None:
    features = "select static-data named-elements rdf-star".split()
    driver = Declaring(language="rsp-ql-star", dialect={}, features=features)
    observation = EngineUnderTest.meet(InProcessEngine(driver)).ask(Stimulus(CASE))
    assert "REGISTER STREAM <urn:rsp:answers> AS" in observation.query_text
    assert verdict_on(observation).correct


def test_an_engine_of_rsp_ql_star_has_no_streaming_operators() -> None:
    driver = Declaring(language="rsp-ql-star", features=["select", "rstream"])
    with pytest.raises(ValueError, match="cannot have the features rstream"):
        EngineUnderTest.meet(InProcessEngine(driver))
