"""Distributions and probabilities in answers: parsed, and within a tolerance (decision 24)."""

from __future__ import annotations

import inspect
import sys
from fractions import Fraction
from random import Random
from time import process_time

import pytest

from rsp_conformance.model.dials import Tolerance
from rsp_conformance.model.terms import XSD_DOUBLE, Literal, Term
from rsp_conformance.sparql.compare.rows import same_rows
from tests.builders.uncertainty import distribution

Rows = list[tuple[Term, ...]]


def tolerance(text: str) -> Tolerance:
    return Tolerance(Fraction(text), text)


def double(text: object) -> Literal:
    return Literal(str(text), XSD_DOUBLE)


@pytest.mark.parametrize(
    ("one", "other", "value", "within"),
    [
        ("N(1,2)", "N(1.0,2.0)", True, True),
        ("N(1,2)", "N( 1e0 , 2.00 )", True, True),
        ("N(1,2)", "Normal(1,2)", True, True),
        ("U(-0.5,1)", "U(-.5,+1)", True, True),
        ("N(0.3,2)", "N(0.30000000000000004,2)", True, True),
        ("N(0.3,2)", "N(0.3005,2)", False, True),
        ("N(0.3,2)", "N(0.3,2.0005)", False, True),
        ("N(0.3,2)", "N(0.302,2)", False, False),
        ("U(0.3,2)", "U(0.3,2.002)", False, False),
        ("N(1,2)", "U(1,2)", False, False),
        ("N(1,2)", "N(2,1)", False, False),
        # What is no distribution is compared as the term that it is.
        ("N(1,0)", "N(1,0.0)", False, False),
        ("U(2,1)", "U(2,1.0)", False, False),
        ("E(1)", "E(1.0)", False, False),
        ("N(1e999,1)", "N(1e999,1.0)", False, False),
        ("N(INF,1)", "N(INF,1.0)", False, False),
    ],
)
def test_distributions_compare_parsed(one: str, other: str, value: bool, within: bool) -> None:
    left, right = distribution(one), distribution(other)
    for a, b in ((left, right), (right, left)):
        assert not same_rows([(a,)], [(b,)], "term")
        assert same_rows([(a,)], [(b,)], "value") is value
        assert same_rows([(a,)], [(b,)], tolerance("0.001")) is within
        assert same_rows([(a,)], [(a,)], "term")
        assert not same_rows([(a,)], [(Literal(one),)], "value")


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("0.5", "0.5000000009", True),
        ("0.5", "0.500000001", True),  # exactly ε is within
        ("0.5", "0.5000000011", False),
        ("0", "-1e-9", True),
        ("1", "0.999999999", True),
    ],
)
def test_probabilities_agree_within_the_tolerance(mine: str, theirs: str, expected: bool) -> None:
    for a, b in ((mine, theirs), (theirs, mine)):
        assert same_rows([(double(a),)], [(double(b),)], tolerance("1e-9")) is expected


def test_long_chains_of_rows_that_move_on_need_no_deep_stack() -> None:
    """The last row makes all the others take another partner."""
    size, epsilon = 120, tolerance("0.5")
    near = [double(f"0.{number:03}") for number in range(size)]
    mine: Rows = [*zip(near, map(double, [*range(1, size), 0]), strict=True)]
    theirs: Rows = [*zip(near, (double(f"{n}.5") for n in reversed(range(size))), strict=True)]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 80)
    try:
        assert same_rows(mine, theirs, epsilon)
        theirs[0] = (near[0], double(size + 5))
        assert not same_rows(mine, theirs, epsilon)
    finally:
        sys.setrecursionlimit(limit)


def test_many_rows_that_agree_are_soon_known_to() -> None:
    random = Random(2)
    mine: Rows = [(double(random.random()), double(n)) for n in range(3000)]
    theirs: Rows = [(double(float(a.lexical) + 1e-12), b) for a, b in mine]  # type: ignore[union-attr]
    random.shuffle(theirs)
    start = process_time()
    assert same_rows(mine, theirs, tolerance("1e-9"))
    assert process_time() - start < 5
