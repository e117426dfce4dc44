"""Which trials count: those that show rows wherever a right engine starts its windows."""

from __future__ import annotations

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.trial import pair
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.selection import is_test
from rsp_conformance.text.parse import parse_query


@pytest.mark.parametrize(("slide", "counts"), [(1, True), (3, False)])
def test_rows_are_due_wherever_the_windows_start(slide: int, counts: bool) -> None:
    # Windows of one instant, every third: of the three starts one alone has the element.
    query = parse_query(
        "PREFIX : <http://ex.org/>\nSELECT ?x FROM NAMED WINDOW :w ON STREAM :s1 "
        f"[RANGE 1 STEP {slide}] WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
    )
    a, p = IRI("http://ex.org/a"), IRI("http://ex.org/p")
    element = StreamElement(IRI("http://ex.org/s1"), 5, (Triple(a, p, a),))
    case = Case(query, (element,), until=9)
    subject = EngineUnderTest.meet(connect("reference", {}))
    assert not is_vacuous(case, subject.dials(case), "answers")
    trial = pair(case, case, "again")
    assert is_test(property_named("relation[shift]"), subject, trial) is counts
