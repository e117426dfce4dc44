"""The kit's terms as pyoxigraph's and back, for naive oracles: lexical forms as they are."""

from __future__ import annotations

import pyoxigraph as ox

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term


def to_oxigraph(term: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """The pyoxigraph term for TERM; ValueError for a quoted triple."""
    match term:
        case IRI():
            return ox.NamedNode(term.value)
        case BlankNode():
            return ox.BlankNode(term.label)
        case Literal():
            if term.language:
                return ox.Literal(term.lexical, language=term.language)
            return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
    raise ValueError(f"not for naive oracles: {term!r}")


def from_oxigraph(term: object) -> Term:
    """The kit's term for TERM of pyoxigraph; ValueError for a quoted triple."""
    match term:
        case ox.NamedNode():
            return IRI(term.value)
        case ox.BlankNode():
            return BlankNode(term.value)
        case ox.Literal():
            return Literal(term.value, term.datatype.value, term.language)
    raise ValueError(f"not for naive oracles: {term!r}")
