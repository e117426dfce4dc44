"""When two terms agree: as terms, or numbers by value (dial ``numbers``; decision 24)."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache

from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.model.terms import (
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    Literal,
    Term,
    is_numeric,
)

_SPECIAL = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NaN": math.nan}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INEXACT = frozenset((XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT))
_AGREEMENT = Fraction(1, 10**15)
_AGREEMENT_FLOAT = Fraction(1, 10**6)


@lru_cache(maxsize=65_536)
def number(literal: Literal) -> Fraction | float | None:
    """The exact value of a numeric literal; a float for INF and NaN; None if it is ill-typed."""
    text = literal.lexical.strip(" \t\r\n")
    try:
        if literal.datatype in {XSD_DOUBLE, XSD_FLOAT}:
            if text in _SPECIAL:
                return _SPECIAL[text]
            if not _DOUBLE.fullmatch(text):
                return None
            # As written, so that digits beyond a double count; an exponent beyond it is no bomb.
            return float(text) if abs(_exponent(text)) > 4300 else Fraction(text)
        pattern = _DECIMAL if literal.datatype == XSD_DECIMAL else _INTEGER
        return Fraction(text) if pattern.fullmatch(text) else None
    except ValueError:  # more digits than Python reads
        return None


def _exponent(text: str) -> int:
    return int(text.lower().partition("e")[2] or 0)


def agree(expected: Term, observed: Term, numbers: Numbers) -> bool:
    """Whether two terms without blank nodes count as one under the dial NUMBERS."""
    if expected == observed:
        return True
    if numbers == "term" or not (is_numeric(expected) and is_numeric(observed)):
        return False
    assert isinstance(expected, Literal)
    assert isinstance(observed, Literal)
    left, right = number(expected), number(observed)
    if left is None or right is None:
        return False
    if isinstance(left, float) or isinstance(right, float):
        both_nan = math.isnan(left) and math.isnan(right)
        return both_nan or left == right
    if isinstance(numbers, Tolerance):
        return abs(left - right) <= numbers.epsilon
    if left == right:
        return True
    datatypes = {expected.datatype, observed.datatype}
    if not datatypes & _INEXACT:
        return False
    # Digits beyond these are the implementation's: of a division, or of a sum of doubles.
    allowed = _AGREEMENT_FLOAT if XSD_FLOAT in datatypes else _AGREEMENT
    return abs(left - right) <= allowed * max(abs(left), abs(right))
