"""How a query reaches an engine: in its language, spelling, layout and algebra, or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.appended import END
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.correctness import judge
from rsp_conformance.test_suite.legal import legal_answers
from rsp_conformance.text.languages import LANGUAGES, printer_of
from rsp_conformance.text.parse import parse_query
from tests.builders.cases import element
from tests.builders.engines import Flawed, error, right
from tests.builders.sparql import query
from tests.builders.terms import iri, triple
from tests.builders.wire import fits

WINDOW = (
    "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE PT{}S STEP PT1S] "
    "{{ WINDOW :w {{ ?s ?p ?o }} }}"
)
WHOLE, HALF = (Case(query(WINDOW.format(width)), (), until=4) for width in ("2", "2.5"))


def test_they_are_answered_without_the_engine() -> None:
    engine = Flawed(right, {"dialect": {"duration": "iso-seconds"}})
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
        (
            {"language": "rsp-ql-star", "features": ["select", "rstream"]},
            "cannot have the features rstream",
        ),
    ],
)
def test_an_engine_whose_hello_lets_no_query_be_written_is_not_asked(
    said: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        EngineUnderTest.meet(InProcessEngine(Flawed(right, said)))


def test_the_graph_of_background_data_is_read_where_there_is_some() -> None:
    said = {"profile": {"windows_in": "default", "unit": 1000}, "language": "c-sparql"}
    said["dialect"] = {"static_graph": "urn:static"}
    engine = Flawed(lambda request, _: error(request, "unsupported"), said)
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    merged = query("SELECT * FROM WINDOW :w ON STREAM :s [RANGE 2 STEP 1] { ?s ?p ?o }")
    held = Background((BackgroundEntry((Triple(END, END, END),)),))
    for background in (Background(), held):
        assert subject.ask(Stimulus(Case(merged, (), background, until=4))).unsupported
    texts = [request["query"] for request in engine.requests]
    assert ["FROM <urn:static>" in text for text in texts] == [False, True]


# --- C-SPARQL's windows by count tumble without a word for it ------------------------------------

COUNTED = "SELECT * FROM WINDOW :w ON STREAM :s [TRIPLES {}] {{ ?s ?p ?o }}"


def counting(language: str, slides: str, *features: str) -> EngineUnderTest:
    dials = {"windows_in": "default", "unit": 1000, "count_slide": slides, "tick": "tuple"}
    said = {"language": language, "features": ["triple-windows", *features]}
    options = {f"dial.{name}": str(value) for name, value in dials.items()}
    return EngineUnderTest.meet(InProcessEngine(Flawed(right, said, **options)))


@pytest.mark.parametrize("size", ["3", "3 STEP 3"])
def test_c_sparql_has_one_text_for_both_forms_of_a_tumbling_window_by_count(size: str) -> None:
    subject, case = counting("c-sparql", "width"), Case(query(COUNTED.format(size)), (), until=1)
    text, dials = subject.query_text(case), subject.dials(case)
    assert "[RANGE TRIPLES 3]" in text
    (read,) = parse_query(text, language="c-sparql").resolved_windows(dials)
    (window,) = case.query.resolved_windows(dials)
    assert read == replace(window, name=read.name)


@pytest.mark.parametrize(
    ("slides", "size", "features"),
    [
        ("width", "3 STEP 2", []),
        ("width", "3 STEP 1", []),
        ("one", "3 STEP 3", []),
        ("one", "3 STEP 1", []),
        # What an engine declares it is asked for.
        ("width", "3 STEP 3", ["count-steps"]),
    ],
)
def test_c_sparql_has_no_other_slide_by_count(slides: str, size: str, features: list[str]) -> None:
    subject = counting("c-sparql", slides, *features)
    observation = subject.ask(Stimulus(Case(query(COUNTED.format(size)), (), until=1)))
    assert observation.unsupported == "C-SPARQL has no slides of windows by count"


MERGED, NAMED = "FROM WINDOW :w ON STREAM :s", "FROM NAMED WINDOW :w ON STREAM :s"
WITHIN = "{{ WINDOW :w {{ ?s :p ?o }} }}"
WITH_TRIPLES_ALONE = {
    "c-sparql": f"SELECT ?o {MERGED} [{{}} 2] {{{{ ?s :p ?o }}}}",
    "sparqlstream": f"SELECT ?o {MERGED} [{{}} 2] {{{{ ?s :p ?o }}}}",
    "cqels-ql": f"REGISTER ISTREAM AS SELECT ?o {NAMED} [{{}} 2] {WITHIN}",
    "cqels-ql-2": f"SELECT ?o {NAMED} [{{}} 2] {WITHIN}",
}


@pytest.mark.parametrize("language", WITH_TRIPLES_ALONE)
def test_elements_are_not_written_as_triples_whatever_the_data(language: str) -> None:
    """Over elements of one triple both are one window, but a text does not depend on the data."""
    counted = (element(1, "a", "p", "b"), element(2, "a", "p", "c"), element(3, "a", "p", "d"))
    forms = (query(WITH_TRIPLES_ALONE[language].format(unit)) for unit in ("ELEMENTS", "TRIPLES"))
    by_element, by_triple = (Case(form, counted, until=5) for form in forms)
    engine = InProcessEngine(Flawed(right, {"language": language, "features": ["istream"]}))
    merged = {"windows_in": "default"} if MERGED in WITH_TRIPLES_ALONE[language] else {}
    subject = EngineUnderTest.meet(engine, dials={**merged, "report": "CC", "unit": 1000})
    assert "TRIPLES 2]" in subject.query_text(by_triple)
    assert "windows by count of elements" in (subject.ask(Stimulus(by_element)).unsupported or "")
    dials = subject.dials(by_triple)
    found = legal_answers(by_triple, dials)
    assert found and legal_answers(by_element, dials) == found


@pytest.mark.parametrize("size", ["2", "2 STEP 2"])
def test_a_window_that_tumbles_is_answered_alike_in_both_forms(size: str) -> None:
    elements = tuple(element(t, "a", "p", f"v{t}") for t in range(1, 6))
    observation = counting("rsp-ql", "width").ask(
        Stimulus(Case(query(COUNTED.format(size)), elements, until=6))
    )
    assert "[TRIPLES 2]" in observation.query_text
    assert verdict_on(observation).correct
    assert [(one.t, len(one.content.rows)) for one in observation.observed] == [(2, 2), (4, 2)]


# --- Requests have the query's algebra where the driver's hello asks for it, and else not ---------

QUERY = query(
    "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 1] { WINDOW :w { ?s ?p 5 } }"
)


@pytest.mark.parametrize("asks", [{"algebra": True}, {"algebra": False}, {}])
def test_where_the_hello_asks(asks: dict[str, bool]) -> None:
    engine = Flawed(right, asks)
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    subject.ask(Stimulus(Case(QUERY, (), until=3)))
    (request,) = engine.requests
    assert fits(request, "RunRequest")
    assert ("algebra" in request) is asks.get("algebra", False)
    if "algebra" in request:
        assert ALGEBRA.read(Query, request["algebra"]) == QUERY
        assert not fits({**request, "algebra": {"type": "BGP"}}, "RunRequest")


# --- Quoted triples on their way to an engine and back, in the spelling that it understands -------


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
    driver = Flawed(right, {"features": features.split()}, t0="first")
    subject = EngineUnderTest.meet(InProcessEngine(driver))
    observation = subject.ask(Stimulus(CASE))
    (request,) = driver.requests
    for text in (
        request["query"],
        request["static"][0]["quads"],
        *(own["graph"] for own in request["elements"]),
    ):
        assert opening in text
        assert text.count("<<") == text.count(opening)
    assert [answer.t for answer in observation.observed] == [4, 6]
    verdict = verdict_on(observation)
    assert verdict is not None and verdict.correct


def test_a_language_of_its_own() -> None:
    features = "select static-data named-elements rdf-star".split()
    driver = Flawed(
        right, {"language": "rsp-ql-star", "dialect": {}, "features": features}, t0="first"
    )
    observation = EngineUnderTest.meet(InProcessEngine(driver)).ask(Stimulus(CASE))
    assert "REGISTER STREAM <urn:rsp:answers> AS" in observation.query_text
    assert verdict_on(observation).correct


# --- A case's layout reaches the engine, and decides nothing --------------------------------------

GROUPED = query(
    "SELECT ?s (COUNT(?o) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
    "{ WINDOW :w { ?s :p ?o ; :p ?q } } GROUP BY ?s"
)
PLAIN = Case(GROUPED, (element(1, "a", "p", "b"), element(3, "c", "p", "d")), until=8)
LAID = replace(PLAIN, layout=Layout(lists=2, dollar=True, lower=True, comments=True, relative=True))


def test_the_engine_is_sent_the_layout() -> None:
    subject = EngineUnderTest.meet(InProcessEngine(Flawed(right)))
    plain, laid = subject.ask(Stimulus(PLAIN)), subject.ask(Stimulus(LAID))
    assert "?s :p ?o ." in plain.query_text
    assert "$s :p $o, $q" in laid.query_text and "window :w {" in laid.query_text
    assert laid.observed == plain.observed != ()
    assert judge(LAID, laid.dials, laid.observed).correct
    assert subject.request(Stimulus(LAID))["query"] == laid.query_text


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_have_none(language: str) -> None:
    written = query(
        "REGISTER ISTREAM AS SELECT ?s FROM NAMED WINDOW :w ON STREAM :s [RANGE PT4S STEP PT2S] "
        "{ WINDOW :w { ?s :p ?o } }"
    )
    if language in ("rsp-ql-star", "cqels-ql-2"):
        written = replace(written, operator=None)
    if language in ("c-sparql", "sparqlstream"):
        window = replace(written.windows[0], named=False)
        pattern = written.pattern.pattern  # type: ignore[union-attr]
        written = replace(written, operator=None, windows=(window,), pattern=pattern)
    write = printer_of(language)
    laid = write(written, 1, Layout(dollar=True))
    assert (laid == write(written)) is (language != "rsp-ql")


def test_reference_reads_every_layout() -> None:
    with connect("reference", {}) as engine:
        subject = EngineUnderTest.meet(engine)
        for quotes in range(4):
            laid = replace(LAID, layout=Layout(quotes=quotes, brackets=True, where=True, dots=2))
            seen = subject.ask(Stimulus(laid))
            assert judge(laid, seen.dials, seen.observed).correct
