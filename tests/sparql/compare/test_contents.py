"""When two answers of one evaluation agree (SEMANTICS 5; decisions 17, 24 and 25)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import parse_dial
from rsp_conformance.model.terms import XSD, BlankNode, Literal, Term, Triple
from rsp_conformance.model.verdict import Kind
from rsp_conformance.sparql.compare.contents import bag, difference, is_among, same_answers
from tests.builders.terms import integer, iri

ONE = Literal("1", XSD + "integer")
B = BlankNode


def rows(*values: tuple[Term | None, ...]) -> Rows:
    return Rows(tuple("xyz"[: len(values[0]) if values else 1]), values)


def test_rows_are_among_others() -> None:
    few = rows((integer(1), iri("a")), (integer(3), iri("a")))
    many = rows((integer(2), iri("a")), (integer(4), iri("a")), (integer(9), iri("b")))
    near = parse_dial("numbers", "tolerance(1)")
    assert not is_among(few, many, "value")
    assert is_among(few, many, near) and not is_among(many, few, near)
    # One row cannot be the partner of two, however near it is to both.
    between = rows((integer(2), iri("a")))
    assert is_among(between, few, near) and not is_among(few, between, near)
    assert is_among(rows(), few, "term") and not is_among(few, rows(), "term")
    once, twice = rows((iri("a"),)), rows((iri("a"),), (iri("a"),))
    assert is_among(once, twice, "term") and not is_among(twice, once, "term")


def test_rows_are_among_others_by_the_names_of_columns() -> None:
    part = Rows(("y", "z", "x"), ((iri("b"), None, iri("a")),))
    whole = Rows(("x", "y"), ((iri("b"), iri("a")), (iri("a"), iri("b"))))
    assert is_among(part, whole, "term") and is_among(whole, replace(whole, ties=(0, 1)), "term")
    assert not is_among(replace(part, rows=((iri("b"), iri("c"), iri("a")),)), whole, "term")


def test_computed_numbers_are_among_others_in_another_form() -> None:
    third, longer = Literal("0.333333333333333333", XSD + "decimal"), "0.33333333333333333333"
    whole = replace(rows((third,), (iri("a"),)), computed=frozenset({third}))
    part = rows((Literal(longer, XSD + "decimal"),))
    assert is_among(part, whole, "term")
    assert not is_among(part, replace(whole, computed=frozenset()), "term")


def test_blank_nodes_are_among_any_others() -> None:
    whole = rows((BlankNode("n"), iri("a")), (BlankNode("n"), iri("b")))
    assert is_among(rows((BlankNode("m"), iri("b"))), whole, "term")
    assert not is_among(rows((iri("n"), iri("b"))), whole, "term")


def test_other_forms() -> None:
    assert difference(Truth(True), Truth(True), "term") is None
    assert difference(Truth(True), Truth(False), "term") is Kind.ROWS
    assert difference(Truth(True), rows(), "term") is Kind.ROWS
    graph = Triples(frozenset({Triple(iri("a"), iri("p"), ONE)}))
    other = Triples(frozenset({Triple(iri("a"), iri("p"), Literal("1.0", XSD + "decimal"))}))
    assert difference(graph, other, "term") is Kind.ROWS
    assert difference(graph, other, "value") is None


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "9" * 5000])
def test_literals_beyond_all_bounds_end_no_judgement(text: str) -> None:
    for datatype in ("double", "integer", "decimal"):
        bomb = Literal(text, XSD + datatype)
        assert difference(rows((ONE,)), rows((bomb,)), "value") is Kind.ROWS


@pytest.mark.parametrize(
    ("one", "other", "datatype"),
    [
        ("-1E300", "-INF", "float"),
        ("3.5e38", "INF", "float"),
        ("1e400", "INF", "double"),
        ("1e-60", "0", "float"),
        ("-1e-400", "0.0E0", "double"),
    ],
)
def test_what_is_beyond_a_datatype_is_infinite_or_zero(one: str, other: str, datatype: str) -> None:
    """XML Schema 1.1 part 2, 3.3.4.2: an engine may write such a value as it was given."""
    left, right = Literal(one, XSD + datatype), Literal(other, XSD + datatype)
    assert difference(rows((left,)), rows((right,)), "value") is None
    assert difference(rows((left, B("b"))), rows((right, B("c"))), "value") is None
    assert difference(rows((left,)), rows((right,)), "term") is Kind.ROWS
    decimal = Literal("5", XSD + "decimal")
    assert difference(rows((left,)), rows((decimal,)), "value") is Kind.ROWS


def test_what_a_double_can_be_is_not_infinite() -> None:
    for datatype, said in (("double", Kind.ROWS), ("float", None)):
        one, other = (Literal(text, XSD + datatype) for text in ("-1E300", "-INF"))
        assert difference(rows((one,)), rows((other,)), "value") is said


@pytest.mark.parametrize("digits", [400, 4400])
def test_numbers_of_many_digits_agree_by_value(digits: int) -> None:
    """Neither a double's range nor Python's limit of digits is one of XSD."""
    text = "7" * digits
    whole, padded, next_one = [Literal(t, XSD + "integer") for t in (text, "0" + text, text + "0")]
    decimal = Literal(text + ".0", XSD + "decimal")
    for other, kind in ((padded, None), (decimal, None), (next_one, Kind.ROWS)):
        for one in (whole, decimal):
            assert difference(rows((one,)), rows((other,)), "value") is kind
            assert difference(rows((one, B("b"))), rows((other, B("c"))), "value") is kind
    longer = Literal(text + ".00", XSD + "decimal")
    assert bag(rows((decimal,), (longer,)), "value").total() == 2
    assert len(bag(rows((decimal,), (longer,)), "value")) == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10 a, 20 b", "20 b, 10 a", True),
        ("10 a, 20 b", "20 a, 10 b", False),
        ("10 a, 10 b", "10 b, 10 a", False),
        ("- a, - b", "- b, - a", False),
        ("10 a", "10 a, 10 a", False),
    ],
)
def test_two_runs_may_give_instants_but_not_the_answers_of_one_in_any_order(
    one: str, other: str, same: bool
) -> None:
    def answers(text: str) -> list[Observed]:
        given = (answer.split() for answer in text.split(", "))
        return [Observed(None if t == "-" else int(t), rows((iri(name),))) for t, name in given]

    assert same_answers(answers(one), answers(other), "term") is same
