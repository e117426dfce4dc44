"""Constructor functions, the casts of SPARQL 1.1, 17.5 (F&O 17)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

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
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.open_points import (
    FORM,
    NEGATIVE_ZERO,
    TAGGED_CAST,
    TEMPORAL,
    TEMPORAL_OPERATORS,
)
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.values import (
    PARSERS,
    Value,
    cast_literal,
    is_beyond,
    is_known,
    is_true,
    known_value,
    literal_of,
    nearest_decimal,
    single,
    string,
    text_of,
    to_double,
)


def _integer(value: Any) -> int | None:
    """The integer of a number, without its fraction; None for INF and NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else int(value)


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, float):
        return nearest_decimal(value) if math.isfinite(value) else None
    return Decimal(value)


_CONVERSIONS: dict[str, Callable[[Any], Value | None]] = {
    XSD_INTEGER: _integer,
    XSD_DECIMAL: _decimal,
    XSD_DOUBLE: to_double,
    XSD_FLOAT: lambda value: single(to_double(value)),
    XSD_BOOLEAN: is_true,
    XSD_DATETIME: lambda moment: moment,
}
"""How each datatype converts a number or a boolean; a dateTime is cast only to xsd:dateTime."""


def _cast(datatype: str) -> Callable[[Term], Term | None]:
    convert = _CONVERSIONS[datatype]

    def cast(term: Term) -> Term | None:
        if not isinstance(term, Literal):
            return None
        value = known_value(term)
        if value is None and is_beyond(term):
            return None
        if value is None:
            text = _text_alone(term, datatype)
            if text is None:
                return None
            value = text.lexical
        written = term.lexical.strip(" \t\n\r")
        if isinstance(value, str):
            # White space around the text is dropped, by XSD's facet whiteSpace.
            value = PARSERS[datatype](written)
        elif isinstance(value, DateTime) is not (datatype == XSD_DATETIME):
            value = None
        elif value is not None:
            value = convert(value)
        if value is None or not is_known(value):
            return None
        is_text = term.datatype in (datatype, XSD_STRING) or term.language is not None
        return cast_literal(value, written) if is_text else literal_of(value)

    return cast


def _text_alone(term: Literal, datatype: str) -> Literal | None:
    """The text to cast of a literal for which 17.5 has no row; None, an error, by one reading."""
    if datatype == XSD_DATETIME and term.datatype in TEMPORAL:
        leave_open(TEMPORAL_OPERATORS)
    kind = "a tagged text" if term.language is not None else f"<{term.datatype}>"
    as_text = reading(TAGGED_CAST, "error", "text", about=f"{kind} to {datatype}") == "text"
    return string(term.lexical) if as_text else None


def _to_string(term: Term) -> Term | None:
    """xsd:string: the text of an IRI, or the canonical form of a known value."""
    if isinstance(term, IRI):
        return string(term.value)
    if not isinstance(term, Literal):
        return None
    value = known_value(term)
    if isinstance(value, float):
        if not value and math.copysign(1, value) < 0:
            leave_open(NEGATIVE_ZERO)
        if math.isfinite(value) and not (value.is_integer() and abs(value) < 1e6):
            leave_open(FORM)  # Any text that casts back to an equal value is right (F&O 17.1.2).
        return string(_floating_text(value))
    if value is None:
        return None if is_beyond(term) else _text_alone(term, XSD_STRING)
    return string(text_of(value))


def _floating_text(value: float) -> str:
    """A text like a decimal from 0.000001 up to 1000000, else with mantissa and exponent."""
    plain = text_of(value)
    if not value or not math.isfinite(value) or 1e-6 <= abs(value) < 1e6:
        return plain
    sign, digits, exponent = Decimal(plain).normalize().as_tuple()
    assert isinstance(exponent, int)
    mantissa = "".join(map(str, digits))
    fraction = mantissa[1:] or "0"
    return f"{'-' if sign else ''}{mantissa[0]}.{fraction}E{exponent + len(mantissa) - 1}"


CASTS: dict[str, Callable[[Term], Term | None]] = {
    XSD_STRING: _to_string,
    **{datatype: _cast(datatype) for datatype in _CONVERSIONS},
}
"""The cast to each datatype, by its IRI; None is an error."""
