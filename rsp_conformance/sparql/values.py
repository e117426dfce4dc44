"""Typed values of literals, and literals of computed values (SPARQL 1.1, 17.1; F&O).

A value is a plain Python object, and its class is its type: ``int`` is xsd:integer and every type
derived from it, ``Decimal`` xsd:decimal, ``float`` xsd:double, ``Float`` xsd:float, ``bool``
xsd:boolean, ``str`` xsd:string, ``DateTime`` xsd:dateTime. None means that the value is not known
here: the literal has another datatype or a language tag, or its lexical form is ill-typed.

No library is used, for two reasons. One comparison of two numbers takes 18 µs as a query to
pyoxigraph, 68 µs as a prepared query to rdflib (2 µs between two of its literals) and 0.8 µs here.
And neither library follows the recommendation everywhere; ``tests/sparql`` shows the differences of
pyoxigraph.

Computed numbers get the lexical forms that pyoxigraph gives them, so that answers can be compared
by term: integers and decimals in canonical form, a whole decimal without a point, doubles without
an exponent.
"""

from __future__ import annotations

import math
import re
import struct
import sys
from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from rsp_conformance.model.terms import (
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
    Term,
)
from rsp_conformance.sparql.datetimes import DateTime, parse_datetime
from rsp_conformance.sparql.open_points import CAST_FORM, DIGITS, FLOAT_RANGE, FORM, LIMITS
from rsp_conformance.sparql.readings import (
    is_taken,
    leave_open,
    note_computed,
    reading,
    was_computed,
)

LEAST, LEAST_SINGLE = sys.float_info.min, 2.0**-126
"""The least double and the least float that are not denormal."""


class Float(float):
    """A value of xsd:float: a double that 32 bits can hold."""

    __slots__ = ()


Number: TypeAlias = "int | Decimal | float"
Value: TypeAlias = "int | Decimal | float | bool | str | DateTime"
"""A value; the module explains which class is which datatype."""

NUMERIC: frozenset[type] = frozenset((int, Decimal, Float, float))
"""The classes of numbers."""
ARITHMETIC = Context(prec=400, traps=[])
"""With 400 digits, sums and products of all numbers that people or generators write are exact."""
FRACTION_DIGITS = 18
"""The number of digits after the point of a quotient. F&O 4.2 leaves it open and requires 18."""

_DIGIT_READINGS = ("18", "24", "28", "18 throughout")
"""How many digits implementations give decimals: see ``division-digits`` in open_points.toml."""

_INTEGERS = 2**63
"""Integers of 64 bits end below this number; an overflow there wraps around."""
SURE_DIGITS = 18
"""Every implementation must support numbers of up to this many digits."""
OVERFLOW = 10**SURE_DIGITS
"""The least whole number of more digits than that."""
_YEARS = 9999
"""Every implementation must support years from 1 to this one."""
_MILLISECOND = Decimal("0.001")
"""Every implementation must support fractions of a second down to this one."""

_DECIMAL = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_ZERO = re.compile(r"[+-]?[0.]+(?:[eE].*)?")
_RANGES: dict[str, tuple[int | None, int | None]] = {
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "nonNegativeInteger": (0, None),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
    "positiveInteger": (1, None),
}
"""The least and the greatest value of each type derived from xsd:integer; None: no limit."""


def single(number: float) -> Float:
    """A number rounded to 32 bits; infinite if it is too great."""
    try:
        return Float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return Float(math.copysign(math.inf, number))


def _parser(lexical: str, value: Callable[[str], Number]) -> Callable[[str], Any]:
    """A function from a text that matches `lexical` to its value, and from other texts to None."""
    allowed = re.compile(lexical, re.ASCII)
    return lambda text: value(text) if allowed.fullmatch(text) else None


def _exact_integer(text: str) -> int:
    """Convert by a Decimal, which has no limit of digits; ``int(text)`` fails beyond 4,300."""
    return int(Decimal(text))


