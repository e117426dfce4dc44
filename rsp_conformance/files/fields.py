"""Errors about values of a document, and numbers that are read exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import inf
from typing import Any, NoReturn

from rsp_conformance.model.errors import KitError, excerpt, printable

MISSING: Any = object()
"""Marks the value of a missing field."""

SHOWN = 80
"""The number of characters of a wrong value that an error shows: a line."""

PLACE = 200
"""The number of characters of a place that an error shows: one 50 quoted triples deep is shorter,
but the names of fields are texts of somebody else's."""

DIGITS = 40
"""The greatest number of digits of an instant; without it `1e999999999` would fill the memory."""

LARGEST = 300
"""The greatest number of digits of a number with a point or exponent that is read as an integer:
those that a double holds."""


class FieldError(KitError, ValueError):
    """A JSON value is not what it should be.

    Attributes:
        field: the place, such as `answers[2].t`, printable; empty for the whole document.
        expected: what should be there.
        found: what was there, shortened.
        hint: what to do next; may be empty.
        said: what a rule says about the value, in place of what was expected; may be empty.
    """

    def __init__(
        self, field: str, expected: str, found: str, *, hint: str = "", said: str = ""
    ) -> None:
        field = printable(field, PLACE)
        where = f"{field}: " if field else ""
        super().__init__(where + (said or f"expected {expected}, found {found}"))
        self.field = field
        self.expected = expected
        self.found = found
        self.hint = hint
        self.said = said


def shown(value: object) -> str:
    """Return a value as an error shows it: its JSON, shortened."""
    if value is MISSING:
        return "nothing"
    try:
        exact = isinstance(value, Decimal)
        text = str(value) if exact else json.dumps(value, ensure_ascii=False, default=_as_number)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    return printable(text, SHOWN) + (f" ({len(text)} characters)" if len(text) > SHOWN else "")


def _as_number(value: object) -> object:
    """Return a value that JSON does not know as JSON can write it: a Decimal as a number."""
    return float(value) if isinstance(value, Decimal) else repr(value)


def fail(where: str, expected: str, value: object, *, hint: str = "") -> NoReturn:
    """Raise the error about a field with a wrong value.

    Args:
        where: the path of the field, such as ``windows[0].width``.
        expected: what the value should be, in words.
        value: the value that was found; the message shows its beginning.
        hint: what follows the value in the message, such as `did_you_mean`.

    Raises:
        FieldError: always.
    """
    raise FieldError(where, expected, shown(value), hint=hint)


def exact(text: str) -> Decimal:
    """Return the number that a JSON text writes with a point or an exponent, exactly.

    Raises:
        ValueError: its exponent has more than 18 digits or so, beyond those of Decimal.
    """
    try:
        return Decimal(text)
    except InvalidOperation:
        raise _beyond(text) from None


def double(text: str) -> float:
    """Return the number that a JSON text writes with a point or an exponent, rounded.

    Raises:
        ValueError: it is so large that it would be infinite, or so small that it would be 0.
    """
    number = float(text)
    if number in (inf, -inf) or (not number and re.match("-?[0.]*[1-9]", text)):
        raise _beyond(text)
    return number


def _beyond(text: str) -> ValueError:
    return ValueError(f"the number {excerpt(text)} is beyond those that are read")


def whole(value: object) -> object:
    """Return the value, as an integer if it is a whole number written with a point."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if not isinstance(value, Decimal) or not value.is_finite() or value.adjusted() > LARGEST:
        return value
    return int(value) if value == value.to_integral_value() else value


def as_instant(value: object, where: str) -> int | Fraction | None:
    """Return the value as an instant: an integer, an exact fraction, or None for null.

    `6.0` is the integer 6.

    Raises:
        FieldError: it is not a number, or has too many digits.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        fail(where, "an integer, a decimal or null", value)
    if isinstance(value, int):
        if abs(value) >= 10**DIGITS:
            fail(where, f"an instant of at most {DIGITS} digits", value)
        return value
    exact = Decimal(str(value)) if isinstance(value, float) else value
    # A double, written in full, has up to 767 digits.
    endless = not exact.is_finite() or len(exact.as_tuple().digits) > 1_000
    if endless or abs(exact.adjusted()) > DIGITS:
        fail(where, f"an instant of at most {DIGITS} digits", value)
    instant = Fraction(exact)
    return int(instant) if instant.denominator == 1 else instant


def get(message: Mapping[str, Any], name: str) -> Any:
    """Return a field of a message, or `MISSING`."""
    return message.get(name, MISSING)
