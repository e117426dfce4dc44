"""Distributions as sums of independent parts (*Uncertainty*, Definition 3).

Every result of the functions on normal and uniform distributions and numbers is a constant, plus a
normal part around 0, plus uniform parts around 0. Parts around 0 are symmetric, so a difference has
the same parts as a sum. Parameters stay exact: they are decimals, and so are all sums, differences
and halves of them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.model.uncertainty import DISTRIBUTION, is_distribution
from rsp_conformance.sparql.values import decimal_text, number_of

_NUMBER = r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*"
_LEXICAL = re.compile(rf"(N|Normal|U)\({_NUMBER},{_NUMBER}\)", re.ASCII)
MAGNITUDE = 300
"""Numbers with more digits than this before or after the point are errors: the range of doubles
ends soon after, and sums of many numbers must not reach its end."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """``mean`` + N(0, ``variance``) + U(-w/2, w/2) for each w of ``widths``, all independent.

    If ``variance`` is 0, there is no normal part. ``widths`` are positive and sorted.
    """

    mean: Fraction
    variance: Fraction
    widths: tuple[Fraction, ...]

    def __add__(self, other: Distribution) -> Distribution:
        return self._joined(self.mean + other.mean, other)

    def __sub__(self, other: Distribution) -> Distribution:
        return self._joined(self.mean - other.mean, other)

    def _joined(self, mean: Fraction, other: Distribution) -> Distribution:
        widths = tuple(sorted(self.widths + other.widths))
        return Distribution(mean, self.variance + other.variance, widths)

    def shifted(self, by: Fraction) -> Distribution:
        """The distribution of the value plus a number."""
        return Distribution(self.mean + by, self.variance, self.widths)

    @property
    def literal(self) -> Literal | None:
        """The literal of the distribution; None for a sum that is neither normal nor uniform."""
        if not self.widths:
            return _literal("N", self.mean, self.variance)
        if self.variance or len(self.widths) > 1:
            return None
        half = self.widths[0] / 2
        return _literal("U", self.mean - half, self.mean + half)


Operand: TypeAlias = "Distribution | Fraction | float"
"""An argument of a function: a distribution or a number; infinite numbers are floats."""


@lru_cache(maxsize=1 << 14)
def parse_distribution(text: str) -> Distribution | None:
    """The distribution that a lexical form denotes; None if the text is not a lexical form.

    ``N`` may be written as ``Normal``, and white space is allowed around the numbers. The variance
    must be positive, and the lower bound below the upper bound.
    """
    found = _LEXICAL.fullmatch(text)
    if found is None:
        return None
    first, second = _exact(found[2]), _exact(found[3])
    if first is None or second is None:
        return None
    if found[1] == "U":
        middle, width = (first + second) / 2, second - first
        return Distribution(middle, Fraction(0), (width,)) if width > 0 else None
    return Distribution(first, second, ()) if second > 0 else None


def operand(term: Term | None) -> Operand | None:
    """The distribution or number that a term denotes; None, an error, for other terms.

    Numbers have the exact value of their text, so "0.1"^^xsd:double is a tenth.
    """
    if not isinstance(term, Literal):
        return None
    if is_distribution(term):
        return parse_distribution(term.lexical)
    number = number_of(term)
    if number is None:
        return None
    if isinstance(number, float) and not math.isfinite(number):
        # A finite number too great for a double is out of range, as it would be as a parameter.
        return float(number) if "INF" in term.lexical else None
    return _exact(term.lexical)


def _exact(text: str) -> Fraction | None:
    number = Decimal(text)
    if number and abs(number.adjusted()) > MAGNITUDE:
        return None
    return Fraction(number)


def _literal(name: str, first: Fraction, second: Fraction) -> Literal:
    return Literal(f"{name}({_text(first)},{_text(second)})", DISTRIBUTION)


def _text(number: Fraction) -> str:
    """A fraction of a power of ten, as a decimal with all its digits."""
    above, below = number.numerator, number.denominator
    context = Context(prec=1 + above.bit_length() + below.bit_length(), traps=[Inexact])
    return decimal_text(context.divide(above, below))