_integer = _parser(r"[+-]?\d+", _exact_integer)
_double = _parser(_DECIMAL + r"(?:[eE][+-]?\d+)?|[+-]?INF|NaN", float)


def _float(text: str) -> Float | None:
    number = _double(text)
    return None if number is None else single(number)


def _derived(least: int | None, greatest: int | None) -> Callable[[str], int | None]:
    def parse(text: str) -> int | None:
        number: int | None = _integer(text)
        if number is None or (least is not None and number < least):
            return None
        return None if greatest is not None and number > greatest else number

    return parse


PARSERS: dict[str, Callable[[str], Value | None]] = {
    XSD_INTEGER: _integer,
    XSD_DECIMAL: _parser(_DECIMAL, Decimal),
    XSD_DOUBLE: _double,
    XSD_FLOAT: _float,
    XSD_BOOLEAN: {"true": True, "1": True, "false": False, "0": False}.get,
    XSD_STRING: str,
    XSD_DATETIME: parse_datetime,
    **{XSD + name: _derived(*limits) for name, limits in _RANGES.items()},
}
"""The parser of each datatype. It returns None for a text that is not a lexical form."""


@lru_cache(maxsize=1 << 16)
def value_of(literal: Literal) -> Value | None:
    """The value of a literal; None if it is not known (see the module)."""
    parse = PARSERS.get(literal.datatype)
    return None if parse is None else parse(literal.lexical)


def known_value(literal: Literal) -> Value | None:
    """The value of a literal as an implementation knows it, None if it does not.

    Beyond the limits of ``value-limits`` implementations differ, and the reading decides.
    """
    value = value_of(literal)
    if isinstance(value, float) and _is_out_of_range(value, literal.lexical):
        leave_open(FLOAT_RANGE)
    # A short lexical form is within the limits.
    if value is None or len(literal.lexical) <= SURE_DIGITS:
        return value
    if type(value) is Decimal and not was_computed(literal):
        return _as_known(value)
    return value if is_known(value) else None


def _is_out_of_range(value: float, lexical: str) -> bool:
    """Whether a text writes more, or less, than a double or a float can be.

    XML Schema 1.1 makes it infinite or 0; 1.0 says the closest value.
    """
    if math.isinf(value):
        return "INF" not in lexical
    least = LEAST_SINGLE if isinstance(value, Float) else LEAST
    return abs(value) < least and _ZERO.fullmatch(lexical) is None


def _as_known(value: Decimal) -> Decimal | None:
    """A written decimal as an implementation knows it: beyond its limit it may cut or round."""
    if _is_short(value):
        return value
    match reading(LIMITS, "known", "unknown", "cut", "rounded", about=_size(value)):
        case "unknown":
            return None
        case "cut":
            return Context(prec=SURE_DIGITS, rounding=ROUND_DOWN).plus(value)
        case "rounded":
            return Context(prec=SURE_DIGITS, rounding=ROUND_HALF_EVEN).plus(value)
    return value


def is_beyond(term: Term) -> bool:
    """Whether a term is a literal with a value that, by the reading, is not known."""
    if not isinstance(term, Literal) or value_of(term) is None:
        return False
    return known_value(term) is None


def number_of(term: Term | None) -> Number | None:
    """The number that a term denotes; None if it denotes no number."""
    if not isinstance(term, Literal):
        return None
    value = known_value(term)
    return value if type(value) in NUMERIC else None  # type: ignore[return-value]


def is_known(value: Value) -> bool:
    """Whether an implementation knows a value; beyond the limits the reading decides."""
    if type(value) is int:
        within = abs(value) < OVERFLOW
    elif isinstance(value, Decimal):
        within = _is_short(value)
    elif isinstance(value, DateTime):
        within = 1 <= value.year <= _YEARS
        if value.second % _MILLISECOND:
            leave_open(LIMITS)  # An implementation may also cut or round these fractions.
    else:
        return True
    return within or reading(LIMITS, "known", "unknown", about=_size(value)) == "known"


