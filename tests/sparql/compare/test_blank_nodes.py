"""Answers with blank nodes: what is one answer, and how soon it is known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.model.terms import BlankNode, Term
from rsp_conformance.sparql.compare.contents import difference
from tests.builders.terms import integer

Table = Sequence[tuple[Term, ...]]
WITHIN_ONE = Tolerance(Fraction(1), "1")


def node(kind: str, number: int) -> BlankNode:
    return BlankNode(f"{kind}{number}")


def agree(one: Table, other: Table, numbers: Numbers) -> bool:
    rows = [Rows(("x", "y"), tuple(rows)) for rows in (one, other)]
    return difference(rows[0], rows[1], numbers) is None


@pytest.mark.parametrize("numbers", ["term", "value", WITHIN_ONE])
def test_a_wrong_number_beside_many_blank_nodes(numbers: Numbers) -> None:
    one = [(node("a", n), integer(1)) for n in range(40)]
    other = [*((node("b", n), integer(1)) for n in range(39)), (node("b", 39), integer(3))]
    assert not agree(one, other, numbers)
    assert agree(one, [(node("b", n), integer(1)) for n in range(40)], numbers)


def test_numbers_within_a_tolerance_of_too_few() -> None:
    one = [
        *((node("a", n), integer(1)) for n in range(18)),
        *[(node("z", n), integer(0)) for n in (1, 2)],
    ]
    other = [(node("b", 0), integer(1)), *((node("b", n), integer(2)) for n in range(1, 20))]
    assert not agree(one, other, WITHIN_ONE)


@pytest.mark.parametrize("numbers", ["term", "value"])
def test_blank_nodes_that_are_joined_otherwise(numbers: Numbers) -> None:
    def pairs(partner: Sequence[int]) -> Table:
        return [(node("n", n), integer(k)) for n in range(20) for k in (1, partner[n])]

    swapped = [2] * 20
    swapped[3] = 1
    wrong = [*pairs(swapped)[:-1], (node("n", 19), integer(2))]
    assert not agree(pairs([2] * 20), wrong, numbers)


def test_a_chain_and_a_ring_of_blank_nodes() -> None:
    ring = [(node("a", n), node("a", (n + 1) % 30)) for n in range(30)]
    turned = [(node("b", (7 * n) % 30), node("b", (7 * n + 7) % 30)) for n in range(30)]
    chain = [(node("b", n), node("b", n + 1)) for n in range(30)]
    rings = [(node("b", n), node("b", n // 15 * 15 + (n + 1) % 15)) for n in range(30)]
    assert agree(ring, turned, "term")
    assert not agree(ring, chain, "term")
    assert not agree(ring, rings, "term")


@pytest.mark.parametrize("numbers", ["term", "value"])
def test_more_rows_than_python_has_frames(numbers: Numbers) -> None:
    one = [(node("a", n), integer(n)) for n in range(3000)]
    other = [(node("b", n), integer(n)) for n in reversed(range(3000))]
    assert agree(one, other, numbers)
    assert not agree(one, [*other[:-1], (node("b", 0), integer(9999))], numbers)


def test_a_hub_of_more_blank_nodes_than_python_has_frames() -> None:
    """Once the hub is known its neighbours have nothing to do with each other."""

    def star(kind: str, leaves: int) -> list[tuple[Term, ...]]:
        return [(node(kind, 0), node(kind, n)) for n in range(1, leaves + 1)]

    ours, theirs = star("a", 2000), star("b", 2000)[::-1]
    assert agree(ours, theirs, "term")
    assert not agree(ours, [*theirs[1:], (node("b", 1), node("b", 0))], "term")
    pair = [*star("a", 700), *star("c", 700)]
    assert agree(pair, [*star("x", 700), *star("y", 700)][::-1], "term")
    assert not agree(pair, [*star("x", 699), *star("y", 701)], "term")


def test_a_variable_is_no_blank_node_whatever_its_name() -> None:
    one, other = (Rows((name,), ((integer(1),),)) for name in ("_a", "_b"))
    assert difference(one, other, "value") is not None
