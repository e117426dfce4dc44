"""Query forms: from solutions to the content of an answer (SPARQL 1.1, section 16)."""

from __future__ import annotations

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.relation import Relation


def content(query: Query, relation: Relation) -> Content:
    """The content that a query's form makes of its solutions, or of those that R2S left.

    Raises:
        Unsupported: the form is not evaluated.
    """
    match query.form:
        case Form.SELECT:
            rows = tuple(relation.rows)
            return Rows(
                relation.variables, rows, relation.ties, relation.determined, relation.computed
            )
        case Form.ASK:
            return Truth(bool(relation.rows))
        case Form.CONSTRUCT:
            return Triples(construct(query.template, relation), relation.computed)
        case _:
            raise Unsupported(query.form.value)


def construct(template: tuple[TriplePattern, ...], relation: Relation) -> frozenset[Triple]:
    """The union of a template under every solution (16.2).

    A triple with an unbound variable, or a term where RDF does not allow it, is left out. A blank
    node of the template is a new one for every solution: its label tells the solution's position,
    and the sign between keeps it apart from labels of the data.
    """
    triples: set[Triple] = set()
    for position, row in enumerate(relation.rows):
        binding = dict(zip(relation.variables, row, strict=True))
        for pattern in template:
            triple = _instantiate(pattern, binding, position)
            if triple is not None:
                triples.add(triple)
    return frozenset(triples)


def _instantiate(
    pattern: TriplePattern, binding: dict[str, Term | None], position: int
) -> Triple | None:
    subject = _term(pattern.subject, binding, position)
    predicate = _term(pattern.predicate, binding, position)
    object_ = _term(pattern.object, binding, position)
    if not isinstance(subject, (IRI, BlankNode, Triple)) or not isinstance(predicate, IRI):
        return None
    return None if object_ is None else Triple(subject, predicate, object_)


def _term(part: object, binding: dict[str, Term | None], position: int) -> Term | None:
    if isinstance(part, Variable):
        return binding.get(part.name)
    if isinstance(part, BlankNode):
        return BlankNode(f"{part.label}·{position}")
    if isinstance(part, TriplePattern):
        return _instantiate(part, binding, position)
    return part if isinstance(part, (IRI, Literal, Triple)) else None
