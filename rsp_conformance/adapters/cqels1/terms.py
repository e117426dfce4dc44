"""Terms, the kit's and those of Jena 2, which CQELS 1 works on."""

from __future__ import annotations

from typing import Any

from rsp_conformance.adapters.cqels1 import names
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, Literal, Term, Triple


class Terms:
    """Terms there and back; ``xsd:string`` and plain strings are one, as in RDF 1.1."""

    def __init__(self, java: Java) -> None:
        self._node = java.cls(names.NODE)
        self._label = java.cls(names.LABEL)
        self._triple = java.cls(names.TRIPLE)
        self._types = java.cls(names.TYPES).getInstance()

    def triple(self, triple: Triple) -> Any:
        """`triple` as Jena has it."""
        return self._triple(*map(self._to, (triple.subject, triple.predicate, triple.object)))

    def iri(self, iri: str) -> Any:
        """Return the node of `iri`."""
        return self._node.createURI(iri)

    def _to(self, term: Term) -> Any:
        match term:
            case IRI():
                return self._node.createURI(term.value)
            case BlankNode():
                return self._node.createAnon(self._label(term.label))
            case Literal() if term.language:
                return self._node.createLiteral(term.lexical, term.language, None)
            case Literal() if term.datatype == XSD_STRING:
                return self._node.createLiteral(term.lexical, "", None)
            case Literal():
                datatype = self._types.getSafeTypeByName(term.datatype)
                return self._node.createLiteral(term.lexical, "", datatype)
        raise Refused("unsupported", "Jena 2 has no quoted triples")

    def of(self, node: Any) -> Term:
        """Return the term of one of Jena's nodes.

        Raises:
            Refused: the node is no RDF term.
        """
        if node.isURI():
            return IRI(str(node.getURI()))
        if node.isBlank():
            return BlankNode(str(node.getBlankNodeLabel()))
        if node.isLiteral():
            lexical, tag = str(node.getLiteralLexicalForm()), str(node.getLiteralLanguage() or "")
            datatype = node.getLiteralDatatypeURI()
            if tag:
                return Literal(lexical, language=tag)
            return Literal(lexical, XSD_STRING if datatype is None else str(datatype))
        raise Refused("crashed", f"a variable is bound to {node}, which is no RDF term")
