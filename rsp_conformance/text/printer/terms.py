"""Terms, triple patterns and property paths as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rsp_conformance.model import paths
from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.layout import PLAIN, Layout
from rsp_conformance.model.query import abbreviated
from rsp_conformance.model.terms import (
    IRI,
    RDF_TYPE,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.text.escapes import NOT_IN_IRI, escape
from rsp_conformance.text.printer.names import prefixed

_BARE = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_DOUBLE: re.compile(r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"),
    XSD_BOOLEAN: re.compile("true|false"),
}
_LABEL = re.compile(r"\w([\w.\-]*[\w\-])?")
_ALTERNATIVE, _SEQUENCE, _STEP, _ELEMENT, _PRIMARY = range(5)
"""How tightly the forms of paths bind, loosest first."""


def is_bare(literal: Literal) -> bool:
    """Return whether SPARQL writes a literal without quotes."""
    form = _BARE.get(literal.datatype)
    return form is not None and form.fullmatch(literal.lexical) is not None


def print_term(term: PatternTerm | Term, prefixes: tuple[tuple[str, str], ...] = ()) -> str:
    """Return a term as queries write it."""
    return TermPrinter(prefixes).term(term)


@dataclass(frozen=True, slots=True)
class TermPrinter:
    """Writes terms; ``triple_terms`` writes quoted triples as in RDF 1.2, ``<<( s p o )>>``."""

    prefixes: tuple[tuple[str, str], ...] = ()
    triple_terms: bool = False
    layout: Layout = PLAIN

    def iri(self, value: str) -> str:
        """Return an IRI with the longest prefix that fits, else in angle brackets.

        Raises:
            ValueError: it has a character that SPARQL's IRIs cannot have.
        """
        text = prefixed(value, self.prefixes) if self.layout.names else None
        text = text or abbreviated(value, self.prefixes)
        if text.startswith("<") and (bad := NOT_IN_IRI.search(value)):
            raise ValueError(f"the IRI {value!r} holds {bad[0]!r}, which SPARQL's IRIs cannot hold")
        return text

    def term(self, term: PatternTerm | Term) -> str:
        """Return a term, a variable or a quoted triple as text.

        Raises:
            ValueError: the label of a blank node cannot be written in a query.
        """
        match term:
            case IRI():
                return self.iri(term.value)
            case Variable(name):
                return f"?{name}"
            case Literal():
                if is_bare(term):
                    return term.lexical
                text = f'"{escape(term.lexical)}"'
                if term.language:
                    return f"{text}@{term.language}"
                return text if term.datatype == XSD_STRING else f"{text}^^{self.iri(term.datatype)}"
            case BlankNode(label=label):
                if not _LABEL.fullmatch(label):
                    raise ValueError(f"{label!r} cannot be the label of a blank node in a query")
                return f"_:{label}"
            case TriplePattern() | Triple():
                inside = self.triple(term)
                return f"<<( {inside} )>>" if self.triple_terms else f"<< {inside} >>"

    def triple(self, triple: TriplePattern | Triple) -> str:
        """Return subject, predicate (``a``, an IRI, a variable or a path) and object as text."""
        return f"{self.term(triple.subject)} {self.verb(triple)} {self.term(triple.object)}"

    def verb(self, triple: TriplePattern | Triple) -> str:
        """Return the predicate as text: ``a``, an IRI, a variable or a path."""
        verb = triple.predicate
        return self.term(verb) if isinstance(verb, Variable) else self.path(verb)

    def path(self, path: paths.PathElement, least: int = _ALTERNATIVE) -> str:
        """Return a property path, in brackets if it binds less tightly than `least`."""
        text, binding = self._path(path)
        return text if binding >= least else f"({text})"

    def _operand(self, path: paths.PathElement, least: int) -> str:
        return f"({self.path(path)})" if self.layout.brackets else self.path(path, least)

    def _path(self, path: paths.PathElement) -> tuple[str, int]:
        match path:
            case IRI():
                return ("a" if path == RDF_TYPE else self.iri(path.value)), _PRIMARY
            case paths.AlternativePath(left, right):
                sides = self._operand(left, _ALTERNATIVE), self._operand(right, _SEQUENCE)
                return "|".join(sides), _ALTERNATIVE
            case paths.SequencePath(left, right):
                sides = self._operand(left, _SEQUENCE), self._operand(right, _STEP)
                return "/".join(sides), _SEQUENCE
            case paths.InversePath(inner):
                return f"^{self._operand(inner, _ELEMENT)}", _STEP
            case paths.RepeatedPath(inner, modifier):
                return f"{self._operand(inner, _PRIMARY)}{modifier}", _ELEMENT
            case paths.NegatedPropertySet(forward, backward):
                members = [self.path(iri) for iri in forward]
                members += [f"^{self.path(iri)}" for iri in backward]
                alone = len(members) == 1 and not self.layout.brackets
                inside = members[0] if alone else f"({'|'.join(members)})"
                return f"!{inside}", _PRIMARY
