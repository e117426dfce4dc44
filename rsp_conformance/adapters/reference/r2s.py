"""From relations to streams: what an evaluation adds to the answer stream (SEMANTICS 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from rsp_conformance.model.dials import R2S
from rsp_conformance.model.query import StreamOperator

Row: TypeAlias = "tuple[NamedNode | BlankNode | Literal | Triple | None, ...]"


class Streamer:
    """A streaming operator with the evaluation before, as bags (CQL) or as sets."""

    def __init__(self, operator: StreamOperator | None, r2s: R2S) -> None:
        self._operator = operator
        self._sets = r2s == "set"
        self._before: Sequence[Row] = ()

    def next(self, rows: Sequence[Row]) -> Sequence[Row]:
        """What the operator makes of ROWS, the solutions of the next evaluation."""
        before, self._before = self._before, rows
        match self._operator:
            case StreamOperator.ISTREAM:
                return self._minus(rows, before)
            case StreamOperator.DSTREAM:
                return self._minus(before, rows)
            case StreamOperator.RSTREAM if self._sets:
                return tuple(dict.fromkeys(rows))
            case _:
                return rows

    def _minus(self, rows: Sequence[Row], others: Sequence[Row]) -> Sequence[Row]:
        if self._sets:
            taken = set(others)
            return tuple(row for row in dict.fromkeys(rows) if row not in taken)
        left = Counter(others)
        kept = []
        for row in rows:
            if left[row] > 0:
                left[row] -= 1
            else:
                kept.append(row)
        return tuple(kept)
