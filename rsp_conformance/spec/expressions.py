"""Expressions under a solution mapping (SPARQL 1.1, 17): operators, errors, truth.

A value is a term, or None for an error; an unbound variable is an error, too (17.2).
``sparql.functions`` defines the operators on terms. This module defines the operators that treat
errors in their own way, such as ``||``, IF and COALESCE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.comparison import effective_boolean_value
from rsp_conformance.sparql.extensions import of_error_in_nothing, open_error
from rsp_conformance.sparql.functions import COMPARISONS, FUNCTIONS, LOGICAL, iri_function
from rsp_conformance.sparql.readings import all_values, either, leave_open
from rsp_conformance.sparql.uncertainty.functions import compile_call
from rsp_conformance.sparql.values import boolean
from rsp_conformance.spec.bgp import quoted
from rsp_conformance.spec.listener import Listener
from rsp_conformance.spec.solutions import Solution

T = TypeVar("T", bound="Term | bool | None")


@dataclass(frozen=True, slots=True)
class Expressions:
    """Evaluates expressions at one place of a query.

    Attributes:
        base: The base IRI of the function IRI.
        exists: Tests a solution by a pattern over the active graph (18.6).
        listener: Hears the values of groups and ORDER BY; `spec.listening` has expressions whose
            operators it hears as well.
    """

    base: str | None
    exists: Callable[[Exists, Solution], bool]
    listener: Listener | None = None

    def value(self, expression: Expression, mu: Solution) -> Term | None:
        """The term that an expression has under the solution `mu`; None for an error.

        Raises:
            Unsupported: the expression is of a kind that is not evaluated.
        """
        match expression:
            case Variable(name):
                return mu.get(name)
            case IRI() | Literal():
                return expression
            case Aggregate():  # 18.2.4.1: the variable agg_i that the group binds
                return mu.get(expression)
            case TriplePattern(subject, predicate, object_):
                parts = self._values((subject, predicate, object_), mu)  # type: ignore[arg-type]
                return None if parts is None else quoted(*parts)
            case Operation("IF", (condition, first, second)):  # 17.4.1.2
                holds = self.truth(condition, mu)
                return None if holds is None else self.value(first if holds else second, mu)
            case Operation("COALESCE", arguments):  # 17.4.1.3: the first without an error
                values = (self.value(argument, mu) for argument in arguments)
                return next((value for value in values if value is not None), None)
            case Operation("IRI" | "URI", arguments):  # 17.4.2.8
                return self._applied("IRI", iri_function(self.base), arguments, mu)
            case Operation(name, arguments) if name in FUNCTIONS:
                return self._applied(name, FUNCTIONS[name][0], arguments, mu)
            case FunctionCall() if is_uncertain(expression):
                return compile_call(expression, lambda part: lambda row: self.value(part, mu))(())
            case FunctionCall(IRI(value=name), arguments):  # 17.5: the casts
                return self._applied(name, CASTS[name], arguments, mu)
            case Operation(name) if name in LOGICAL or name in COMPARISONS:
                return boolean(self.truth(expression, mu))
            case Exists():
                return boolean(self.truth(expression, mu))
            case _:
                raise Unsupported(f"the expression {expression}")

    def truth(self, expression: Expression, mu: Solution) -> bool | None:
        """The effective boolean value of an expression under `mu` (17.2.2); None for an error."""
        match expression:
            case Operation("||", (left, right)):
                return either((self.truth(side, mu) for side in (left, right)), decisive=True)
            case Operation("&&", (left, right)):
                return either((self.truth(side, mu) for side in (left, right)), decisive=False)
            case Operation("!", (inner,)):
                return _not(self.truth(inner, mu))
            case Operation("BOUND", (Variable(name),)):  # 17.4.1.1
                return name in mu
            case Operation("IN", (needle, *candidates)):  # 17.4.1.9
                return self._in(needle, candidates, mu)
            case Operation("NOT IN", (needle, *candidates)):  # 17.4.1.10
                return _not(self._in(needle, candidates, mu))
            case Operation(name, arguments) if name in COMPARISONS:  # 17.3
                return self._applied(name, COMPARISONS[name], arguments, mu)
            case Exists(negated=negated):  # 17.4.1.4
                return self.exists(expression, mu) is not negated
            case _:
                return effective_boolean_value(self.value(expression, mu))

    def holds(self, expression: Expression, mu: Solution) -> bool:
        """Whether an expression is true under `mu`; for FILTER an error is not true."""
        return self.truth(expression, mu) is True

    def _applied(
        self,
        name: str,
        function: Callable[..., T],
        arguments: Sequence[Expression],
        mu: Solution,
    ) -> T | None:
        """Apply an operator or function of terms; an error in an argument is an error (17.2, 17.3).

        If the terms have no value under it and engines may extend it to them, this is noted.
        """
        terms = self._values(arguments, mu)
        if terms is None:
            return None
        result = function(*terms)
        if result is None and (point := open_error(name, terms)) is not None:
            leave_open(point)
        return result

    def _values(self, expressions: Sequence[Expression], mu: Solution) -> list[Term] | None:
        return all_values(self.value(expression, mu) for expression in expressions)

    def _in(
        self, needle: Expression, candidates: Sequence[Expression], mu: Solution
    ) -> bool | None:
        """``(needle = first) || (needle = second) || …``, false for no candidates (17.4.1.9).

        SPARQL leaves open whether an error IN () is false or an error.
        """
        if not candidates and self.value(needle, mu) is None:
            return of_error_in_nothing()
        same = (self._applied("=", COMPARISONS["="], (needle, each), mu) for each in candidates)
        return either(same, decisive=True)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value
