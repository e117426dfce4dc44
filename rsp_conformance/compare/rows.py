"""Multisets of rows, up to one bijection of blank nodes (SEMANTICS 5; decision 25)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from rsp_conformance.compare.colours import refined
from rsp_conformance.compare.numbers import agree, number
from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.terms import (
    BlankNode,
    Literal,
    Term,
    Triple,
    blank_nodes,
    is_numeric,
)

Cell: TypeAlias = Term | int | None
"""A term, None for unbound, or the number of a group of ties."""
Row: TypeAlias = tuple[Cell, ...]
Bijection: TypeAlias = dict[BlankNode, BlankNode]


def same_rows(expected: Sequence[Row], observed: Sequence[Row], numbers: Numbers) -> bool:
    """Whether one pairing of all rows and one bijection of blank nodes make them agree."""
    if len(expected) != len(observed):
        return False
    blank = any(_has_blank(row) for row in (*expected, *observed))
    if not blank:
        if Counter(expected) == Counter(observed):
            return True
        if numbers == "term":
            return False
        if _agree_in_order(expected, observed, numbers):
            return True
    candidates = _candidates(expected, observed, numbers)
    if candidates is None or not _matching(candidates):
        return False
    if not blank:
        return True
    candidates = refined(_nodes(expected), _nodes(observed), candidates)
    return _matching(candidates) and _bijective(expected, observed, candidates, numbers)


def _nodes(rows: Sequence[Row]) -> list[tuple[BlankNode, ...]]:
    return [
        tuple([n for c in row if isinstance(c, (BlankNode, Triple)) for n in blank_nodes(c)])
        for row in rows
    ]


def _agree_in_order(expected: Sequence[Row], observed: Sequence[Row], numbers: Numbers) -> bool:
    """Whether the rows agree when both are sorted: mostly, where answers agree at all.

    If they do not, another pairing may: of two rows within a tolerance of two others either may
    have to take either.
    """
    pairs = zip(sorted(expected, key=_place), sorted(observed, key=_place), strict=True)
    return all(_unify_rows(left, right, {}, numbers) is not None for left, right in pairs)


def _place(row: Row) -> tuple[tuple[int, Fraction | float, str], ...]:
    return tuple([_cell_place(cell) for cell in row])


def _cell_place(cell: Cell) -> tuple[int, Fraction | float, str]:
    if isinstance(cell, int):
        return 0, cell, ""
    value = number(cell) if isinstance(cell, Literal) and is_numeric(cell) else None
    if value is None or math.isnan(value):
        return 2, 0, repr(cell)
    return 1, value, ""


def _bijective(
    expected: Sequence[Row],
    observed: Sequence[Row],
    candidates: Sequence[Sequence[int]],
    numbers: Numbers,
) -> bool:
    """Whether some pairing of the rows goes with one bijection of blank nodes.

    Backtracking, rows with the fewest candidates first, over a stack of its own: answers may have
    more rows than Python has frames. Observed rows that are equal are tried once.
    """
    order = sorted(range(len(expected)), key=lambda index: len(candidates[index]))
    used: set[int] = set()
    bijections: list[Bijection] = [{}]
    taken: list[int] = []
    choices = [_distinct(candidates[order[0]], observed)]
    while choices:
        row = expected[order[len(taken)]]
        for choice in choices[-1]:
            if choice in used:
                continue
            extended = _unify_rows(row, observed[choice], bijections[-1], numbers)
            if extended is None:
                continue
            taken.append(choice)
            if len(taken) == len(order):
                return True
            used.add(choice)
            bijections.append(extended)
            left = [c for c in candidates[order[len(taken)]] if c not in used]
            choices.append(_distinct(left, observed))
            break
        else:
            choices.pop()
            bijections.pop()
            if taken:
                used.discard(taken.pop())
    return False


def _distinct(candidates: Sequence[int], observed: Sequence[Row]) -> Iterator[int]:
    """One of each of the CANDIDATES that are equal rows."""
    return iter({observed[index]: index for index in reversed(candidates)}.values())


def _matching(candidates: Sequence[Sequence[int]]) -> bool:
    """Whether every row finds a partner of its own (augmenting paths; agreement by value)."""
    owner: dict[int, int] = {}

    def place(row: int) -> bool:
        seen: set[int] = set()
        frontier: list[tuple[int, Iterator[int]]] = [(row, iter(candidates[row]))]
        path: list[int] = []
        while frontier:
            _, choices = frontier[-1]
            for choice in choices:
                if choice in seen:
                    continue
                seen.add(choice)
                path.append(choice)
                if choice not in owner:
                    for (claimant, _), claimed in zip(frontier, path, strict=True):
                        owner[claimed] = claimant
                    return True
                frontier.append((owner[choice], iter(candidates[owner[choice]])))
                break
            else:
                frontier.pop()
                if path:
                    path.pop()
        return False

    return all(place(row) for row in range(len(candidates)))


def _candidates(
    expected: Sequence[Row], observed: Sequence[Row], numbers: Numbers
) -> list[list[int]] | None:
    """For each expected row the observed rows that may stand for it; None if one has none."""
    by_shape: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, row in enumerate(observed):
        by_shape[_shape(row)].append(index)
    found = []
    for row in expected:
        fitting = [
            index
            for index in by_shape.get(_shape(row), ())
            if _unify_rows(row, observed[index], {}, numbers) is not None
        ]
        if not fitting:
            return None
        found.append(fitting)
    return found


def _shape(row: Row) -> tuple[str, ...]:
    """What corresponding rows must share: kinds of cells."""
    return tuple([type(cell).__name__ for cell in row])


def _has_blank(row: Row) -> bool:
    return any(
        isinstance(cell, (BlankNode, Triple)) and next(blank_nodes(cell), None) is not None
        for cell in row
    )


def _unify_rows(left: Row, right: Row, bijection: Bijection, numbers: Numbers) -> Bijection | None:
    current: Bijection | None = bijection
    for expected, observed in zip(left, right, strict=True):
        if expected is None or observed is None or isinstance(expected, int):
            if expected != observed:
                return None
            continue
        if isinstance(observed, int):
            return None
        assert current is not None
        current = _unify(expected, observed, current, numbers)
        if current is None:
            return None
    return current


def _unify(
    expected: Term, observed: Term, bijection: Bijection, numbers: Numbers
) -> Bijection | None:
    """BIJECTION extended so that the terms agree, or None."""
    if isinstance(expected, BlankNode) and isinstance(observed, BlankNode):
        if expected in bijection:
            return bijection if bijection[expected] == observed else None
        if observed in bijection.values():
            return None
        return {**bijection, expected: observed}
    if isinstance(expected, Triple) and isinstance(observed, Triple):
        current: Bijection | None = bijection
        for left, right in zip(expected, observed, strict=True):
            if current is None:
                return None
            current = _unify(left, right, current, numbers)
        return current
    return bijection if agree(expected, observed, numbers) else None
