"""Queries that an engine's language cannot express are unsupported, and are never sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Stimulus
from rsp_conformance.model.case import Case
from rsp_conformance.protocol import InProcessEngine
from tests.builders.engines import Flawed, right
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
