"""rdflib's terms and ours, where users meet them.

rdflib compares literals of one value as equal in places and rewrites their lexical forms on
request; ours are the terms as written. rdflib has no quoted triples.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node


def from_rdflib(node: Node) -> Term:
    """Our term for rdflib's NODE; ValueError for a variable, a graph, or the like."""
    import rdflib

    match node:
        case rdflib.URIRef():
            return IRI(str(node))
        case rdflib.BNode():
            return BlankNode(str(node))
        case rdflib.Literal():
            datatype = XSD_STRING if node.datatype is None else str(node.datatype)
            return Literal(str(node), datatype, node.language)
    raise ValueError(f"{node!r} ({type(node).__name__}) is no RDF term")


def to_rdflib(term: Term) -> rdflib.URIRef | rdflib.BNode | rdflib.Literal:
    """The rdflib term for TERM, its lexical form as it is; ValueError for a quoted triple."""
    import rdflib

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


def triples_from_rdflib(graph: Iterable[tuple[Node, Node, Node]]) -> frozenset[Triple]:
    """The triples of an rdflib graph; ValueError for what is no RDF triple."""
    found = set()
    for nodes in graph:
        subject, predicate, object_ = map(from_rdflib, nodes)
        if isinstance(subject, Literal) or not isinstance(predicate, IRI):
            raise ValueError(f"{nodes!r} is no triple")
        found.add(Triple(subject, predicate, object_))
    return frozenset(found)


def triples_to_rdflib(triples: Iterable[Triple]) -> rdflib.Graph:
    """An rdflib graph of TRIPLES; ValueError for a quoted triple."""
    import rdflib

    graph = rdflib.Graph()
    for triple in triples:
        graph.add(
            (to_rdflib(triple.subject), to_rdflib(triple.predicate), to_rdflib(triple.object))
        )
    return graph
