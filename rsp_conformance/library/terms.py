"""Terms as the store keeps them, and as answers show them.

pyoxigraph's store keeps the *value* of a typed literal: ``"05"^^xsd:integer`` comes back as
``"5"``, and the two are one term in joins and in DISTINCT. RDF and SPARQL tell them apart, so the
store is given **opaque** literals, with a datatype that it does not know; expressions that need
the value ask for it by a custom function (``functions``). A quoted triple is an IRI that spells it
out (``quoted``).
"""

from __future__ import annotations

from math import inf
from typing import Any, TypeAlias

import pyoxigraph as ox

from rsp_conformance.library.quoted import iri_of, is_quoted, refuse_reserved, triple_of
from rsp_conformance.model import terms
from rsp_conformance.model.terms import XSD

StoredTerm: TypeAlias = "ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple"

OPAQUE = "urn:x-rsp:as-written:"
CALLS = "urn:x-rsp:call:"
"""What the names of custom functions begin with."""

_PLAIN = frozenset({terms.XSD_STRING, terms.RDF_LANGSTRING})
_OPERANDS = terms.NUMERIC_DATATYPES | _PLAIN | {terms.XSD_BOOLEAN, terms.XSD_DATETIME}

_SIGNED = {"byte": 8, "short": 16, "int": 32, "long": 64}
_BOUNDS: dict[str, tuple[float, float]] = {
    XSD + name: bounds
    for name, bounds in (
        *((name, (-(1 << bits - 1), (1 << bits - 1) - 1)) for name, bits in _SIGNED.items()),
        *((f"unsigned{n.title()}", (0, (1 << bits) - 1)) for n, bits in _SIGNED.items()),
        ("nonNegativeInteger", (0, inf)),
        ("positiveInteger", (1, inf)),
        ("nonPositiveInteger", (-inf, 0)),
        ("negativeInteger", (-inf, -1)),
    )
}
"""The least and the greatest value of the datatypes derived from xsd:integer."""


def opaque_datatype(datatype: str) -> str:
    """The datatype under which a literal of DATATYPE is stored."""
    return datatype if datatype in _PLAIN or datatype.startswith(OPAQUE) else OPAQUE + datatype


def opaque(term: StoredTerm) -> StoredTerm:
    """TERM as the store keeps it."""
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        stored = opaque_datatype(datatype)
        if stored != datatype:
            return ox.Literal(term.value, datatype=ox.NamedNode(stored))
    return term


def plain(term: StoredTerm) -> StoredTerm:
    """The term that the stored TERM stands for."""
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        if datatype.startswith(OPAQUE):
            return ox.Literal(term.value, datatype=ox.NamedNode(datatype.removeprefix(OPAQUE)))
    return term


def operand(term: StoredTerm) -> StoredTerm:
    """What ``=`` is given of the stored TERM: a literal that SPARQL 1.1's operators know, by value.

    pyoxigraph compares values of more datatypes, such as ``xsd:date``, as extensions may (17.3.1).
    Here, as by the definitions, two such literals are equal if they are the same term, and else a
    type error (RDFterm-equal, 17.4.1.7). So they stay opaque.
    """
    known = plain(term)
    taken = isinstance(known, ox.Literal) and is_operand(known.value, known.datatype.value)
    return known if taken else term


def is_operand(lexical: str, datatype: str) -> bool:
    """Whether operators of SPARQL 1.1, 17.3, take a literal: what its datatype is tells.

    But for ``"500"^^xsd:byte``: no number (17.4.2.4), though pyoxigraph takes it for 500.
    """
    if datatype not in _BOUNDS:
        return datatype in _OPERANDS
    try:
        value = int(lexical)
    except ValueError:
        return True  # pyoxigraph sees by itself that this is no number
    least, greatest = _BOUNDS[datatype]
    return least <= value <= greatest


def to_json(term: StoredTerm) -> dict[str, Any]:
    """A stored term as SPARQL 1.1 Query Results JSON writes the term that it stands for."""
    return _json(to_model(term))


def _json(term: terms.Term) -> dict[str, Any]:
    match term:
        case terms.IRI():
            return {"type": "uri", "value": term.value}
        case terms.BlankNode():
            return {"type": "bnode", "value": term.label}
        case terms.Triple():
            parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
            return {"type": "triple", "value": {name: _json(part) for name, part in parts.items()}}
    literal: dict[str, Any] = {"type": "literal", "value": term.lexical}
    if term.language:
        literal["xml:lang"] = term.language
    elif term.datatype != XSD + "string":
        literal["datatype"] = term.datatype
    return literal


def from_model(term: terms.Term) -> StoredTerm:
    """A term as the store keeps it; Unsupported for an IRI that the encoding has for itself."""
    match term:
        case terms.IRI(value=value):
            refuse_reserved(value)
            return ox.NamedNode(value)
        case terms.BlankNode(label=label):
            return ox.BlankNode(label)
        case terms.Literal(lexical=lexical, language=str(language)):
            return ox.Literal(lexical, language=language)
        case terms.Literal(lexical=lexical, datatype=datatype):
            return ox.Literal(lexical, datatype=ox.NamedNode(opaque_datatype(datatype)))
        case terms.Triple():
            return ox.NamedNode(iri_of(term))


def to_model(term: StoredTerm) -> terms.Term:
    """The term that the stored TERM stands for."""
    match term:
        case ox.NamedNode(value=value):
            return triple_of(value) if is_quoted(value) else terms.IRI(value)
        case ox.BlankNode(value=label):
            return terms.BlankNode(label)
        case ox.Literal():
            datatype = term.datatype.value.removeprefix(OPAQUE)
            return terms.Literal(term.value, datatype, term.language)
    raise ValueError(f"the store holds no such term: {term}")
