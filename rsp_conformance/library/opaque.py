"""Literals of a query as the store keeps them: opaque (``terms``)."""

from __future__ import annotations

from rsp_conformance.library.quoted import iri_of
from rsp_conformance.library.terms import opaque_datatype
from rsp_conformance.model.algebra import Values
from rsp_conformance.model.terms import IRI, Literal, Term, Triple


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
