"""When two answers of one evaluation agree (SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.compare.rows import Row, same_rows
from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.verdict import Kind


def difference(expected: Content, observed: Content, numbers: Numbers) -> Kind | None:
    """None where the answers agree, else whether their rows differ or only their order."""
    match expected, observed:
        case Truth(left), Truth(right):
            return None if left == right else Kind.ROWS
        case Triples(left_graph), Triples(right_graph):
            left_rows: list[Row] = [tuple(triple) for triple in left_graph]
            right_rows: list[Row] = [tuple(triple) for triple in right_graph]
            return None if same_rows(left_rows, right_rows, numbers) else Kind.ROWS
        case Rows(), Rows():
            return _rows(expected, observed, numbers)
        case _:
            return Kind.ROWS


def _rows(expected: Rows, observed: Rows, numbers: Numbers) -> Kind | None:
    extra = [i for i, name in enumerate(observed.variables) if name not in expected.variables]
    if any(row[i] is not None for row in observed.rows for i in extra):
        return Kind.ROWS
    places = {name: i for i, name in enumerate(observed.variables)}
    left: list[Row] = list(expected.rows)
    right: list[Row] = [
        tuple(row[places[name]] if name in places else None for name in expected.variables)
        for row in observed.rows
    ]
    if expected.ties is None or len(left) != len(right):
        return None if same_rows(left, right, numbers) else Kind.ROWS
    # The row that an engine puts at a place must come from the group of ties of that place.
    tied_left = [(*row, tie) for row, tie in zip(left, expected.ties, strict=True)]
    tied_right = [(*row, tie) for row, tie in zip(right, expected.ties, strict=True)]
    if same_rows(tied_left, tied_right, numbers):
        return None
    return Kind.ORDER if same_rows(left, right, numbers) else Kind.ROWS


def same_answers(one: Sequence[Observed], other: Sequence[Observed], numbers: Numbers) -> bool:
    """Whether two runs of one case gave the same answers at the same instants, in one order."""
    if len(one) != len(other):
        return False
    return all(
        left.t == right.t and difference(left.content, right.content, numbers) is None
        for left, right in zip(one, other, strict=True)
    )
