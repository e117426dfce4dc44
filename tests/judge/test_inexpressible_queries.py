"""Queries that an engine's language cannot express are unsupported, and are never sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.appended import END
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from tests.builders.engines import Flawed, error, right
from tests.builders.sparql import query


class InSeconds(Flawed):
    """The reference engine, which is sent whole seconds."""

    def hello(self, request: dict[str, Any]) -> Mapping[str, Any]:
        return {**super().hello(request), "dialect": {"duration": "iso-seconds"}}


WINDOW = (
    "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE PT{}S STEP PT1S] "
    "{{ WINDOW :w {{ ?s ?p ?o }} }}"
)
WHOLE, HALF = (Case(query(WINDOW.format(width)), (), until=4) for width in ("2", "2.5"))


def test_they_are_answered_without_the_engine() -> None:
    engine = InSeconds(right)
    subject = EngineUnderTest.meet(InProcessEngine(engine), dials={"unit": 1000})
    stimuli = [Stimulus(case, unit=500) for case in (HALF, WHOLE, HALF, HALF, WHOLE, HALF)]
    found = list(subject.ask_many(stimuli))
    assert sorted(map(stimuli.index, (o.stimulus for o in found))) == sorted(
        map(stimuli.index, stimuli)
    )
    for observation in found:
        refused = observation.stimulus.case == HALF
        said = "the dialect has whole seconds only, and no 2500 ms" if refused else None
        assert observation.unsupported == said and observation.failure is None
        assert ("RANGE PT2S" in observation.query_text) is not refused
    assert engine.asked == 2
    assert subject.ask(Stimulus(HALF, unit=500)).unsupported is not None
    assert engine.asked == 2


class Speaking(Flawed):
    """The reference engine under another hello."""

    def __init__(self, **hello: Any) -> None:
        super().__init__(right)
        self.said = hello

    def hello(self, request: dict[str, Any]) -> Mapping[str, Any]:
        return {**super().hello(request), **self.said}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"language": "cqels-ql", "features": ["select"]}, "declare the feature istream"),
        ({"language": "c-sparql", "profile": {"unit": 1000}}, "the dial windows_in"),
        (
            {"language": "c-sparql", "profile": {"windows_in": "default", "unit": 500}},
            "durations in seconds",
        ),
        ({"language": "cqels-ql-2", "profile": "c-sparql"}, "in cqels-ql-2 windows are named"),
    ],
)
def test_an_engine_whose_hello_lets_no_query_be_written_is_not_asked(
    said: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        EngineUnderTest.meet(InProcessEngine(Speaking(**said)))


class TakesBackground(Speaking):
    """Keeps the text of each query that it is sent."""

    def run(self, request: dict[str, Any]) -> Mapping[str, Any]:
        self.texts = [*getattr(self, "texts", ()), request["query"]]
        return error(request, "unsupported")


def test_the_graph_of_background_data_is_read_where_there_is_some() -> None:
    profile = {"windows_in": "default", "unit": 1000}
    dialect = {"static_graph": "urn:static"}
    engine = TakesBackground(language="c-sparql", dialect=dialect, profile=profile)
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    merged = query("SELECT * FROM WINDOW :w ON STREAM :s [RANGE 2 STEP 1] { ?s ?p ?o }")
    held = Background((BackgroundEntry((Triple(END, END, END),)),))
    for background in (Background(), held):
        assert subject.ask(Stimulus(Case(merged, (), background, until=4))).unsupported
    assert ["FROM <urn:static>" in text for text in engine.texts] == [False, True]
