"""The third opinion: where pyoxigraph by itself gives the rows that an engine is accused of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rsp_conformance.adapters.reference.oxigraph.readings import READINGS
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import finding_of, verdict_on
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD_INTEGER, Literal
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Kind
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.reference_opinion import reading_of
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

TRIPLES = (
    triple(":a", ":p", 1),
    triple(":b", ":p", 2),
    triple(":a", ":q", ":b"),
    triple(":a", ":r", ":b"),
    triple(":c", ":s", '"x"@en'),
    triple(":d", ":t", Literal("x", XSD_INTEGER)),
)
ROW = ((iri("a"),),)
QUERIES = {
    "count-errors": "SELECT (COUNT(?o + 1) AS ?n) { WINDOW :w { ?s :s ?o } }",
    "count-distinct": "SELECT (COUNT(DISTINCT *) AS ?n) { WINDOW :w { [] :p [] } }",
    "truth": "SELECT ?s { WINDOW :w { ?s :t ?o FILTER(!?o) } }",
    "paths": "SELECT ?y { WINDOW :w { :a :q|:r ?y } }",
}


def found(
    text: str, change: Callable[[Observation], Observation] | None = None, **options: str
) -> Finding | None:
    """What is wrong with the answer of `reference` to a query, with OPTIONS, after a CHANGE."""
    clause = " FROM NAMED WINDOW :w ON STREAM :st [RANGE 2 STEP 1] {"
    elements = tuple(StreamElement(iri("st"), t, TRIPLES) for t in (1, 2))
    case = Case(query(text.replace(" {", clause, 1)), elements, until=5)
    with connect("reference", options, 60.0) as engine:
        subject = EngineUnderTest.meet(engine)
        observation = subject.ask(Stimulus(case))
    assert observation.unsupported is None and observation.failure is None, observation
    observation = observation if change is None else change(observation)
    return finding_of("windows", subject, observation, verdict_on(observation))


@pytest.mark.parametrize("name", READINGS)
def test_the_report_says_which_section_decides(name: str) -> None:
    finding = found(QUERIES[name], library=name)
    assert finding is not None and finding.kind == Kind.ROWS.value
    reading = reading_of(finding)
    assert reading is not None
    assert (reading.library, reading.section) == ("pyoxigraph", READINGS[name].section)
    assert reading.says == READINGS[name].says


@pytest.mark.parametrize("name", READINGS)
def test_without_the_option_the_text_is_followed(name: str) -> None:
    assert found(QUERIES[name]) is None


def test_the_line_stands_at_the_end_of_the_report() -> None:
    finding = found(QUERIES["count-errors"], library="count-errors")
    assert finding is not None
    text = " ".join(failure_report(replace(finding, reading=reading_of(finding))).split())
    assert text.endswith(
        "pyoxigraph by itself answers so too; SPARQL 1.1, 18.5.1.2, decides: "
        "COUNT passes errors over and counts the rest."
    )


def test_of_other_wrong_rows_nothing_is_said() -> None:
    text = "SELECT ?s { WINDOW :w { { ?s :p ?o } UNION { ?s :p ?o } } }"
    finding = found(text, fault="union-dedup")
    assert finding is not None and finding.kind == Kind.ROWS.value
    assert reading_of(finding) is None


def test_rows_joined_over_several_evaluations_are_no_reading_of_one_of_them() -> None:
    """Two evaluations are due at one stamp, and the rows of one of them came."""

    def of_one(observation: Observation) -> Observation:
        dials = observation.dials.with_dials({"answers": "rows", "answer_time": "arrival"})
        one = replace(observation.observed[0], t=5, cause=None, content=Rows(("s",), ROW))
        return replace(observation, observed=(one,), dials=dials)

    finding = found("SELECT ?s { WINDOW :w { ?s :p 1 } }", of_one)
    assert finding is not None and finding.kind == Kind.ROWS.value
    assert reading_of(finding) is None


def test_a_reading_that_explains_one_answer_of_several_is_none() -> None:
    def last_is_wrong(observation: Observation) -> Observation:
        last = replace(observation.observed[-1], content=Rows(("n",), ()))
        return replace(observation, observed=(*observation.observed[:-1], last))

    finding = found(QUERIES["count-errors"], last_is_wrong, library="count-errors")
    assert finding is not None and finding.kind == Kind.ROWS.value
    assert reading_of(finding) is None
