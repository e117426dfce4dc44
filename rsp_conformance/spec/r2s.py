"""Streaming operators, between consecutive evaluations (RSP-QL Definitions 20 to 22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from rsp_conformance.model.dials import R2S
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.terms import Term

Row: TypeAlias = tuple[Term | None, ...]


class Ordered(NamedTuple):
    """Rows with their groups of ties; ``ties`` None is a multiset."""

    rows: Sequence[Row]
    ties: Sequence[int] | None


def rstream(now: Ordered, r2s: R2S) -> Ordered:
    """All solutions; as a set, each once (and at its first place)."""
    if r2s == "bag":
        return now
    first = {row: index for index, row in reversed(list(enumerate(now.rows)))}
    kept = sorted(first.values())
    ties = None if now.ties is None else [now.ties[index] for index in kept]
    return Ordered([now.rows[index] for index in kept], ties)


def istream(now: Sequence[Row], before: Sequence[Row], r2s: R2S) -> Ordered:
    """The solutions that the previous evaluation did not have."""
    return Ordered(_difference(now, before, r2s), None)


def dstream(now: Sequence[Row], before: Sequence[Row], r2s: R2S) -> Ordered:
    """The solutions of the previous evaluation that are gone."""
    return Ordered(_difference(before, now, r2s), None)


def _difference(minuend: Sequence[Row], subtrahend: Sequence[Row], r2s: R2S) -> list[Row]:
    """Bag difference as in CQL, or set difference as the definitions word it (dial ``r2s``)."""
    if r2s == "set":
        gone = set(subtrahend)
        return [row for row in dict.fromkeys(minuend) if row not in gone]
    left = Counter(subtrahend)
    kept = []
    for row in minuend:
        if left[row]:
            left[row] -= 1
        else:
            kept.append(row)
    return kept


def apply(
    operator: StreamOperator | None, now: Ordered, before: Sequence[Row], r2s: R2S
) -> Ordered:
    """OPERATOR over this evaluation and the one before; without one, the plain answer."""
    match operator:
        case None:
            return now
        case StreamOperator.RSTREAM:
            return rstream(now, r2s)
        case StreamOperator.ISTREAM:
            return istream(now.rows, before, r2s)
        case StreamOperator.DSTREAM:
            return dstream(now.rows, before, r2s)
