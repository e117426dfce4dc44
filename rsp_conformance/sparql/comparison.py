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
from rsp_conformance.sparql.values import (
    NUMERIC,
    PARSERS,
    is_beyond,
    is_true,
    known_value,
    promoted,
)


def effective_boolean_value(term: Term | None) -> bool | None:
    """The effective boolean value of a term (17.2.2).

    A boolean has its own value. A string is true unless it is empty, a number unless it is zero or
    NaN. An ill-typed boolean or number is false. Every other term is an error.

    Returns:
        The truth value; None for an error.
    """
    if not isinstance(term, Literal):
        return None
    if term.language is not None:
        return term.lexical != ""
    value = known_value(term)
    if value is None and is_beyond(term):
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
    """``a = b``; None for a type error.

    If no operator of 17.3 applies, this is RDFterm-equal. Identical terms are equal. An IRI, a
    blank node and a literal differ from each other. Two literals differ if both values are known (a
    language-tagged string is known to differ from every other literal). Other pairs of different
    literals are a type error, because they might have the same value.
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
    """Whether it is an error to compare a term with a term of another kind.

    An implementation that does not know the value of a literal (F&O 4.2, 10.1.1) may fail as soon
    as it reads the literal.
    """
    about = "a literal and another kind of term"
    return is_beyond(term) and reading(LIMITS, "a term", "error", about=about) == "error"


def _is_itself(literal: Literal) -> bool | None:
    """``a = a`` for a literal whose value is not known.

    It is true by RDFterm-equal; but an operator of 17.3 for its datatype finds no value, so another
    reading is an error.
    """
    if literal.datatype not in PARSERS:
        return True
    taken = reading(UNEQUAL, "equal", "error", about="an ill-typed literal and itself")
    return True if taken == "equal" else None


def _differ(a: Literal, b: Literal, plain: str) -> bool | None:
    """``a = b`` for two literals that no operator of 17.3 takes: false, or an error (17.4.1.7).

    By the letter of RDFterm-equal it is an error. An engine that knows both value spaces knows that
    the literals differ, as a tagged text differs from all others. If a datatype is unknown, it
    remains an error.
    """
    kinds = sorted((_kind(a), _kind(b)))
    if _UNKNOWN in kinds and _TAGGED not in kinds:
        return None
    options = (plain, "error" if plain == "differ" else "differ")
    return False if reading(UNEQUAL, *options, about=" and ".join(kinds)) == "differ" else None


_TAGGED, _UNKNOWN = "a tagged text", "an unknown value"
_KINDS = {str: "a text", bool: "a truth value", DateTime: "a dateTime"}


def _kind(literal: Literal) -> str:
    """The kind of a literal, by which engines decide whether they compare it with another."""
    if literal.language is not None:
        return _TAGGED
    value = known_value(literal)
    if value is None:
        return "an ill-typed literal" if literal.datatype in PARSERS else _UNKNOWN
    return _KINDS.get(type(value), "a number")


def _equal_triples(a: Triple, b: Triple) -> bool | None:
    """Whether quoted triples are equal in all parts; a difference overrides an error."""
    parts = [equal(x, y) for x, y in zip(a, b, strict=True)]
    return False if False in parts else None if None in parts else True


def less(a: Term, b: Term) -> bool | None:
    """``a < b`` for two numbers, strings, booleans or dateTimes; None, an error, for others."""
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
    """``a <= b``: less or equal; None, an error, if ``<`` does not compare them."""
    smaller = less(a, b)
    return smaller if smaller is None or smaller else equal(a, b)
