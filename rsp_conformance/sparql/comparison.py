"""Equality, order and truth of terms in expressions (SPARQL 1.1, 17.2.2, 17.3 and 17.4.1.7).

None is a type error throughout.
"""

from __future__ import annotations

from rsp_conformance.model.terms import (
    NUMERIC_DATATYPES,
    XSD_BOOLEAN,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.open_points import LIMITS, UNEQUAL
from rsp_conformance.sparql.readings import reading
from rsp_conformance.sparql.values import NUMERIC, PARSERS, is_true, known_value, promoted, value_of


def effective_boolean_value(term: Term | None) -> bool | None:
    """The EBV (17.2.2): an ill-formed boolean or number is false, a string by its length."""
    if not isinstance(term, Literal):
        return None
    if term.language is not None:
        return term.lexical != ""
    value = known_value(term)
    if value is None and value_of(term) is not None:
        options = "error", "false"
        about = "the truth of a number that is not known"
        return None if reading(LIMITS, *options, about=about) == "error" else False
    kind = type(value)
    if kind is bool:
        return value  # type: ignore[return-value]
    if kind is str:
        return value != ""
    if kind in NUMERIC:
        return is_true(value)  # type: ignore[arg-type]
    if term.datatype == XSD_BOOLEAN or term.datatype in NUMERIC_DATATYPES:
        return False
    return None


def equal(a: Term, b: Term) -> bool | None:
    """``a = b``.

    Where no operator of 17.3 applies this is RDFterm-equal: terms that are the same are equal, an
    IRI, a blank node and a literal differ from each other, and two literals differ where both
    values are known (a language-tagged string is known to differ from every other literal).
    Otherwise two different literals are a type error, because they might have one value.
    """
    if not isinstance(a, Literal) or not isinstance(b, Literal):
        if isinstance(a, Triple) and isinstance(b, Triple):
            return _equal_triples(a, b)
        return None if _is_error_beside(a) or _is_error_beside(b) else a == b
    if a.language is not None or b.language is not None:
        return True if a == b else _differ(a, b, "differ")
    x, y = known_value(a), known_value(b)
    if x is None or y is None:
        return _is_itself(a) if a == b else _differ(a, b, "error")
    kind_x, kind_y = type(x), type(y)
    if kind_x in NUMERIC and kind_y in NUMERIC:
        x, y = promoted(x, y)  # type: ignore[arg-type]
        return x == y
    if kind_x is not kind_y:
        return _differ(a, b, "differ")
    return x.same_instant(y) if isinstance(x, DateTime) else x == y  # type: ignore[arg-type]


def _is_error_beside(term: Term) -> bool:
    """Whether it is an error to compare TERM with one that is no literal.

    Who does not know the value of a literal (F&O 4.2, 10.1.1) may fail as soon as it is read.
    """
    if not isinstance(term, Literal) or known_value(term) is not None or value_of(term) is None:
        return False
    return reading(LIMITS, "a term", "error", about="a literal and another kind of term") == "error"


def _is_itself(literal: Literal) -> bool | None:
    """``a = a`` of a LITERAL whose value is not known.

    True by RDFterm-equal; but an operator of 17.3 that takes its datatype finds no value.
    """
    if literal.datatype not in PARSERS:
        return True
    taken = reading(UNEQUAL, "equal", "error", about="an ill-typed literal and itself")
    return True if taken == "equal" else None


def _differ(a: Literal, b: Literal, plain: str) -> bool | None:
    """``a = b`` of two terms that no operator of 17.3 takes: false, or an error (17.4.1.7).

    An error for all of them by the letter of RDFterm-equal; who knows both value spaces knows that
    they differ, as a tagged text does from all others. Of a datatype that is not known nobody
    knows it, and it stays an error.
    """
    kinds = sorted((_kind(a), _kind(b)))
    if _UNKNOWN in kinds and _TAGGED not in kinds:
        return None
    options = (plain, "error" if plain == "differ" else "differ")
    return False if reading(UNEQUAL, *options, about=" and ".join(kinds)) == "differ" else None


_TAGGED, _UNKNOWN = "a tagged text", "an unknown value"
_KINDS = {str: "a text", bool: "a truth value", DateTime: "a dateTime"}


def _kind(literal: Literal) -> str:
    """What of LITERAL decides whether engines compare it with another one."""
    if literal.language is not None:
        return _TAGGED
    value = known_value(literal)
    if value is None:
        return "an ill-typed literal" if literal.datatype in PARSERS else _UNKNOWN
    return _KINDS.get(type(value), "a number")


def _equal_triples(a: Triple, b: Triple) -> bool | None:
    """Quoted triples are equal if their parts are; a difference outweighs an error."""
    parts = [equal(x, y) for x, y in zip(a, b, strict=True)]
    return False if False in parts else None if None in parts else True


def less(a: Term, b: Term) -> bool | None:
    """``a < b``: numbers, strings, booleans and dateTimes, each among themselves."""
    if not isinstance(a, Literal) or not isinstance(b, Literal):
        return None
    x, y = known_value(a), known_value(b)
    if x is None or y is None:
        return None
    kind_x, kind_y = type(x), type(y)
    if kind_x in NUMERIC and kind_y in NUMERIC:
        x, y = promoted(x, y)  # type: ignore[arg-type]
        return x < y
    if kind_x is not kind_y:
        return None
    return x.before(y) if isinstance(x, DateTime) else x < y  # type: ignore[arg-type, operator]


def less_or_equal(a: Term, b: Term) -> bool | None:
    """``a <= b``: less or equal, where both can be compared."""
    smaller = less(a, b)
    return smaller if smaller is None or smaller else equal(a, b)
