"""Terms and graphs, the kit's and those of Jena, which C-SPARQL 2 works on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from rsp_conformance.adapters.csparql2 import names
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

_NO_IRI: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\]|^[^:]*$")
"""Finds what no IRI has, or that there is no scheme: the engine undoes no escapes."""


class Terms:
    """Jena's terms; a label of a blank node is one node in all graphs."""

    def __init__(self, java: Java) -> None:
        self._nodes = java.cls(names.NODES)
        self._triple = java.cls(names.TRIPLE)
        self._graphs = java.cls(names.GRAPHS)
        self._datatypes = java.cls(names.DATATYPES).getInstance()

    def graph(self, triples: Iterable[Triple]) -> Any:
        """Return a graph of `triples`."""
        graph = self._graphs.createGraphMem()
        for triple in triples:
            parts = (triple.subject, triple.predicate, triple.object)
            graph.add(self._triple.create(*map(self._to, parts)))
        return graph

    def _to(self, term: Term) -> Any:
        match term:
            case IRI():
                return self._nodes.createURI(term.value)
            case BlankNode():
                return self._nodes.createBlankNode(term.label)
            case Literal() if term.language:
                return self._nodes.createLiteral(term.lexical, term.language)
            case Literal():
                datatype = self._datatypes.getSafeTypeByName(term.datatype)
                return self._nodes.createLiteral(term.lexical, datatype)
        raise Refused("unsupported", "quoted triples")

    def of(self, node: Any) -> Term:
        """Return a term that the engine found, exactly as it has it.

        Raises:
            Refused: the node is no term of RDF 1.1.
        """
        if node.isURI():
            iri = str(node.getURI())
            if _NO_IRI.search(iri):
                raise Refused("crashed", f"it gives <{iri}>, which is no IRI")
            return IRI(iri)
        if node.isBlank():
            return BlankNode("n" + "".join(filter(str.isalnum, str(node.getBlankNodeLabel()))))
        if node.isLiteral():
            lexical = str(node.getLiteralLexicalForm())
            if language := str(node.getLiteralLanguage()):
                return Literal(lexical, language=language)
            return Literal(lexical, str(node.getLiteralDatatypeURI()))
        raise Refused("crashed", f"it gives {node}, which is no RDF term")

    def triple_of(self, found: Any) -> Triple:
        """Return a triple that the engine made.

        Raises:
            Refused: it is no triple of RDF 1.1.
        """
        parts = (found.getSubject(), found.getPredicate(), found.getObject())
        subject, predicate, value = map(self.of, parts)
        if isinstance(subject, Literal) or not isinstance(predicate, IRI):
            raise Refused("crashed", f"it gives the triple {found}, which is not RDF")
        return Triple(subject, predicate, value)
