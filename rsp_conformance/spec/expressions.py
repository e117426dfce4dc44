"""Expressions under a solution mapping (SPARQL 1.1, 17): operators, errors, truth.

A value is a term, and None an error; an unbound variable is one, too (17.2). What an operator
yields on terms stands in ``sparql.operations``; here is what treats errors in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
from rsp_conformance.model.terms import IRI, Literal, Term, Triple
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.sparql import undetermined
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.comparison import effective_boolean_value
from rsp_conformance.sparql.functions.terms import iri_function
from rsp_conformance.sparql.operations import COMPARISONS, FUNCTIONS, LOGICAL
from rsp_conformance.sparql.uncertainty.functions import compile_call
from rsp_conformance.sparql.values import boolean
from rsp_conformance.spec.solutions import Solution


@dataclass(frozen=True, slots=True)
class Expressions:
    """Expressions where they stand in a query.

    ``base`` is what IRI resolves by, ``exists`` tests a solution by a pattern over the active graph
    (18.6), and ``note`` takes down why SPARQL leaves the solutions open.
    """

    base: str | None
    exists: Callable[[Exists, Solution], bool]
    note: Callable[[str], None]

    def value(self, expression: Expression, mu: Solution) -> Term | None:
        """The term that EXPRESSION yields under MU, None for an error."""
        match expression:
            case Variable(name):
                return mu.get(name)
            case IRI() | Literal():
                return expression
            case Aggregate():  # 18.2.4.1: the variable agg_i that the group binds
                return mu.get(expression)
            case TriplePattern(subject, predicate, object_):
                return self._quoted(self._values((subject, predicate, object_), mu))
            case Operation("IF", (condition, first, second)):  # 17.4.1.2
                holds = self.truth(condition, mu)
                return None if holds is None else self.value(first if holds else second, mu)
            case Operation("COALESCE", arguments):  # 17.4.1.3: the first without an error
                return next((v for v in self._values(arguments, mu) if v is not None), None)
            case Operation(name) if name in LOGICAL or name in COMPARISONS:
                return boolean(self.truth(expression, mu))
            case Operation("IRI" | "URI", (argument,)):  # 17.4.2.8
                return self._applied("IRI", iri_function(self.base), [self.value(argument, mu)])
            case Operation(name, arguments):
                return self._applied(name, FUNCTIONS[name][0], [*self._values(arguments, mu)])
            case FunctionCall() if is_uncertain(expression):
                return compile_call(expression, lambda part: lambda row: self.value(part, mu))(())
            case FunctionCall(function, (argument,)):  # 17.5: the casts
                cast = CASTS[function.value]
                return self._applied(function.value, cast, [self.value(argument, mu)])
            case Exists():
                return boolean(self.truth(expression, mu))
            case _:
                raise Unsupported(f"the expression {type(expression).__name__}")

    def truth(self, expression: Expression, mu: Solution) -> bool | None:
        """The effective boolean value of EXPRESSION under MU (17.2.2), None for an error."""
        match expression:
            case Operation("||", (left, right)):  # 17.2: a true side outweighs an error
                return self._either(left, right, mu, decisive=True)
            case Operation("&&", (left, right)):  # ... and here a false one
                return self._either(left, right, mu, decisive=False)
            case Operation("!", (inner,)):
                return _not(self.truth(inner, mu))
            case Operation("BOUND", (Variable(name),)):  # 17.4.1.1
                return name in mu
            case Operation("IN", (needle, *candidates)):  # 17.4.1.9
                return self._in(needle, candidates, mu)
            case Operation("NOT IN", (needle, *candidates)):  # 17.4.1.10
                return _not(self._in(needle, candidates, mu))
            case Operation(name, (left, right)) if name in COMPARISONS:  # 17.3
                a = self.value(left, mu)
                b = None if a is None else self.value(right, mu)
                return None if a is None or b is None else self._compared(name, a, b)
            case Exists(negated=negated):  # 18.6; 17.4.1.4
                return self.exists(expression, mu) is not negated
            case _:
                return effective_boolean_value(self.value(expression, mu))

    def holds(self, expression: Expression, mu: Solution) -> bool:
        """Whether EXPRESSION is true under MU, as FILTER wants it: an error is not true."""
        return self.truth(expression, mu) is True

    def _values(self, expressions: Sequence[object], mu: Solution) -> Iterator[Term | None]:
        return (self.value(expression, mu) for expression in expressions)  # type: ignore[arg-type]

    def _applied(
        self, name: str, function: Callable[..., Term | None], terms: list[Term | None]
    ) -> Term | None:
        """A function of terms, an error where one of them is an error (17.3)."""
        known = [term for term in terms if term is not None]
        if len(known) < len(terms):
            return None
        result = function(*known)
        if result is None and undetermined.may_be_defined(name, known):
            self.note(undetermined.OPEN)
        return result

    def _quoted(self, parts: Iterator[Term | None]) -> Term | None:
        """``<< s p o >>``, an error where the terms are no triple (RDF-star 6.4)."""
        subject, predicate, object_ = parts
        if subject is None or object_ is None or isinstance(subject, Literal):
            return None
        return Triple(subject, predicate, object_) if isinstance(predicate, IRI) else None

    def _compared(self, name: str, a: Term, b: Term) -> bool | None:
        result = COMPARISONS[name](a, b)
        if result is None and undetermined.may_be_defined(name, [a, b]):
            self.note(undetermined.OPEN)
        return result

    def _either(
        self, left: Expression, right: Expression, mu: Solution, *, decisive: bool
    ) -> bool | None:
        """``||`` (DECISIVE true) and ``&&`` (false) by the truth table of 17.2."""
        first = self.truth(left, mu)
        if first is decisive:
            return decisive
        second = self.truth(right, mu)
        if second is decisive:
            return decisive
        return None if first is None or second is None else not decisive

    def _in(
        self, needle: Expression, candidates: Sequence[Expression], mu: Solution
    ) -> bool | None:
        """``(needle = first) || (needle = second) || …``; nothing is in the empty list."""
        term = self.value(needle, mu)
        result: bool | None = False
        for candidate in candidates:
            other = self.value(candidate, mu)
            same = None if term is None or other is None else self._compared("=", term, other)
            if same:
                return True
            if same is None:
                result = None
        return result


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value
