"""Numbers of any size (SPARQL 1.1, 17.3 and 17.4.4; F&O 4 and 6; XSD 1.1 part 2).

pyoxigraph's integers have 64 bits, its decimals 128 with 18 digits after the point; beyond them it
has errors, or drops digits without a word. Here integers are Python's, decimals are exact, and of a
quotient there are the 18 digits that pyoxigraph gives, cut off.

A value's class is its type: ``int`` is xsd:integer with all that is derived from it, ``Decimal``
xsd:decimal, ``Single`` xsd:float, ``float`` xsd:double.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from ctypes import c_float
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import (
    XSD,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
)


class Single(float):
    """A value of xsd:float, which 32 bits hold."""

    __slots__ = ()


Number: TypeAlias = "int | Decimal | Single | float"

EXACT = Context(prec=400, traps=[Inexact, InvalidOperation, Overflow])
"""As many digits as the kit's judges compute with; what needs more is refused by name."""
QUOTIENT = 18
"""Digits after the point of a quotient (F&O 4.2: at least 18)."""

_WIDTHS: dict[type, int] = {int: 0, Decimal: 1, Single: 2, float: 3}
"""The order of promotion: an operation takes the greater type of its operands (XPath 2.0, B.1)."""
_INTEGER = re.compile("[+-]?[0-9]+")
_DECIMAL = re.compile("[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)")
_DOUBLE = re.compile(f"{_DECIMAL.pattern}(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")

_SIGNED = {"byte": 8, "short": 16, "int": 32, "long": 64}
_BOUNDS: dict[str, tuple[float, float]] = {
    XSD + name: bounds
    for name, bounds in (
        ("integer", (-math.inf, math.inf)),
        *((name, (-(1 << bits - 1), (1 << bits - 1) - 1)) for name, bits in _SIGNED.items()),
        *((f"unsigned{n.title()}", (0, (1 << bits) - 1)) for n, bits in _SIGNED.items()),
        ("nonNegativeInteger", (0, math.inf)),
        ("positiveInteger", (1, math.inf)),
        ("nonPositiveInteger", (-math.inf, 0)),
        ("negativeInteger", (-math.inf, -1)),
    )
}
"""The least and the greatest value of xsd:integer and of the datatypes derived from it."""


@lru_cache(maxsize=16_384)
def number_of(text: str, datatype: str) -> Number | None:
    """Return the number that `text` writes.

    None if it is not a value of `datatype`, as ``500`` is not of xsd:byte.
    """
    if datatype in _BOUNDS:
        if _INTEGER.fullmatch(text) is None:
            return None
        number = int(Decimal(text))  # int(text) reads 4,300 digits at most
        least, greatest = _BOUNDS[datatype]
        return number if least <= number <= greatest else None
    if datatype == XSD_DECIMAL:
        return Decimal(text) if _DECIMAL.fullmatch(text) else None
    if datatype not in (XSD_DOUBLE, XSD_FLOAT) or _DOUBLE.fullmatch(text) is None:
        return None
    return float(text) if datatype == XSD_DOUBLE else single(float(text))


def single(number: float) -> Single:
    """`number` rounded to 32 bits."""
    return Single(c_float(number).value)


def double(number: Number) -> float:
    """Return the nearest double; what is too great for any is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def written(number: Number) -> tuple[str, str]:
    """Return the lexical form and datatype of a computed number.

    Plain digits, as pyoxigraph has them.
    """
    match number:
        case int():
            return format(Decimal(number), "f"), XSD_INTEGER
        case Decimal():
            return plain_text(number), XSD_DECIMAL
        case Single():
            digits = (f"{number:.{places}g}" for places in range(1, 10))
            shortest = next((d for d in digits if single(float(d)) == number), "")
            return _floating(number, shortest), XSD_FLOAT
        case float():
            return _floating(number, repr(number)), XSD_DOUBLE


def plain_text(number: Decimal) -> str:
    """Return a decimal without exponent and without zeros at its end."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _floating(number: float, shortest: str) -> str:
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "INF" if number > 0 else "-INF"
    if not number:
        return "-0" if math.copysign(1, number) < 0 else "0"
    return plain_text(Decimal(shortest))


# Operators


def promoted(a: Number, b: Number) -> tuple[Number, Number]:
    """Both numbers in the wider of their types (17.3)."""
    width = max(_WIDTHS[type(a)], _WIDTHS[type(b)])
    return _as(a, width), _as(b, width)


