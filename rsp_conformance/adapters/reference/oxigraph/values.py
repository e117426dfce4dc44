"""Values of literals: equality, order, truth and casts (SPARQL 1.1, 17.2.2, 17.3 and 17.5).

None is an error throughout, and for a literal without a value that SPARQL's operators know:
another datatype, a language tag, a lexical form that its datatype does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph import exact
from rsp_conformance.adapters.reference.oxigraph.exact import Number, Single
from rsp_conformance.adapters.reference.oxigraph.moments import Moment, moment_of
from rsp_conformance.adapters.reference.oxigraph.terms import OPAQUE, StoredTerm, plain
from rsp_conformance.model.terms import (
    MERGED_DATATYPES,
    NUMERIC_DATATYPES,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
)
from rsp_conformance.model.walk import rewritten

Value: TypeAlias = "Number | bool | str | Moment"
Node = TypeVar("Node")

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_SPACE = " \t\n\r"
"""The white space that a cast of a string passes over (F&O 17.1.1)."""


@lru_cache(maxsize=16_384)
def value_of(term: StoredTerm) -> Value | None:
    """Return the value of a term, stored or computed."""
    if not isinstance(term, ox.Literal) or term.language is not None:
        return None
    return read(term.value, term.datatype.value.removeprefix(OPAQUE))


def read(text: str, datatype: str) -> Value | None:
    """Return the value that `text` writes as a literal of `datatype`."""
    if datatype == XSD_STRING:
        return text
    if datatype == XSD_BOOLEAN:
        return _BOOLEANS.get(text)
    return moment_of(text) if datatype == XSD_DATETIME else exact.number_of(text, datatype)


def has_value(literal: Literal) -> bool:
    """Return whether `literal` has a value."""
    return literal.language is None and read(literal.lexical, literal.datatype) is not None


def number_of(term: StoredTerm) -> Number | None:
    """Return the number that a term stands for."""
    value = value_of(term)
    return value if _is_number(value) else None  # type: ignore[return-value]


def stored(value: Value | None) -> StoredTerm | None:
    """Return a computed value as the store has it: a literal that it knows by its text alone."""
    if value is None:
        return None
    if isinstance(value, str):
        return ox.Literal(value)
    text, datatype = _written(value)
    return ox.Literal(text, datatype=ox.NamedNode(OPAQUE + datatype))


def _written(value: Value) -> tuple[str, str]:
    """Return the lexical form of a value, and its datatype."""
    match value:
        case bool():
            return ("true" if value else "false"), XSD_BOOLEAN
        case str():
            return value, XSD_STRING
        case Moment():
            return value.text(), XSD_DATETIME
        case _:
            return exact.written(value)


@lru_cache(maxsize=4096)
def canonical(literal: Literal) -> Literal:
    """`literal` as a store keeps it that keeps values (dial ``literals``).

    It merges equal numbers, booleans and dateTimes, and all types derived from xsd:integer.
    """
    if literal.datatype not in MERGED_DATATYPES:
        return literal
    value = read(literal.lexical, literal.datatype)
    return literal if value is None else Literal(*_written(value))


def merged(node: Node) -> Node:
    """`node`, a query or a triple, with its literals as a store has them that keeps values."""
    return rewritten(node, lambda part: canonical(part) if isinstance(part, Literal) else part)


# Equality and order


def equal(a: ox.Literal, b: ox.Literal) -> bool | None:
    """``a = b`` of two literals.

    By value where both have one; else they are the same literal, or may have the same value
    (RDFterm-equal, 17.4.1.7). A literal with a language tag has no value that another could have.
    """
    if a.language is not None or b.language is not None:
        return a == b
    x, y = value_of(a), value_of(b)
    if x is None or y is None:
        return True if plain(a) == plain(b) else None
    return _equal(x, y)


def _equal(x: Value, y: Value) -> bool:
    if _is_number(x) and _is_number(y):
        x, y = exact.promoted(x, y)  # type: ignore[arg-type]
    elif type(x) is not type(y):
        return False
    return x.equals(y) if isinstance(x, Moment) and isinstance(y, Moment) else x == y


def less(a: StoredTerm, b: StoredTerm) -> bool | None:
    """``a < b``: numbers, strings, booleans and dateTimes have an order, and nothing else has."""
    x, y = value_of(a), value_of(b)
    if x is None or y is None:
        return None
    if _is_number(x) and _is_number(y):
        x, y = exact.promoted(x, y)  # type: ignore[arg-type]
    elif type(x) is not type(y):
        return None
    if isinstance(x, Moment) and isinstance(y, Moment):
        return exact.computed(x.is_before, y)  # type: ignore[arg-type, no-any-return]
    return x < y  # type: ignore[operator]


def less_or_equal(a: StoredTerm, b: StoredTerm) -> bool | None:
    """``a <= b``; NaN is neither less than anything nor equal to it."""
    before = less(a, b)
    if before is not False:
        return before
    return equal(a, b)  # type: ignore[arg-type]


def _is_number(value: Value | None) -> bool:
    return type(value) in (int, Decimal, Single, float)


def truth(term: StoredTerm) -> bool | None:
    """Return the effective boolean value.

    What is no number or boolean though it says so is false.
    """
    if not isinstance(term, ox.Literal):
        return None
    if term.language is not None:
        return term.value != ""
    value = value_of(term)
    if value is None:
        datatype = term.datatype.value.removeprefix(OPAQUE)
        return False if datatype == XSD_BOOLEAN or datatype in NUMERIC_DATATYPES else None
    if isinstance(value, Moment):
        return None
    return bool(value) and not (isinstance(value, float) and math.isnan(value))


@lru_cache(maxsize=16_384)
def sort_key(term: StoredTerm) -> str | None:
    """Return a text that sorts among others as the term's value does in ORDER BY, if it has one.

    pyoxigraph orders texts by code points and numbers as far as it has them.
    """
    match value_of(term):
        case None:
            return None
        case bool() as truth_value:
            return "1" if truth_value else "0"
        case str() as text:
            return text
        case Moment() as moment:
            return _digits_key(exact.computed(lambda: moment.timeline))
        case value:
            return _digits_key(value)


def _digits_key(number: Number) -> str:
    """Return the sign, the place of the first digit and the digits; turned round below zero."""
    if isinstance(number, float) and not math.isfinite(number):
        return "5" if math.isnan(number) else "4" if number > 0 else "0"
    if not number:
        return "2"
    _, digits, _ = (value := Decimal(number)).as_tuple()
    text = f"{value.adjusted() + 50_000_000:09}{''.join(map(str, digits)).rstrip('0')}"
    if number > 0:
        return "3" + text
    return "1" + text.translate(_TURNED) + "~"


_TURNED = str.maketrans("0123456789", "9876543210")


# Casts


def cast(term: StoredTerm, datatype: str) -> StoredTerm | None:
    """Return the constructor function of `datatype` (17.5).

    Not every literal is cast to every datatype.
    """
    if datatype == XSD_STRING:
        return _to_string(term)
    value = value_of(term)
    if isinstance(value, str):
        return stored(read(value.strip(_SPACE), datatype))
    if value is None or isinstance(value, Moment) is not (datatype == XSD_DATETIME):
        return None
    return stored(_CASTS[datatype](value))


def _to_string(term: StoredTerm) -> StoredTerm | None:
    if isinstance(term, ox.NamedNode):
        return ox.Literal(term.value)
    value = value_of(term)
    if isinstance(value, str):
        return term
    if isinstance(value, float):
        return ox.Literal(_scientific(value))
    known = stored(value)
    return ox.Literal(known.value) if isinstance(known, ox.Literal) else None


def _scientific(value: float) -> str:
    """F&O 17.1.2: without exponent from 0.000001 up to 1000000, with one beyond that."""
    text, _ = exact.written(value)
    if not value or not math.isfinite(value) or 1e-6 <= abs(value) < 1e6:
        return text
    number = Decimal(text)
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"


def _to_integer(value: Any) -> int | None:
    return None if isinstance(value, float) and not math.isfinite(value) else int(value)


def _to_decimal(value: Any) -> Decimal | None:
    """Of a double the nearest decimal that has no more digits than a quotient."""
    if not isinstance(value, float):
        return Decimal(value)
    if not math.isfinite(value):
        return None
    unit = 10**exact.QUOTIENT
    return exact.EXACT.scaleb(Decimal(round(Fraction(value) * unit)), -exact.QUOTIENT)


_CASTS: dict[str, Callable[[Any], Value | None]] = {
    XSD_INTEGER: _to_integer,
    XSD_DECIMAL: _to_decimal,
    XSD_DOUBLE: exact.double,
    XSD_FLOAT: lambda value: exact.single(exact.double(value)),
    XSD_BOOLEAN: lambda value: bool(value) and not exact.is_nan(value),
    XSD_DATETIME: lambda moment: moment,
}
CASTS = frozenset({XSD_STRING, *_CASTS})
"""The constructor functions of 17.5."""
