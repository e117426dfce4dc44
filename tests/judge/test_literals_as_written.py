"""Under ``literals = canonical`` an answer may have a literal of the case as it was written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance import api
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD, Literal, Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders.engines import ONE_START, Flawed
from tests.builders.terms import PREFIXES, iri

LONG = Literal(str(2**63), XSD + "unsignedLong")
ALONE = (
    f"{PREFIXES} SELECT ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
    "WHERE { WINDOW :w { ?x :p ?y } }"
)
CASE = Case(
    parse_query(ALONE),
    (StreamElement(iri("s"), 1, (Triple(iri("a"), iri("p"), LONG),)),),
    until=4,
)


def answering(datatype: str, lexical: str) -> Flawed:
    """An engine whose store merges literals, and which gives each number as another literal."""

    def flaw(_: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        text = json.dumps(reply).replace(f'"{2**63}"', f'"{lexical}"')
        return json.loads(text.replace(XSD + "integer", XSD + datatype))  # type: ignore[no-any-return]

    return Flawed(flaw, **ONE_START, **{"dial.literals": "canonical"})


@pytest.mark.parametrize(
    ("datatype", "lexical", "is_right"),
    [
        ("integer", str(2**63), True),
        ("unsignedLong", str(2**63), True),
        ("unsignedLong", str(2**63 + 1), False),
        ("decimal", str(2**63), False),
    ],
)
def test_a_literal_of_the_case_may_come_back_as_it_was_written(
    datatype: str, lexical: str, is_right: bool
) -> None:
    engine = answering(datatype, lexical)
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    seen = subject.ask(Stimulus(CASE))
    assert seen.has_rows
    assert judge(CASE, seen.dials, seen.observed).correct is is_right
    recorded = api.case(
        CASE.query,
        {":s": list(CASE.elements)},
        api.profile("rsp-ql", literals="canonical", t0="0"),
        until=4,
    )
    given = engine.run(subject.request(Stimulus(CASE)))
    assert recorded.judge(given).correct is is_right
