"""Errors of SPARQL in place of which engines may give a result.

An engine may define more operators than SPARQL does (17.3.1): "SPARQL language extensions may
provide additional associations between operators and operator functions". Engines do have operators
on dates, times and durations (``open_points``), an order of tagged texts, an order of any term and
itself, and operators on literals of further datatypes or with a text that they parse more freely.
"""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.terms import IRI, XSD, XSD_STRING, Literal, Term
from rsp_conformance.sparql.open_points import (
    JOINED_NUMBERS,
    NOTHING,
    OPERATORS,
    TEMPORAL_OPERATORS,
    may_be_defined,
)
from rsp_conformance.sparql.readings import reading
from rsp_conformance.sparql.values import NUMERIC, PARSERS, is_beyond, value_of

_ORDER = frozenset(("<", ">", "<=", ">="))
_ON_LITERALS = _ORDER | frozenset(("+", "-", "*", "/", "UNARY+", "UNARY-"))


def open_error(operator: str, operands: Sequence[Term]) -> str | None:
    """The open point that an error of an operator falls under; None if it is always an error.

    Args:
        operator: The name of the operator or function.
        operands: The terms on which it is an error.
    """
    if may_be_defined(operator, operands):
        return TEMPORAL_OPERATORS
    if operator in _ORDER:
        left, right = operands
        if left == right or (_is_tagged(left) and _is_tagged(right)):
            return OPERATORS
    if operator in ("=", "!=") and all(isinstance(term, Literal) for term in operands):
        # XPath compares more datatypes, such as xsd:hexBinary.
        return OPERATORS if any(_is_of_another_type(term) for term in operands) else None
    if operator in _ON_LITERALS and all(isinstance(term, Literal) for term in operands):
        free = any(map(_is_read_freely, operands)) or _is_unknown_beside_others(operands)
        return OPERATORS if free else None
    return None


def _is_tagged(term: Term) -> bool:
    return isinstance(term, Literal) and term.language is not None


def _is_read_freely(term: Term) -> bool:
    """Whether a term has a datatype of XML Schema and no value that SPARQL knows."""
    if not isinstance(term, Literal) or not term.datatype.startswith(XSD):
        return False
    return value_of(term) is None


def _is_unknown_beside_others(operands: Sequence[Term]) -> bool:
    """Whether a literal has a value unknown by the reading, and another is of another kind.

    To an engine that does not know the value the literal is ill-typed. What it makes of literals of
    one kind, such as two numbers, the readings of ``value-limits`` say.
    """
    values = (value_of(term) for term in operands if isinstance(term, Literal))
    kinds = {"number" if type(value) in NUMERIC else type(value) for value in values}
    return len(kinds) > 1 and any(map(is_beyond, operands))


def _is_of_another_type(term: Term) -> bool:
    """Whether a term has a datatype of XML Schema for which SPARQL has no operator."""
    if not isinstance(term, Literal) or not term.datatype.startswith(XSD):
        return False
    return term.datatype not in PARSERS


def of_error_in_nothing() -> bool | None:
    """The value of an error IN (): false, or an error (None) as everywhere else (17.2)."""
    return False if reading(NOTHING, "false", "error") == "false" else None


def joined_text(term: Term | None) -> str | None:
    """The text that GROUP_CONCAT joins for a term; None for an error.

    A string has its text. For an IRI or another literal the reading decides between an error and
    its text.
    """
    if isinstance(term, Literal):
        if term.datatype == XSD_STRING or term.language is not None:
            return term.lexical
        text = term.lexical
    elif isinstance(term, IRI):
        text = term.value
    else:
        return None
    kind = "IRIs" if isinstance(term, IRI) else "literals"
    return text if reading(JOINED_NUMBERS, "error", "text", about=kind) == "text" else None
