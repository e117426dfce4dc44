"""When two answers of one evaluation agree (SEMANTICS 5; decisions 17, 24 and 25)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import Rows, Triples, Truth
from rsp_conformance.model.dials import Numbers, parse_dial
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.verdict import Kind
from rsp_conformance.sparql.compare.contents import bag, difference, is_among
from tests.builders.terms import integer, iri

ONE = Literal("1", XSD + "integer")
B = BlankNode


def rows(
    *values: tuple[Term | None, ...], ties: tuple[int, ...] | None = None, names: str = "xyz"
) -> Rows:
    width = len(values[0]) if values else 1
    return Rows(tuple(names[:width]), values, ties)


@pytest.mark.parametrize(
    ("left", "right", "under_term", "under_value"),
    [
        (ONE, Literal("01", XSD + "integer"), False, True),
        (ONE, Literal("1.0", XSD + "decimal"), False, True),
        (Literal("83", XSD + "integer"), Literal("83.0e0", XSD + "double"), False, True),
        (ONE, Literal("1"), False, False),
        (ONE, Literal("2", XSD + "integer"), False, False),
        (Literal("a", language="en-GB"), Literal("a", language="EN-gb"), True, True),
        (Literal("a", language="en"), Literal("a"), False, False),
        (Literal("x", XSD + "integer"), Literal("y", XSD + "integer"), False, False),
        (Literal("NaN", XSD + "double"), Literal("NaN", XSD + "float"), False, True),
        (Literal("INF", XSD + "double"), Literal("-INF", XSD + "double"), False, False),
        (
            Literal("0.333333333333333333", XSD + "decimal"),
            Literal("0.3333333333333333333333", XSD + "decimal"),
            False,
            True,
        ),
        (
            Literal("0.33333", XSD + "decimal"),
            Literal("0.3333333333333333333333", XSD + "decimal"),
            False,
            False,
        ),
        (
            Literal("10000000000000001", XSD + "integer"),
            Literal("10000000000000000", XSD + "integer"),
            False,
            False,
        ),
    ],
)
def test_literals(left: Term, right: Term, under_term: bool, under_value: bool) -> None:
    assert (difference(rows((left,)), rows((right,)), "term") is None) is under_term
    assert (difference(rows((left,)), rows((right,)), "value") is None) is under_value


def test_a_tolerance_pairs_rows_whichever_way_it_can() -> None:
    tolerance: Numbers = parse_dial("numbers", "tolerance(0.5)")

    def doubles(*values: str) -> Rows:
        return rows(*((Literal(v, XSD + "double"),) for v in values))

    # 1.0 must stand for 0.5 so that 1.5 can stand for 1.0, though 1.0 equals 1.0.
    assert difference(doubles("1.0", "1.5"), doubles("1.0", "0.5"), tolerance) is None
    assert difference(doubles("1.0", "1.5"), doubles("0.4", "1.0"), tolerance) is Kind.ROWS


def test_rows_are_a_multiset() -> None:
    a, b = (iri("a"),), (iri("b"),)
    assert difference(rows(a, b), rows(b, a), "term") is None
    assert difference(rows(a, a, b), rows(a, b, b), "term") is Kind.ROWS
    assert difference(rows(a, a), rows(a), "term") is Kind.ROWS


def test_columns_are_compared_by_name() -> None:
    left = Rows(("x", "y"), ((iri("a"), None),))
    assert difference(left, Rows(("x",), ((iri("a"),),)), "term") is None
    assert difference(left, Rows(("y", "x"), ((None, iri("a")),)), "term") is None
    assert difference(left, Rows(("x", "z"), ((iri("a"), iri("b")),)), "term") is Kind.ROWS
    assert difference(left, Rows(("x", "z"), ((iri("a"), None),)), "term") is None


def test_blank_nodes_up_to_one_bijection() -> None:
    left = rows((B("a"), iri("p")), (B("a"), iri("q")))
    assert difference(left, rows((B("z"), iri("q")), (B("z"), iri("p"))), "term") is None
    assert difference(left, rows((B("z"), iri("q")), (B("y"), iri("p"))), "term") is Kind.ROWS
    assert difference(rows((B("z"), iri("q")), (B("y"), iri("p"))), left, "term") is Kind.ROWS
    assert difference(rows((B("a"),)), rows((iri("a"),)), "term") is Kind.ROWS


def test_blank_nodes_need_backtracking() -> None:
    """Cycles of length 4 + 2 against 3 + 3: every node looks the same from nearby."""

    def cycles(*lengths: int) -> Triples:
        triples = set()
        for number, length in enumerate(lengths):
            for i in range(length):
                here, there = B(f"n{number}.{i}"), B(f"n{number}.{(i + 1) % length}")
                triples.add(Triple(here, IRI("urn:next"), there))
        return Triples(frozenset(triples))

    assert difference(cycles(4, 2), cycles(2, 4), "term") is None
    assert difference(cycles(4, 2), cycles(3, 3), "term") is Kind.ROWS


def test_blank_nodes_within_quoted_triples() -> None:
    def quoted(label: str, other: str) -> Rows:
        inner = Triple(B(label), IRI("urn:p"), iri("o"))
        return rows((inner, B(other)))

    assert difference(quoted("a", "a"), quoted("b", "b"), "term") is None
    assert difference(quoted("a", "a"), quoted("b", "c"), "term") is Kind.ROWS


def test_many_alike_rows_with_blank_nodes_are_paired_quickly() -> None:
    left = rows(*((B(f"l{i}"), iri("p")) for i in range(400)))
    right = rows(*((B(f"r{i}"), iri("p")) for i in reversed(range(400))))
    assert difference(left, right, "term") is None


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


def test_order_counts_but_for_ties() -> None:
    a, b, c = (iri("a"),), (iri("b"),), (iri("c"),)
    expected = rows(a, b, c, ties=(0, 0, 1))
    assert difference(expected, rows(b, a, c), "term") is None
    assert difference(expected, rows(a, c, b), "term") is Kind.ORDER
    assert difference(expected, rows(a, b), "term") is Kind.ROWS
    assert difference(expected, rows(a, b, b), "term") is Kind.ROWS


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
