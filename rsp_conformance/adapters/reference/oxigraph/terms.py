"""Terms as the store keeps them, and as answers show them.

pyoxigraph's store keeps the *value* of a typed literal: ``"05"^^xsd:integer`` comes back as
``"5"``, and the two are one term in joins and in DISTINCT. RDF and SPARQL tell them apart, so the
store is given **opaque** literals, with a datatype that it does not know; expressions that need
the value ask for it by a custom function (``functions``).

pyoxigraph knows RDF 1.2, where a triple term is an object and never a subject. Here a **quoted**
triple is an IRI that spells it out, wherever it stands and however deep: two such IRIs are the same
exactly where the triples are, so that joins, DISTINCT and grouping need not know of them. What
means something else for IRIs than for quoted triples asks them first (``translate``).
"""

from __future__ import annotations

import json
from functools import lru_cache
from math import inf
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, unquote

import pyoxigraph as ox

from rsp_conformance.model import terms
from rsp_conformance.model.algebra import Values
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple
from rsp_conformance.model.walk import rewritten

StoredTerm: TypeAlias = "ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple"

Node = TypeVar("Node")

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


@lru_cache(maxsize=4096)
def number(literal: Literal) -> Literal:
    """LITERAL as Oxigraph's own store keeps it, where it is a number (dial ``literals``).

    It merges equal numbers of a type, and all types that are derived from xsd:integer.
    """
    if literal.datatype not in terms.NUMERIC_DATATYPES or not is_operand(
        literal.lexical, literal.datatype
    ):
        return literal
    if literal.datatype == terms.XSD_INTEGER or literal.datatype in _BOUNDS:
        try:
            return Literal(str(int(literal.lexical)), terms.XSD_INTEGER)
        except ValueError:
            return literal
    store, node = ox.Store(), ox.NamedNode(OPAQUE)
    given = ox.Literal(literal.lexical, datatype=ox.NamedNode(literal.datatype))
    store.add(ox.Quad(node, node, given))
    (kept,) = store
    return Literal(kept.object.value, literal.datatype)


def merged(node: Node) -> Node:
    """NODE, a query or a triple, with its numbers as Oxigraph's own store keeps them."""
    return rewritten(node, lambda part: number(part) if isinstance(part, Literal) else part)


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


def opaque_term(term: IRI | Literal) -> IRI | Literal:
    """TERM as the store keeps it."""
    if isinstance(term, Literal) and term.language is None:
        return Literal(term.lexical, opaque_datatype(term.datatype))
    return term


def opaque_values(values: Values) -> Values:
    """Inline data as the store keeps it, quoted triples included."""

    def cell(term: Term | None) -> Term | None:
        if isinstance(term, Triple):
            return IRI(iri_of(term))
        return opaque_term(term) if isinstance(term, Literal) else term

    return Values(values.variables, tuple(tuple(cell(t) for t in row) for row in values.rows))


QUOTED = "urn:x-rsp:quoted:"
"""What the IRI of every quoted triple begins with, and no other IRI may."""


@lru_cache(maxsize=65536)
def iri_of(triple: Triple) -> str:
    """The IRI that stands for TRIPLE, the same for equal triples and for no others."""
    text = json.dumps(_spelt(triple), separators=(",", ":"), ensure_ascii=False)
    return QUOTED + quote(text, safe="")


@lru_cache(maxsize=65536)
def triple_of(iri: str) -> Triple:
    """The triple that ``iri_of`` spelt out."""
    triple = _read(json.loads(unquote(iri.removeprefix(QUOTED))))
    assert isinstance(triple, Triple)
    return triple


def is_quoted(iri: str) -> bool:
    """Whether IRI stands for a quoted triple."""
    return iri.startswith(QUOTED)


def refuse_reserved(text: str) -> None:
    """Raise Unsupported where TEXT, an IRI or a document, has an IRI of that kind of its own."""
    if QUOTED in text:
        raise Unsupported(f"IRIs that begin with {QUOTED}, which stand for quoted triples here")


def _spelt(term: Term) -> Any:
    """TERM as JSON; language tags in lower case, because RDF does not tell their case apart."""
    match term:
        case IRI():
            return "<" + term.value
        case BlankNode():
            return "_" + term.label
        case Literal():
            return ['"', term.lexical, term.datatype, (term.language or "").lower()]
        case Triple():
            return [_spelt(part) for part in term]


def _read(spelt: Any) -> Any:
    if isinstance(spelt, str):
        return IRI(spelt[1:]) if spelt[0] == "<" else BlankNode(spelt[1:])
    if len(spelt) == 4:
        _, lexical, datatype, language = spelt
        return Literal(lexical, datatype, language or None)
    return Triple(*map(_read, spelt))
