"""Joins of solutions (SPARQL 1.1, 18.5: compatible mappings, Join, LeftJoin, Minus).

Rows are as wide as the query; a slot is None if the row does not bind the variable. Two sides share
``certain`` slots, which both always bind, and ``possible`` slots, which one of them may leave
unbound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from rsp_conformance.spark.worker.expressions import Test
from rsp_conformance.sparql.relation import Row

Partners: TypeAlias = Callable[[Row], Sequence[Row]]


def merge(left: Row, right: Row) -> Row:
    """The union of two compatible rows."""
    return tuple([b if a is None else a for a, b in zip(left, right, strict=True)])


def _indexed(rows: list[Row], certain: tuple[int, ...], possible: tuple[int, ...]) -> Partners:
    """A function that gives, for a row, the rows compatible with it."""
    find: Partners
    if certain:
        key: Callable[[Row], Any] = itemgetter(*certain)
        table: dict[Any, list[Row]] = {}
        for row in rows:
            table.setdefault(key(row), []).append(row)

        def find(row: Row) -> Sequence[Row]:
            return table.get(key(row), ())
    else:

        def find(row: Row) -> Sequence[Row]:
            return rows

    if not possible:
        return find

    def compatible(row: Row) -> Sequence[Row]:
        return [
            other
            for other in find(row)
            if all(row[s] is None or other[s] is None or row[s] == other[s] for s in possible)
        ]

    return compatible


def join(
    left: list[Row], right: list[Row], certain: tuple[int, ...], possible: tuple[int, ...]
) -> list[Row]:
    """Join: every pair of compatible rows."""
    if not left or not right:
        return []
    partners = _indexed(right, certain, possible)
    return [merge(row, other) for row in left for other in partners(row)]


def left_join(
    left: list[Row],
    right: list[Row],
    certain: tuple[int, ...],
    possible: tuple[int, ...],
    condition: Test | None,
) -> list[Row]:
    """LeftJoin: pairs for which a condition is true, and left rows that are in no such pair."""
    if not left or not right:
        return left
    partners = _indexed(right, certain, possible)
    out: list[Row] = []
    for row in left:
        merged = [merge(row, other) for other in partners(row)]
        if condition is not None:
            merged = [pair for pair in merged if condition(pair) is True]
        if merged:
            out.extend(merged)
        else:
            out.append(row)
    return out


def minus(
    left: list[Row], right: list[Row], certain: tuple[int, ...], possible: tuple[int, ...]
) -> list[Row]:
    """Minus: left rows without a compatible row on the right that binds one of their variables.

    Rows that stay keep their multiplicity (18.5: card[Minus] is that of the left side).
    """
    if not left or not right or not (certain or possible):
        return left
    partners = _indexed(list(dict.fromkeys(right)), certain, possible)
    if certain:
        return [row for row in left if not partners(row)]
    return [
        row for row in left if not any(_overlap(row, other, possible) for other in partners(row))
    ]


def without_partners(
    left: list[Row], right: list[Row], certain: tuple[int, ...], possible: tuple[int, ...]
) -> list[Row]:
    """Left rows that are compatible with no row on the right, whatever they share."""
    if not left or not right:
        return left
    partners = _indexed(list(dict.fromkeys(right)), certain, possible)
    return [row for row in left if not partners(row)]


def _overlap(row: Row, other: Row, slots: tuple[int, ...]) -> bool:
    """Whether both rows bind one of some slots."""
    return any(row[slot] is not None and other[slot] is not None for slot in slots)
