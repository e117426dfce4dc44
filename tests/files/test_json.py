"""Cases, answers and queries as JSON come back as they were, and are of the schema."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import jsonschema
import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.answers import ANSWERS, SOLUTIONS, STORED_ANSWERS
from rsp_conformance.files.cases import CASES
from rsp_conformance.files.fields import FieldError
from rsp_conformance.model.algebra import BGP
from rsp_conformance.model.answers import (
    Content,
    Evaluation,
    Observed,
    Rows,
    Truth,
    rows_from_solutions,
)
from rsp_conformance.model.case import Case
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.protocol import forms
from rsp_conformance.strategies import queries
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import term_from_json
from tests.generators import queries as random_algebra
from tests.generators.values import cases, contents, terms


def through_text(document: Any) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


@given(cases)
def test_cases_come_back(case: Case) -> None:
    assert CASES.read(Case, through_text(CASES.write(Case, case)), "case") == case


@given(
    st.lists(
        st.builds(
            Observed,
            st.none() | st.integers(0, 9) | st.fractions(0, 9, max_denominator=10),
            contents,
            st.none() | st.just("end") | st.integers(0, 9),
        ),
        max_size=3,
    )
)
def test_observed_answers_come_back(observed: list[Observed]) -> None:
    document = through_text(STORED_ANSWERS.write(tuple[Observed, ...], observed))
    assert STORED_ANSWERS.read(tuple[Observed, ...], document, "answers") == tuple(observed)


@given(st.lists(st.builds(Evaluation, st.integers(-3, 9), contents), max_size=3))
def test_expected_answers_come_back(evaluations: list[Evaluation]) -> None:
    document = through_text(STORED_ANSWERS.write(tuple[Evaluation, ...], evaluations))
    observed = tuple(Observed(e.t, e.content) for e in evaluations)
    assert STORED_ANSWERS.read(tuple[Observed, ...], document, "answers") == observed


def test_an_instant_that_is_none_is_written_exactly() -> None:
    third = Observed(Fraction(1, 3), Truth(True))
    assert STORED_ANSWERS.write(tuple[Observed, ...], [third])[0]["t"] == "1/3"


def test_a_layout_comes_back_and_is_no_field_where_there_is_none() -> None:
    case = Case(Query(BGP()))
    assert "layout" not in CASES.write(Case, case)
    laid = replace(case, layout=Layout(lists=2, dollar=True))
    document = through_text(CASES.write(Case, laid))
    assert document["layout"] == {"lists": 2, "dollar": True}
    assert CASES.read(Case, document, "case") == laid != case
    assert CASES.read(Case, CASES.write(Case, case), "case").layout is None


# --- Terms and solutions, as SPARQL results JSON --------------------------------------------------

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


# --- The algebra stands for the query, and is of the schema ---------------------------------------


@cache
def validator() -> jsonschema.Draft202012Validator:
    schema = {"$ref": "#/$defs/Query", "$defs": forms.schema()["$defs"]}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@settings(max_examples=160, deadline=None, suppress_health_check=[*HealthCheck])
@given(queries() | random_algebra.queries())
def test_queries_come_back_and_fit_the_schema(query: Query) -> None:
    document = json.loads(json.dumps(ALGEBRA.write(Query, query)))
    assert ALGEBRA.read(Query, document) == query
    assert validator().is_valid(document)


def test_a_base_is_there_prefixes_are_not_and_other_fields_are_ignored() -> None:
    document = ALGEBRA.write(
        Query, parse_query("BASE <http://e/> PREFIX : <http://e/> SELECT * { }")
    )
    assert "prefixes" not in document
    assert document["base"] == "http://e/"
    assert ALGEBRA.read(Query, {"type": "Query", "colour": "red"}) == Query()


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"type": "Query", "pattern": {"type": "Sum"}}, "pattern.type: expected one of BGP, Join"),
        ({"type": "Query", "pattern": {"type": "Join", "left": 1}}, "pattern.left: expected"),
        ({"type": "Query", "form": "DELETE"}, "form: expected one of SELECT, ASK"),
        ({"type": "Query", "pattern": {}}, "pattern.type: expected one of BGP"),
    ],
)
def test_what_stands_for_no_query_is_refused(document: object, said: str) -> None:
    with pytest.raises(FieldError, match=said):
        ALGEBRA.read(Query, document)
    assert not validator().is_valid(document)
