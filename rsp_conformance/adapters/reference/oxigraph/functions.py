"""Custom functions and aggregates that the translated queries call, on terms as the store has them.

None is an error. A function here is called by its translation: given expressions it is their call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache, partial
from math import isnan
from typing import Any, TypeAlias

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.terms import (
    CALLS,
    StoredTerm,
    from_model,
    iri_of,
    is_operand,
    is_quoted,
    opaque,
    operand,
    plain,
    to_model,
    triple_of,
)
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Uncertainty
from rsp_conformance.model.expressions import FunctionCall
from rsp_conformance.model.terms import (
    IRI,
    NUMERIC_DATATYPES,
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)

Functions: TypeAlias = dict[ox.NamedNode, Callable[..., Any]]
"""Custom functions by name (pyoxigraph's interface)."""
Aggregates: TypeAlias = dict[ox.NamedNode, Callable[[], Any]]
"""What makes an ``Aggregated``, by name."""
Call: TypeAlias = Callable[..., FunctionCall]
"""Makes a call from the expressions of its arguments."""

FUNCTIONS: Functions = Uncertainty().functions()
AGGREGATES: Aggregates = {}

_TRUE, _FALSE = (ox.Literal(text, datatype=ox.NamedNode(XSD_BOOLEAN)) for text in ("true", "false"))
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_DURATION = ox.NamedNode(XSD + "dayTimeDuration")
_DURATIONS = [ox.Literal(text, datatype=_DURATION) for text in ("PT0S", "PT1S")]
_ORDERED = NUMERIC_DATATYPES | {XSD_STRING, XSD_DATETIME}


def _custom(function: Callable[..., StoredTerm | None], name: str = "") -> Call:
    iri = CALLS + (name or function.__name__.strip("_"))
    FUNCTIONS[ox.NamedNode(iri)] = function
    return lambda *arguments: FunctionCall(IRI(iri), arguments)


# Values of literals


@_custom
def value(term: StoredTerm) -> StoredTerm | None:
    """The value of an opaque literal that operators take (17.3); an error for a quoted triple.

    Any other term is itself. A literal that no operator takes stays opaque, because pyoxigraph's
    functions take more, as extensions may: YEAR an xsd:date, for one.
    """
    return operand(term) if isinstance(term, ox.Literal) else _unquoted(term)


@_custom
def castable(term: StoredTerm, target: StoredTerm) -> StoredTerm | None:
    """What a constructor function is given of a term, told its name; 17.5 has not every cast.

    There is none from strings with a language tag, from datatypes that SPARQL does not operate on
    and from literals without a value; pyoxigraph's xsd:string takes them all. And a string loses
    the white space around it (F&O 17.1.1), which pyoxigraph keeps.
    """
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return _unquoted(known)
    datatype = known.datatype.value
    if datatype == XSD_STRING and target != known.datatype:
        return ox.Literal(known.value.strip(" \t\n\r"))
    taken = known.language is None and is_operand(known.value, datatype)
    return known if taken and _has_value(known) else None


@_custom
def term(term: StoredTerm) -> StoredTerm:
    """The opaque literal of a computed value."""
    return opaque(term)


def _text(term: StoredTerm) -> StoredTerm | None:
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return _unquoted(known)
    return ox.Literal(known.value) if known.language else known


text = _custom(_text)
"""A string without its language tag, for GROUP_CONCAT, which yields simple literals (18.5.1.7)."""


@_custom
def truth(term: StoredTerm) -> StoredTerm | None:
    """A term with the effective boolean value of the given one, where pyoxigraph knows none.

    A string with a language tag is true unless it is empty, and what is no number though its
    datatype says so is false (SPARQL 1.1, 17.2.2); pyoxigraph takes both for errors.
    """
    known = _text(term)
    return _FALSE if isinstance(known, ox.Literal) and not _has_value(known) else known


@_custom
def comparable(term: StoredTerm) -> StoredTerm | None:
    """The value of a literal that ``<`` and its like take (SPARQL 1.1, 17.3), else an error.

    pyoxigraph orders more, as extensions may: any term is at least as great as itself. And it
    orders booleans not at all, so that they become durations, which it does order.
    """
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


@_custom
def not_a_number(a: StoredTerm, b: StoredTerm) -> StoredTerm | None:
    """False for two numbers of which one is NaN, else an error: pyoxigraph makes an error of it.

    NaN is neither less nor greater than anything (F&O 6.3).
    """
    first, second = _number(operand(a)), _number(operand(b))
    if first is None or second is None:
        return None
    return _FALSE if isnan(first) or isnan(second) else None


@_custom
def datatype(term: StoredTerm) -> StoredTerm | None:
    """DATATYPE of the literal that an opaque one stands for."""
    literal = plain(term)
    return literal.datatype if isinstance(literal, ox.Literal) else None


equated = _custom(operand)
"""What ``=`` and ORDER BY take: the value of a literal of SPARQL's operators, else the term."""


def _has_value(literal: ox.Literal) -> bool:
    """Whether the lexical form of LITERAL is one of its datatype, for numbers and booleans."""
    datatype = literal.datatype.value
    if datatype == XSD_BOOLEAN:
        return literal.value in _BOOLEANS
    if datatype not in NUMERIC_DATATYPES:
        return True
    return is_operand(literal.value, datatype) and _number(literal) is not None


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


def _width(term: StoredTerm) -> int:
    assert isinstance(term, ox.Literal)
    name = term.datatype.value.removeprefix(XSD)
    return {"decimal": 1, "float": 2, "double": 3}.get(name, 0)


# Quoted triples


def _quoted(term: StoredTerm) -> Triple | None:
    known = isinstance(term, ox.NamedNode) and is_quoted(term.value)
    return triple_of(term.value) if known else None  # type: ignore[union-attr]


@_custom
def triple(subject: StoredTerm, predicate: StoredTerm, value: StoredTerm) -> StoredTerm | None:
    """TRIPLE."""
    s, p = to_model(subject), to_model(predicate)
    if isinstance(s, Literal) or not isinstance(p, IRI):
        return None
    return ox.NamedNode(iri_of(Triple(s, p, to_model(value))))


def _part(name: str) -> Call:
    def part(term: StoredTerm) -> StoredTerm | None:
        quoted = _quoted(term)
        return None if quoted is None else from_model(getattr(quoted, name))

    return _custom(part, name)


subject, predicate, object_ = _part("subject"), _part("predicate"), _part("object")


@_custom
def is_triple(term: StoredTerm) -> StoredTerm:
    """ISTRIPLE."""
    return _FALSE if _quoted(term) is None else _TRUE


def _unquoted(term: StoredTerm) -> StoredTerm | None:
    return term if _quoted(term) is None else None


unquoted = _custom(_unquoted)
"""The term, and an error for a quoted triple, which is no IRI for STR and its like."""


@_custom
def equal(a: StoredTerm, b: StoredTerm) -> StoredTerm | None:
    """Two IRIs or quoted triples compared by ``=``; the parts of quoted triples are, too."""
    found = _equal(to_model(a), to_model(b))
    return None if found is None else _TRUE if found else _FALSE


def _equal(a: Term, b: Term) -> bool | None:
    """``a = b`` (SPARQL 1.1, 17.3), of quoted triples part by part; None is an error.

    A difference outweighs an error, as it does for ``&&``.
    """
    match a, b:
        case Triple(), Triple():
            parts = [_equal(x, y) for x, y in zip(a, b, strict=True)]
            return False if False in parts else None if None in parts else True
        case Literal(), Literal():
            return _equal_literals(a, b)
        case ((IRI() | BlankNode() | Literal() | Triple()), _):
            return a == b


@lru_cache(maxsize=4096)
def _equal_literals(a: Literal, b: Literal) -> bool | None:
    """The library says."""
    left, right = operand(from_model(a)), operand(from_model(b))
    results: Any = ox.Store().query(f"SELECT ({left} = {right} AS ?equal) {{}}")
    (solution,) = results
    verdict = solution[0]
    return None if verdict is None else bool(verdict.value == "true")


# Aggregates. pyoxigraph takes custom ones without DISTINCT only, and its own work on values where
# SPARQL works on terms, so MIN and MAX (which answer with a term) and DISTINCT sums are here.


class Aggregated:
    """An aggregate at work on one group: COMPUTE its result from all terms of the group."""

    def __init__(self, compute: Callable[[Sequence[StoredTerm]], StoredTerm | None]) -> None:
        self._compute = compute
        self._terms: list[StoredTerm] = []

    def accumulate(self, term: StoredTerm) -> None:
        """Take the next term of the group."""
        self._terms.append(term)

    def finish(self) -> StoredTerm | None:
        """The result; None is an error."""
        return self._compute(self._terms)


def _aggregate(compute: Callable[[Sequence[StoredTerm]], StoredTerm | None]) -> Call:
    iri = CALLS + compute.__name__
    AGGREGATES[ox.NamedNode(iri)] = partial(Aggregated, compute)
    return lambda *arguments: FunctionCall(IRI(iri), arguments)


@_aggregate
def minimum(terms: Sequence[StoredTerm]) -> StoredTerm | None:
    """MIN: the first term of the group in ORDER BY's order; an empty group has none."""
    return _extreme(terms, min)


@_aggregate
def maximum(terms: Sequence[StoredTerm]) -> StoredTerm | None:
    """MAX: the last term."""
    return _extreme(terms, max)


def _extreme(terms: Sequence[StoredTerm], best: Callable[..., Any]) -> StoredTerm | None:
    """Of several terms with one value the choice is by their text, not by which came first."""
    keys = {term: _order_key(term) for term in terms}
    found = best(keys.values(), default=None)
    return min((term for term, key in keys.items() if key == found), key=str, default=None)


def _order_key(term: StoredTerm) -> tuple[Any, ...]:
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
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return (2, 1, datatype, moment.timestamp())
    if datatype == XSD_BOOLEAN:
        return (2, 1, datatype, _BOOLEANS.get(literal.value, False))
    kind = 1 if datatype == XSD_STRING else 2
    return (2, kind, datatype, literal.value, literal.language or "")


@_aggregate
def distinct_sum(terms: Sequence[StoredTerm]) -> StoredTerm | None:
    """SUM(DISTINCT …), over terms: 5 and "05" are two."""
    return _distinct_total(terms, average=False)


@_aggregate
def distinct_average(terms: Sequence[StoredTerm]) -> StoredTerm | None:
    """AVG(DISTINCT …)."""
    return _distinct_total(terms, average=True)


def _distinct_total(terms: Sequence[StoredTerm], *, average: bool) -> StoredTerm | None:
    """The sum in the widest type of the terms; an error where one is no number."""
    distinct = [*map(plain, dict.fromkeys(terms))]
    numbers = [number for number in map(_number, distinct) if number is not None]
    if len(numbers) < len(distinct):
        return None
    widest = max(map(_width, distinct), default=0)
    total: int | Decimal | float = sum(map(float, numbers)) if widest >= 2 else sum(numbers)
    if average and numbers:
        total = total / len(numbers) if widest >= 2 else Decimal(total) / len(numbers)
    name = {int: "integer", Decimal: "decimal"}.get(type(total), ("float", "double")[widest == 3])
    written = format(total, "f") if isinstance(total, Decimal) else str(total)
    return ox.Literal(written, datatype=ox.NamedNode(XSD + name))


def distinct_concatenation(separator: str) -> Callable[[], Aggregated]:
    """GROUP_CONCAT(DISTINCT …) with SEPARATOR: the strings in order of first appearance."""

    def compute(terms: Sequence[StoredTerm]) -> StoredTerm | None:
        distinct = dict.fromkeys(terms)
        words = [term.value for term in distinct if isinstance(term, ox.Literal) and _is_text(term)]
        return ox.Literal(separator.join(words)) if len(words) == len(distinct) else None

    return partial(Aggregated, compute)


def _is_text(literal: ox.Literal) -> bool:
    return literal.language is not None or literal.datatype.value == XSD_STRING
