"""Terms and solutions as SPARQL results JSON."""

from __future__ import annotations

import json

import pyoxigraph
import pytest
from hypothesis import given

from rsp_conformance.files.answers import ANSWERS, SOLUTIONS
from rsp_conformance.model.answers import Content, Evaluation, Rows, Truth, rows_from_solutions
from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term, Triple
from tests.builders.terms import term_from_json
from tests.generators.values import contents, terms

a = IRI("urn:a")


@given(terms)
def test_terms_come_back(term: Term) -> None:
    assert term_from_json(json.loads(json.dumps(ANSWERS.write(Term, term)))) == term


def test_the_shape_is_the_standards() -> None:
    shapes = {
        a: {"type": "uri", "value": "urn:a"},
        BlankNode("b"): {"type": "bnode", "value": "b"},
        Literal("x"): {"type": "literal", "value": "x"},
        Literal("x", language="en"): {"type": "literal", "value": "x", "xml:lang": "en"},
        Literal("1", XSD_INTEGER): {"type": "literal", "value": "1", "datatype": XSD_INTEGER},
        Triple(a, a, Literal("x")): {
            "type": "triple",
            "value": {
                "subject": {"type": "uri", "value": "urn:a"},
                "predicate": {"type": "uri", "value": "urn:a"},
                "object": {"type": "literal", "value": "x"},
            },
        },
    }
    assert {term: ANSWERS.write(Term, term) for term in shapes} == shapes


@pytest.mark.parametrize("tag", ["1", "é"])
def test_a_tag_that_an_engine_makes_of_any_text_is_read(tag: str) -> None:
    """STRLANG("x", "1") is an error or a literal: the texts leave it open."""
    found = term_from_json({"type": "literal", "value": "x", "xml:lang": tag})
    assert found == Literal("x", language=tag)


def test_what_another_engine_writes_is_read() -> None:
    store = pyoxigraph.Store()
    found = store.query("SELECT ?x ?y ?z { VALUES (?x ?y) { (<urn:a> 'x'@en) (UNDEF 1) } }")
    assert isinstance(found, pyoxigraph.QuerySolutions)
    text = found.serialize(format=pyoxigraph.QueryResultsFormat.JSON)
    assert text is not None
    assert rows_from_solutions(
        ANSWERS.read(SOLUTIONS, json.loads(text)["results"]["bindings"])
    ) == Rows(
        ("x", "y"),
        ((a, Literal("x", language="en")), (None, Literal("1", XSD_INTEGER))),
    )


@given(contents)
def test_contents_come_back(content: Content) -> None:
    again = ANSWERS.read(Content, json.loads(json.dumps(ANSWERS.write(Content, content))), "answer")
    if isinstance(content, Rows):
        assert isinstance(again, Rows)
        assert list(again.solutions()) == list(content.solutions())
    else:
        assert again == content


def test_answers_are_written_as_a_reply_has_them() -> None:
    rows = Rows(("x", "y"), ((a, None),))
    evaluations = (Evaluation(8, rows), Evaluation(9, Truth(True)))
    assert ANSWERS.write(tuple[Evaluation, ...], evaluations) == [
        {"t": 8, "solutions": [{"x": {"type": "uri", "value": "urn:a"}}]},
        {"t": 9, "boolean": True},
    ]
