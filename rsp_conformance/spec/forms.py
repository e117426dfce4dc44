"""Query forms: from solutions to the content of an answer (SPARQL 1.1, 16)."""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.relation import Relation


def content(query: Query, relation: Relation) -> Content:
    """What QUERY's form makes of RELATION, or of what a streaming operator left of it."""
    match query.form:
        case Form.SELECT:  # 16.1
            rows = tuple(relation.rows)
            return Rows(relation.variables, rows, relation.ties, relation.determined)
        case Form.ASK:  # 16.3
            return Truth(bool(relation.rows))
        case Form.CONSTRUCT:
            return Triples(construct(query.template, relation))
        case Form.DESCRIBE:
            raise Unsupported("DESCRIBE")


def construct(template: tuple[TriplePattern, ...], relation: Relation) -> frozenset[Triple]:
    """The union of TEMPLATE under every solution (16.2).

    A triple with an unbound variable, or a term where RDF does not allow it, is left out. A blank
    node of the template is a new one for every solution (16.2.1).
    """
    triples: set[Triple] = set()
    for number, row in enumerate(relation.rows):
        solution = dict(zip(relation.variables, row, strict=True))
        for pattern in template:
            triple = _instance(pattern, solution, number)
            if isinstance(triple, Triple):
                triples.add(triple)
    return frozenset(triples)


def _instance(part: object, solution: Mapping[str, Term | None], number: int) -> Term | None:
    match part:
        case Variable(name):
            return solution.get(name)
        case BlankNode():
            # The sign keeps the label apart from those of the data.
            return BlankNode(f"{part.label}·{number}")
        case TriplePattern():
            parts = (part.subject, part.predicate, part.object)
            subject, predicate, object_ = (_instance(p, solution, number) for p in parts)
            if not isinstance(subject, (IRI, BlankNode, Triple)) or object_ is None:
                return None
            return Triple(subject, predicate, object_) if isinstance(predicate, IRI) else None
        case IRI() | Literal() | Triple():
            return part
    return None
