"""Operators and functions on numbers (SPARQL 1.1, 17.3 and 17.4.4; F&O 4)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from rsp_conformance.sparql.open_points import ROUNDING
from rsp_conformance.sparql.readings import reading
from rsp_conformance.sparql.values import (
    ARITHMETIC,
    Float,
    Number,
    kept,
    promoted,
    quotient,
    single,
)


def _operator(
    plain: Callable[[Any, Any], Any], decimal: Callable[[Decimal, Decimal], Decimal]
) -> Callable[[Number, Number], Number]:
    """An operator on numbers, after promotion; PLAIN is for integers, doubles and floats."""

    def apply(a: Number, b: Number) -> Number:
        x, y = promoted(a, b)
        kind = type(x)
        if kind is Decimal:
            return decimal(x, y)  # type: ignore[arg-type]
        result: Number = plain(x, y)
        return single(result) if kind is Float else result  # type: ignore[arg-type]

    return apply


def _within_limits(
    apply: Callable[[Number, Number], Number],
) -> Callable[[Number, Number], Number | None]:
    """What APPLY gives, unless it is an overflow: a number that an implementation does not know."""

    def checked(a: Number, b: Number) -> Number | None:
        return kept(apply(a, b))

    return checked


sum_of = _operator(operator.add, ARITHMETIC.add)
"""The sum of two of the numbers of SUM, which overflows as a whole or not at all."""
add = _within_limits(sum_of)
subtract = _within_limits(_operator(operator.sub, ARITHMETIC.subtract))
multiply = _within_limits(_operator(operator.mul, ARITHMETIC.multiply))


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


def float_sum(numbers: Sequence[float], *, singles: bool) -> float:
    """The sum of doubles, or SINGLES, rounded once, so that their order does not matter.

    Engines add one after the other and round each time, in an order that SPARQL leaves open.
    """
    try:
        result = math.fsum(numbers)
    except (OverflowError, ValueError):  # too great on the way, or INF and -INF
        result = sum(numbers)
    result = single(result) if singles else result
    # Two doubles have one sum, whatever comes first.
    if len(numbers) > 2:
        order = reading(ROUNDING, "once", "rising", "falling")
        if order != "once":
            result = 0.0
            for number in sorted(numbers, reverse=order == "falling"):
                result = single(result + number) if singles else result + number
    return result


def negate(x: Number) -> Number:
    """``-x``, which rounds no decimal."""
    return x.copy_negate() if isinstance(x, Decimal) else _alike(x, -x)


def absolute(x: Number) -> Number:
    """``ABS(x)``."""
    return x.copy_abs() if isinstance(x, Decimal) else _alike(x, abs(x))


def _to_whole(
    decimal: Callable[[Decimal], Decimal], floating: Callable[[float], float]
) -> Callable[[Number], Number]:
    def apply(x: Number) -> Number:
        if isinstance(x, int):
            return x
        if isinstance(x, Decimal):
            return decimal(x)
        # Zero keeps its sign, and so does what rounds to it; INF and NaN stay.
        return _alike(x, math.copysign(floating(x), x)) if math.isfinite(x) else x

    return apply


def _alike(x: Number, result: Number) -> Number:
    """RESULT in the type of X."""
    return Float(result) if type(x) is Float else result


def _floor(x: Decimal) -> Decimal:
    return x.to_integral_value(ROUND_FLOOR)


ceiling = _to_whole(lambda x: x.to_integral_value(ROUND_CEILING), math.ceil)
floor = _to_whole(_floor, math.floor)
# The nearest whole number; of two, the greater one (fn:round).
round_half_up = _to_whole(
    lambda x: _floor(ARITHMETIC.add(x, Decimal("0.5"))),
    lambda x: math.floor(x) + (x - math.floor(x) >= 0.5),
)
