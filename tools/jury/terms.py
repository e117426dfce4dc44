"""Terms of every kind, and of which kind a term is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from random import Random
from typing import Any

from rsp_conformance.cells.kinds import kind_of as plain_kind_of
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import IRI, XSD, XSD_INTEGER, BlankNode, Literal, Term
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.open_points import TEMPORAL
from rsp_conformance.sparql.values import NUMERIC, value_of

UNBOUND = "unbound"
ERROR = "error"
_LONG = 18
"""Digits of a decimal that every implementation has to keep (F&O 4.2)."""
_TABLE = read_table(__name__, "values.toml")


def _datatype(name: str) -> str:
    return name if ":" in name else XSD + name


def _terms() -> dict[str, list[Term | None]]:
    terms: dict[str, Any] = _TABLE["terms"]
    found: dict[str, list[Term | None]] = {
        "iri": [IRI(text) for text in terms["iri"]],
        "blank": [BlankNode(label) for label in terms["blank"]],
        "plain": [Literal(text) for text in terms["plain"]],
        "tagged": [Literal(text, language=tag) for text, tag in terms["tagged"]],
        UNBOUND: [None],
    }
    for kind, texts in _TABLE["typed"].items():
        found[kind] = [Literal(text, XSD + kind) for text in texts]
    for kind in ("derived", "other", "ill"):
        found[kind] = [
            Literal(text, _datatype(name)) for name, texts in _TABLE[kind].items() for text in texts
        ]
    for name, texts in _TABLE["arguments"].items():
        found[name] = [_argument(name, text) for text in texts]
    return found


def _argument(name: str, text: str) -> Term:
    if name == "datatype":
        return IRI(XSD + text)
    return Literal(text, XSD_INTEGER) if name == "position" else Literal(text)


TERMS = _terms()
"""The terms of each kind, and of each list of arguments; None is an unbound variable."""


def term_of(kinds: Sequence[str], random: Random) -> Term | None:
    """A term of one of KINDS, each as likely."""
    return random.choice(TERMS[random.choice(kinds)])


def kind_of(term: Term | None) -> str:
    """The kind of TERM, with what is special about it: ``integer big``, ``double NaN``."""
    if term is None:
        return ERROR
    special = _special(term) if isinstance(term, Literal) else ""
    return f"{plain_kind_of(term)} {special}".rstrip()


def _special(literal: Literal) -> str:
    """What besides its kind tells LITERAL from others in the eyes of implementations."""
    value = None if literal.language else value_of(literal)
    if value is None:
        return "temporal" if literal.datatype in TEMPORAL else ""
    if type(value) is int:
        return "" if -(2**63) <= value < 2**63 else "big"
    if isinstance(value, Decimal):
        return "long" if len(value.as_tuple().digits) > _LONG else ""
    if not isinstance(value, float):
        return ""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF"
    return "-0" if value == 0 and math.copysign(1, value) < 0 else ""


def value_key(term: Term | None) -> object:
    """What terms share that are one by value: of one primitive type, and there the same.

    Integers of all derived types are integers (as stores make them), doubles count as they are
    rounded, zeros of either sign are two, and tags have no case.
    """
    if not isinstance(term, Literal) or term.language:
        return term
    value = value_of(term)
    if value is None or isinstance(value, str):
        return term
    if isinstance(value, DateTime):
        return "dateTime", value.canonical()
    if type(value) in NUMERIC and isinstance(value, float):
        return type(value).__name__, repr(float(value))
    return type(value).__name__, value
