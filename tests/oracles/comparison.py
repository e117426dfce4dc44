"""Whether two answers agree, by trying every order of rows and every bijection of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import permutations

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.model.terms import (
    XSD_BOOLEAN,
    XSD_DOUBLE,
    XSD_FLOAT,
    BlankNode,
    Literal,
    Term,
    Triple,
    is_numeric,
)
from rsp_conformance.model.uncertainty import DISTRIBUTION
from rsp_conformance.model.walk import within

Row = tuple[Term | None, ...]


def naive_same_rows(
    expected: Sequence[Row],
    observed: Sequence[Row],
    numbers: Numbers,
    ties: Sequence[int] | None = None,
) -> bool:
    """Whether some permutation of OBSERVED and some bijection make all cells agree.

    With TIES a row may move only among the places of its group.
    """
    if len(expected) != len(observed):
        return False
    nodes, others = _nodes(expected), _nodes(observed)
    if len(nodes) != len(others):
        return False
    bijections = [dict(zip(nodes, image, strict=True)) for image in permutations(others)]
    return any(
        all(
            _cells_agree(a, observed[j], bijection, numbers)
            for a, j in zip(expected, order, strict=True)
        )
        for order in _orders(len(expected), ties)
        for bijection in bijections
    )


def _orders(size: int, ties: Sequence[int] | None) -> Iterator[tuple[int, ...]]:
    for order in permutations(range(size)):
        if ties is None or all(ties[i] == ties[j] for i, j in enumerate(order)):
            yield order


def _nodes(rows: Sequence[Row]) -> list[BlankNode]:
    parts = (part for row in rows for cell in row if cell is not None for part in within(cell))
    return list(dict.fromkeys(part for part in parts if isinstance(part, BlankNode)))


def _cells_agree(
    one: Row, other: Row, bijection: Mapping[BlankNode, BlankNode], numbers: Numbers
) -> bool:
    return all(
        a is b if a is None or b is None else naive_agree(_image(a, bijection), b, numbers)
        for a, b in zip(one, other, strict=True)
    )


def _image(term: Term, bijection: Mapping[BlankNode, BlankNode]) -> Term:
    if isinstance(term, Triple):
        return Triple(*[_image(part, bijection) for part in term])  # type: ignore[arg-type]
    return bijection[term] if isinstance(term, BlankNode) else term


_RANGES = {
    XSD_DOUBLE: (Decimal(2) ** 1024 - Decimal(2) ** 970, Decimal(2) ** -1075),
    XSD_FLOAT: (Decimal(2) ** 128 - Decimal(2) ** 103, Decimal(2) ** -150),
}
"""A number is infinite from the first on, and 0 up to the second: so it is rounded."""


def naive_agree(one: Term, other: Term, numbers: Numbers) -> bool:
    """Whether two terms agree (decisions 24 and 31); numbers are read by ``Decimal``."""
    if isinstance(one, Triple) and isinstance(other, Triple):
        return all(naive_agree(a, b, numbers) for a, b in zip(one, other, strict=True))
    if one == other:
        return True
    if numbers == "term" or not isinstance(one, Literal) or not isinstance(other, Literal):
        return False
    if one.datatype == other.datatype == DISTRIBUTION:
        mine, its = (_parameters(literal) for literal in (one, other))
        return one.lexical[0] == other.lexical[0] and all(
            naive_agree(a, b, numbers) for a, b in zip(mine, its, strict=True)
        )
    if not (is_numeric(one) and is_numeric(other)):
        forms = ({"1", "true"}, {"0", "false"})
        same = any({one.lexical, other.lexical} == form for form in forms)
        return same and one.datatype == other.datatype == XSD_BOOLEAN
    a, b = _decimal(one), _decimal(other)
    if a is None or b is None:
        return False
    if a.is_nan() or b.is_nan():
        return a.is_nan() and b.is_nan()
    if a.is_infinite() or b.is_infinite():
        return a == b
    if isinstance(numbers, Tolerance):
        return abs(a - b) * numbers.epsilon.denominator <= numbers.epsilon.numerator
    inexact = {"decimal", "double", "float"} & {t.datatype.rpartition("#")[2] for t in (one, other)}
    digits = 6 if "float" in inexact else 15
    return a == b or (bool(inexact) and abs(a - b) <= Decimal(10) ** -digits * max(abs(a), abs(b)))


def _parameters(distribution: Literal) -> list[Literal]:
    """The two doubles of ``N(1,2)``."""
    return [Literal(text, XSD_DOUBLE) for text in distribution.lexical[2:-1].split(",")]


def _decimal(literal: Literal) -> Decimal | None:
    """The value as written, but infinite or 0 beyond its datatype; None if it is no number."""
    try:
        value = Decimal(literal.lexical.replace("INF", "Infinity"))
    except InvalidOperation:
        return None
    bounds = _RANGES.get(literal.datatype)
    if bounds is None or value.is_nan():
        return value
    if abs(value) >= bounds[0]:
        return Decimal("Infinity").copy_sign(value)
    return value if abs(value) > bounds[1] else Decimal(0)


def naive_same_table(expected: Rows, observed: Rows, numbers: Numbers) -> bool:
    """Whether two tables agree, their columns by name and in order but for ties."""
    names = {*expected.variables, *observed.variables}
    columns = sorted(names)
    left, right = (
        [tuple(solution.get(name) for name in columns) for solution in table.solutions()]
        for table in (expected, observed)
    )
    return naive_same_rows(left, right, numbers, expected.ties)
