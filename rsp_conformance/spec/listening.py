"""Expressions that report to a listener the values that their operators are applied to."""

from __future__ import annotations

from dataclasses import dataclass, field

from rsp_conformance.model.expressions import Expression, FunctionCall, Operation
from rsp_conformance.model.terms import Term
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.sparql.readings import aside
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Solution


@dataclass(frozen=True, slots=True)
class ListenedExpressions(Expressions):
    """Expressions whose operators are heard, each once for each solution.

    An operator is heard with the values of all its arguments, including those that the evaluation
    skips because another argument is an error or decides the result. Operators evaluated only for
    the listener are not heard themselves, and their open points are not noted.
    """

    heard: set[tuple[int, Solution]] = field(default_factory=set)

    def value(self, expression: Expression, mu: Solution) -> Term | None:
        """The term that an expression has under the solution `mu`; None for an error."""
        self._hear(expression, mu)
        return Expressions.value(self, expression, mu)

    def truth(self, expression: Expression, mu: Solution) -> bool | None:
        """The effective boolean value of an expression under `mu`; None for an error."""
        self._hear(expression, mu)
        return Expressions.truth(self, expression, mu)

    def _hear(self, expression: Expression, mu: Solution) -> None:
        if not isinstance(expression, Operation | FunctionCall) or is_uncertain(expression):
            return
        # By identity: the query keeps its expressions; equal ones at two places are heard twice.
        key = id(expression), mu
        if key in self.heard or self.listener is None:
            return
        self.heard.add(key)
        with aside():
            values = self._all_values(expression, mu)
        self.listener.applied(expression, values)

    def _all_values(
        self, expression: Operation | FunctionCall, mu: Solution
    ) -> list[tuple[int, Term | None]]:
        quiet = Expressions(self.base, self.exists)
        places = [*range(len(expression.arguments))]
        name = expression.name if isinstance(expression, Operation) else ""
        if name == "IF":
            holds = quiet.truth(expression.arguments[0], mu)
            places = [0] if holds is None else [0, 1 if holds else 2]
        values: list[tuple[int, Term | None]] = []
        for place in places:
            values.append((place, quiet.value(expression.arguments[place], mu)))
            if name == "COALESCE" and values[-1][1] is not None:
                break
        return values
