"""Query forms: from solutions to the content of an answer (SPARQL 1.1, 16)."""

from __future__ import annotations

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import BlankNode, Triple
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.bgp import instance
from rsp_conformance.spec.solutions import Solution


def content(query: Query, relation: Relation) -> Content:
    """The content of an answer: rows for SELECT, a truth value for ASK, triples for CONSTRUCT.

    Args:
        query: The query with its form.
        relation: Its solutions, after the streaming operator.

    Raises:
        Unsupported: The query is a DESCRIBE.
    """
    match query.form:
        case Form.SELECT:  # 16.1
            rows = tuple(relation.rows)
            return Rows(
                relation.variables, rows, relation.ties, relation.determined, relation.computed
            )
        case Form.ASK:  # 16.3
            return Truth(bool(relation.rows))
        case Form.CONSTRUCT:
            return Triples(construct(query.template, relation), relation.computed)
        case Form.DESCRIBE:
            raise Unsupported("DESCRIBE")


def construct(template: tuple[TriplePattern, ...], relation: Relation) -> frozenset[Triple]:
    """The triples of the template under all solutions (16.2).

    A triple with an unbound variable, or with a term that RDF does not allow in its place, is left
    out. A blank node of the template is a new node for every solution (16.2.1), with a label that
    does not occur in data.
    """
    nodes = {part for t in template for part in within(t) if isinstance(part, BlankNode)}
    triples: set[Triple] = set()
    for number, row in enumerate(relation.rows):
        mu = Solution({node: BlankNode(f"{node.label}·{number}") for node in nodes})
        for name, term in zip(relation.variables, row, strict=True):
            mu = mu.binding(name, term)
        found = [instance(pattern, mu) for pattern in template]
        triples.update(triple for triple in found if isinstance(triple, Triple))
    return frozenset(triples)
