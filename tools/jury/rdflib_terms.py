"""The kit's terms as rdflib's and back, for naive oracles: lexical forms as they are."""

from __future__ import annotations

import rdflib

from rsp_conformance.model.terms import IRI, RDF_LANGSTRING, XSD_STRING, BlankNode, Literal, Term


def to_rdflib(term: Term) -> rdflib.URIRef | rdflib.BNode | rdflib.Literal:
    """The rdflib term for TERM, its lexical form as it is; ValueError for a quoted triple."""
    match term:
        case IRI():
            return rdflib.URIRef(term.value)
        case BlankNode():
            return rdflib.BNode(term.label)
        case Literal():
            if term.language:
                return rdflib.Literal(term.lexical, lang=term.language)
            plain = term.datatype in {XSD_STRING, RDF_LANGSTRING}
            datatype = None if plain else rdflib.URIRef(term.datatype)
            return rdflib.Literal(term.lexical, datatype=datatype, normalize=False)
    raise ValueError(f"rdflib has no quoted triples: {term!r}")


def from_rdflib(term: object) -> Term:
    """The kit's term for TERM of rdflib; ValueError for what no term is."""
    match term:
        case rdflib.URIRef():
            return IRI(str(term))
        case rdflib.BNode():
            return BlankNode(str(term))
        case rdflib.Literal():
            return Literal(str(term), str(term.datatype or XSD_STRING), term.language)
    raise ValueError(f"no term of rdflib's: {term!r}")
