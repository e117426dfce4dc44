"""Defects of aggregates, solution modifiers, streaming operators, forms and terms."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.model.expressions import Aggregate, Expression, Operation
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.terms import XSD_INTEGER, XSD_STRING, Literal
from rsp_conformance.model.walk import subexpressions

_ZERO = Literal("0", XSD_INTEGER)


class NullAggregate(Behaviour):
    """An aggregate of nothing is unbound in place of 0."""

    def rewritten(self) -> Query:
        """Every aggregate over an empty group errs."""
        if self.query.projection is None or self.query.group_by:
            return self.query
        return replace(
            self.query,
            projection=tuple(
                replace(column, expression=_null_if_empty(column.expression))
                for column in self.query.projection
            ),
        )


class HavingIgnored(Behaviour):
    """HAVING is parsed and never applied."""

    def rewritten(self) -> Query:
        """The query without it."""
        return replace(self.query, having=())


class LimitIgnored(Behaviour):
    """LIMIT and OFFSET are parsed and never applied."""

    def rewritten(self) -> Query:
        """The query without them."""
        return replace(self.query, limit=None, offset=None)


class DistinctForever(Behaviour):
    """DISTINCT lasts the query's lifetime: a row that was answered once never comes again."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._seen: set[Row] = set()

    def streamed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Drop the rows of former answers."""
        if not self.query.distinct:
            return rows
        new = [row for row in rows if row not in self._seen]
        self._seen.update(new)
        return new


class OrderLost(Behaviour):
    """The rows of an ordered answer come in another order."""

    def streamed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Backwards."""
        return rows[::-1] if self.query.order_by else rows


class IstreamIgnored(Behaviour):
    """ISTREAM is parsed and answers as RSTREAM does."""

    ignored = StreamOperator.ISTREAM

    def rewritten(self) -> Query:
        """The query with RSTREAM in its place."""
        if self.query.operator is self.ignored:
            return replace(self.query, operator=StreamOperator.RSTREAM)
        return self.query


class DstreamIgnored(IstreamIgnored):
    """DSTREAM is parsed and answers as RSTREAM does."""

    ignored = StreamOperator.DSTREAM


class ConstructSilent(Behaviour):
    """CONSTRUCT delivers nothing."""

    def handed_out(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """No answer at all."""
        return [] if self.query.form is Form.CONSTRUCT else answers


class Terms(Behaviour):
    """Gets terms of its solutions wrong."""

    def solutions(self, rows: Sequence[Row], columns: Sequence[str]) -> Sequence[Row]:
        """Every bound term as this engine knows it."""
        return [tuple(None if t is None else self.term(t) for t in row) for row in rows]

    def term(self, term: StoredTerm) -> StoredTerm:
        """What becomes of TERM."""
        raise NotImplementedError


class BlankNodesMerged(Terms):
    """All blank nodes of an answer are one."""

    def term(self, term: StoredTerm) -> StoredTerm:
        """One label for all."""
        return ox.BlankNode("b") if isinstance(term, ox.BlankNode) else term


class LanguageLost(Terms):
    """Literals lose their language tag."""

    def term(self, term: StoredTerm) -> StoredTerm:
        """The string alone."""
        return ox.Literal(term.value) if isinstance(term, ox.Literal) and term.language else term


class StringsAsResources(Terms):
    """Literals without a datatype become resources."""

    def term(self, term: StoredTerm) -> StoredTerm:
        """The string as an IRI."""
        if isinstance(term, ox.Literal) and term.datatype.value == XSD_STRING:
            return ox.NamedNode(f"urn:resource:{quote(term.value)}")
        return term


class Nondeterministic(Behaviour):
    """Answers differ from run to run: now and then a row is lost."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._random = random.SystemRandom()

    def streamed(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Lose the last row, at the toss of a coin."""
        return rows[:-1] if rows and self._random.random() < 0.5 else rows


def _null_if_empty(expression: Expression | None) -> Expression | None:
    if expression is None or not any(
        isinstance(part, Aggregate) for part in subexpressions(expression)
    ):
        return expression
    empty = Operation("=", (Aggregate("COUNT", None), _ZERO))
    error = Operation("/", (_ZERO, _ZERO))
    return Operation("IF", (empty, error, expression))
