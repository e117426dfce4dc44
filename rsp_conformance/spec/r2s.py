"""Streaming operators: Rstream, Istream and Dstream (RSP-QL Definitions 20 to 22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.model.dials import R2S
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.sparql.relation import Relation, Row


def streamed(
    operator: StreamOperator | None,
    now: Relation,
    before: Relation | None,
    r2s: R2S,
    stayed: Sequence[Row] | None = None,
) -> Relation:
    """Apply a streaming operator to an evaluation and the one before it.

    Args:
        operator: The operator; None returns the solutions as they are.
        now: The solutions of this evaluation.
        before: The solutions of the evaluation before; None at the first.
        r2s: How differences are taken, the dial ``r2s``.
        stayed: Under ``r2s = elements``, the solutions over only the elements that are in the
            windows at both evaluations.
    """
    earlier: Sequence[Row] = () if before is None else before.rows
    kept_before, kept_now = (earlier, now.rows) if stayed is None else (stayed, stayed)
    match operator:
        case None:
            return now
        case StreamOperator.RSTREAM:
            return rstream(now, r2s)
        case StreamOperator.ISTREAM:  # The solutions that the previous evaluation did not have
            return replace(now, rows=_difference(now.rows, kept_before, r2s), ties=None)
        case StreamOperator.DSTREAM:  # The solutions of the previous evaluation that are gone
            computed = frozenset() if before is None else before.computed
            gone = _difference(earlier, kept_now, r2s)
            return replace(now, rows=gone, ties=None, computed=computed)


def rstream(now: Relation, r2s: R2S) -> Relation:
    """All solutions; under ``r2s = set`` each solution once, at its first place."""
    if r2s != "set":
        return now
    first = {row: index for index, row in reversed(list(enumerate(now.rows)))}
    kept = sorted(first.values())
    ties = None if now.ties is None else tuple(now.ties[index] for index in kept)
    return replace(now, rows=[now.rows[index] for index in kept], ties=ties)


def _difference(minuend: Sequence[Row], subtrahend: Sequence[Row], r2s: R2S) -> list[Row]:
    """Bag difference as in CQL, or set difference as the definitions word it (dial ``r2s``).

    Under ``membership`` a solution that the other side lacks stays as often as it comes.
    """
    if r2s in ("set", "membership"):
        gone = set(subtrahend)
        kept = [row for row in minuend if row not in gone]
        return kept if r2s == "membership" else list(dict.fromkeys(kept))
    left, kept = Counter(subtrahend), []
    for row in minuend:
        if left[row]:
            left[row] -= 1
        else:
            kept.append(row)
    return kept