def _is_short(value: Decimal) -> bool:
    """Whether every implementation knows a decimal.

    An implementation that gives quotients more digits knows longer decimals as well.
    """
    return len(value.as_tuple().digits) <= SURE_DIGITS or is_taken(DIGITS, "24", "28")


def _size(value: int | Decimal | DateTime) -> str:
    """The size of a value in words; an implementation knows all values of a size or none."""
    if isinstance(value, DateTime):
        digits = Decimal(value.year).adjusted() + 1
        return f"years of {digits} digits" if value.year > 0 else "years before the first"
    if isinstance(value, Decimal):
        return f"decimals of {len(value.as_tuple().digits)} digits"
    if -_INTEGERS <= value < _INTEGERS:
        return "integers of 64 bits"
    return f"integers of {Decimal(value).adjusted() + 1} digits"


def kept(result: Number) -> Number | None:
    """The result of an operator as an implementation keeps it; None if it is an overflow.

    By F&O 6.2 an overflow of integers raises an error or wraps around to 64 bits.
    """
    if type(result) is Decimal:
        result = _precise(result)
    if type(result) is int and not -_INTEGERS <= result < _INTEGERS:
        match reading(LIMITS, "known", "unknown", "wrapped", about=_size(result)):
            case "unknown":
                return None
            case "wrapped":
                return (result + _INTEGERS) % (2 * _INTEGERS) - _INTEGERS
        return result
    return result if is_known(result) else None


def _precise(number: Decimal) -> Decimal:
    """A sum, difference or product: exact, or with the digits of the reading that is taken."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    if len(digits) <= SURE_DIGITS and exponent >= -FRACTION_DIGITS:
        return number
    match reading(DIGITS, *_DIGIT_READINGS):
        case "28":
            return Context(prec=28).plus(number)
        case "18 throughout" if exponent < -FRACTION_DIGITS:
            return number.quantize(Decimal(1).scaleb(-FRACTION_DIGITS), ROUND_DOWN, ARITHMETIC)
    return number


def is_true(number: Number) -> bool:
    """The truth value of a number: true unless it is zero or NaN (17.2.2; F&O 17.1.6)."""
    return bool(number) and not (isinstance(number, float) and math.isnan(number))


TRUE = Literal("true", XSD_BOOLEAN)
FALSE = Literal("false", XSD_BOOLEAN)


def boolean(value: bool | None) -> Literal | None:
    """The literal of a truth value; None, an error, stays None."""
    return None if value is None else TRUE if value else FALSE


def string(text: str) -> Literal:
    """A text as a simple literal."""
    return Literal(text)


def text_of(value: Value) -> str:
    """The lexical form of a value, independent of the reading of computed forms."""
    return _WRITERS[type(value)][1](value)


def literal_of(value: Value) -> Literal:
    """The literal of a computed value; the reading of ``computed-form`` decides its form."""
    kind = type(value)
    datatype, text = _WRITERS[kind]
    literal = Literal(text(value), datatype)
    if kind is float or kind is Decimal or kind is Float:
        scaled = format(value, "f") if kind is Decimal else literal.lexical
        return _in_form(literal, scaled)
    return literal


def cast_literal(value: Value, written: str) -> Literal:
    """The literal that a cast makes from a text, or from a literal of the same datatype.

    Args:
        value: The value of the result.
        written: The text, or the lexical form of the literal, that is cast.
    """
    kind = type(value)
    datatype, text = _WRITERS[kind]
    literal = Literal(text(value), datatype)
    if kind is float or kind is Decimal or kind is Float:
        return _in_form(literal, written)
    forms = {"canonical": literal.lexical, "written": written, "offset": literal.lexical}
    if kind is DateTime and literal.lexical.endswith("Z"):
        forms["offset"] = f"{literal.lexical[:-1]}+00:00"
    if len({*forms.values()}) == 1:
        return literal
    return Literal(forms[reading(CAST_FORM, *forms, about=kind.__name__)], datatype)


def _in_form(number: Literal, given: str) -> Literal:
    """A computed number in the form that the reading chooses (F&O 17.1.2 leaves it open).

    Args:
        number: The number in its shortest form.
        given: Its form in an implementation that keeps the zeros of the operands, or the text that
            is cast.
    """
    text = number.lexical
    if text[-1].isdigit():  # INF and NaN have one form
        pointed = text if "." in text else f"{text}.0"
        canonical = pointed if number.datatype == XSD_DECIMAL else _with_exponent(text)
        forms = {"short": text, "canonical": canonical, "pointed": pointed, "kept": given}
        if len({*forms.values()}) > 1:
            number = Literal(forms[reading(FORM, *forms)], number.datatype)
    return note_computed(number)


def _with_exponent(text: str) -> str:
    """The canonical form of a double: one digit before the point, at least one after it."""
    sign, digits, exponent = Decimal(text).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, *rest = map(str, digits)
    return f"{'-' if sign else ''}{first}.{''.join(rest) or 0}E{exponent + len(rest)}"


def decimal_text(number: Decimal) -> str:
    """A decimal without an exponent and without needless zeros."""
    text = _plain(number)
    return "0" if text == "-0" else text


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _double_text(number: float, shortest: Callable[[float], str] = repr) -> str:
    """The shortest digits that read back as the same number, without an exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    return _plain(Decimal(shortest(number)))


