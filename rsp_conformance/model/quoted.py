"""What a query does with quoted triples (RSP-QL* Definition 1; RDF 1.2 Concepts, triple terms)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    PatternTerm,
    TriplePattern,
    Values,
)
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.walk import (
    clause_expressions,
    conditions,
    subexpressions,
    subpatterns,
    within,
)

TRIPLE_FUNCTIONS = frozenset({"TRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE"})
"""The functions on quoted triples (RDF-star 6.4; SPARQL 1.2, 17.4.6), by the algebra's names."""


def quotes(term: PatternTerm) -> Iterator[TriplePattern]:
    """Every quoted triple pattern within TERM, itself included, the outermost first."""
    return (part for part in within(term) if isinstance(part, TriplePattern))


def moves_objects_to_subjects(query: Query) -> bool:
    """Whether QUERY can make a subject of what it finds as an object.

    Where the object is a quoted triple, RDF-star and RDF 1.2 then part ways: the first makes a
    triple, the second has none with such a subject. True in case of doubt.
    """
    queries = [part for part in within(query) if isinstance(part, Query)]
    doubtful = {name for one in queries for name in _bound_as_objects(one)}
    return any(_may_be_triple(s, doubtful) for one in queries for s in _made_subjects(one))


def _bound_as_objects(query: Query) -> Iterator[str]:
    """The variables that anything but subjects, predicates and names of graphs can bind."""
    for projection in query.projection or ():
        if projection.expression is not None:
            yield projection.variable.name
    for key in query.group_by or ():
        if key.variable is not None:
            yield key.variable.name
    found = [*subpatterns(query.pattern)]
    if query.values is not None:
        found.append(query.values)
    for pattern in found:
        match pattern:
            case BGP(triples):
                for triple in triples:
                    # A path can go from objects to subjects.
                    path = not isinstance(triple.predicate, (IRI, Variable))
                    if path and isinstance(triple.subject, Variable):
                        yield triple.subject.name
                    for quoted in quotes(triple):
                        if isinstance(quoted.object, Variable):
                            yield quoted.object.name
            case Extend(_, variable, _):
                yield variable.name
            case Values(variables, rows):
                for row in rows:
                    for variable, term in zip(variables, row, strict=True):
                        if isinstance(term, Triple):
                            yield variable.name


def _made_subjects(query: Query) -> Iterator[Expression | PatternTerm]:
    """The subjects of the triples that QUERY makes, quoted ones included."""
    for triple in query.template:
        yield from (quoted.subject for quoted in quotes(triple))
    patterns = subpatterns(query.pattern)
    expressions = chain(clause_expressions(query), *[conditions(pattern) for pattern in patterns])
    for expression in expressions:
        for part in subexpressions(expression):
            if isinstance(part, TriplePattern):
                yield from (quoted.subject for quoted in quotes(part))
            elif isinstance(part, Operation) and part.name == "TRIPLE":
                yield part.arguments[0]


def _may_be_triple(subject: Expression | PatternTerm, doubtful: set[str]) -> bool:
    if isinstance(subject, Variable):
        return subject.name in doubtful
    # A quoted triple that is written as a subject counts by itself; other terms never are one.
    return isinstance(subject, (Operation, FunctionCall, Aggregate))
