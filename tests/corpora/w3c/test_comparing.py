"""The suites' own criterion: rows up to isomorphism, numbers by value, order by ``rs:index``."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.corpora.w3c.comparing import agrees
from rsp_conformance.corpora.w3c.documents import Document
from rsp_conformance.corpora.w3c.results import Expected, read_expected
from rsp_conformance.model.answers import Content, Rows, Truth
from rsp_conformance.model.terms import XSD, BlankNode, Literal, Term

A, B, C = (Literal(letter) for letter in "abc")
X, Y = BlankNode("x"), BlankNode("y")


def column(*terms: Term | None, ties: tuple[int, ...] | None = None) -> Rows:
    return Rows(("v",), tuple((term,) for term in terms), ties)


def number(text: str, datatype: str) -> Literal:
    return Literal(text, XSD + datatype)


def agree(expected: Content, answer: Content, *, ordered: bool = False, lax: bool = False) -> bool:
    return agrees(Expected(expected, ordered), answer, lax=lax)


@pytest.mark.parametrize(
    ("expected", "answer", "passes"),
    [
        (column(A, B), column(B, A), True),
        (column(A, A, B), column(A, B, B), False),
        (column(A), column(A, A), False),
        (column(A, None), column(None, A), True),
        (column(X, Y, X), column(Y, X, Y), True),
        (column(X, Y), column(X, X), False),
        (column(A), Rows(("w",), ((A,),)), False),
        (column(), Rows(("w",), ()), False),
        (Truth(True), Truth(False), False),
        (Truth(True), column(A), False),
    ],
)
def test_rows(expected: Content, answer: Content, passes: bool) -> None:
    assert agree(expected, answer) is passes


@pytest.mark.parametrize(
    ("one", "other", "passes"),
    [
        (number("2.0", "decimal"), number("2", "decimal"), True),
        (number("3.21E4", "double"), number("32100", "double"), True),
        (number("0.1", "float"), number("0.100000001", "float"), True),
        (number("0.1", "double"), number("0.100000001", "double"), False),
        (number("2", "integer"), number("2", "decimal"), False),
        (number("2", "integer"), number("3", "integer"), False),
        (number("INF", "double"), number("-INF", "double"), False),
        (number("x", "integer"), number("y", "integer"), False),
        (Literal("2"), Literal("2.0"), False),
    ],
)
def test_numbers(one: Literal, other: Literal, passes: bool) -> None:
    assert agree(column(one), column(other)) is passes


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        (column(A, B, C, ties=(0, 1, 2)), True),
        (column(B, A, C, ties=(0, 1, 2)), False),
        (column(B, A, C, ties=(0, 0, 1)), True),
        (column(C, B, A, ties=(0, 0, 1)), False),
        (column(A, B, C), False),  # an answer without ORDER BY has no order
    ],
)
def test_order(answer: Rows, passes: bool) -> None:
    assert agree(column(A, B, C), answer, ordered=True) is passes
    assert agree(column(C, A, B), answer)


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        (column(A, A, B), True),
        (column(A, B), True),
        (column(A), False),
        (column(A, B, B), False),
        (column(A, B, C), False),
    ],
)
def test_lax_cardinality(answer: Rows, passes: bool) -> None:
    assert agree(column(A, A, B), answer, lax=True) is passes


RESULT_SET = """
@prefix rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#> .
[] a rs:ResultSet ; rs:resultVariable "v" ;
  rs:solution [ rs:index 2 ; rs:binding [ rs:variable "v" ; rs:value "b" ] ] ;
  rs:solution [ rs:index 10 ] ;
  rs:solution [ rs:index 1 ; rs:binding [ rs:variable "v" ; rs:value "a" ] ] .
"""


def test_a_result_set_with_indices_has_an_order(tmp_path: Path) -> None:
    path = tmp_path / "result.ttl"
    path.write_text(RESULT_SET)
    assert read_expected(Document(path, "http://ex.org/1")) == Expected(column(A, B, None), True)
    path.write_text(RESULT_SET.replace("rs:index 10", ""))
    assert not read_expected(Document(path, "http://ex.org/2")).ordered
