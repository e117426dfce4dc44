"""Values: their kinds and traits, alone and together."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.values import value_cells, value_traits, values_met
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple
from tests.builders.terms import iri


def typed(text: str, datatype: str) -> Literal:
    return Literal(text, XSD + datatype)


TRAITS: list[tuple[Term, str]] = [
    (IRI("http://ex.org/a%20b"), "IRI with %-escape"),
    (IRI("urn:x"), "IRI urn: or other"),
    (IRI("http://ex.org/é"), "IRI beyond ASCII"),
    (Literal(""), "text empty"),
    (Literal("x" * 10_000), "text long (10^4)"),
    (Literal(" x"), "text blank at an end"),
    (Literal("\U0001f600"), "text beyond the BMP"),
    (Literal("\u00e9"), "text NFC, composed"),
    (Literal("e\u0301"), "text NFD, decomposed"),
    (typed("-1", "integer"), "integer negative"),
    (typed("+1", "integer"), "integer not canonical"),
    (typed(str(2**53 + 1), "integer"), "integer beyond 2^53"),
    (typed(str(-(2**63) - 1), "integer"), "integer - beyond 2^63"),
    (typed("0.1", "decimal"), "decimal like 0.1"),
    (typed("-0.0", "decimal"), "decimal -0.0"),
    (typed("1.50", "decimal"), "decimal not canonical"),
    (typed("1.0000000000000000001", "decimal"), "decimal many digits (18)"),
    (typed("NaN", "double"), "double NaN"),
    (typed("-0", "float"), "float -0"),
    (typed("1e300", "double"), "double beyond 10^300 or below"),
    (typed("1", "boolean"), "boolean 1"),
    (typed("-0044-03-15T00:00:00Z", "dateTime"), "dateTime before year 0"),
    (typed("12011-01-01T00:00:00", "dateTime"), "dateTime after 9999"),
    (typed("2012-02-29T24:00:00", "dateTime"), "dateTime at 24:00"),
    (typed("2012-02-28T00:00:00.5+01:00", "dateTime"), "dateTime with offset"),
]


@pytest.mark.parametrize(("term", "trait"), TRAITS)
def test_a_term_has_its_trait(term: Term, trait: str) -> None:
    assert trait in value_traits(term)
    assert f"stream: {trait}" in value_cells()


@pytest.mark.parametrize(
    ("term", "traits"),
    [
        (Literal("x"), ("plain",)),
        (typed("1", "integer"), ("integer",)),
        (typed("1.5", "decimal"), ("decimal",)),
        (typed("1.5E0", "double"), ("double", "double with exponent")),
        (typed("2011-01-01T00:00:00Z", "dateTime"), ("dateTime with timezone",)),
        (iri("a"), ("IRI",)),
        (BlankNode("b"), ("blank node",)),
    ],
)
def test_a_usual_term_has_no_other(term: Term, traits: tuple[str, ...]) -> None:
    assert value_traits(term) == traits


def case(*objects: Term, held: tuple[Term, ...] = ()) -> Case:
    """A case with an element for each of OBJECTS, and background data of others."""
    elements = [
        StreamElement(iri("s"), t, (Triple(iri("a"), iri("p"), own),))
        for t, own in enumerate(objects)
    ]
    entries = [BackgroundEntry((Triple(iri("a"), iri("p"), own),)) for own in held]
    return Case(Query(), tuple(elements), Background(tuple(entries)), until=9)


@pytest.mark.parametrize(
    ("terms", "cell"),
    [
        ((iri("x"), iri("X")), "names that differ in case alone"),
        ((Literal("\u00e9"), Literal("e\u0301")), "NFC beside NFD"),
        ((typed("1", "integer"), typed("1.0", "decimal")), "equal numbers of several datatypes"),
        ((typed("1", "integer"), typed("01", "integer")), "equal numbers of several lexical forms"),
        ((Literal("x", language="en"), Literal("x", language="fr")), "one text with several tags"),
        ((Literal("x", language="en"), Literal("x")), "one text plain and tagged"),
        (
            (Literal("x", language="en"), Literal("y", language="EN")),
            "tags that differ in case alone",
        ),
        (
            (Literal("x", language="en"), Literal("x", language="EN")),
            "tags that differ in case alone",
        ),
        ((BlankNode("b"), BlankNode("b")), "one blank node in several elements"),
    ],
)
def test_values_are_something_together(terms: tuple[Term, ...], cell: str) -> None:
    assert f"stream: {cell}" in values_met(case(*terms))
    assert f"background: {cell}" in values_met(case(held=terms))
    assert f"stream: {cell}" not in values_met(case(terms[0], held=terms[1:]))
    assert f"stream: {cell}" in value_cells()


def test_a_node_may_be_in_both() -> None:
    node = BlankNode("b")
    assert "stream and background: one blank node" in values_met(case(node, held=(node,)))
    assert "stream and background: one blank node" not in values_met(case(node, node))


def test_tags_are_taken_as_they_are_written() -> None:
    small, great = (values_met(case(Literal("x", language=tag))) for tag in ("en", "EN-gb"))
    assert not any(cell.startswith("stream: tag ") for cell in small)
    assert {"stream: tag in upper case", "stream: tag with region"} <= great <= value_cells().keys()