def _as(number: Number, width: int) -> Number:
    if _WIDTHS[type(number)] == width:
        return number
    if width == 1:
        return Decimal(number)
    return single(double(number)) if width == 2 else double(number)


def is_nan(number: Number) -> bool:
    """Return whether `number` is NaN, of which no other type has one."""
    return isinstance(number, float) and math.isnan(number)


def computed(operation: Callable[..., Any], *numbers: Number) -> Any:
    """Apply an operation to numbers.

    Raises:
        Unsupported: the result needs more digits than there are.
    """
    try:
        return operation(*numbers)
    except (Inexact, InvalidOperation, Overflow):
        raise Unsupported(f"decimals of more than {EXACT.prec} digits") from None


def _operator(
    plain: Callable[[Any, Any], Any], decimal: Callable[[Decimal, Decimal], Decimal]
) -> Callable[[Number, Number], Number]:
    def compute(a: Number, b: Number) -> Number:
        x, y = promoted(a, b)
        if isinstance(x, Decimal):
            return decimal(x, y)  # type: ignore[arg-type]
        return like(x, plain(x, y))

    return compute


def like(model: Number, result: Any) -> Number:
    """`result` in the type of `model`."""
    return single(result) if isinstance(model, Single) else result


add = _operator(operator.add, EXACT.add)
subtract = _operator(operator.sub, EXACT.subtract)
multiply = _operator(operator.mul, EXACT.multiply)


def divide(a: Number, b: Number) -> Number | None:
    """``a / b``; None if an integer or a decimal is divided by zero."""
    x, y = promoted(a, b)
    if isinstance(x, float):
        if y:
            return like(x, x / float(y))
        quotient = math.nan if math.isnan(x) or not x or is_nan(y) else math.inf
        return like(x, quotient * math.copysign(1, x) * math.copysign(1, y))
    return cut(Fraction(x) / Fraction(y)) if y else None


def cut(number: Fraction) -> Decimal:
    """`number` without the digits that a quotient has no more."""
    digits = abs(number.numerator) * 10**QUOTIENT // number.denominator
    return EXACT.scaleb(Decimal(-digits if number < 0 else digits), -QUOTIENT)


def negate(x: Number) -> Number:
    """``-x``."""
    return x.copy_negate() if isinstance(x, Decimal) else like(x, -x)


def absolute(x: Number) -> Number:
    """ABS."""
    return x.copy_abs() if isinstance(x, Decimal) else like(x, abs(x))


def _whole(choose: Callable[[Fraction], int]) -> Callable[[Number], Number]:
    """Return a function to whole numbers. Zeros keep their sign, and so does what becomes zero."""

    def compute(x: Number) -> Number:
        if isinstance(x, int) or (isinstance(x, float) and not math.isfinite(x)):
            return x
        chosen = choose(Fraction(x))
        return Decimal(chosen) if isinstance(x, Decimal) else like(x, math.copysign(chosen, x))

    return compute


ceiling, floor = _whole(math.ceil), _whole(math.floor)
rounded = _whole(lambda x: math.floor(x + Fraction(1, 2)))
"""ROUND: of two that are as near the greater one (fn:round)."""


def total(numbers: Iterable[Number]) -> Number:
    """SUM (18.5.1.3): 0 for nothing. Doubles are added exactly, so that no order matters."""
    all_of = list(numbers)
    width = max((_WIDTHS[type(number)] for number in all_of), default=0)
    if width < 2:
        found: Number = 0
        for number in all_of:
            found = add(found, number)
        return found
    terms = [double(_as(number, width)) for number in all_of]
    summed = _sum_of_doubles(terms, single if width == 2 else float)
    return summed if width == 3 else single(summed)


def _sum_of_doubles(terms: list[float], rounded: Callable[[float], float]) -> float:
    """Return the sum of `terms`, whose type `rounded` rounds to.

    Unsupported if it depends on their order, in which a group has no terms: 1e308, 1e308 and
    -1e308 are INF or 1e308.
    """
    infinite = {term for term in terms if math.isinf(term)}
    if len(infinite) == 2 or any(map(math.isnan, terms)):
        return math.nan
    greatest = sum(term for term in terms if math.isfinite(term) and term > 0)
    least = sum(term for term in terms if math.isfinite(term) and term < 0)
    reached = {bound for bound in map(rounded, (greatest, least)) if math.isinf(bound)}
    if len(reached | infinite) == 2 or (reached - infinite and greatest and least):
        raise Unsupported("a sum of floating-point numbers that is infinite in some orders")
    return (reached | infinite).pop() if reached | infinite else math.fsum(terms)
