"""Groups: GROUP BY and what is aggregated over each group (SPARQL 1.1, 11, 18.2.4.1 and 18.5.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import triple_variables
from rsp_conformance.spec.aggregates import aggregated
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Multiset, Solution


def is_grouped(query: Query) -> bool:
    """Whether QUERY has groups: by GROUP BY, or one of everything where aggregates stand alone."""
    return query.group_by is not None or any(True for _ in aggregates_of(query))


def group_variables(query: Query) -> tuple[str, ...]:
    """The variables that a group's solution binds beside its aggregates: those of GROUP BY."""
    keys = [key.variable or key.expression for key in query.group_by or ()]
    return tuple(dict.fromkeys(key.name for key in keys if isinstance(key, Variable)))


def grouped(
    query: Query, solutions: Multiset, given: Solution, expressions: Expressions
) -> Multiset:
    """AggregateJoin of the groups of QUERY: one solution a group (18.5.1).

    It binds GROUP BY's variables and, under itself, each aggregate; and it extends GIVEN, which an
    EXISTS around tests. Without GROUP BY all solutions are one group, also where there are none.
    """
    out: Multiset = Counter()
    for key, members in _groups(query, solutions, expressions).items():
        mu = given
        for condition, term in zip(query.group_by or (), key, strict=True):
            variable = condition.variable or condition.expression
            if isinstance(variable, Variable) and term is not None:
                mu = mu.binding(variable.name, term)
        for aggregate in aggregates_of(query):
            mu = _bound(mu, aggregate, aggregated(aggregate, members, expressions))
        for name in _sampled(query):
            if name not in mu:
                sample = Aggregate("SAMPLE", Variable(name))
                mu = _bound(mu, name, aggregated(sample, members, expressions))
        out[mu] += 1
    return out


def _bound(mu: Solution, key: str | Aggregate, term: Term | None) -> Solution:
    return mu if term is None else mu.binding(key, term)


def _groups(
    query: Query, solutions: Multiset, expressions: Expressions
) -> dict[tuple[Term | None, ...], Multiset]:
    """Group(exprlist, Ω): the solutions by their list of keys, in which an error is a key too."""
    if query.group_by is None:
        return {(): solutions}
    groups: dict[tuple[Term | None, ...], Multiset] = {}
    for mu, count in solutions.items():
        key = tuple([expressions.value(key.expression, mu) for key in query.group_by])
        groups.setdefault(key, Counter())[mu] = count
    return groups


def aggregates_of(query: Query) -> Iterator[Aggregate]:
    """The aggregates of SELECT, HAVING and ORDER BY, with repetitions."""
    for expression in _after_grouping(query):
        yield from _aggregates_in(expression)


def _aggregates_in(expression: Expression) -> Iterator[Aggregate]:
    match expression:
        case Aggregate():
            yield expression
        case Operation(_, arguments) | FunctionCall(_, arguments):
            for argument in arguments:
                yield from _aggregates_in(argument)


def _after_grouping(query: Query) -> Iterator[Expression]:
    """The expressions that are evaluated on groups."""
    yield from (p.expression for p in query.projection or () if p.expression is not None)
    yield from query.having
    yield from (key.expression for key in query.order_by)


def _sampled(query: Query) -> Iterator[str]:
    """The variables that are used after grouping outside of aggregates, which stand for SAMPLE.

    18.2.4.1 replaces every such variable; one that GROUP BY or the SELECT clause itself binds is
    none of the solutions that are grouped.
    """
    defined = {p.variable.name for p in query.projection or () if p.expression is not None}
    used = [p.variable.name for p in query.projection or () if p.expression is None]
    used += [name for expression in _after_grouping(query) for name in _unaggregated(expression)]
    kept = defined.union(group_variables(query))
    yield from (name for name in dict.fromkeys(used) if name not in kept)


def _unaggregated(expression: Expression) -> Iterator[str]:
    match expression:
        case Variable(name):
            yield name
        case TriplePattern():
            yield from triple_variables(expression)
        case Operation(_, arguments) | FunctionCall(_, arguments):
            for argument in arguments:
                yield from _unaggregated(argument)
