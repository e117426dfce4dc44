"""Expressions over stored terms: values where SPARQL computes, the terms themselves elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph import functions
from rsp_conformance.adapters.reference.oxigraph.names import Scope
from rsp_conformance.adapters.reference.oxigraph.quoted import as_call, may_be_quoted
from rsp_conformance.adapters.reference.oxigraph.terms import CALLS, opaque_term
from rsp_conformance.adapters.reference.oxigraph.uncertainty import translate_call
from rsp_conformance.adapters.reference.oxigraph.values import CASTS, has_value
from rsp_conformance.model.algebra import Pattern, TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.terms import IRI, XSD_BOOLEAN, XSD_INTEGER, Literal
from rsp_conformance.model.uncertainty import RSPU

_TERM_ARGUMENTS = frozenset(
    {"BOUND", "STR", "LANG", "ISIRI", "ISURI", "ISBLANK", "ISLITERAL", "SAMETERM"}
)
_CONNECTIVES = frozenset({"&&", "||", "!"})
_EQUALITIES = frozenset({"=", "!=", "IN", "NOT IN"})
_BOOLEAN = _CONNECTIVES | _EQUALITIES | {*functions.TESTS, "BOUND", "SAMETERM"}
_PASSES_ON = frozenset({"IF", "COALESCE"})
_NOT_DETERMINED = frozenset({"RAND", "NOW", "UUID", "STRUUID", "BNODE"})
"""Functions whose value SPARQL does not determine, even by all data that there are."""

_QUOTED_ARE_NO_IRIS = frozenset({"STR", "ISIRI", "ISURI"})

_TRIPLE_FUNCTIONS = {
    "TRIPLE": functions.triple,
    "SUBJECT": functions.subject,
    "PREDICATE": functions.predicate,
    "OBJECT": functions.object_,
    "ISTRIPLE": functions.is_triple,
}
_ZERO, _ONE = (Literal(digit, XSD_INTEGER) for digit in "01")
_ERROR = "urn:x-rsp:error"


class Expressions:
    """The expressions of one query.

    ``value`` is for whoever computes with the result, ``term`` for whoever passes it on, ``truth``
    for whoever asks for its effective boolean value. ``aggregates`` are the custom aggregates that
    are called.

    Args:
        exists: translates the pattern of an EXISTS.
        fresh: numbers new names.
        library: as of ``Translation``.
        base: the base of the query; None if it has none.
    """

    def __init__(
        self,
        exists: Callable[[Pattern, Scope], Pattern],
        fresh: Iterator[int],
        library: str | None = None,
        base: str | None = None,
    ) -> None:
        self._exists = exists
        self._fresh = fresh
        self._library = library
        self._base = Literal(base or "")
        self.aggregates: functions.Aggregates = dict(functions.AGGREGATES)

    def value(self, expression: Expression, scope: Scope) -> Expression:
        """Return the translation of an expression whose value another expression computes with."""
        match expression:
            case Variable():
                return functions.value(expression)
            case Literal() if expression.language is None and not has_value(expression):
                return opaque_term(expression)
            case IRI() | Literal():
                return expression
            case TriplePattern():
                return functions.value(self.term(expression, scope))
            case Operation() | FunctionCall() if self._is_computed(expression):
                return functions.value(self.term(expression, scope))
            case Exists(pattern, negated):
                return Exists(self._exists(pattern, scope), negated)
            case Aggregate():
                return self._aggregate(expression, scope)
            case FunctionCall(function, arguments):
                return self._call(function, arguments, scope)
            case Operation("DATATYPE", arguments):
                return functions.datatype(*(self.term(a, scope) for a in arguments))
            case Operation(name, arguments):
                return self._operation(name, arguments, scope)
        raise AssertionError(expression)

    def term(self, expression: Expression, scope: Scope) -> Expression:
        """`expression` where the term itself is passed on."""
        match expression:
            case Variable() | IRI():
                return expression
            case Literal():
                return opaque_term(expression)
            case Operation("IF", (condition, *branches)):
                kept = (self.term(branch, scope) for branch in branches)
                return Operation("IF", (self.truth(condition, scope), *kept))
            case Operation("COALESCE", arguments):
                return Operation("COALESCE", tuple(self.term(a, scope) for a in arguments))
            case TriplePattern():
                return self.term(as_call(expression), scope)
            case Operation(name, arguments) if name in _TRIPLE_FUNCTIONS:
                return _TRIPLE_FUNCTIONS[name](*(self.term(a, scope) for a in arguments))
            case Aggregate("MIN", argument) if argument is not None:
                return functions.minimum(self.term(argument, scope))
            case Aggregate("MAX", argument) if argument is not None:
                return functions.maximum(self.term(argument, scope))
            case Aggregate("SAMPLE", argument) if argument is not None:
                return replace(expression, argument=self.term(argument, scope))
            case Aggregate("SUM" | "AVG", argument, distinct=distinct) if argument is not None:
                total = functions.TOTALS[expression.name, distinct]
                return total(self.given(argument, scope))
            case FunctionCall(function, arguments) if self._is_computed(expression):
                return functions.cast(*(self.given(a, scope) for a in arguments), function)
            case Operation("IRI" | "URI", arguments):
                return functions.iri(*(self.given(a, scope) for a in arguments), self._base)
            case Operation(name, arguments) if name in functions.COMPUTED:
                return functions.COMPUTED[name](*(self.given(a, scope) for a in arguments))
            case _:
                return functions.term(self.value(expression, scope))

    def given(self, expression: Expression, scope: Scope) -> Expression:
        """`expression` where a custom function takes it, which reads stored and computed values."""
        match expression:
            case Variable() | IRI() | Literal() | TriplePattern() | Aggregate():
                return self.term(expression, scope)
            case Operation(name, _) if name in _PASSES_ON or name in _TRIPLE_FUNCTIONS:
                return self.term(expression, scope)
            case _ if self._is_computed(expression):
                return self.term(expression, scope)
        return self.value(expression, scope)

    def sort_key(self, expression: Expression, scope: Scope) -> Expression:
        """Return the sort key for an expression in ORDER BY."""
        return functions.sort_key(self.given(expression, scope))

    def _is_computed(self, expression: Expression) -> bool:
        """Return whether a function of our own computes `expression` as a term."""
        match expression:
            case Operation(name, _):
                return name in functions.COMPUTED or name in ("IRI", "URI")
            case FunctionCall(function, _):
                return function.value in CASTS
        return False

    def truth(self, condition: Expression, scope: Scope) -> Expression:
        """`condition` where its effective boolean value is asked for."""
        yields_boolean = isinstance(condition, Exists) or (
            isinstance(condition, Operation) and condition.name in _BOOLEAN
        )
        if yields_boolean or self._library == "truth":
            return self.value(condition, scope)
        return functions.truth(self.given(condition, scope))

    def _operation(self, name: str, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        if name in _NOT_DETERMINED:
            raise Unsupported(f"{name}, whose value is not determined")
        if name in _PASSES_ON or name in _TRIPLE_FUNCTIONS:
            return functions.value(self.term(Operation(name, arguments), scope))
        if name in _EQUALITIES:
            return self._equality(name, arguments, scope)
        if name in functions.TESTS:
            return functions.TESTS[name](*(self.given(a, scope) for a in arguments))
        taken: Callable[[Expression, Scope], Expression] = self.value
        if name in _TERM_ARGUMENTS:
            taken = self.term
        elif name in _CONNECTIVES:
            taken = self.truth
        given = tuple(taken(argument, scope) for argument in arguments)
        if name in _QUOTED_ARE_NO_IRIS and may_be_quoted(arguments[0]):
            if name == "STR":
                return Operation(name, (functions.unquoted(*given),))
            is_other = Operation("!", (functions.is_triple(*given),))
            return Operation("&&", (Operation(name, given), is_other))
        return Operation(name, given)

    def _equality(self, name: str, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        first, *others = (self.given(argument, scope) for argument in arguments)
        if name in {"=", "IN"}:
            if not others:
                return Literal("false", XSD_BOOLEAN)
            if len(others) > 1 and all(isinstance(a, (IRI, Literal)) for a in arguments[1:]):
                return functions.is_one_of(first, *others)
            # a IN (b, c) is (a = b) || (a = c) (SPARQL 1.1, 17.4.1.9).
            equal: list[Expression] = [functions.equal(first, other) for other in others]
            return reduce(lambda a, b: Operation("||", (a, b)), equal)
        positive = {"!=": "=", "NOT IN": "IN"}[name]
        return Operation("!", (self._equality(positive, arguments, scope),))

    def _call(self, function: IRI, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        if function.value.startswith(RSPU):
            rspu = FunctionCall(function, arguments)
            return translate_call(rspu, lambda part: self.term(part, scope))
        if function.value not in CASTS:
            raise Unsupported(f"the function <{function.value}>")
        return FunctionCall(function, tuple(self.value(a, scope) for a in arguments))

    def _aggregate(self, aggregate: Aggregate, scope: Scope) -> Expression:
        argument = aggregate.argument
        if argument is None:
            return aggregate
        term = self.term(argument, scope)
        match aggregate.name, aggregate.distinct:
            case (("SUM" | "AVG" | "MIN" | "MAX" | "SAMPLE"), _):
                return functions.value(self.term(aggregate, scope))
            case "GROUP_CONCAT", False:
                return replace(aggregate, argument=functions.text(term))
            case "GROUP_CONCAT", True:
                between = " " if aggregate.separator is None else aggregate.separator
                name = f"{CALLS}concatenation:{next(self._fresh)}"
                self.aggregates[ox.NamedNode(name)] = functions.distinct_concatenation(between)
                return FunctionCall(IRI(name), (term,))
        if isinstance(argument, Variable) or self._library == "count-errors":
            return replace(aggregate, argument=term)
        return self._count(term, aggregate.distinct)

    def _count(self, term: Expression, distinct: bool) -> Expression:
        """Return how many values `term` has (SPARQL 1.1, 18.5.1.2), errors left out.

        pyoxigraph takes one error for an error of the whole aggregate, so errors become numbers.
        """

        def add(value: Literal, error: Literal) -> Expression:
            always = Operation("SAMETERM", (term, term))
            counted = Operation("COALESCE", (Operation("IF", (always, value, value)), error))
            return Aggregate("SUM", counted)

        if not distinct:
            return add(_ONE, _ZERO)
        errors = Operation(">", (add(_ZERO, _ONE), _ZERO))
        values = Aggregate("COUNT", Operation("COALESCE", (term, IRI(_ERROR))), distinct=True)
        return Operation("-", (values, Operation("IF", (errors, _ONE, _ZERO))))
