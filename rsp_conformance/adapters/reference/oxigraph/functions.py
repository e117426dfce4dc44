"""Custom functions that the translated queries call: values of opaque literals, and aggregates.

pyoxigraph takes custom aggregates without DISTINCT only, and its own work on values where SPARQL
works on terms, so MIN and MAX (which answer with a term) and DISTINCT sums are written here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from math import isnan
from typing import Any, Protocol, TypeAlias, TypeGuard

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.quoted import (
    FALSE,
    QUOTED_FUNCTIONS,
    unquoted,
)
from rsp_conformance.adapters.reference.oxigraph.terms import (
    CALLS,
    StoredTerm,
    is_operand,
    opaque,
    operand,
    plain,
)
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Uncertainty
from rsp_conformance.model.terms import (
    NUMERIC_DATATYPES,
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_STRING,
)

VALUE = CALLS + "value"
"""The value of an opaque literal that operators take (17.3); an error for a quoted triple.

Any other term is itself. A literal that no operator takes stays opaque, because pyoxigraph's
functions take more, as extensions may: YEAR an xsd:date, for one.
"""

CASTABLE = CALLS + "castable"
"""What a constructor function is given of a term, told its name: an error where 17.5 has no cast.

There is none from strings with a language tag, from datatypes that SPARQL does not operate on and
from literals without a value; pyoxigraph's xsd:string takes them all. And a string loses the white
space around it (F&O 17.1.1), which pyoxigraph keeps.
"""

TERM = CALLS + "term"
"""The opaque literal of a computed value."""

TRUTH = CALLS + "truth"
"""A term with the effective boolean value of the given one, where pyoxigraph knows none.

A string with a language tag is true unless it is empty, and what is no number though its datatype
says so is false (SPARQL 1.1, 17.2.2); pyoxigraph takes both for errors.
"""

COMPARABLE = CALLS + "comparable"
"""The value of a literal that ``<`` and its like take (SPARQL 1.1, 17.3), else an error.

pyoxigraph orders more, as extensions may: any term is at least as great as itself. And it orders
booleans not at all, so that they become durations, which it does order.
"""

NOT_A_NUMBER = CALLS + "not-a-number"
"""False for two numbers of which one is NaN, else an error: what pyoxigraph makes an error of.

