"""Operators and functions on numbers (SPARQL 1.1, 17.3 and 17.4.4; F&O 4).

Integers and decimals are exact, within the limits that the readings of ``value-limits`` and
``division-digits`` set. Doubles and floats are rounded after each operation. If F&O leaves a result
open, for example an overflow of doubles, this is recorded (`readings.leave_open`).
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Any

from rsp_conformance.sparql.open_points import (
    DIGITS,
    FLOAT_RANGE,
    LIMITS,
    NEGATIVE_ZERO,
    ROUNDING,
)
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.values import (
    ARITHMETIC,
    LEAST,
    LEAST_SINGLE,
    OVERFLOW,
    SURE_DIGITS,
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
    """An operator on numbers, after promotion; `plain` is for integers, doubles and floats."""

    def apply(a: Number, b: Number) -> Number:
        x, y = promoted(a, b)
        kind = type(x)
        if kind is Decimal:
            return decimal(x, y)  # type: ignore[arg-type]
        result: Number = plain(x, y)
        if isinstance(result, float):
            return _in_range(result, kind is Float, x, y, scaled=plain is operator.mul)
        return result

    return apply


def _within_limits(
    apply: Callable[[Number, Number], Number],
) -> Callable[[Number, Number], Number | None]:
    """An operator whose result is an error (None) if it overflows, by the reading of limits."""

    def checked(a: Number, b: Number) -> Number | None:
        return kept(apply(a, b))

    return checked


sum_of = _operator(operator.add, ARITHMETIC.add)
"""The sum of two numbers within SUM; only the whole sum can overflow, not its parts."""
add = _within_limits(sum_of)
"""``a + b``; None, an error, if it overflows by the reading of limits."""
subtract = _within_limits(_operator(operator.sub, ARITHMETIC.subtract))
"""``a - b``; None, an error, if it overflows by the reading of limits."""
multiply = _within_limits(_operator(operator.mul, ARITHMETIC.multiply))
"""``a * b``; None, an error, if it overflows by the reading of limits."""


def divide(a: Number, b: Number) -> Number | None:
    """``a / b``: the quotient of integers is a decimal; only doubles and floats divide by zero.

    Returns:
        The quotient; None, an error, if an integer or decimal is divided by zero, or overflows by
        the reading of limits.
    """
    x, y = promoted(a, b)
    kind = type(x)
    if kind is int or kind is Decimal:
        result = quotient(Decimal(x), Decimal(y)) if y else None
        # Too many digits before the point are an overflow; the reading decides those after it.
        return result if result is None or abs(result) < OVERFLOW else kept(result)
    if not y and math.copysign(1, y) < 0:
        leave_open(NEGATIVE_ZERO)
    return _in_range(_divide_doubles(float(x), float(y)), kind is Float, x, y, scaled=True)


def _in_range(result: float, is_single: bool, x: Number, y: Number, *, scaled: bool) -> float:
    """The result of an operator on `x` and `y`, rounded to 32 bits if it is a float.

    A result too great or too small for its type is left open (F&O 6.2). Only a product or a
    quotient (`scaled`) can be too small: a small sum is exact.
    """
    result = single(result) if is_single else result
    if not (math.isfinite(x) and math.isfinite(y)):
        return result
    least = LEAST_SINGLE if is_single else LEAST
    if (scaled and x and y and abs(result) < least) or (math.isinf(result) and y):
        leave_open(FLOAT_RANGE)
    return result


def _divide_doubles(x: float, y: float) -> float:
    if y:
        return x / y
    if math.isnan(y) or math.isnan(x) or not x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def watch_sum(numbers: Sequence[Number]) -> None:
    """Record as open if a sum depends on the order in which its numbers are added.

    18.5.1.3 adds two numbers at a time, in any order, and promotes them each time. So a part of the
    sum may be too long for an implementation even if the whole is not, and decimals that are added
    before the first double are added exactly. If no part needs rounding, the order makes no
    difference.
    """
    kinds = {type(number) for number in numbers}
    if len(numbers) < 3:
        return
    if kinds <= {int, Decimal}:
        exact = [Decimal(number) for number in numbers]
        rising = ARITHMETIC.plus(sum((n for n in exact if n > 0), Decimal(0)))
        falling = ARITHMETIC.plus(sum((n for n in exact if n < 0), Decimal(0)))
        whole = ARITHMETIC.add(rising, falling)
        most = max(abs(rising), abs(falling))
        if most >= OVERFLOW and most > abs(whole):
            leave_open(LIMITS)
        if len(most.as_tuple().digits) > SURE_DIGITS >= len(whole.as_tuple().digits):
            leave_open(DIGITS)
    elif len(kinds) > 1 and kinds not in ({int, float}, {int, Float}):
        digits = _SINGLE_DIGITS if Float in kinds else _DOUBLE_DIGITS
        if not _sums_are_exact(numbers, digits):
            leave_open(ROUNDING)


_DOUBLE_DIGITS, _SINGLE_DIGITS = sys.float_info.mant_dig, 24
"""The binary digits that doubles and floats have (IEEE 754)."""


def _sums_are_exact(numbers: Sequence[Number], digits: int) -> bool:
    """Whether each sum of some of the numbers has at most so many binary digits.

    They are multiples of one power of two, so it is enough that their absolute values add up to at
    most ``2**digits`` times this power.
    """
    if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
        return False
    exact = [abs(Fraction(number)) for number in numbers]
    unit = max(number.denominator for number in exact)
    return unit.bit_count() == 1 and sum(exact) * unit <= 2**digits


def float_sum(numbers: Sequence[float], *, singles: bool) -> float:
    """The sum of doubles, or of floats if `singles`, rounded once, so that order does not matter.

    Engines add one number after the other and round each time, in an order that SPARQL leaves open.
    Other readings add in rising or in falling order.
    """
    try:
        result = math.fsum(numbers)
    except (OverflowError, ValueError):  # a part is too great, or INF and -INF
        result = sum(numbers)
    result = single(result) if singles else result
    parts = sum(map(abs, numbers))
    if math.isinf(single(parts) if singles else parts) and all(map(math.isfinite, numbers)):
        leave_open(FLOAT_RANGE)
    # The sum of two doubles does not depend on their order.
    if len(numbers) > 2:
        order = reading(ROUNDING, "once", "rising", "falling")
        if order != "once":
            result = 0.0
            for number in sorted(numbers, reverse=order == "falling"):
                result = single(result + number) if singles else result + number
    return result


def negate(x: Number) -> Number:
    """``-x``; a decimal is not rounded."""
    return x.copy_negate() if isinstance(x, Decimal) else _alike(x, -x)


def absolute(x: Number) -> Number:
    """``ABS(x)``; a decimal is not rounded."""
    return x.copy_abs() if isinstance(x, Decimal) else _alike(x, abs(x))


def _to_whole(
    decimal: Callable[[Decimal], Decimal], floating: Callable[[float], float]
) -> Callable[[Number], Number]:
    def apply(x: Number) -> Number:
        if isinstance(x, int):
            return x
        if isinstance(x, Decimal):
            return decimal(x)
        # Zero and numbers that round to it keep their sign; INF and NaN stay.
        return _alike(x, math.copysign(floating(x), x)) if math.isfinite(x) else x

    return apply


def _alike(x: Number, result: Number) -> Number:
    """The result as a float if `x` is a float."""
    return Float(result) if type(x) is Float else result


def _floor(x: Decimal) -> Decimal:
    return x.to_integral_value(ROUND_FLOOR)


ceiling = _to_whole(lambda x: x.to_integral_value(ROUND_CEILING), math.ceil)
"""``CEIL(x)``, in the type of ``x``."""
floor = _to_whole(_floor, math.floor)
"""``FLOOR(x)``, in the type of ``x``."""
# The nearest whole number; if two are equally near, the greater one (fn:round).
round_half_up = _to_whole(
    lambda x: _floor(ARITHMETIC.add(x, Decimal("0.5"))),
    lambda x: math.floor(x) + (x - math.floor(x) >= 0.5),
)
