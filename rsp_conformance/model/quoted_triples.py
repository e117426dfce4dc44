"""Quoted triples in queries (RSP-QL* Definition 1; RDF 1.2 Concepts, triple terms)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rsp_conformance.model.algebra import BGP, Extend, PatternTerm, TriplePattern, Values
from rsp_conformance.model.expressions import Aggregate, FunctionCall, Operation, Variable
from rsp_conformance.model.query import GroupKey, Projection, Query
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.walk import within


def quotes(term: PatternTerm) -> Iterator[TriplePattern]:
    """All triple patterns within a term, the term itself included, the outermost first."""
    return (part for part in within(term) if isinstance(part, TriplePattern))


def moves_objects_to_subjects(query: Query) -> bool:
    """Whether a query can turn an object that it finds into a subject.

    RDF-star and RDF 1.2 differ if this object is a quoted triple: only RDF-star has triples with
    such a subject. The function returns True in case of doubt.
    """
    written = list(within(query, whole=BGP))
    doubtful = {bound for part in written for bound in _bound_to_objects(part)}
    made = [subject for part in written for subject in _made_subjects(part)]
    # A quoted triple written as a subject counts as rdf-star anyway; other terms are never quoted.
    return any(
        isinstance(subject, (Operation, FunctionCall, Aggregate))
        or (isinstance(subject, Variable) and subject in doubtful)
        for subject in made
    )


def _bound_to_objects(part: Any) -> Iterator[Any]:
    """The variables that a part may bind to objects or to computed terms."""
    match part:
        case BGP(triples):
            for triple in triples:
                if not isinstance(triple.predicate, (IRI, Variable)):
                    yield triple.subject  # A path can lead from objects to subjects.
                yield from (quoted.object for quoted in quotes(triple))
        case Extend(_, variable, _) | GroupKey(_, variable):
            yield variable
        case Projection(variable, expression) if expression is not None:
            yield variable
        case Values(variables, rows):
            for row in rows:
                for variable, term in zip(variables, row, strict=True):
                    if isinstance(term, Triple):
                        yield variable


def _made_subjects(part: Any) -> Iterator[Any]:
    """The subjects of the triples that a part makes, in a template or in an expression."""
    match part:
        case TriplePattern(subject):
            yield subject
        case Operation("TRIPLE", (subject, *_)):
            yield subject
