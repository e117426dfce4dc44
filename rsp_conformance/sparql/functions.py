"""All operators and built-ins that are evaluated, by name (SPARQL 1.1, 17.3 and 17.4).

A function computes with values. The table `FUNCTIONS` declares the kind of each argument; terms of
that kind are converted to values, and the result is converted to a term. None is an error. An
argument of another kind gives an error, too.
"""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from typing import Any, NamedTuple
from urllib.parse import quote

from rsp_conformance.model.iris import is_absolute, resolve, split_iri
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.sparql import arithmetic
from rsp_conformance.sparql.comparison import equal, less, less_or_equal
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.open_points import (
    EXTENDED_RANGE,
    ILL_FORMED_TAG,
    INVALID_IRI,
    NO_BASE,
    SHOWN_ZONE,
    SIGMA,
    TAG_CASE,
    TAG_SPELLINGS,
)
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.regex import compile_pattern, compile_replacement
from rsp_conformance.sparql.values import (
    NUMERIC,
    Number,
    boolean,
    cast_literal,
    kept,
    known_value,
    literal_of,
    number_of,
    string,
    text_of,
)

_LANGUAGE = re.compile(r"(?:[A-Za-z]{2,8}|[xXiI](?=-))(-[A-Za-z0-9]{1,8})*", re.ASCII)
_RANGE = re.compile(r"\*|[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_COLON_FIRST = re.compile(r"[^/?#]*:")
"""A first segment with a colon, which a relative reference must not have (RFC 3986, 4.2)."""
_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|\\\\^`]')


# Arguments and results


class Function(NamedTuple):
    """A function from terms to a term, with its least and greatest number of arguments.

    If ``greatest`` is not given (None), there is no limit.
    """

    apply: Callable[..., Term | None]
    least: int
    greatest: int | None


def _string_literal(term: Term) -> Literal | None:
    """A "string literal" of 17.4.3: simple or language-tagged."""
    if isinstance(term, Literal) and (term.datatype == XSD_STRING or term.language is not None):
        return term
    return None


def _simple(term: Term) -> str | None:
    return term.lexical if isinstance(term, Literal) and term.datatype == XSD_STRING else None


def _value(kind: type, term: Term) -> Any:
    value = known_value(term) if isinstance(term, Literal) else None
    return value if type(value) is kind else None


_ARGUMENTS: dict[str, Callable[[Term], Any]] = {
    "any": lambda term: term,
    "iri": lambda term: term if isinstance(term, IRI) else None,
    "literal": lambda term: term if isinstance(term, Literal) else None,
    "triple": lambda term: term if isinstance(term, Triple) else None,
    "string": _string_literal,
    "simple": _simple,
    "number": number_of,
    "integer": partial(_value, int),
    "dateTime": partial(_value, DateTime),
}
"""The kinds of arguments: each function returns the value to compute with, or None for a term of
another kind."""

_VALUES = NUMERIC | {str}


def _function(arguments: str, compute: Callable[..., Any]) -> Function:
    """A function on terms; `arguments` are kinds, the last one optional (?) or repeated (*)."""
    kinds = arguments.split()
    readers = [_ARGUMENTS[kind.rstrip("?*")] for kind in kinds]
    first, last = readers[0], readers[-1]
    least = sum(kind[-1] not in "?*" for kind in kinds)

    def unary(term: Term) -> Term | None:
        value = first(term)
        return None if value is None else _term(compute(value))

    def binary(left: Term, right: Term) -> Term | None:
        a, b = first(left), last(right)
        return None if a is None or b is None else _term(compute(a, b))

    def any_number(*terms: Term) -> Term | None:
        values = [*map(operator.call, chain(readers, repeat(last)), terms)]
        for value in values:
            if value is None:
                return None
        return _term(compute(*values))

    if least < len(kinds) or least > 2:
        return Function(any_number, least, None if arguments.endswith("*") else len(kinds))
    return Function(unary if least == 1 else binary, least, least)


def _of_number(compute: Callable[[Number], Number]) -> Function:
    """A function of one number; if the value stays the same, it may keep its lexical form."""

    def function(term: Term) -> Term | None:
        number = number_of(term)
        if number is None:
            return None
        result = kept(compute(number))
        if result is None:
            return None
        if isinstance(term, Literal) and text_of(result) == text_of(number):
            return cast_literal(result, term.lexical.strip(" \t\n\r"))
        return literal_of(result)

    return Function(function, 1, 1)


def _term(result: Any) -> Term | None:
    """The term of a result: a value becomes a literal; a term or None (an error) stays."""
    if isinstance(result, bool):
        return boolean(result)
    return literal_of(result) if type(result) in _VALUES else result


# Strings (17.4.3)


def _like(text: str, model: Literal) -> Literal:
    """A string literal with the language tag of `model`, if it has one."""
    return Literal(text, XSD_STRING, model.language)


def _compatible(a: Literal, b: Literal) -> bool:
    """Argument compatibility (17.4.3.1.2): `b` is simple, or both have the same language tag."""
    return b.language is None or _one_language(a, b)


def _one_language(*texts: Literal) -> bool:
    """Whether texts have "identical language tags" or no tags; open if only case differs."""
    tags = {text.language or "" for text in texts}
    one = len({tag.lower() for tag in tags}) == 1
    if one and len(tags) > 1:
        leave_open(TAG_SPELLINGS)
    return one


def _compared(relation: Callable[[str, str], bool]) -> Function:
    return _function(
        "string string",
        lambda a, b: relation(a.lexical, b.lexical) if _compatible(a, b) else None,
    )


def _substr(text: Literal, start: int, length: int | None = None) -> Literal:
    """fn:substring: counts from 1; the range may reach beyond the string."""
    last = len(text.lexical) + 1
    if length is not None:
        last = min(last, start + length)
    return _like(text.lexical[max(start, 1) - 1 : max(last, 1) - 1], text)


def _lcase(text: Literal) -> Literal:
    if "Σ" in text.lexical:
        leave_open(SIGMA)
    return _like(text.lexical.lower(), text)


def _strbefore(text: Literal, part: Literal) -> Literal | None:
    """The text before `part`; the empty simple literal if `part` does not occur."""
    if not _compatible(text, part):
        return None
    place = text.lexical.find(part.lexical)
    return string("") if place < 0 else _like(text.lexical[:place], text)


def _strafter(text: Literal, part: Literal) -> Literal | None:
    """The text after `part`; the empty simple literal if `part` does not occur."""
    if not _compatible(text, part):
        return None
    place = text.lexical.find(part.lexical)
    return string("") if place < 0 else _like(text.lexical[place + len(part.lexical) :], text)


def _concat(*parts: Literal) -> Literal:
    """The parts joined, with their common language tag; without one, a simple literal."""
    joined = "".join(part.lexical for part in parts)
    return _like(joined, parts[0]) if parts and _one_language(*parts) else string(joined)


def _langmatches(tag: str, wanted: str) -> bool:
    """Basic filtering of RFC 4647, 3.3.1."""
    if not _RANGE.fullmatch(wanted):
        leave_open(EXTENDED_RANGE)
    if wanted == "*":
        return tag != ""
    return (tag.lower() + "-").startswith(wanted.lower() + "-")


def _regex(text: Literal, pattern: str, flags: str = "") -> bool | None:
    """fn:matches."""
    compiled = compile_pattern(pattern, flags, text.lexical)
    return None if compiled is None else compiled.search(text.lexical) is not None


def _replace(text: Literal, pattern: str, replacement: str, flags: str = "") -> Literal | None:
    """fn:replace; a pattern that matches the empty string is an error."""
    compiled = compile_pattern(pattern, flags, text.lexical)
    if compiled is None or compiled.search(""):
        return None
    template = compile_replacement(replacement, compiled.groups, literal="q" in flags)
    return None if template is None else _like(compiled.sub(template, text.lexical), text)


def _hash(name: str) -> Function:
    return _function(
        "simple",
        lambda text: hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest(),
    )


# Terms (17.4.2), those on quoted triples included (RDF-star 6.4; SPARQL 1.2, 17.4.6)


def _str(term: Term) -> str | None:
    if isinstance(term, Literal):
        return term.lexical
    return term.value if isinstance(term, IRI) else None


def _shown_tag(tag: str) -> str:
    """A language tag as LANG returns it; stores may change its case (RDF 1.1 Concepts 3.3)."""
    lower = tag.lower()
    forms = {"as written": tag, "lower case": lower, "RFC 5646": _formatted(lower)}
    return tag if len({*forms.values()}) == 1 else forms[reading(TAG_CASE, *forms)]


def _formatted(tag: str) -> str:
    """A tag in the case that RFC 5646, 2.1.1, recommends, such as ``zh-Hant-TW``."""
    parts = tag.lower().split("-")
    for place in range(1, len(parts)):
        if len(parts[place - 1]) > 1:
            size = len(parts[place])
            parts[place] = parts[place].upper() if size == 2 else parts[place]
            parts[place] = parts[place].title() if size == 4 else parts[place]
    return "-".join(parts)


def iri_function(base: str | None) -> Callable[[Term], Term | None]:
    """The function IRI of a query with this base (None: relative references are errors)."""

    def iri(term: Term) -> Term | None:
        if isinstance(term, IRI):
            return term
        text = _simple(term)
        if text is None:
            return None
        if _NOT_IN_IRI.search(text):
            leave_open(INVALID_IRI)
            return None
        if not is_absolute(text):
            if _COLON_FIRST.match(text):
                leave_open(INVALID_IRI)
                return None
            if base is None or not is_absolute(base):
                leave_open(NO_BASE)
                return None
        if _resolved_in_ways(text, base):
            leave_open(INVALID_IRI)
        return IRI(resolve(text, base))

    return iri


def _resolved_in_ways(text: str, base: str | None) -> bool:
    """Whether a reference can be resolved against a base in several ways.

    RFC 3986 removes dot segments from a reference with a scheme, but SPARQL resolves only relative
    references (4.1.1.2); and it never removes them from a base. A scheme equal to that of the base
    may be ignored (5.2.2). Without an authority, removing dots may leave a path that no IRI may
    have, such as ``x://b`` from the base ``x:/a`` (3.3).
    """
    own, given = split_iri(text), split_iri(base or "")
    if own.scheme is None:
        return given.has_dots or (own.has_dots and (own.authority or given.authority) is None)
    is_of_base = own.scheme.lower() == (given.scheme or "").lower()
    return own.has_dots or (is_of_base and own.authority is None)


def _strdt(text: str, kind: IRI) -> Literal | None:
    if kind.value != RDF_LANGSTRING:
        return Literal(text, kind.value)
    leave_open(ILL_FORMED_TAG)
    return None


def _strlang(text: str, tag: str) -> Literal | None:
    if _LANGUAGE.fullmatch(tag):
        return Literal(text, XSD_STRING, tag)
    leave_open(ILL_FORMED_TAG)
    return None


def _zoned(show: Callable[[DateTime], Any]) -> Callable[[Literal], Any]:
    """A function of a dateTime whose result may depend on how its timezone is written."""

    def function(literal: Literal) -> Any:
        moment = _value(DateTime, literal)
        if moment is None:
            return None
        has_minutes = show is _timezone and bool(moment.zone) and moment.zone % 60 != 0
        if literal.lexical.endswith(("+00:00", "-00:00")) or has_minutes:
            leave_open(SHOWN_ZONE)
        return show(moment)

    return function


def _timezone(moment: DateTime) -> Literal | None:
    duration = moment.zone_duration()
    return None if duration is None else Literal(duration, XSD + "dayTimeDuration")


FUNCTIONS: dict[str, Function] = {
    "STR": _function("any", _str),
    "LANG": _function("literal", lambda literal: _shown_tag(literal.language or "")),
    "DATATYPE": _function("literal", lambda literal: IRI(literal.datatype)),
    "STRDT": _function("simple iri", _strdt),
    "STRLANG": _function("simple simple", _strlang),
    "SAMETERM": _function("any any", operator.eq),
    "ISIRI": _function("any", lambda term: isinstance(term, IRI)),
    "ISURI": _function("any", lambda term: isinstance(term, IRI)),
    "ISBLANK": _function("any", lambda term: isinstance(term, BlankNode)),
    "ISLITERAL": _function("any", lambda term: isinstance(term, Literal)),
    "ISNUMERIC": _function("any", lambda term: number_of(term) is not None),
    # An error if RDF does not allow a triple of the three terms; << s p o >> means the same.
    "TRIPLE": _function(
        "any iri any", lambda s, p, o: None if isinstance(s, Literal) else Triple(s, p, o)
    ),
    "SUBJECT": _function("triple", lambda triple: triple.subject),
    "PREDICATE": _function("triple", lambda triple: triple.predicate),
    "OBJECT": _function("triple", lambda triple: triple.object),
    "ISTRIPLE": _function("any", lambda term: isinstance(term, Triple)),
    "STRLEN": _function("string", lambda text: len(text.lexical)),
    "SUBSTR": _function("string integer integer?", _substr),
    "UCASE": _function("string", lambda text: _like(text.lexical.upper(), text)),
    "LCASE": _function("string", _lcase),
    "STRSTARTS": _compared(str.startswith),
    "STRENDS": _compared(str.endswith),
    "CONTAINS": _compared(str.__contains__),
    "STRBEFORE": _function("string string", _strbefore),
    "STRAFTER": _function("string string", _strafter),
    # All characters except RFC 3986's unreserved ones are percent-encoded.
    "ENCODE_FOR_URI": _function("string", lambda text: quote(text.lexical, safe="~")),
    "CONCAT": _function("string*", _concat),
    "LANGMATCHES": _function("simple simple", _langmatches),
    "REGEX": _function("string simple simple?", _regex),
    "REPLACE": _function("string simple simple simple?", _replace),
    **{name: _hash(name) for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")},
    "+": _function("number number", arithmetic.add),
    "-": _function("number number", arithmetic.subtract),
    "*": _function("number number", arithmetic.multiply),
    "/": _function("number number", arithmetic.divide),
    "UNARY+": _of_number(lambda number: number),
    "UNARY-": _of_number(arithmetic.negate),
    "ABS": _of_number(arithmetic.absolute),
    "CEIL": _of_number(arithmetic.ceiling),
    "FLOOR": _of_number(arithmetic.floor),
    "ROUND": _of_number(arithmetic.round_half_up),
    "YEAR": _function("dateTime", lambda moment: moment.year),
    "MONTH": _function("dateTime", lambda moment: moment.month),
    "DAY": _function("dateTime", lambda moment: moment.day),
    "HOURS": _function("dateTime", lambda moment: moment.hour),
    "MINUTES": _function("dateTime", lambda moment: moment.minute),
    "SECONDS": _function("dateTime", lambda moment: moment.second),
    "TIMEZONE": _function("literal", _zoned(_timezone)),
    "TZ": _function("literal", _zoned(DateTime.zone_text)),
}
"""The functions and operators that are an error if any argument is an error."""


def _unequal(left: Term, right: Term) -> bool | None:
    same = equal(left, right)
    return None if same is None else not same


COMPARISONS: dict[str, Callable[[Term, Term], bool | None]] = {
    "=": equal,
    "!=": _unequal,
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": less_or_equal,
    ">=": lambda a, b: less_or_equal(b, a),
}
"""The comparisons of two terms; None is an error."""
LOGICAL = frozenset(("||", "&&", "!", "IN", "NOT IN", "BOUND"))
"""The operators with a truth value that treat errors in their own way."""
OPERATIONS = frozenset((*FUNCTIONS, *COMPARISONS, *LOGICAL, "IF", "COALESCE", "IRI", "URI"))
"""The names of all operators and built-ins that are evaluated."""
