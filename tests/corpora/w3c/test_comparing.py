"""The suites' own criterion: rows up to isomorphism, numbers by value, order by ``rs:index``."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.corpora.w3c.comparing import Agreement, agreement
from rsp_conformance.corpora.w3c.layout import Document
from rsp_conformance.corpora.w3c.results import Expected, read_expected
from rsp_conformance.model.answers import Content, Rows, Truth
from rsp_conformance.model.terms import XSD, BlankNode, Literal, Term

A, B, C = (Literal(letter) for letter in "abc")
X, Y = BlankNode("x"), BlankNode("y")


def column(*terms: Term | None, ties: tuple[int, ...] | None = None) -> Rows:
    return Rows(("v",), tuple((term,) for term in terms), ties)


def number(text: str, datatype: str) -> Literal:
    return Literal(text, XSD + datatype)


def agree(
    expected: Content, answer: Content, *, ordered: bool = False, lax: bool = False
) -> Agreement:
    return agreement(Expected(expected, ordered), answer, lax=lax)


@pytest.mark.parametrize(
    ("expected", "answer", "how"),
    [
        (column(A, B), column(B, A), Agreement.TERM),
        (column(A, A, B), column(A, B, B), Agreement.NONE),
        (column(A), column(A, A), Agreement.NONE),
        (column(A, None), column(None, A), Agreement.TERM),
        (column(X, Y, X), column(Y, X, Y), Agreement.TERM),
        (column(X, Y), column(X, X), Agreement.NONE),
        (column(A), Rows(("w",), ((A,),)), Agreement.NONE),
        (column(), Rows(("w",), ()), Agreement.NONE),
        (Truth(True), Truth(False), Agreement.NONE),
        (Truth(True), column(A), Agreement.NONE),
    ],
)
def test_rows(expected: Content, answer: Content, how: Agreement) -> None:
    assert agree(expected, answer) is how


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (number("2.0", "decimal"), number("2", "decimal"), Agreement.VALUE),
        (number("3.21E4", "double"), number("32100", "double"), Agreement.VALUE),
        (number("0.1", "float"), number("0.100000001", "float"), Agreement.VALUE),
        (number("0.1", "double"), number("0.100000001", "double"), Agreement.NONE),
        (number("2", "integer"), number("2", "decimal"), Agreement.NONE),
        (number("2", "integer"), number("3", "integer"), Agreement.NONE),
        (number("INF", "double"), number("-INF", "double"), Agreement.NONE),
        (number("x", "integer"), number("y", "integer"), Agreement.NONE),
        (Literal("2"), Literal("2.0"), Agreement.NONE),
    ],
)
def test_numbers(one: Literal, other: Literal, how: Agreement) -> None:
    assert agree(column(one), column(other)) is how


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
    how = Agreement.TERM if passes else Agreement.NONE
    assert agree(column(A, B, C), answer, ordered=True) is how
    assert agree(column(C, A, B), answer) is Agreement.TERM


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
    how = Agreement.TERM if passes else Agreement.NONE
    assert agree(column(A, A, B), answer, lax=True) is how


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
