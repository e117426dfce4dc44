"""Kinds of terms: what a function, an operator or an aggregate tells apart in its arguments."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import (
    IRI,
    NUMERIC_DATATYPES,
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.sparql.values import value_of

WITH_TIMEZONE: Final = "dateTime with timezone"
WITHOUT_TIMEZONE: Final = "dateTime without"
LITERALS: Final = (
    *("plain", "tagged", "boolean", "integer", "derived integer", "decimal", "float", "double"),
    *(WITH_TIMEZONE, WITHOUT_TIMEZONE, "another datatype"),
)
"""The kinds of literals that are well typed, or of a datatype that SPARQL knows nothing of."""
KINDS: Final = ("IRI", "blank node", *LITERALS, "unbound", "error")
"""The kinds that arguments have. Beside them a term may be a quoted triple, or ill-typed."""
_BY_DATATYPE: Final = {
    XSD_STRING: "plain",
    XSD_BOOLEAN: "boolean",
    XSD_INTEGER: "integer",
    XSD_DECIMAL: "decimal",
    XSD_FLOAT: "float",
    XSD_DOUBLE: "double",
}
_TIMEZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")


def kind_of(term: Term) -> str:
    """Return the kind of a term."""
    match term:
        case IRI():
            return "IRI"
        case BlankNode():
            return "blank node"
        case Triple():
            return "quoted triple"
    return _kind_of_literal(term)


@lru_cache(maxsize=1 << 14)
def _kind_of_literal(literal: Literal) -> str:
    if literal.language:
        return "tagged"
    datatype = literal.datatype
    kind = _BY_DATATYPE.get(datatype, "")
    if not kind and datatype in NUMERIC_DATATYPES:
        kind = "derived integer"
    if datatype == XSD_DATETIME:
        kind = WITH_TIMEZONE if _TIMEZONE.search(literal.lexical) else WITHOUT_TIMEZONE
    if kind and value_of(literal) is None:
        return "ill-typed"
    return kind or "another datatype"


def kind_of_value(value: Term | None, expression: Expression) -> str:
    """Return the kind of an expression's value, None being unbound or an error."""
    if value is None:
        return "unbound" if isinstance(expression, Variable) else "error"
    return kind_of(value)


def _both(datatype: str, one: str, other: str) -> tuple[Term, ...]:
    return Literal(one, datatype), Literal(other, datatype)


SAMPLES: Final[dict[str, tuple[Term, ...]]] = {
    "IRI": (IRI("http://ex.org/a"), IRI("http://ex.org/b")),
    "blank node": (BlankNode("a"), BlankNode("b")),
    "plain": (Literal("x"), Literal("y")),
    "tagged": (Literal("x", language="en"), Literal("y", language="fr")),
    "boolean": _both(XSD_BOOLEAN, "true", "false"),
    "integer": _both(XSD_INTEGER, "1", "2"),
    "derived integer": (Literal("1", XSD + "byte"), Literal("2", XSD + "long")),
    "decimal": _both(XSD_DECIMAL, "1.0", "2.5"),
    "float": _both(XSD_FLOAT, "1", "2"),
    "double": _both(XSD_DOUBLE, "1", "2"),
    WITH_TIMEZONE: _both(XSD_DATETIME, "2011-01-10T14:45:13Z", "2012-01-10T14:45:13Z"),
    WITHOUT_TIMEZONE: _both(XSD_DATETIME, "2011-01-10T14:45:13", "2012-01-10T14:45:13"),
    "another datatype": _both("http://ex.org/d", "x", "y"),
}
"""Terms of each kind that has any."""