NaN is neither less nor greater than anything (F&O 6.3).
"""

TEXT = CALLS + "text"
"""A string without its language tag, for GROUP_CONCAT, which yields simple literals (18.5.1.7)."""

DATATYPE = CALLS + "datatype"
MINIMUM = CALLS + "min"
MAXIMUM = CALLS + "max"
DISTINCT_SUM = CALLS + "sum-distinct"
DISTINCT_AVERAGE = CALLS + "avg-distinct"
DISTINCT_CONCATENATION = CALLS + "concat-distinct"


def _datatype(term: StoredTerm) -> StoredTerm | None:
    literal = plain(term)
    return literal.datatype if isinstance(literal, ox.Literal) else None


def _value(term: StoredTerm) -> StoredTerm | None:
    return operand(term) if isinstance(term, ox.Literal) else unquoted(term)


def _castable(term: StoredTerm, target: StoredTerm) -> StoredTerm | None:
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return unquoted(known)
    datatype = known.datatype.value
    if datatype == XSD_STRING and target != known.datatype:
        return ox.Literal(known.value.strip(_SPACE))
    castable = known.language is None and is_operand(known.value, datatype)
    return known if castable and _has_value(known) else None


def _has_value(literal: ox.Literal) -> bool:
    """Whether the lexical form of LITERAL is one of its datatype, for numbers and booleans."""
    datatype = literal.datatype.value
    if datatype == XSD_BOOLEAN:
        return literal.value in _BOOLEANS
    if datatype not in NUMERIC_DATATYPES:
        return True
    return is_operand(literal.value, datatype) and _number(literal) is not None


def _text(term: StoredTerm) -> StoredTerm | None:
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return unquoted(known)
    return ox.Literal(known.value) if known.language else known


def _truth(term: StoredTerm) -> StoredTerm | None:
    known = _text(term)
    if isinstance(known, ox.Literal) and not _has_value(known):
        return FALSE
    return known


def _comparable(term: StoredTerm) -> StoredTerm | None:
    known = operand(term)
    if not isinstance(known, ox.Literal) or not _has_value(known):
        return None
    datatype = known.datatype.value
    if datatype == XSD_BOOLEAN:
        return _DURATIONS[_BOOLEANS[known.value]]
    number = _number(known)
    if number is not None and isnan(number):
        return None
    return known if datatype in _ORDERED else None


def _not_a_number(a: StoredTerm, b: StoredTerm) -> StoredTerm | None:
    first, second = _number(operand(a)), _number(operand(b))
    if first is None or second is None:
        return None
    return FALSE if isnan(first) or isnan(second) else None


_ORDERED = NUMERIC_DATATYPES | {XSD_STRING, XSD_DATETIME}
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_DURATION = ox.NamedNode(XSD + "dayTimeDuration")
_DURATIONS = [ox.Literal(text, datatype=_DURATION) for text in ("PT0S", "PT1S")]
_SPACE = " \t\n\r"

Functions: TypeAlias = dict[ox.NamedNode, Callable[..., Any]]
"""Custom functions by name (pyoxigraph's interface)."""

FUNCTIONS: Functions = {
    ox.NamedNode(VALUE): _value,
    ox.NamedNode(TERM): opaque,
    ox.NamedNode(TRUTH): _truth,
    ox.NamedNode(TEXT): _text,
    ox.NamedNode(COMPARABLE): _comparable,
    ox.NamedNode(NOT_A_NUMBER): _not_a_number,
    ox.NamedNode(CASTABLE): _castable,
    ox.NamedNode(DATATYPE): _datatype,
    **QUOTED_FUNCTIONS,
    **Uncertainty().functions(),
}


class Accumulator(Protocol):
    """An aggregate at work on one group (pyoxigraph's interface)."""

    def accumulate(self, term: StoredTerm) -> None:
        """Take the next value of the group."""

    def finish(self) -> StoredTerm | None:
        """The aggregate's result; None is an error."""


class Extreme:
    """MIN or MAX: the first or last term of the group in ORDER BY's order.

    Of several terms with one value the choice is by their text, not by which came first.
    """

    def __init__(self, sign: int) -> None:
        self._sign = sign
        self._best: StoredTerm | None = None
        self._key: tuple[Any, ...] = ()

    def accumulate(self, term: StoredTerm) -> None:
        """Keep TERM if it goes before the best so far."""
        key = order_key(term)
        if self._best is not None and key == self._key:
            self._best = min(self._best, term, key=str)
        elif self._best is None or (key < self._key if self._sign < 0 else key > self._key):
            self._best, self._key = term, key

    def finish(self) -> StoredTerm | None:
        """The best term; an empty group has none."""
        return self._best


def order_key(term: StoredTerm) -> tuple[Any, ...]:
    """A key that sorts terms as ORDER BY does: blank nodes, IRIs, literals (SPARQL 1.1, 15.1)."""
    if isinstance(term, ox.BlankNode):
        return (0, term.value)
    if isinstance(term, ox.NamedNode):
        return (1, term.value)
    literal = plain(term)
    assert isinstance(literal, ox.Literal)
    datatype = literal.datatype.value
    number = _number(literal)
    if number is not None:
        # NaN is not less than anything: it goes last.
        return (2, 0, True, 0) if isnan(number) else (2, 0, False, number)
    if datatype == XSD_DATETIME:
        with suppress(ValueError):
            moment = datetime.fromisoformat(literal.value)
            return (
                2,
                1,
                datatype,
                (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp(),
            )
    if datatype == XSD_BOOLEAN:
        return (2, 1, datatype, _BOOLEANS.get(literal.value, False))
    return (
        2,
        1 if datatype == XSD_STRING else 2,
        datatype,
        literal.value,
        literal.language or "",
    )


class DistinctSum:
    """SUM(DISTINCT …) or AVG(DISTINCT …), over terms: 5 and "05" are two."""

    def __init__(self, average: bool) -> None:
        self._average = average
        self._seen: set[StoredTerm] = set()

    def accumulate(self, term: StoredTerm) -> None:
        """Add TERM if it is new."""
        self._seen.add(term)

    def finish(self) -> StoredTerm | None:
        """The sum in the widest type of its terms; an error where one is no number."""
        if not self._seen:
            return _literal(0)
        numbers = [_number(plain(term)) for term in self._seen]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        widest = max((_width(plain(term)) for term in self._seen), default=0)
        if widest >= 2:
            total: int | Decimal | float = sum(float(number) for number in known)
        else:
            total = sum(known)
        if self._average:
            total = total / len(known) if widest >= 2 else Decimal(total) / len(known)
        name = "double" if widest == 3 else "float" if widest == 2 else None
        return _literal(total, name)


class DistinctConcatenation:
    """GROUP_CONCAT(DISTINCT …) with a separator."""

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self._seen: dict[StoredTerm, None] = {}

    def accumulate(self, term: StoredTerm) -> None:
        """Append TERM if it is new."""
        self._seen[term] = None

    def finish(self) -> StoredTerm | None:
        """The strings of the terms, in order of first appearance."""
        words = [t.value for t in self._seen if _is_string(t)]
        return ox.Literal(self._separator.join(words)) if len(words) == len(self._seen) else None


AGGREGATES: dict[ox.NamedNode, Callable[[], Accumulator]] = {
    ox.NamedNode(MINIMUM): lambda: Extreme(-1),
    ox.NamedNode(MAXIMUM): lambda: Extreme(1),
    ox.NamedNode(DISTINCT_SUM): lambda: DistinctSum(False),
    ox.NamedNode(DISTINCT_AVERAGE): lambda: DistinctSum(True),
}


def _is_string(term: StoredTerm) -> TypeGuard[ox.Literal]:
    return isinstance(term, ox.Literal) and (
        term.language is not None or term.datatype.value == XSD_STRING
    )


def _width(term: StoredTerm) -> int:
    assert isinstance(term, ox.Literal)
    name = term.datatype.value.removeprefix(XSD)
    return {"decimal": 1, "float": 2, "double": 3}.get(name, 0)


def _number(term: StoredTerm) -> int | Decimal | float | None:
    if not isinstance(term, ox.Literal) or term.datatype.value not in NUMERIC_DATATYPES:
        return None
    try:
        match _width(term):
            case 0:
                return int(term.value)
            case 1:
                return Decimal(term.value)
            case _:
                return float(term.value.replace("INF", "inf"))
    except (ValueError, ArithmeticError):
        return None


def _literal(number: int | Decimal | float, name: str | None = None) -> StoredTerm:
    text = format(number, "f") if isinstance(number, Decimal) else str(number)
    if name is None:
        name = "decimal" if isinstance(number, Decimal) else "integer"
    return ox.Literal(text, datatype=ox.NamedNode(XSD + name))
