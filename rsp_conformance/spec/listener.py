"""A listener hears the values to which an evaluation applies operators, aggregates and ORDER BY.

For example, if ``?x`` is 1 in one solution and an IRI in another, ``?x + 2`` is heard as ``+`` on
an integer and on an IRI. The query alone does not show which kinds of terms reach which function;
only the evaluator knows. Without a listener this costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from rsp_conformance.model.expressions import Aggregate, FunctionCall, Operation
from rsp_conformance.model.query import OrderKey
from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.relation import Relation


class Listener(Protocol):
    """Hears an evaluation; a value of None is an error or an unbound variable."""

    def applied(
        self, expression: Operation | FunctionCall, values: Sequence[tuple[int, Term | None]]
    ) -> None:
        """Hear that an operator or function is applied.

        Args:
            expression: The operator or function with its arguments.
            values: Pairs of an argument's place and its value. All arguments are there, except
                those that IF and COALESCE do not evaluate (SPARQL 1.1, 17.4.1.2 and 17.4.1.3).
        """

    def aggregated(self, aggregate: Aggregate, values: Collection[Term | None]) -> None:
        """Hear that an aggregate of an argument is taken over the distinct values of a group."""

    def ordered(self, key: OrderKey, values: Collection[Term | None]) -> None:
        """Hear that several solutions with these distinct values under a key are put in order."""

    def evaluated(self, relation: Relation) -> None:
        """Hear that an evaluation ended; all that was heard since the last one belongs to it."""
