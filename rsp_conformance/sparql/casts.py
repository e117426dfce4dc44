"""Constructor functions, the casts of SPARQL 1.1, 17.5 (F&O 17)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

from rsp_conformance.model.terms import (
    IRI,
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
from rsp_conformance.sparql.values import (
    Value,
    boolean,
    decimal_text,
    literal_of,
    nearest_decimal,
    parse_boolean,
    parse_decimal,
    parse_double,
    parse_float,
    parse_integer,
    single,
    string,
    to_double,
    value_of,
)

_SPACE = " \t\n\r"


def _source(term: Term) -> Value | None:
    """The value to cast; a string loses the space around it, as XSD's facet whiteSpace says."""
    if not isinstance(term, Literal) or term.language is not None:
        return None
    value = value_of(term)
    return value.strip(_SPACE) if isinstance(value, str) else value


def to_integer(term: Term) -> Term | None:
    """xsd:integer: numbers lose their fraction."""
    value = _source(term)
    if isinstance(value, str):
        number = parse_integer(value)
    elif isinstance(value, float) and not math.isfinite(value):
        number = None
    else:
        number = None if value is None or isinstance(value, DateTime) else int(value)
    return None if number is None else literal_of(number)


def to_decimal(term: Term) -> Term | None:
    """xsd:decimal."""
    value = _source(term)
    if isinstance(value, str):
        number = parse_decimal(value)
    elif isinstance(value, float):
        number = nearest_decimal(value) if math.isfinite(value) else None
    else:
        number = None if value is None or isinstance(value, DateTime) else Decimal(value)
    return None if number is None else literal_of(number)


def to_double_(term: Term) -> Term | None:
    """xsd:double."""
    value = _source(term)
    if isinstance(value, str):
        number = parse_double(value)
    else:
        number = None if value is None or isinstance(value, DateTime) else to_double(value)
    return None if number is None else literal_of(number)


def to_float(term: Term) -> Term | None:
    """xsd:float."""
    value = _source(term)
    if isinstance(value, str):
        number = parse_float(value)
    elif value is None or isinstance(value, DateTime):
        number = None
    else:
        number = single(to_double(value))
    return None if number is None else literal_of(number)


def to_boolean(term: Term) -> Term | None:
    """xsd:boolean: numbers are true unless they are zero or NaN."""
    value = _source(term)
    if isinstance(value, str):
        return boolean(parse_boolean(value))
    if value is None or isinstance(value, DateTime):
        return None
    return boolean(bool(value) and not math.isnan(value))


def to_datetime(term: Term) -> Term | None:
    """xsd:dateTime, from strings and dateTimes."""
    value = _source(term)
    moment = parse_datetime(value) if isinstance(value, str) else value
    return Literal(moment.canonical(), XSD_DATETIME) if isinstance(moment, DateTime) else None


def to_string(term: Term) -> Term | None:
    """xsd:string: an IRI's text, a known value's canonical form, else the lexical form."""
    if isinstance(term, IRI):
        return string(term.value)
    if not isinstance(term, Literal) or term.language is not None:
        return None
    value = value_of(term)
    if value is None or isinstance(value, str):
        return string(term.lexical) if value is not None else None
    return string(_string_of(value))


def _string_of(value: Value) -> str:
    """The text that F&O 17.1.2 casts VALUE to."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, DateTime):
        return value.canonical()
    if isinstance(value, float):
        return _floating_text(value)
    return str(value)


def _floating_text(value: float) -> str:
    """Like a decimal from 0.000001 up to 1000000, beyond that with mantissa and exponent."""
    literal = literal_of(value)
    plain = literal.lexical
    if not value or not math.isfinite(value) or 1e-6 <= abs(value) < 1e6:
        return plain
    sign, digits, exponent = Decimal(plain).normalize().as_tuple()
    assert isinstance(exponent, int)
    mantissa = "".join(map(str, digits))
    fraction = mantissa[1:] or "0"
    return f"{'-' if sign else ''}{mantissa[0]}.{fraction}E{exponent + len(mantissa) - 1}"


CASTS: dict[str, Callable[[Term], Term | None]] = {
    XSD_STRING: to_string,
    XSD_INTEGER: to_integer,
    XSD_DECIMAL: to_decimal,
    XSD_DOUBLE: to_double_,
    XSD_FLOAT: to_float,
    XSD_BOOLEAN: to_boolean,
    XSD_DATETIME: to_datetime,
}
