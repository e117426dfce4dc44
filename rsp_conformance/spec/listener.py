"""Who listens to an evaluation hears what operators, groups and ORDER BY are applied to.

For example, over solutions in which ``?x`` is 1, and an IRI, ``?x + 2`` is heard as ``+`` on an
integer and on an IRI. Which kinds of terms reach which function cannot be read off a query; the
evaluator has them at hand. Where nobody listens nothing is spent on it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from rsp_conformance.model.expressions import Aggregate, FunctionCall, Operation
from rsp_conformance.model.query import OrderKey
from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.relation import Relation


class Listener(Protocol):
    """Hears what is evaluated; a value of None is an error, or an unbound variable."""

    def applied(
        self, expression: Operation | FunctionCall, values: Sequence[tuple[int, Term | None]]
    ) -> None:
        """EXPRESSION is applied to VALUES, each with the place of its argument.

        They are those of all arguments, but for IF and COALESCE, which do not ask for all (SPARQL
        1.1, 17.4.1.2 and 17.4.1.3).
        """

    def aggregated(self, aggregate: Aggregate, values: Collection[Term | None]) -> None:
        """AGGREGATE, which has an argument, is taken over the different VALUES of a group."""

    def ordered(self, key: OrderKey, values: Collection[Term | None]) -> None:
        """Several solutions, which have the different VALUES under KEY, are put in order."""

    def evaluated(self, relation: Relation) -> None:
        """All that was heard since the last time belongs to the evaluation of RELATION."""
