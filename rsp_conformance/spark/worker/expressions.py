"""Expressions, compiled to functions of a row (SPARQL 1.1, 17).

A compiled expression takes a row and yields a term. None is an error; an unbound variable is one
too, since every use but BOUND and COALESCE treats both alike. ``compile_test`` yields truth values
(None: error) and saves the detour over xsd:boolean literals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

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
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.comparison import effective_boolean_value
from rsp_conformance.sparql.extensions import of_error_in_nothing, open_error
from rsp_conformance.sparql.functions import COMPARISONS, FUNCTIONS, LOGICAL, iri_function
from rsp_conformance.sparql.readings import all_values, either, leave_open
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.uncertainty.functions import compile_call
from rsp_conformance.sparql.values import boolean

Evaluator: TypeAlias = Callable[[Row], Term | None]
Test: TypeAlias = Callable[[Row], bool | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame against which an expression is compiled.

    Attributes:
        slots: the place of each variable in a row.
        base: resolves IRI().
        aggregates: the place of each aggregate in a row.
        exists: gives the test of an EXISTS over the active graph; None if no data are at hand.
    """

    slots: dict[str, int]
    base: str | None = None
    aggregates: dict[Aggregate, int] = field(default_factory=dict)
    exists: Callable[[Exists], Test] | None = None


def compile_expression(expression: Expression, frame: Frame) -> Evaluator:
    """Compile an expression to a function from rows to terms.

    Raises:
        Unsupported: it has a part that is not evaluated.
    """
    match expression:
        case Variable(name):
            return _lookup(frame.slots.get(name))
        case IRI() | Literal():
            return lambda row: expression
        case Aggregate():
            return _lookup(frame.aggregates.get(expression))
        case TriplePattern(subject, predicate, object_):
            parts = [_part(part, frame) for part in (subject, predicate, object_)]
            operands = _operands((subject, predicate, object_), parts)
            return lambda row: _quoted(operands(row))
        case Operation(name="IF", arguments=(condition, first, second)):
            test = compile_test(condition, frame)
            then = compile_expression(first, frame)
            otherwise = compile_expression(second, frame)
            return lambda row: _choose(test(row), then, otherwise, row)
        case Operation(name="COALESCE", arguments=arguments):
            return _coalesce([compile_expression(argument, frame) for argument in arguments])
        case Operation(name=name, arguments=arguments) if name in LOGICAL or name in COMPARISONS:
            test = compile_test(expression, frame)
            return lambda row: boolean(test(row))
        case Operation(name=name, arguments=arguments):
            compiled = [compile_expression(argument, frame) for argument in arguments]
            if name in ("IRI", "URI") and len(arguments) == 1:
                return _strict("IRI", iri_function(frame.base), arguments, compiled)
            function, least, greatest = FUNCTIONS.get(name, (None, 0, None))
            if function is None:
                raise Unsupported(f"the function {name}")
            if len(arguments) < least or (greatest is not None and len(arguments) > greatest):
                raise Unsupported(f"{name} with {len(arguments)} arguments")
            return _strict(name, function, arguments, compiled)
        case FunctionCall() if is_uncertain(expression):
            return compile_call(expression, lambda part: compile_expression(part, frame))
        case FunctionCall(function=function_iri, arguments=(argument,), distinct=False):
            cast = CASTS.get(function_iri.value)
            if cast is not None:
                compiled = [compile_expression(argument, frame)]
                return _strict(function_iri.value, cast, (argument,), compiled)
            raise Unsupported(f"the extension function <{function_iri.value}>")
        case FunctionCall(function=function_iri):
            raise Unsupported(f"the extension function <{function_iri.value}>")
        case Exists():
            test = compile_test(expression, frame)
            return lambda row: boolean(test(row))


