"""Decides whether two terms agree: as terms, or by value (dial ``numbers``; decision 24).

Two distributions agree if they are of one kind and their parameters agree as doubles do: SEMANTICS
9 says that sums are compared after parsing (decision 31).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.model.terms import (
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    Literal,
    Term,
    is_numeric,
)
from rsp_conformance.model.uncertainty import is_distribution
from rsp_conformance.sparql.uncertainty.distributions import parse_distribution
from rsp_conformance.sparql.values import PARSERS

_BOOLEANS = {
    Literal(text, XSD_BOOLEAN): Literal(form, XSD_BOOLEAN)
    for text, form in (("1", "true"), ("0", "false"))
}
"""The other form of each boolean. An engine that gives values to a program has one form of it."""
_INEXACT = frozenset((XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT))
_AGREEMENT = 10**15
"""Inexact numbers agree if they differ by at most the greater one divided by this number: 15
significant digits, which every decimal text keeps through a double (decision 24)."""
_AGREEMENT_FLOAT = 10**6
"""The same if one of them is an xsd:float: 6 digits, which a decimal text keeps through a float."""


@lru_cache(maxsize=65_536)
def number(literal: Literal) -> Fraction | float | None:
    """The exact value of a numeric literal.

    Returns:
        A Fraction; a float for INF and NaN; None for an ill-typed literal. What is too great for a
        double or a float is infinite, and what is too small is 0: these are the values of such
        literals (XML Schema 1.1 part 2, 3.3.4.2 and 3.3.5.2), however an engine writes them.
    """
    # Blanks around a number are no part of it, and an engine may keep them (whiteSpace: collapse).
    text = literal.lexical.strip(" \t\r\n")
    # Of the types derived from xsd:integer the limits are not asked for: what agrees is the number.
    known = PARSERS[literal.datatype if literal.datatype in _INEXACT else XSD_INTEGER](text)
    if isinstance(known, float):
        if not known or not math.isfinite(known):
            return known or Fraction(0)
        # Within the range the value is exact: digits beyond the precision of a double count.
        return Fraction(Decimal(text))
    return Fraction(known) if isinstance(known, int | Decimal) else None


def _is_nan(value: Fraction | float) -> bool:
    """Whether a value is NaN; ``math.isnan`` fails for a Fraction beyond the range of doubles."""
    return isinstance(value, float) and math.isnan(value)


def sort_key(literal: Literal) -> Fraction | float:
    """A key for sorting literals by value; it is 0 for NaN and for all that are not numbers."""
    value = number(literal) if is_numeric(literal) else None
    return 0 if value is None or _is_nan(value) else value


@lru_cache(maxsize=65_536)
def exact(literal: Literal) -> Literal:
    """A literal that is the same for all literals with exactly the same value.

    For a number its datatype is ``number``, so it equals no literal of a case. A literal that is
    neither a number nor a boolean is returned as it is.
    """
    value = number(literal) if is_numeric(literal) else None
    if isinstance(value, Fraction):
        # Base 16, because Python limits the number of digits in base 10.
        return Literal(f"{value.numerator:x}/{value.denominator:x}", "number")
    if value is None:
        return _BOOLEANS.get(literal, literal)
    return Literal(str(value), "number")


def key(term: Term, numbers: Numbers) -> Term | Fraction | float:
    """A key by which terms are counted; terms that agree usually have the same key.

    Inexact numbers are rounded to 14 significant digits, as many as any two implementations share
    (decision 24). Two numbers that agree may still be rounded differently, and numbers within a
    tolerance may have different keys.
    """
    if numbers == "term" or not isinstance(term, Literal):
        return term
    if not is_numeric(term):
        return _BOOLEANS.get(term, term)
    value = number(term)
    if value is None or term.datatype not in _INEXACT:
        return term if value is None else value
    if _is_nan(value):  # NaN cannot be a key: it does not equal itself.
        return exact(term)
    try:
        return float(f"{float(value):.14g}")
    except OverflowError:  # a decimal beyond all doubles
        assert isinstance(value, Fraction)
        parts = Decimal(value.numerator), Decimal(value.denominator)
        return Fraction(Context(prec=14).divide(*parts))


def literal_classes(literals: Iterable[Literal], numbers: Numbers) -> dict[Literal, Hashable]:
    """Divide numbers, booleans and distributions into classes, so that what agrees shares a class.

    The numbers are sorted. A number joins the class of the number before it, unless the two differ
    by more than ``numbers`` allows for any datatypes. So a class may also contain numbers that do
    not agree.

    Returns:
        The class of each number, boolean and distribution; other literals, and ill-typed ones, are
        left out.
    """
    classes: dict[Literal, Hashable] = {}
    found: list[tuple[Fraction | float, Literal]] = []
    for literal in literals:
        if is_distribution(literal):
            if (parameters := _parameters(literal.lexical)) is not None:
                classes[literal] = "distribution", parameters[0]
        elif literal.datatype == XSD_BOOLEAN:
            classes[literal] = _BOOLEANS.get(literal, literal)
        elif is_numeric(literal) and (value := number(literal)) is not None:
            if _is_nan(value):
                classes[literal] = "NaN"
            else:
                found.append((value, literal))
    count = 0
    last: Fraction | float = math.nan
    for value, literal in sorted(found, key=itemgetter(0)):
        count += not _near(last, value, numbers)
        classes[literal] = "number", count
        last = value
    return classes


def computed_alike(
    computed: Iterable[Literal], literals: Iterable[Literal]
) -> dict[Literal, Literal]:
    """Find the literals that agree by value with a computed number of the same datatype.

    Args:
        computed: computed numbers; those that agree with each other count as one.
        literals: the literals to look at.

    Returns:
        The computed number for each literal that agrees with it and is another term; computed
        numbers that agree with an earlier one are included.
    """
    own, given = sorted(computed, key=sort_key), list(literals)
    classes = literal_classes({*own, *given}, "value")
    models: dict[Hashable, list[Literal]] = {}
    found: dict[Literal, Literal] = {}
    for part, are_computed in ((own, True), (given, False)):
        for literal in part:
            if literal not in classes:
                continue
            alike = models.setdefault((literal.datatype, classes[literal]), [])
            model = next((one for one in alike if agree(one, literal, "value")), None)
            if model is None and are_computed:
                alike.append(literal)
            elif model is not None and model != literal:
                found[literal] = model
    return found


def _near(one: Fraction | float, other: Fraction | float, numbers: Numbers) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return one == other
    return _close(one, other, numbers, _INEXACT)


def agree(expected: Term, observed: Term, numbers: Numbers) -> bool:
    """Whether two terms without blank nodes agree under the dial ``numbers``.

    Args:
        expected: the term of the expected answer.
        observed: the term of the engine's answer.
        numbers: the dial's value: equal terms, equal values, or a tolerance.
    """
    if expected == observed:
        return True
    if numbers == "term" or not isinstance(expected, Literal) or not isinstance(observed, Literal):
        return False
    if is_distribution(expected) and is_distribution(observed):
        return _same_distribution(expected, observed, numbers)
    if not (is_numeric(expected) and is_numeric(observed)):
        return exact(expected) == exact(observed)
    left, right = number(expected), number(observed)
    if left is None or right is None:
        return False
    if isinstance(left, float) or isinstance(right, float):
        both_nan = math.isnan(left) and math.isnan(right)
        return both_nan or left == right
    return _close(left, right, numbers, frozenset((expected.datatype, observed.datatype)))


def _close(left: Fraction, right: Fraction, numbers: Numbers, datatypes: frozenset[str]) -> bool:
    if isinstance(numbers, Tolerance):
        return abs(left - right) <= numbers.epsilon
    if left == right:
        return True
    if not datatypes & _INEXACT:
        return False
    # Later digits are left to the implementation, as of a division or of a sum of doubles.
    digits = _AGREEMENT_FLOAT if XSD_FLOAT in datatypes else _AGREEMENT
    # |left - right| * digits ≤ max(|left|, |right|), with both sides times both denominators.
    a, b = left.numerator * right.denominator, right.numerator * left.denominator
    return abs(a - b) * digits <= max(abs(a), abs(b))


def _same_distribution(expected: Literal, observed: Literal, numbers: Numbers) -> bool:
    left, right = _parameters(expected.lexical), _parameters(observed.lexical)
    if left is None or right is None or left[0] != right[0]:
        return False
    doubles = frozenset((XSD_DOUBLE,))
    return all(_close(a, b, numbers, doubles) for a, b in zip(left[1], right[1], strict=True))


@lru_cache(maxsize=65_536)
def _parameters(text: str) -> tuple[bool, tuple[Fraction, Fraction]] | None:
    """Whether a distribution is normal, and its two parameters; None if the text is invalid.

    The parameters are mean and variance of a normal distribution, otherwise the two bounds.
    """
    distribution = parse_distribution(text)
    if distribution is None:
        return None
    if distribution.variance:
        return True, (distribution.mean, distribution.variance)
    half = distribution.widths[0] / 2
    return False, (distribution.mean - half, distribution.mean + half)
