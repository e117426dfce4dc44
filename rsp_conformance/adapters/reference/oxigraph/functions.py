"""Custom functions and aggregates that the translated queries call, on terms as the store has them.

None is an error. A function here is called by its translation: given expressions it is their call.
What it is given may also be a computed value, a literal of its own datatype; what it computes is a
term as the store has it, a truth value apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph import exact, regex, values
from rsp_conformance.adapters.reference.oxigraph.iris import resolved
from rsp_conformance.adapters.reference.oxigraph.moments import Moment
from rsp_conformance.adapters.reference.oxigraph.terms import (
    CALLS,
    OPAQUE,
    StoredTerm,
    from_model,
    iri_of,
    is_quoted,
    opaque,
    opaque_datatype,
    plain,
    to_model,
    triple_of,
)
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Uncertainty
from rsp_conformance.adapters.reference.oxigraph.values import number_of, stored, value_of
from rsp_conformance.model.expressions import FunctionCall
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD,
    XSD_BOOLEAN,
    XSD_STRING,
    Literal,
    Triple,
)

Functions: TypeAlias = dict[ox.NamedNode, Callable[..., Any]]
"""Custom functions by name (pyoxigraph's interface)."""
Aggregates: TypeAlias = dict[ox.NamedNode, Callable[[], Any]]
"""The constructors of ``Aggregated``, by name."""
Call: TypeAlias = Callable[..., FunctionCall]
"""Makes a call from the expressions of its arguments."""

FUNCTIONS: Functions = Uncertainty().functions()
AGGREGATES: Aggregates = {}

_TRUE, _FALSE = (ox.Literal(text, datatype=ox.NamedNode(XSD_BOOLEAN)) for text in ("true", "false"))
_DURATION = ox.NamedNode(OPAQUE + XSD + "dayTimeDuration")


def _custom(function: Callable[..., StoredTerm | None], name: str = "") -> Call:
    iri = CALLS + (name or function.__name__.strip("_"))
    FUNCTIONS[ox.NamedNode(iri)] = function
    return lambda *arguments: FunctionCall(IRI(iri), arguments)


# Values of literals


@_custom
def value(term: StoredTerm) -> StoredTerm | None:
    """Return a term as pyoxigraph's own functions take it; a quoted triple is an error.

    Of a literal that operators take (17.3) that is its value. Any other stays opaque, because
    pyoxigraph's functions take more, as extensions may.
    """
    if not isinstance(term, ox.Literal):
        return _unquoted(term)
    return term if value_of(term) is None else plain(term)


@_custom
def term(term: StoredTerm) -> StoredTerm:
    """Return the opaque literal of a computed value."""
    return opaque(term)


def _text(term: StoredTerm) -> StoredTerm | None:
    known = plain(term)
    if not isinstance(known, ox.Literal):
        return _unquoted(known)
    return ox.Literal(known.value) if known.language else known


text = _custom(_text)
"""A string without its language tag, for GROUP_CONCAT, which yields simple literals (18.5.1.7)."""


@_custom
def datatype(term: StoredTerm) -> StoredTerm | None:
    """DATATYPE of the literal that an opaque one stands for."""
    literal = plain(term)
    return literal.datatype if isinstance(literal, ox.Literal) else None


@_custom
def cast(term: StoredTerm, target: StoredTerm) -> StoredTerm | None:
    """Return a constructor function, told its name."""
    return values.cast(term, target.value) if _quoted(term) is None else None  # type: ignore[union-attr]


@_custom
def sort_key(term: StoredTerm) -> StoredTerm:
    """Return the sort key of a term in ORDER BY."""
    key = values.sort_key(term)
    return term if key is None else ox.Literal(key)


def _truth(found: bool | None) -> StoredTerm | None:
    return None if found is None else _TRUE if found else _FALSE


def _test(compute: Callable[..., bool | None], name: str) -> Call:
    return _custom(lambda *arguments: _truth(compute(*arguments)), name)


truth = _test(values.truth, "truth")
less = _test(values.less, "less")
less_or_equal = _test(values.less_or_equal, "less_or_equal")
is_numeric = _test(lambda term: number_of(term) is not None, "is_numeric")


def _numeric(compute: Callable[..., Any], name: str) -> Call:
    """Return a function of numbers."""

    def function(*arguments: StoredTerm) -> StoredTerm | None:
        numbers: list[Any] = [number_of(argument) for argument in arguments]
        return None if None in numbers else stored(exact.computed(compute, *numbers))

    return _custom(function, name)


def _of_moment(compute: Callable[[Moment], Any], name: str) -> Call:
    """Return a function of a dateTime."""

    def function(argument: StoredTerm) -> StoredTerm | None:
        moment = value_of(argument)
        return stored(compute(moment)) if isinstance(moment, Moment) else None

    return _custom(function, name)


@_custom
def timezone(argument: StoredTerm) -> StoredTerm | None:
    """TIMEZONE."""
    moment = value_of(argument)
    zone = moment.zone_duration() if isinstance(moment, Moment) else None
    return None if zone is None else ox.Literal(zone, datatype=_DURATION)


def _string(term: StoredTerm) -> ox.Literal | None:
    """Return a string literal of 17.4.3: simple, or with a language tag."""
    return term if isinstance(term, ox.Literal) and _is_text(term) else None


def _simple(term: StoredTerm) -> str | None:
    string = _string(term)
    return None if string is None or string.language else string.value


def _integer(term: StoredTerm) -> Any:
    value = value_of(term)
    return value if type(value) is int else None


def _like(model: ox.Literal, text: str) -> StoredTerm:
    return ox.Literal(text, language=model.language) if model.language else ox.Literal(text)


@_custom
def substring(text: StoredTerm, start: StoredTerm, *length: StoredTerm) -> StoredTerm | None:
    """SUBSTR: characters count from 1, and positions outside the string have no character."""
    string, numbers = _string(text), [*map(_integer, (start, *length))]
    if string is None or None in numbers:
        return None
    first, *rest = numbers
    end = first + rest[0] - 1 if rest else len(string.value)
    return _like(string, string.value[max(first, 1) - 1 : max(end, 0)])


@_custom
def typed(text: StoredTerm, datatype: StoredTerm) -> StoredTerm | None:
    """STRDT."""
    lexical = _simple(text)
    if lexical is None or not isinstance(datatype, ox.NamedNode) or is_quoted(datatype.value):
        return None
    if datatype.value == RDF_LANGSTRING:
        return None
    return ox.Literal(lexical, datatype=ox.NamedNode(opaque_datatype(datatype.value)))


@_custom
def iri(term: StoredTerm, base: StoredTerm) -> StoredTerm | None:
    """IRI, told the `base` of the query, if it has one."""
    if isinstance(term, ox.NamedNode):
        return _unquoted(term)
    text = _simple(term)
    return None if text is None else resolved(text, base.value or None)  # type: ignore[union-attr]


@_custom
def matches(text: StoredTerm, pattern: StoredTerm, *flags: StoredTerm) -> StoredTerm | None:
    """REGEX."""
    string, given = _string(text), [_simple(term) for term in (pattern, *flags)]
    if string is None or None in given:
        return None
    return _truth(regex.matches(string.value, *given, *[""][len(flags) :]))


@_custom
def replaced(
    text: StoredTerm, pattern: StoredTerm, instead: StoredTerm, *flags: StoredTerm
) -> StoredTerm | None:
    """REPLACE (F&O 5.6.3); None is an error.

    Args:
        text: the text in which matches are replaced.
        pattern: the regular expression.
        instead: the replacement, with ``$1`` for a group.
        flags: the flags, one text at most.
    """
    string, given = _string(text), [_simple(term) for term in (pattern, instead, *flags)]
    if string is None or None in given:
        return None
    found = regex.replaced(string.value, *given, *[""][len(flags) :])
    return None if found is None else _like(string, found)


COMPUTED: Mapping[str, Call] = {
    "+": _numeric(exact.add, "add"),
    "-": _numeric(exact.subtract, "subtract"),
    "*": _numeric(exact.multiply, "multiply"),
    "/": _numeric(exact.divide, "divide"),
    "UNARY+": _numeric(lambda number: number, "plus"),
    "UNARY-": _numeric(exact.negate, "minus"),
    "ABS": _numeric(exact.absolute, "absolute"),
    "CEIL": _numeric(exact.ceiling, "ceiling"),
    "FLOOR": _numeric(exact.floor, "floor"),
    "ROUND": _numeric(exact.rounded, "rounded"),
    "YEAR": _of_moment(lambda moment: moment.year, "year"),
    "MONTH": _of_moment(lambda moment: moment.month, "month"),
    "DAY": _of_moment(lambda moment: moment.day, "day"),
    "HOURS": _of_moment(lambda moment: moment.hour, "hours"),
    "MINUTES": _of_moment(lambda moment: moment.minute, "minutes"),
    "SECONDS": _of_moment(lambda moment: moment.second, "seconds"),
    "TZ": _of_moment(Moment.zone_text, "tz"),
    "TIMEZONE": timezone,
    "SUBSTR": substring,
    "STRDT": typed,
    "REPLACE": replaced,
}
"""The functions of SPARQL that are computed here and not by pyoxigraph; they yield terms."""

TESTS: Mapping[str, Call] = {
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": less_or_equal,
    ">=": lambda a, b: less_or_equal(b, a),
    "ISNUMERIC": is_numeric,
    "REGEX": matches,
}
"""Those that yield truth values."""


# Quoted triples


def _quoted(term: StoredTerm) -> Triple | None:
    known = isinstance(term, ox.NamedNode) and is_quoted(term.value)
    return triple_of(term.value) if known else None  # type: ignore[union-attr]


@_custom
def triple(subject: StoredTerm, predicate: StoredTerm, value: StoredTerm) -> StoredTerm | None:
    """TRIPLE (RDF-star 6.4.3); None is an error.

    Args:
        subject: the subject, as stored.
        predicate: the predicate, as stored.
        value: the object, as stored.
    """
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
    """``a = b`` (SPARQL 1.1, 17.3)."""
    return _truth(_equal(a, b))


def _equal(a: StoredTerm, b: StoredTerm) -> bool | None:
    """Quoted triples are equal part by part; a difference outweighs an error, as for ``&&``."""
    if isinstance(a, ox.Literal) and isinstance(b, ox.Literal):
        return values.equal(a, b)
    x, y = _quoted(a), _quoted(b)
    return a == b if x is None or y is None else _equal_parts(x, y)


def _equal_parts(a: Triple, b: Triple) -> bool | None:
    parts = [_equal(from_model(x), from_model(y)) for x, y in zip(a, b, strict=True)]
    return False if False in parts else None if None in parts else True


@_custom
def is_one_of(term: StoredTerm, *others: StoredTerm) -> StoredTerm | None:
    """``term IN (…)``, where none of the others is an error."""
    found = [_equal(term, other) for other in others]
    return _TRUE if True in found else None if None in found else _FALSE


# Aggregates. pyoxigraph takes custom ones without DISTINCT only, and its own work on values where
# SPARQL works on terms, so MIN and MAX (which answer with a term) are here, and sums of any size.


class Aggregated:
    """An aggregate at work on one group: `compute` gives its result from all terms of the group."""

    def __init__(self, compute: Callable[[Sequence[StoredTerm]], StoredTerm | None]) -> None:
        self._compute = compute
        self._terms: list[StoredTerm] = []

    def accumulate(self, term: StoredTerm) -> None:
        """Take the next term of the group."""
        self._terms.append(term)

    def finish(self) -> StoredTerm | None:
        """Return the result; None is an error."""
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
    """Return a key that sorts terms as ORDER BY does.

    Blank nodes, IRIs, literals (SPARQL 1.1, 15.1).
    """
    if isinstance(term, ox.BlankNode):
        return (0, term.value)
    if isinstance(term, ox.NamedNode):
        return (1, term.value)
    literal = plain(term)
    assert isinstance(literal, ox.Literal)
    key = values.sort_key(term)
    if number_of(term) is not None:
        return (2, "", key)
    text = literal.value if key is None else key
    return (2, literal.datatype.value, text, literal.language or "")


def _totalled(name: str, *, distinct: bool, average: bool) -> Call:
    """SUM and AVG, in the widest type of the numbers; an error if a term is no number.

    `distinct` is over terms: 5 and "05" are two.
    """

    def compute(terms: Sequence[StoredTerm]) -> StoredTerm | None:
        given = [*map(number_of, dict.fromkeys(terms) if distinct else terms)]
        if None in given:
            return None
        total = exact.computed(lambda: exact.total(given))  # type: ignore[arg-type]
        if average and given:
            return stored(exact.computed(exact.divide, total, len(given)))
        return stored(total)

    compute.__name__ = name
    return _aggregate(compute)


TOTALS: Mapping[tuple[str, bool], Call] = {
    ("SUM", False): _totalled("sum", distinct=False, average=False),
    ("AVG", False): _totalled("average", distinct=False, average=True),
    ("SUM", True): _totalled("distinct_sum", distinct=True, average=False),
    ("AVG", True): _totalled("distinct_average", distinct=True, average=True),
}
"""SUM and AVG, without DISTINCT and with it."""


def distinct_concatenation(separator: str) -> Callable[[], Aggregated]:
    """GROUP_CONCAT(DISTINCT …) with a separator: the strings in order of first appearance."""

    def compute(terms: Sequence[StoredTerm]) -> StoredTerm | None:
        distinct = dict.fromkeys(terms)
        words = [term.value for term in distinct if isinstance(term, ox.Literal) and _is_text(term)]
        return ox.Literal(separator.join(words)) if len(words) == len(distinct) else None

    return partial(Aggregated, compute)


def _is_text(literal: ox.Literal) -> bool:
    return literal.language is not None or literal.datatype.value == XSD_STRING
