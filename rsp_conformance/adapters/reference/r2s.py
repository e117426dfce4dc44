"""From relations to answers: the streaming operator, then the query form (SEMANTICS 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm, to_model
from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples, Truth, rows_from_solutions
from rsp_conformance.model.dials import R2S
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import Path
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

Row: TypeAlias = "tuple[StoredTerm | None, ...]"


class Streamer:
    """A streaming operator with the evaluation before, under the dial ``r2s``."""

    def __init__(self, operator: StreamOperator | None, r2s: R2S) -> None:
        self._operator = operator
        self._r2s = r2s
        self._before: Sequence[Row] = ()

    def next(self, rows: Sequence[Row], stayed: Sequence[Row] | None = None) -> Sequence[Row]:
        """Return the output of the operator for the solutions of the next evaluation.

        `stayed` is what the elements give alone that were there before, under ``elements``.
        """
        before, self._before = self._before, rows
        match self._operator:
            case StreamOperator.ISTREAM:
                return self._minus(rows, before if stayed is None else stayed)
            case StreamOperator.DSTREAM:
                return self._minus(before, rows if stayed is None else stayed)
            case StreamOperator.RSTREAM if self._r2s == "set":
                return tuple(dict.fromkeys(rows))
            case _:
                return rows

    def _minus(self, rows: Sequence[Row], others: Sequence[Row]) -> Sequence[Row]:
        if self._r2s in ("set", "membership"):
            once = self._r2s == "set"
            taken = set(others)
            return tuple(row for row in (dict.fromkeys(rows) if once else rows) if row not in taken)
        left = Counter(others)
        kept = []
        for row in rows:
            if left[row] > 0:
                left[row] -= 1
            else:
                kept.append(row)
        return tuple(kept)


class Shower:
    """Turns rows over ``columns`` into the part of an answer that the query's form asks for."""

    def __init__(self, query: Query, columns: Sequence[str]) -> None:
        self._form = query.form
        self._template = query.template
        self._columns = tuple(columns)
        self._shown = 0

    def show(self, rows: Sequence[Row]) -> Content:
        """Rows of a SELECT, the truth of an ASK, the graph of a CONSTRUCT."""
        match self._form:
            case Form.ASK:
                return Truth(len(rows) > 0)
            case Form.CONSTRUCT:
                return Triples(self._graph(rows))
            case _:
                return _rows(self._columns, tuple(rows))

    def _graph(self, rows: Sequence[Row]) -> frozenset[Triple]:
        """Return the template under each row; what is no triple is left out (SPARQL 1.1, 16.2)."""
        made: set[Triple] = set()
        for row in rows:
            self._shown += 1
            bindings = dict(zip(self._columns, row, strict=True))
            for pattern in self._template:
                if (triple := self._triple(pattern, bindings)) is not None:
                    made.add(triple)
        return frozenset(made)

    def _triple(
        self, pattern: TriplePattern, bindings: dict[str, StoredTerm | None]
    ) -> Triple | None:
        subject = self._instance(pattern.subject, bindings)
        predicate = self._instance(pattern.predicate, bindings)
        value = self._instance(pattern.object, bindings)
        if subject is None or isinstance(subject, Literal) or not isinstance(predicate, IRI):
            return None
        return None if value is None else Triple(subject, predicate, value)

    def _instance(
        self, part: PatternTerm | Path, bindings: dict[str, StoredTerm | None]
    ) -> Term | None:
        match part:
            case Variable(name):
                term = bindings.get(name)
                return None if term is None else to_model(term)
            case BlankNode(label=label):
                # One new node for each solution and label.
                return BlankNode(f"constructed-{self._shown}-{label}")
            case TriplePattern():
                return self._triple(part, bindings)
            case IRI() | Literal():
                return part
        raise ValueError(f"a property path in a template: {part!r}")


@lru_cache(maxsize=64)
def _rows(columns: tuple[str, ...], rows: tuple[Row, ...]) -> Rows:
    """`rows` over `columns` as the model's; other settings of an engine have the same ones.

    Not many are kept: on a long stream none comes again.
    """
    solutions = (zip(columns, row, strict=True) for row in rows)
    return rows_from_solutions(
        tuple({name: to_model(term) for name, term in row if term is not None} for row in solutions)
    )
