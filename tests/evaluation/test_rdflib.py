"""The second library: lexical forms as written, nothing global touched, refusals by name."""

from __future__ import annotations

import logging
import threading

import pytest
import rdflib

from rsp_conformance.evaluation import by_rdflib
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import XSD_INTEGER, Literal
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from tests.builders.sparql import graph, integer, iri, query

ODD = Literal("05", XSD_INTEGER)
HELD = graph((":a", ":p", ODD), (":b", ":p", 5), (":c", ":p", Literal("x", XSD_INTEGER)))


def rows(text: str, held: Dataset = Dataset(HELD)) -> set[object]:  # noqa: B008
    return set(by_rdflib.solutions(query(text), held).rows)


def test_literals_are_terms_as_written_in_the_data_and_in_the_query() -> None:
    assert rows("SELECT ?o { :a :p ?o }") == {(ODD,)}
    assert rows('SELECT ?s { ?s :p "05"^^xsd:integer }') == {(iri("a"),)}
    assert rows("SELECT ?s { ?s :p ?o FILTER(?o = 5) }") == {(iri("a"),), (iri("b"),)}
    assert rows('SELECT ?s { VALUES ?o { "05"^^xsd:integer } ?s :p ?o }') == {(iri("a"),)}
    assert rows('SELECT (STR(?o) AS ?x) { BIND("05"^^xsd:integer AS ?o) }') == {(Literal("05"),)}
    assert rows("SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s :p ?o }") == {(integer(3),)}


def test_rdflibs_switch_stays_as_it_is_even_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[bool] = set()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            seen.add(rdflib.NORMALIZE_LITERALS)
            assert str(rdflib.Literal("007", datatype=rdflib.XSD.integer)) == "7"

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        for _ in range(5):
            assert rows("SELECT ?o { :a :p ?o }") == {(ODD,)}
    finally:
        over.set()
        watching.join()
    assert seen == {True}
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    assert rows('SELECT ?s { ?s :p "05"^^xsd:integer }') == {(iri("a"),)}


def test_it_says_nothing_of_literals_and_leaves_the_logger_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    filters = list(logging.getLogger("rdflib.term").filters)
    assert rows("SELECT ?s { ?s :p ?o FILTER(?o = 5) }")
    assert not caplog.records
    assert logging.getLogger("rdflib.term").filters == filters


def test_a_group_of_nothing_is_none() -> None:
    assert rows("SELECT ?s (COUNT(*) AS ?n) { ?s :nothing ?o } GROUP BY ?s") == set()
    assert rows("SELECT (COUNT(*) AS ?n) { ?s :nothing ?o }") == {(integer(0),)}


def test_windows_are_translated_away() -> None:
    window = WindowDataset(graph((":a", ":p", 1)), {iri("e"): graph((":b", ":p", 2))})
    held = Dataset(HELD, {}, {iri("w"): window})
    assert rows("SELECT ?w ?o { WINDOW ?w { ?s :p ?o } }", held) == {(iri("w"), integer(1))}
    found = rows("SELECT ?g ?o { WINDOW :w { GRAPH ?g { ?s :p ?o } } }", held)
    assert found == {(iri("e"), integer(2))}
    assert rows("SELECT ?o { GRAPH :w { ?s :p ?o } }", held) == {(integer(1),)}
    assert rows("SELECT ?o { WINDOW :unknown { ?s :p ?o } }", held) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("DESCRIBE :a", "DESCRIBE"),
        ("SELECT * { SERVICE :s { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { << :a :p ?o >> :q ?x }", "quoted triples"),
        ("SELECT * { ?s :p ?o FILTER(?o = << :a :p 1 >>) }", "quoted triples"),
    ],
)
def test_what_it_cannot_do_is_refused_by_name(text: str, name: str) -> None:
    with pytest.raises(Unsupported, match=name):
        by_rdflib.solutions(query(text), Dataset())


def test_its_own_failure_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("rdflib.plugins.sparql.evaluate.evalQuery", fail)
    with pytest.raises(Unsupported, match="by rdflib: inside"):
        by_rdflib.solutions(query("SELECT * { ?s ?p ?o }"), Dataset(HELD))
