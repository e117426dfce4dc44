"""A case's layout reaches the engine, and decides nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.languages import LANGUAGES, printer_of
from tests.builders.cases import element
from tests.builders.engines import Flawed, right
from tests.builders.sparql import query

QUERY = query(
    "SELECT ?s (COUNT(?o) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
    "{ WINDOW :w { ?s :p ?o ; :p ?q } } GROUP BY ?s"
)
CASE = Case(QUERY, (element(1, "a", "p", "b"), element(3, "c", "p", "d")), until=8)
LAID = replace(CASE, layout=Layout(lists=2, dollar=True, lower=True, comments=True, relative=True))


def test_the_engine_is_sent_the_layout() -> None:
    subject = EngineUnderTest.meet(InProcessEngine(Flawed(right)))
    plain, laid = subject.ask(Stimulus(CASE)), subject.ask(Stimulus(LAID))
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