def _float_text(number: float) -> str:
    texts = (f"{number:.{digits}g}" for digits in range(1, 10))
    return _double_text(number, lambda x: next(t for t in texts if single(float(t)) == x))


_WRITERS: dict[type, tuple[str, Callable[[Any], str]]] = {
    int: (XSD_INTEGER, lambda value: format(Decimal(value), "f")),
    Decimal: (XSD_DECIMAL, decimal_text),
    Float: (XSD_FLOAT, _float_text),
    float: (XSD_DOUBLE, _double_text),
    bool: (XSD_BOOLEAN, lambda value: "true" if value else "false"),
    str: (XSD_STRING, str),
    DateTime: (XSD_DATETIME, DateTime.canonical),
}
"""The datatype of each class of values, and the function that writes its lexical form."""


def quotient(dividend: Decimal, divisor: Decimal) -> Decimal:
    """A decimal quotient, cut off after `FRACTION_DIGITS` digits unless read otherwise."""
    return _rounded(ARITHMETIC.divide(dividend, divisor), ROUND_DOWN)


def nearest_decimal(number: float) -> Decimal:
    """The nearest decimal of `FRACTION_DIGITS` digits after the point, unless read otherwise."""
    return _rounded(Decimal(number), ROUND_HALF_EVEN)


def _rounded(number: Decimal, rounding: str) -> Decimal:
    """A number rounded to `FRACTION_DIGITS` digits, or by the reading of ``division-digits``."""
    if number.as_tuple().exponent >= -FRACTION_DIGITS:  # type: ignore[operator]
        return number
    match reading(DIGITS, *_DIGIT_READINGS):
        case "24":
            return number.quantize(Decimal(1).scaleb(-24), ROUND_HALF_UP, ARITHMETIC)
        case "28":
            return Context(prec=28).plus(number)
    return number.quantize(Decimal(1).scaleb(-FRACTION_DIGITS), rounding, ARITHMETIC)


def to_double(number: Number) -> float:
    """A number as a double; infinite if it is too great."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def promoted(a: Number, b: Number) -> tuple[Number, Number]:
    """Both numbers in the first type that holds both: integer, decimal, float, double."""
    kind_a, kind_b = type(a), type(b)
    if kind_a is kind_b:
        return a, b
    if kind_a is float or kind_b is float:
        return to_double(a), to_double(b)
    if kind_a is Float or kind_b is Float:
        return single(to_double(a)), single(to_double(b))
    return Decimal(a), Decimal(b)
