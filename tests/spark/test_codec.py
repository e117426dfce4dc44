"""Terms, elements and rows survive the codec."""

from __future__ import annotations

import pytest

from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.spark.codec import (
    canonical_term,
    decode_element,
    decode_row,
    decode_term,
    encode_element,
    encode_row,
    encode_term,
)

A = IRI("http://ex.org/a")
TERMS: list[Term] = [
    A,
    BlankNode("b0"),
    Literal(""),
    Literal('tab\tline\nquote"backslash\\n\\\\t'),
    Literal("1", XSD_INTEGER),
    Literal("hi", language="en-GB"),
    Triple(A, A, Literal('a "quoted" one\n')),
    Triple(Triple(A, A, BlankNode("x")), A, Literal("x", language="De")),
]


@pytest.mark.parametrize("term", TERMS, ids=repr)
def test_terms_come_back(term: Term) -> None:
    text = encode_term(term)
    assert decode_term(text) == term
    assert "\t" not in text
    assert "\n" not in text


def test_language_tags_keep_their_case_in_elements_and_lose_it_in_rows() -> None:
    tagged = Literal("hi", language="en-GB")
    back = decode_term(encode_term(tagged))
    assert isinstance(back, Literal)
    assert back.language == "en-GB"
    assert canonical_term(tagged) == canonical_term(Literal("hi", language="EN-gb"))


@pytest.mark.parametrize("name", [None, A, BlankNode("g")])
def test_elements_come_back(name: IRI | BlankNode | None) -> None:
    graph = tuple(Triple(A, A, term) for term in TERMS)
    assert decode_element(encode_element(graph, name)) == (name, graph)


def test_rows_say_the_same_whatever_the_order_of_columns() -> None:
    row = (A, None, Literal("x\ty"))
    assert encode_row(("b", "c", "a"), row) == encode_row(("a", "b"), (Literal("x\ty"), A))
    assert decode_row(encode_row(("b", "c", "a"), row)) == {"a": Literal("x\ty"), "b": A}
    assert decode_row(encode_row((), ())) == {}
