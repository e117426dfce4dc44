"""The functions of the namespace ``rspu:`` in expressions (*Uncertainty*, Definition 14).

A sum that is neither normal nor uniform has no literal. It is passed from call to call, so it may
only be a direct argument of another function. If it would become a term, it is refused by name: it
is a value that no literal can express, and not an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, FunctionCall
from rsp_conformance.model.terms import Term
from rsp_conformance.model.uncertainty import ARITY, BETWEEN, SUMS, function_name
from rsp_conformance.sparql.readings import all_values
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.uncertainty.distributions import Distribution, Operand, operand
from rsp_conformance.sparql.uncertainty.probabilities import (
    probability_between,
    probability_greater,
    probability_less,
)
from rsp_conformance.sparql.values import literal_of

Evaluator: TypeAlias = Callable[[Row], Term | None]
"""An expression as a function of a row; None is an error."""
Compiler: TypeAlias = Callable[[Expression], Evaluator]
"""A function that compiles an expression."""
_OperandEvaluator: TypeAlias = "Callable[[Row], Operand | None]"


def check_call(call: FunctionCall) -> None:
    """Check that a call is one of the extension's functions, with as many arguments as it takes.

    Raises:
        Unsupported: it is not.
    """
    name = function_name(call)
    if name is None or name not in ARITY or call.distinct:
        raise Unsupported(f"the extension function <{call.function.value}>")
    if len(call.arguments) != ARITY[name]:
        raise Unsupported(f"rspu:{name} with {len(call.arguments)} arguments")


def compile_call(call: FunctionCall, compiled: Compiler) -> Evaluator:
    """Compile a call to a function of a row.

    Args:
        call: The call of a function of the namespace.
        compiled: Compiles the arguments that are other expressions.

    Raises:
        Unsupported: The function is unknown or has a wrong number of arguments. The compiled
            function raises it, too, if the result is a sum without a literal.
    """
    check_call(call)
    name = function_name(call)
    if name in SUMS:
        total = _sum(call, compiled)
        return lambda row: _as_term(total(row))
    arguments = [_operand(argument, compiled) for argument in call.arguments]
    compute = _PROBABILITIES[str(name)]

    def evaluate(row: Row) -> Term | None:
        values = all_values(argument(row) for argument in arguments)
        if values is None or not isinstance(values[0], Distribution):
            return None
        return literal_of(compute(*values))

    return evaluate


_PROBABILITIES: dict[str, Callable[..., float]] = {
    "lessThan": probability_less,
    "lessThanOrEqual": probability_less,
    "greaterThan": probability_greater,
    "greaterThanOrEqual": probability_greater,
    BETWEEN: probability_between,
}


def _operand(expression: Expression, compiled: Compiler) -> _OperandEvaluator:
    """An argument as a distribution or a number; a sum in it needs no literal."""
    if isinstance(expression, FunctionCall) and function_name(expression) in SUMS:
        return _sum(expression, compiled)
    term = compiled(expression)
    return lambda row: operand(term(row))


def _sum(call: FunctionCall, compiled: Compiler) -> _OperandEvaluator:
    check_call(call)
    arguments = [_operand(argument, compiled) for argument in call.arguments]
    sign = 1 if function_name(call) == "add" else -1

    def evaluate(row: Row) -> Operand | None:
        values: list[Operand] | None = all_values(argument(row) for argument in arguments)
        if values is None:
            return None
        left, right = values
        # The first operand is a distribution (SEMANTICS 9), and nothing infinite can be added.
        if not isinstance(left, Distribution) or isinstance(right, float):
            return None
        if not isinstance(right, Distribution):
            return left.shifted(sign * right)
        return left + right if sign > 0 else left - right

    return evaluate


def _as_term(total: Operand | None) -> Term | None:
    if not isinstance(total, Distribution):
        return None
    if total.literal is None:
        raise Unsupported("a sum of distributions that is neither normal nor uniform, as a result")
    return total.literal
