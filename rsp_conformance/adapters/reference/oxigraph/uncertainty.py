"""The uncertainty functions for pyoxigraph (*Uncertainty*, Definitions 3-7 and 14; SEMANTICS 9).

Written from the same text as the definitions' evaluator and from nothing else of it, so that each
checks the other. A sum of distributions is the list of its parts; where it is an argument of
another function it is passed on as a literal of a datatype of its own, which no data have.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.exact import number_of
from rsp_conformance.adapters.reference.oxigraph.quadrature import (
    MOST_UNIFORM_PARTS,
    Shape,
    between,
    negative,
)
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm, plain
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, FunctionCall
from rsp_conformance.model.terms import IRI, NUMERIC_DATATYPES, XSD, XSD_DOUBLE
from rsp_conformance.model.uncertainty import ARITY, BETWEEN, DISTRIBUTION, SUMS, function_name

_PARTS = "urn:x-rsp:sum-of-distributions"
"""The datatype of a sum on its way from one function to another."""

_RESULT = "urn:x-rsp:call:uncertain:"
"""Before the name of a function whose value becomes a term."""

_OPERAND = "urn:x-rsp:call:sum:"
"""Before the name of a function whose sum another function takes."""

_PART = re.compile(r"(N|Normal|U)\(([^(),]*),([^(),]*)\)")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)")
_DOUBLE = re.compile(_DECIMAL.pattern + "([eE][+-]?[0-9]+)?")
_LEXICAL = {XSD + "double": _DOUBLE, XSD + "float": _DOUBLE, XSD + "decimal": _DECIMAL}
_INFINITE = {"INF": inf, "+INF": inf, "-INF": -inf}
_EXACT = Context(prec=1400)
"""Enough digits for the exact decimal text of every double and of a sum of doubles: the smallest
has 1,074 digits after the point, and the greatest 309 before it."""
_GREATEST = 300
"""Numbers with more digits than this before or after the point are errors, as in the documented
rule for the uncertainty functions (`sparql.uncertainty.distributions.MAGNITUDE`)."""


class Summand(NamedTuple):
    """N(first, second) or U(first, second)."""

    kind: str
    first: Fraction
    second: Fraction

    def negated(self) -> Summand:
        """Return the distribution of minus the value."""
        if self.kind == "N":
            return Summand("N", -self.first, self.second)
        return Summand("U", -self.second, -self.first)

    def shifted(self, by: Fraction) -> Summand:
        """Return the distribution of the value plus `by`."""
        second = self.second if self.kind == "N" else self.second + by
        return Summand(self.kind, self.first + by, second)


Sum: TypeAlias = tuple[Summand, ...]
"""Independent parts that are added up: at most one of them is normal, and that is the first."""
Operand: TypeAlias = "Sum | Fraction | float"
"""Infinite numbers are floats."""
Compare: TypeAlias = "Callable[[Uncertainty, Sum, Operand], float]"
"""The probability of a comparison."""


def translate_call(
    call: FunctionCall, term: Callable[[Expression], Expression], before: str = _RESULT
) -> FunctionCall:
    """Return a call as it is written in the translated query.

    Args:
        call: the call.
        term: translates an argument that is any other expression.
        before: the namespace of the translated function, for a result or for an operand of a sum.

    Raises:
        Unsupported: the namespace has no such function, or it takes other arguments.
    """
    name = function_name(call)
    if name is None or name not in ARITY or call.distinct:
        raise Unsupported(f"the extension function <{call.function.value}>")
    if len(call.arguments) != ARITY[name]:
        raise Unsupported(f"rspu:{name} with {len(call.arguments)} arguments")
    arguments = [
        translate_call(argument, term, _OPERAND)
        if isinstance(argument, FunctionCall) and function_name(argument) in SUMS
        else term(argument)
        for argument in call.arguments
    ]
    return FunctionCall(IRI(before + name), tuple(arguments))


def _less(functions: Uncertainty, left: Sum, right: Operand) -> float:
    """P(left < right)."""
    if isinstance(right, float):
        return 1.0 if right > 0 else 0.0
    return negative(functions.shape(_added(left, _negated(right))))


def _greater(functions: Uncertainty, left: Sum, right: Operand) -> float:
    """P(left > right), and that of greater or equal, because distributions have densities."""
    if isinstance(right, tuple):
        return _less(functions, right, left)
    return _less(functions, _mirrored(left), -right)


def _between(functions: Uncertainty, value: Sum, low: Operand, high: Operand) -> float:
    """P(low < value < high)."""
    centre = value[0].first

    def bound(operand: Operand) -> Shape | float:
        if isinstance(operand, float):
            return operand
        if isinstance(operand, Fraction):
            return float(operand - centre)
        return functions.shape(_added(operand, -centre))

    # The value is put near 0, where doubles lie close together.
    return between(functions.shape(_added(value, -centre)), bound(low), bound(high))


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """The functions; what the prototype gets wrong is a field, so that a mutant can replace it."""

    less: Compare = _less
    greater: Compare = _greater
    greater_or_equal: Compare = _greater
    deviation: Callable[[float], float] = sqrt
    """The standard deviation of N(m, v), from v."""

    def functions(self) -> dict[ox.NamedNode, Callable[..., StoredTerm | None]]:
        """Return all of them, by the names that translated queries call them by."""
        computed: dict[str, Callable[..., float]] = {
            "lessThan": self.less,
            "lessThanOrEqual": self.less,
            "greaterThan": self.greater,
            "greaterThanOrEqual": self.greater_or_equal,
            BETWEEN: _between,
        }
        table = {
            _RESULT + name: partial(_called, partial(_probability, self, compute))
            for name, compute in computed.items()
        }
        for name in SUMS:
            table[_RESULT + name] = partial(_called, partial(_total, name, _result))
            table[_OPERAND + name] = partial(_called, partial(_total, name, _passed_on))
        return {ox.NamedNode(iri): function for iri, function in table.items()}

    def shape(self, parts: Sum) -> Shape:
        """Return the distribution of a sum.

        Raises:
            Unsupported: more uniform distributions take part than are computed.
        """
        uniforms = [(float(p.first), float(p.second)) for p in parts if p.kind == "U"]
        if len(uniforms) > MOST_UNIFORM_PARTS:
            raise Unsupported(f"a comparison of {len(uniforms)} uniform distributions")
        if parts[0].kind == "U":
            return Shape(0.0, 0.0, tuple(uniforms))
        mean, variance = float(parts[0].first), float(parts[0].second)
        return Shape(mean, self.deviation(variance), tuple(uniforms))


def _called(compute: Callable[..., StoredTerm | None], *terms: StoredTerm) -> StoredTerm | None:
    """`compute` of the operands that `terms` stand for, of which the first is a distribution."""
    operands = [_operand(term) for term in terms]
    if None in operands or not isinstance(operands[0], tuple):
        return None
    return compute(*operands)


def _probability(
    functions: Uncertainty, compute: Callable[..., float], *operands: Operand
) -> StoredTerm | None:
    number = compute(functions, *operands)
    return ox.Literal(repr(min(1.0, max(0.0, number))), datatype=ox.NamedNode(XSD_DOUBLE))


def _total(
    name: str, literal: Callable[[Sum], StoredTerm | None], left: Sum, right: Operand
) -> StoredTerm | None:
    if isinstance(right, float):
        return None
    return literal(_added(left, right if name == "add" else _negated(right)))


def _negated(operand: Sum | Fraction) -> Sum | Fraction:
    return _mirrored(operand) if isinstance(operand, tuple) else -operand


def _mirrored(parts: Sum) -> Sum:
    return tuple(part.negated() for part in parts)


def _added(left: Sum, right: Sum | Fraction) -> Sum:
    """Return the sum of two operands: means of normal distributions add up, and so do variances."""
    if isinstance(right, Fraction):
        return (left[0].shifted(right), *left[1:])
    parts = (*left, *right)
    normal = [part for part in parts if part.kind == "N"]
    others = [part for part in parts if part.kind == "U"]
    if normal:
        mean = sum((part.first for part in normal), Fraction(0))
        variance = sum((part.second for part in normal), Fraction(0))
        return (Summand("N", mean, variance), *others)
    return tuple(others)


def _operand(term: StoredTerm) -> Operand | None:
    """Return the distribution or number that a term stands for; None if it stands for none."""
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return None
    text, datatype = known.value, known.datatype.value
    if datatype == DISTRIBUTION:
        part = _part(text)
        return None if part is None else (part,)
    if datatype == _PARTS:
        return tuple(map(_passed_part, text.split()))
    if datatype not in NUMERIC_DATATYPES:
        return None
    lexical = _LEXICAL.get(datatype, _INTEGER)
    if lexical is _DOUBLE and text in _INFINITE:
        return _INFINITE[text]
    if not lexical.fullmatch(text) or number_of(text, datatype) is None:
        return None
    return _number(text)


def _part(text: str) -> Summand | None:
    found = _PART.fullmatch(text)
    if found is None:
        return None
    numbers = [found[place].strip(" \t\n\r\f\v") for place in (2, 3)]
    if not all(_DOUBLE.fullmatch(number) for number in numbers):
        return None
    first, second = map(_number, numbers)
    if first is None or second is None or second <= (first if found[1] == "U" else 0):
        return None
    return Summand(found[1][0], first, second)


def _passed_part(text: str) -> Summand:
    """Return a part as ``_passed_on`` writes it: of whatever size, and surely one."""
    first, _, second = text[2:-1].partition(",")
    return Summand(text[0], Fraction(first), Fraction(second))


def _number(text: str) -> Fraction | None:
    """Return the number that `text` writes, unless doubles have none like it."""
    number = Decimal(text)
    return None if number and abs(number.adjusted()) > _GREATEST else Fraction(number)


def _result(total: Sum) -> StoredTerm | None:
    if len(total) > 1:
        raise Unsupported("a sum of distributions that is neither normal nor uniform, as a result")
    return ox.Literal(_written(total[0]), datatype=ox.NamedNode(DISTRIBUTION))


def _passed_on(total: Sum) -> StoredTerm:
    return ox.Literal(" ".join(map(_written, total)), datatype=ox.NamedNode(_PARTS))


def _written(part: Summand) -> str:
    return f"{part.kind}({_digits(part.first)},{_digits(part.second)})"


def _digits(number: Fraction) -> str:
    text = format(_EXACT.divide(number.numerator, number.denominator), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
