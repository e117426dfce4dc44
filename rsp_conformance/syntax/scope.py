"""Which variables a pattern has in scope (SPARQL 1.1, section 18.2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    PatternTerm,
    Service,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query


def in_scope(pattern: Pattern) -> frozenset[str]:
    """The names of the variables that PATTERN has in scope."""
    return frozenset(_in_scope(pattern))


def _in_scope(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case BGP(triples):
            for triple in triples:
                yield from triple_variables(triple)
        case Join(left, right) | LeftJoin(left, right, _) | Union(left, right):
            yield from _in_scope(left)
            yield from _in_scope(right)
        case Minus(left, _):
            yield from _in_scope(left)
        case Filter(_, inner):
            yield from _in_scope(inner)
        case Extend(inner, variable, _):
            yield variable.name
            yield from _in_scope(inner)
        case Graph(name, inner) | Window(name, inner) | Service(name, inner, _):
            if isinstance(name, Variable):
                yield name.name
            yield from _in_scope(inner)
        case Values(variables, _):
            yield from (variable.name for variable in variables)
        case SubSelect(query):
            yield from selected(query)


def triple_variables(term: PatternTerm) -> Iterator[str]:
    """The variables of a triple pattern, quoted ones included."""
    if isinstance(term, Variable):
        yield term.name
    elif isinstance(term, TriplePattern):
        yield from triple_variables(term.subject)
        if isinstance(term.predicate, Variable):
            yield term.predicate.name
        yield from triple_variables(term.object)


def selected(query: Query) -> frozenset[str]:
    """The names of the variables that a SELECT query yields."""
    if query.projection is not None:
        return frozenset(p.variable.name for p in query.projection)
    names = in_scope(query.pattern)
    return names if query.values is None else names | in_scope(query.values)
