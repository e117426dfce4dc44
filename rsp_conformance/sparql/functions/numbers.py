"""Arithmetic and functions on numbers (SPARQL 1.1, 17.3 and 17.4.4; F&O 4)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.values import (
    ARITHMETIC,
    Float,
    Number,
    literal_of,
    number_of,
    promoted,
    quotient,
    single,
)

_WHOLE = Decimal(1)


def _operator(
    exact: Callable[[int, int], int],
    decimal: Callable[[Decimal, Decimal], Decimal],
    floating: Callable[[float, float], float],
) -> Callable[[Number, Number], Number | None]:
    """An operator on numbers: its version for each type, after promotion."""

    def apply(a: Number, b: Number) -> Number | None:
        x, y = promoted(a, b)
        kind = type(x)
        if kind is int:
            return exact(x, y)  # type: ignore[arg-type]
        if kind is Decimal:
            return decimal(x, y)  # type: ignore[arg-type]
        result = floating(x, y)  # type: ignore[arg-type]
        return single(result) if kind is Float else float(result)

    return apply


add = _operator(operator.add, ARITHMETIC.add, operator.add)
subtract = _operator(operator.sub, ARITHMETIC.subtract, operator.sub)
multiply = _operator(operator.mul, ARITHMETIC.multiply, operator.mul)


def divide(a: Number, b: Number) -> Number | None:
    """``a / b``: integers divide to a decimal; by zero only doubles and floats divide."""
    x, y = promoted(a, b)
    kind = type(x)
    if kind is int or kind is Decimal:
        return quotient(Decimal(x), Decimal(y)) if y else None
    result = _divide_doubles(float(x), float(y))
    return single(result) if kind is Float else result


def _divide_doubles(x: float, y: float) -> float:
    if y:
        return x / y
    if math.isnan(y) or math.isnan(x) or not x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def _binary(operation: Callable[[Number, Number], Number | None]) -> Callable[..., Term | None]:
    def apply(a: Term, b: Term) -> Term | None:
        x, y = number_of(a), number_of(b)
        if x is None or y is None:
            return None
        result = operation(x, y)
        return None if result is None else literal_of(result)

    return apply


def _unary(operation: Callable[[Number], Number]) -> Callable[..., Term | None]:
    def apply(a: Term) -> Term | None:
        x = number_of(a)
        if x is None:
            return None
        result = operation(x)
        return literal_of(Float(result) if type(x) is Float else result)

    return apply


def _to_whole(
    decimal: Callable[[Decimal], Decimal], floating: Callable[[float], float]
) -> Callable[[Number], Number]:
    def apply(x: Number) -> Number:
        if isinstance(x, int):
            return x
        if isinstance(x, Decimal):
            return decimal(x)
        # Zero keeps its sign, and so does what rounds to it; INF and NaN stay.
        return math.copysign(floating(x), x) if math.isfinite(x) else x

    return apply


def _ceiling(x: Decimal) -> Decimal:
    return x.quantize(_WHOLE, ROUND_CEILING, ARITHMETIC)


def _floor(x: Decimal) -> Decimal:
    return x.quantize(_WHOLE, ROUND_FLOOR, ARITHMETIC)


def _round_decimal(x: Decimal) -> Decimal:
    """The nearest whole number; of two, the greater one (fn:round)."""
    return _floor(Context(prec=ARITHMETIC.prec).add(x, Decimal("0.5")))


def _round_double(x: float) -> float:
    low = math.floor(x)
    return float(low + 1 if x - low >= 0.5 else low)


def _negate(x: Number) -> Number:
    return x.copy_negate() if isinstance(x, Decimal) else -x


def _absolute(x: Number) -> Number:
    return x.copy_abs() if isinstance(x, Decimal) else abs(x)


NUMBER_FUNCTIONS: dict[str, tuple[Callable[..., Term | None], int, int | None]] = {
    "+": (_binary(add), 2, 2),
    "-": (_binary(subtract), 2, 2),
    "*": (_binary(multiply), 2, 2),
    "/": (_binary(divide), 2, 2),
    "UNARY+": (_unary(lambda x: x), 1, 1),
    "UNARY-": (_unary(_negate), 1, 1),
    "ABS": (_unary(_absolute), 1, 1),
    "CEIL": (_unary(_to_whole(_ceiling, lambda x: float(math.ceil(x)))), 1, 1),
    "FLOOR": (_unary(_to_whole(_floor, lambda x: float(math.floor(x)))), 1, 1),
    "ROUND": (_unary(_to_whole(_round_decimal, _round_double)), 1, 1),
}