def compile_test(expression: Expression, frame: Frame) -> Test:
    """Compile an expression to a function from rows to its effective boolean value.

    Raises:
        Unsupported: it has a part that is not evaluated.
    """
    if isinstance(expression, Exists):
        if frame.exists is None:
            raise Unsupported("EXISTS")
        return frame.exists(expression)
    if not isinstance(expression, Operation):
        term = compile_expression(expression, frame)
        return lambda row: effective_boolean_value(term(row))
    name, arguments = expression.name, expression.arguments
    if name in ("||", "&&") and len(arguments) == 2:
        tests = [compile_test(argument, frame) for argument in arguments]
        decisive = name == "||"
        return lambda row: either((test(row) for test in tests), decisive=decisive)
    if name == "!" and len(arguments) == 1:
        negated = compile_test(arguments[0], frame)
        return lambda row: _not(negated(row))
    if name == "BOUND" and len(arguments) == 1 and isinstance(arguments[0], Variable):
        bound = _lookup(frame.slots.get(arguments[0].name))
        return lambda row: bound(row) is not None
    if name in ("IN", "NOT IN") and arguments:
        member = _membership(arguments[0], arguments[1:], frame)
        return member if name == "IN" else lambda row: _not(member(row))
    if name in COMPARISONS and len(arguments) == 2:
        return _comparison(name, arguments, frame)
    if name in LOGICAL or name in COMPARISONS:
        raise Unsupported(f"{name} with {len(arguments)} arguments")
    value = compile_expression(expression, frame)
    return lambda row: effective_boolean_value(value(row))


def _note_extension(operator: str, operands: Sequence[Term]) -> None:
    """Record that an operator was an error on these operands, if others may extend it."""
    point = open_error(operator, operands)
    if point is not None:
        leave_open(point)


def _lookup(slot: int | None) -> Evaluator:
    """The term at a slot; a variable without a slot occurs in no pattern and is never bound."""
    if slot is None:
        return lambda row: None
    return lambda row: row[slot]


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _operands(
    arguments: Sequence[object], compiled: Sequence[Evaluator]
) -> Callable[[Row], list[Term] | None]:
    """A function that gives the values of arguments for a row; None for an error in one of them."""
    if all(isinstance(argument, (Variable, IRI, Literal)) for argument in arguments):

        def known(row: Row) -> list[Term] | None:
            """The same for what can leave nothing open."""
            terms = []
            for each in compiled:
                term = each(row)
                if term is None:
                    return None
                terms.append(term)
            return terms

        return known
    return lambda row: all_values(each(row) for each in compiled)


def _comparison(name: str, arguments: Sequence[Expression], frame: Frame) -> Test:
    relation = COMPARISONS[name]
    operands = _operands(arguments, [compile_expression(each, frame) for each in arguments])

    def test(row: Row) -> bool | None:
        terms = operands(row)
        if terms is None:
            return None
        result = relation(*terms)
        if result is None:
            _note_extension(name, terms)
        return result

    return test


def _membership(needle: Expression, candidates: Sequence[Expression], frame: Frame) -> Test:
    """IN: true if equal to one, else an error if any comparison was one, else false (17.4.1.9).

    Nothing is in the empty list; whether an error is, is open.
    """
    if not candidates:
        term = compile_expression(needle, frame)
        return lambda row: of_error_in_nothing() if term(row) is None else False
    same = [_comparison("=", (needle, candidate), frame) for candidate in candidates]
    return lambda row: either((test(row) for test in same), decisive=True)


def _choose(condition: bool | None, then: Evaluator, otherwise: Evaluator, row: Row) -> Term | None:
    if condition is None:
        return None
    return then(row) if condition else otherwise(row)


def _coalesce(arguments: Sequence[Evaluator]) -> Evaluator:
    def evaluate(row: Row) -> Term | None:
        for argument in arguments:
            term = argument(row)
            if term is not None:
                return term
        return None

    return evaluate


def _strict(
    name: str,
    function: Callable[..., Term | None],
    arguments: Sequence[Expression],
    compiled: Sequence[Evaluator],
) -> Evaluator:
    """A function that is an error if an argument is one."""
    operands = _operands(arguments, compiled)

    def evaluate(row: Row) -> Term | None:
        terms = operands(row)
        if terms is None:
            return None
        result = function(*terms)
        if result is None:
            _note_extension(name, terms)
        return result

    return evaluate


def _part(part: object, frame: Frame) -> Evaluator:
    if isinstance(part, (Variable, IRI, Literal, TriplePattern)):
        return compile_expression(part, frame)
    raise Unsupported("blank nodes and property paths in quoted triples of expressions")


def _quoted(parts: Sequence[Term] | None) -> Term | None:
    if parts is None:
        return None
    subject, predicate, object_ = parts
    if not isinstance(subject, (IRI, BlankNode, Triple)) or not isinstance(predicate, IRI):
        return None
    return Triple(subject, predicate, object_)
