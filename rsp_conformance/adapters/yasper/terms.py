"""Terms and graphs, the kit's and those of Apache Commons RDF, which YASPER works on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.adapters.yasper import names
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple


class Terms:
    """The terms of one case: a label of a blank node is one node in all of its graphs."""

    def __init__(self, java: Java) -> None:
        self._rdf = java.cls(names.RDF)()
        self._iri = java.cls(names.IRI)
        self._blank_node = java.cls(names.BLANK_NODE)
        self._literal = java.cls(names.LITERAL)

    def graph(self, triples: Iterable[Triple]) -> Any:
        """Return a graph of `triples`."""
        graph = self._rdf.createGraph()
        for triple in triples:
            graph.add(self._to(triple.subject), self._to(triple.predicate), self._to(triple.object))
        return graph

    def _to(self, term: Term) -> Any:
        match term:
            case IRI():
                return self._rdf.createIRI(term.value)
            case BlankNode():
                return self._rdf.createBlankNode(term.label)
            case Literal() if term.language:
                return self._rdf.createLiteral(term.lexical, term.language)
            case Literal():
                return self._rdf.createLiteral(term.lexical, self._rdf.createIRI(term.datatype))
        raise Refused("unsupported", "Commons RDF has no quoted triples")

    def of(self, found: Any) -> Term:
        """Return a term that the engine found, exactly as it has it.

        Raises:
            Refused: the value is no RDF term.
        """
        if isinstance(found, self._iri):
            return IRI(str(found.getIRIString()))
        if isinstance(found, self._blank_node):
            return BlankNode(str(found.ntriplesString()).removeprefix("_:"))
        if isinstance(found, self._literal):
            tag = found.getLanguageTag()
            lexical = str(found.getLexicalForm())
            if tag.isPresent():
                return Literal(lexical, language=str(tag.get()))
            return Literal(lexical, str(found.getDatatype().getIRIString()))
        raise Refused("crashed", f"a variable is bound to {found}, which is no RDF term")
