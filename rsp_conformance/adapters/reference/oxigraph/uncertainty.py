"""The uncertainty functions for pyoxigraph (*Uncertainty*, Definitions 3-7 and 14; SEMANTICS 9).

Written from the same text as the definitions' evaluator and from nothing else of it, so that each
checks the other. A sum of distributions is the list of its parts; where it is an argument of
another function it is passed on as a literal of a datatype of its own, which no data have.

pyoxigraph takes an exception in a custom function for an error of the expression, so a refusal is
noted here and raised after the query, by whoever runs it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Context, Decimal
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

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
from rsp_conformance.model.uncertainty import (
    ARITY,
    BETWEEN,
    DISTRIBUTION,
    SUMS,
    function_name,
)

_PARTS = "urn:x-rsp:sum-of-distributions"
"""The datatype of a sum on its way from one function to another."""

_RESULT = "urn:x-rsp:call:uncertain:"
"""Before the name of a function whose value becomes a term."""

_OPERAND = "urn:x-rsp:call:sum:"
"""Before the name of a function whose sum another function takes."""

_PART = re.compile(r"(N|Normal|U)\(([^(),]*),([^(),]*)\)")
_DOUBLE = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?")
_DECIMAL = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_BITS = {"long": 63, "int": 31, "short": 15, "byte": 7}
_EXACT = Context(prec=1400)
_GREATEST = 300


_noted = threading.local()


def note_refusal(what: str) -> None:
    """Remember that WHAT, which the query that this thread runs asks for, is not evaluated."""
    if getattr(_noted, "what", None) is None:
        _noted.what = what


@contextmanager
def refusals_raised() -> Iterator[None]:
    """Run a query and read all its solutions within; raises Unsupported for the first refusal."""
    _noted.what = None
    yield
    if _noted.what is not None:
        raise Unsupported(_noted.what)


class Part(NamedTuple):
    """N(first, second) or U(first, second)."""

    kind: str
    first: Decimal
    second: Decimal

    def negated(self) -> Part:
        """The distribution of minus the value."""
        if self.kind == "N":
            return Part("N", self.first.copy_negate(), self.second)
        return Part("U", self.second.copy_negate(), self.first.copy_negate())

    def shifted(self, by: Decimal) -> Part:
        """The distribution of the value plus BY."""
        second = self.second if self.kind == "N" else _EXACT.add(self.second, by)
        return Part(self.kind, _EXACT.add(self.first, by), second)


Sum: TypeAlias = tuple[Part, ...]
"""Independent parts that are added up, at most one of them normal."""
Operand: TypeAlias = "Sum | Decimal | float"
"""Infinite numbers are floats."""


def translate_call(call: FunctionCall, term: Callable[[Expression], Expression]) -> FunctionCall:
    """CALL in the translated query; TERM translates an argument that is any other expression.

    Raises Unsupported for a function that the namespace does not have, or called otherwise.
    """
    return _translated(call, term, _RESULT)


def _translated(
    call: FunctionCall, term: Callable[[Expression], Expression], before: str
) -> FunctionCall:
    name = function_name(call)
    if name is None or name not in ARITY or call.distinct:
        raise Unsupported(f"the extension function <{call.function.value}>")
    if len(call.arguments) != ARITY[name]:
        raise Unsupported(f"rspu:{name} with {len(call.arguments)} arguments")
    arguments = [
        _translated(argument, term, _OPERAND)
        if isinstance(argument, FunctionCall) and function_name(argument) in SUMS
        else term(argument)
        for argument in call.arguments
    ]
    return FunctionCall(IRI(before + name), tuple(arguments))


class Uncertainty:
    """The functions; what the prototype gets wrong is a method, so that a fault can override it."""

    def functions(self) -> dict[ox.NamedNode, Callable[..., StoredTerm | None]]:
        """All of them, by the names that translated queries call them by."""
        table: dict[str, Callable[..., StoredTerm | None]] = {
            _RESULT + BETWEEN: self._between,
            _RESULT + "lessThan": self._compared(self.less),
            _RESULT + "lessThanOrEqual": self._compared(self.less),
            _RESULT + "greaterThan": self._compared(self.greater),
            _RESULT + "greaterThanOrEqual": self._compared(self.greater_or_equal),
            **{_RESULT + name: self._added(name == "add", _result) for name in SUMS},
            **{_OPERAND + name: self._added(name == "add", _passed_on) for name in SUMS},
        }
        return {ox.NamedNode(iri): function for iri, function in table.items()}

    def deviation(self, variance: float) -> float:
        """The standard deviation of N(m, VARIANCE)."""
        return sqrt(variance)

    def less(self, left: Sum, right: Operand) -> float:
        """P(left < right)."""
        return self._less(left, right)

    def greater(self, left: Sum, right: Operand) -> float:
        """P(left > right)."""
        if isinstance(right, tuple):
            return self._less(right, left)
        negated = -right if isinstance(right, float) else right.copy_negate()
        return self._less(tuple(part.negated() for part in left), negated)

    def greater_or_equal(self, left: Sum, right: Operand) -> float:
        """P(left >= right): distributions have densities, so it is that of greater."""
        return self.greater(left, right)

    def _less(self, left: Sum, right: Operand) -> float:
        if isinstance(right, float):
            return 1.0 if right > 0 else 0.0
        if isinstance(right, Decimal):
            return negative(self.shape(left, right.copy_negate()))
        return negative(self.shape(_combined(left, [part.negated() for part in right])))

    def between(self, value: Sum, low: Operand, high: Operand) -> float:
        """P(low < value < high)."""
        centre = value[0].first

        def bound(operand: Operand) -> Shape | float:
            if isinstance(operand, float):
                return operand
            if isinstance(operand, Decimal):
                return float(_EXACT.subtract(operand, centre))
            return self.shape(operand, centre.copy_negate())

        # The value is put near 0, where doubles lie close together.
        return between(self.shape(value, centre.copy_negate()), bound(low), bound(high))

    def shape(self, parts: Sum, shift: Decimal = Decimal(0)) -> Shape:
        """The distribution that PARTS add up to, moved by SHIFT."""
        normal = next((part for part in parts if part.kind == "N"), None)
        moved = normal or parts[0]
        parts = tuple(part.shifted(shift) if part is moved else part for part in parts)
        mean, deviation = 0.0, 0.0
        if normal is not None:
            mean = float(_EXACT.add(normal.first, shift))
            deviation = self.deviation(float(normal.second))
        uniforms = [(float(p.first), float(p.second)) for p in parts if p.kind == "U"]
        if len(uniforms) > MOST_UNIFORM_PARTS:
            raise Unsupported(f"a comparison of {len(uniforms)} uniform distributions")
        return Shape(mean, deviation, tuple(uniforms))

    def _compared(
        self, compute: Callable[[Sum, Operand], float]
    ) -> Callable[[StoredTerm, StoredTerm], StoredTerm | None]:
        def function(first: StoredTerm, second: StoredTerm) -> StoredTerm | None:
            left, right = _operand(first), _operand(second)
            if not isinstance(left, tuple) or right is None:
                return None
            return _probability(lambda: compute(left, right))

        return function

    def _between(
        self, first: StoredTerm, second: StoredTerm, third: StoredTerm
    ) -> StoredTerm | None:
        value, low, high = _operand(first), _operand(second), _operand(third)
        if not isinstance(value, tuple) or low is None or high is None:
            return None
        return _probability(lambda: self.between(value, low, high))

    def _added(
        self, add: bool, literal: Callable[[Sum], StoredTerm | None]
    ) -> Callable[[StoredTerm, StoredTerm], StoredTerm | None]:
        def function(first: StoredTerm, second: StoredTerm) -> StoredTerm | None:
            left, right = _operand(first), _operand(second)
            if not isinstance(left, tuple) or right is None or isinstance(right, float):
                return None
            if isinstance(right, Decimal):
                moved = left[0].shifted(right if add else right.copy_negate())
                return literal((moved, *left[1:]))
            return literal(_combined(left, [p if add else p.negated() for p in right]))

        return function


def _combined(left: Sum, right: list[Part]) -> Sum:
    """All parts, the normal ones as one: means add up, and so do variances."""
    parts = [*left, *right]
    normal = [part for part in parts if part.kind == "N"]
    others = [part for part in parts if part.kind == "U"]
    if normal:
        mean, variance = Decimal(0), Decimal(0)
        for part in normal:
            mean, variance = _EXACT.add(mean, part.first), _EXACT.add(variance, part.second)
        return (Part("N", mean, variance), *others)
    return tuple(others)


def _operand(term: StoredTerm) -> Operand | None:
    """The distribution or number that a term stands for; None where it stands for none."""
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return None
    datatype = known.datatype.value
    if datatype == DISTRIBUTION:
        part = _part(known.value)
        return None if part is None else (part,)
    if datatype == _PARTS:
        return tuple(map(_passed_part, known.value.split()))
    return _number(known.value, datatype) if datatype in NUMERIC_DATATYPES else None


def _part(text: str) -> Part | None:
    found = _PART.fullmatch(text)
    if found is None:
        return None
    numbers = [found[place].strip(" \t\n\r\f\v") for place in (2, 3)]
    if not all(_DOUBLE.fullmatch(number) for number in numbers):
        return None
    first, second = map(_decimal, numbers)
    if first is None or second is None or second <= (first if found[1] == "U" else 0):
        return None
    return Part(found[1][0], first, second)


def _passed_part(text: str) -> Part:
    """A part as ``_passed_on`` writes it: of whatever size, and surely one."""
    first, _, second = text[2:-1].partition(",")
    return Part(text[0], Decimal(first), Decimal(second))


def _number(text: str, datatype: str) -> Decimal | float | None:
    name = datatype.removeprefix(XSD)
    if name in {"double", "float"}:
        if text in {"INF", "+INF", "-INF"}:
            return -inf if text.startswith("-") else inf
        return _decimal(text) if _DOUBLE.fullmatch(text) else None
    if name == "decimal":
        return _decimal(text) if _DECIMAL.fullmatch(text) else None
    if not _INTEGER.fullmatch(text):
        return None
    number = Decimal(text)
    sign = {"nonPositiveInteger": -1, "negativeInteger": -1, "positiveInteger": 1}.get(name, 0)
    if name.startswith(("unsigned", "nonNegative")):
        sign = 1
    if number * sign < 0 or (number == 0 and name in {"negativeInteger", "positiveInteger"}):
        return None
    unsigned = name.startswith("unsigned")
    bits = _BITS.get(name.removeprefix("unsigned").lower() if unsigned else name)
    if bits is not None:
        greatest = 2 ** (bits + unsigned) - 1
        if not (0 if unsigned else -greatest - 1) <= number <= greatest:
            return None
    return _decimal(text)


def _decimal(text: str) -> Decimal | None:
    """The number that TEXT writes, unless doubles have none like it."""
    number = Decimal(text)
    return None if number and abs(number.adjusted()) > _GREATEST else number


def _probability(computed: Callable[[], float]) -> StoredTerm | None:
    try:
        number = computed()
    except Unsupported as refusal:
        note_refusal(refusal.what)
        return None
    return ox.Literal(repr(min(1.0, max(0.0, number))), datatype=ox.NamedNode(XSD_DOUBLE))


def _result(total: Sum) -> StoredTerm | None:
    if len(total) > 1:
        note_refusal("a sum of distributions that is neither normal nor uniform, as a result")
        return None
    return ox.Literal(_written(total[0]), datatype=ox.NamedNode(DISTRIBUTION))


def _passed_on(total: Sum) -> StoredTerm:
    return ox.Literal(" ".join(map(_written, total)), datatype=ox.NamedNode(_PARTS))


def _written(part: Part) -> str:
    return f"{part.kind}({_digits(part.first)},{_digits(part.second)})"


def _digits(number: Decimal) -> str:
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
