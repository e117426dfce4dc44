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
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

import pyoxigraph as ox

from rsp_conformance.adapters.reference.oxigraph.iris import node
from rsp_conformance.model import terms
from rsp_conformance.model.algebra import Values
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

StoredTerm: TypeAlias = "ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple"

OPAQUE = "urn:x-rsp:as-written:"
CALLS = "urn:x-rsp:call:"
"""The prefix of the names of custom functions."""

_PLAIN = frozenset({terms.XSD_STRING, terms.RDF_LANGSTRING})


def opaque_datatype(datatype: str) -> str:
    """Return the datatype under which a literal of `datatype` is stored."""
    return datatype if datatype in _PLAIN or datatype.startswith(OPAQUE) else OPAQUE + datatype


def opaque(term: StoredTerm) -> StoredTerm:
    """`term` as the store keeps it."""
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        stored = opaque_datatype(datatype)
        if stored != datatype:
            return ox.Literal(term.value, datatype=ox.NamedNode(stored))
    return term


def plain(term: StoredTerm) -> StoredTerm:
    """Return the term that the stored `term` stands for."""
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        if datatype.startswith(OPAQUE):
            return ox.Literal(term.value, datatype=ox.NamedNode(datatype.removeprefix(OPAQUE)))
    return term


def from_model(term: terms.Term) -> StoredTerm:
    """Return a term as the store keeps it.

    Raises:
        Unsupported: an IRI has the prefix that the encoding reserves.
    """
    match term:
        case terms.IRI(value=value):
            refuse_reserved(value)
            return node(value)
        case terms.BlankNode(label=label):
            return ox.BlankNode(label)
        case terms.Literal(lexical=lexical, language=str(language)):
            return ox.Literal(lexical, language=language)
        case terms.Literal(lexical=lexical, datatype=datatype):
            return ox.Literal(lexical, datatype=ox.NamedNode(opaque_datatype(datatype)))
        case terms.Triple():
            return ox.NamedNode(iri_of(term))


def to_model(term: StoredTerm) -> terms.Term:
    """Return the term of a stored term.

    Raises:
        ValueError: it is of a kind that the store does not hold.
    """
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
    """`term` as the store keeps it."""
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
"""What the IRI of every quoted triple begins with, and no other IRI may.

pyoxigraph 0.5 knows triple terms as objects, not as subjects, so every quoted triple is kept as an
IRI that spells it out, with language tags in lower case.
"""


@lru_cache(maxsize=65536)
def iri_of(triple: Triple) -> str:
    """Return the IRI that stands for `triple`, the same for equal triples and for no others."""
    text = json.dumps(_spelt(triple), separators=(",", ":"), ensure_ascii=False)
    return QUOTED + quote(text, safe="")


@lru_cache(maxsize=65536)
def triple_of(iri: str) -> Triple:
    """Return the triple that ``iri_of`` spelt out."""
    triple = _read(json.loads(unquote(iri.removeprefix(QUOTED))))
    assert isinstance(triple, Triple)
    return triple


def is_quoted(iri: str) -> bool:
    """Return whether `iri` stands for a quoted triple."""
    return iri.startswith(QUOTED)


def refuse_reserved(text: str) -> None:
    """Refuse an IRI or a document with IRIs that are reserved for quoted triples.

    Raises:
        Unsupported: the text contains such an IRI.
    """
    if QUOTED in text:
        raise Unsupported(f"IRIs that begin with {QUOTED}, which stand for quoted triples here")


def _spelt(term: Term) -> Any:
    """`term` as JSON; language tags in lower case, because RDF does not tell their case apart."""
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
