"""Query forms: what an answer shows of its solutions, as the protocol sends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyoxigraph as ox

from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.library.terms import StoredTerm, from_model, plain, to_json
from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import BlankNode


class Shower:
    """Turns rows over COLUMNS into the part of an answer that the query's form asks for."""

    def __init__(self, query: Query, columns: Sequence[str]) -> None:
        self._form = query.form
        self._template = query.template
        self._columns = tuple(columns)
        self._shown = 0

    def show(self, rows: Sequence[Row]) -> dict[str, Any]:
        """``solutions`` of a SELECT, ``boolean`` of an ASK, ``graph`` of a CONSTRUCT."""
        match self._form:
            case Form.ASK:
                return {"boolean": len(rows) > 0}
            case Form.CONSTRUCT:
                return {"graph": self._graph(rows)}
            case _:
                return {"solutions": [self._solution(row) for row in rows]}

    def _solution(self, row: Row) -> dict[str, Any]:
        return {
            name: to_json(term)
            for name, term in zip(self._columns, row, strict=True)
            if term is not None
        }

    def _graph(self, rows: Sequence[Row]) -> str:
        """The template under each row; what is no triple is left out (SPARQL 1.1, 16.2)."""
        lines: dict[str, None] = {}
        for row in rows:
            self._shown += 1
            bindings = dict(zip(self._columns, row, strict=True))
            for triple in self._template:
                parts = [self._instance(part, bindings) for part in _parts(triple)]
                if _is_triple(parts):
                    lines[f"{' '.join(str(part) for part in parts)} .\n"] = None
        return "".join(lines)

    def _instance(
        self, part: PatternTerm, bindings: dict[str, StoredTerm | None]
    ) -> StoredTerm | None:
        match part:
            case Variable(name):
                term = bindings.get(name)
                return None if term is None else plain(term)
            case BlankNode(label=label):
                # One new node for each solution and label.
                return ox.BlankNode(f"constructed-{self._shown}-{label}")
            case TriplePattern():
                raise ValueError("a quoted triple in a template")
            case _:
                return plain(from_model(part))


def is_empty(shown: dict[str, Any]) -> bool:
    """No rows, or an empty graph; the truth value of an ASK is never empty."""
    return "boolean" not in shown and not any(shown.values())


def _parts(triple: TriplePattern) -> tuple[PatternTerm, PatternTerm, PatternTerm]:
    predicate = triple.predicate
    assert isinstance(predicate, Variable) or hasattr(predicate, "value")
    return triple.subject, predicate, triple.object  # type: ignore[return-value]


def _is_triple(parts: Sequence[StoredTerm | None]) -> bool:
    subject, predicate, value = parts
    return (
        isinstance(subject, (ox.NamedNode, ox.BlankNode))
        and isinstance(predicate, ox.NamedNode)
        and value is not None
    )
