"""The demands of a query on the triples of its windows: its basic graph patterns.

**What is sought.** Conditions that a triple must meet to change any answer, so that all others can
be left out before windows are filled (`prefilter`).

**How.** A query finds everything that it finds in a graph by a basic graph pattern, so triples that
take part in no solution of one change no answer. Conditions of FILTERs above a pattern are pushed
down to it as far as the laws of *Uncertainty*, Table 1 (FJPush, FLPush, FWPush), allow: into both
sides of a join or union, and into the left side of OPTIONAL and MINUS only.

The pattern of an EXISTS finds no more than it would by itself: the solution that is tested replaces
variables, and every solution of the replaced pattern is one of the pattern. So its basic graph
patterns are demands like others, under its own FILTERs alone; so are those of a subquery. But by
the letter a blank node that is tested may match another node (``sparql.substitution``), while a
FILTER sees the blank node itself: a condition that this could meet says nothing about matches.

**What it guarantees.** A triple that meets no demand changes no answer, and no refusal: a query
with a part for which that is not known has no demands, and everything is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.model import algebra
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Exists, Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.model.uncertainty import SUMS, function_name, is_uncertain
from rsp_conformance.model.walk import clause_expressions, conditions, subexpressions
from rsp_conformance.spark.worker.expressions import Frame, compile_test
from rsp_conformance.sparql.readings import aside

MOST_VARIABLES = 2
"""Conditions on more variables are not looked at."""


@dataclass(frozen=True, slots=True)
class DemandedCondition:
    """A condition that a solution must make true, with the names of its variables."""

    expression: Expression
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """A basic graph pattern with conditions on its solutions.

    Only solutions that meet all conditions can matter to the query.

    Attributes:
        triples: the patterns.
        conditions: the conditions.
        base: resolves IRI().
    """

    triples: tuple[algebra.TriplePattern, ...]
    conditions: tuple[DemandedCondition, ...]
    base: str | None = None


class _Unknown(Exception):
    """The query has a part for which it is not known which triples it looks at."""


def demands(query: Query) -> tuple[Demand, ...] | None:
    """The demands of a query on its windows; None if everything in them may matter.

    That is so with a property path, which may match any node, with SERVICE and DESCRIBE, and if an
    expression may refuse a value, whether the row is used or not.
    """
    if query.form is Form.DESCRIBE:
        return None
    try:
        return tuple(Demand(triples, asked, query.base) for triples, asked in _of_query(query))
    except _Unknown:
        return None


_FoundDemand: TypeAlias = "tuple[tuple[algebra.TriplePattern, ...], tuple[DemandedCondition, ...]]"


def _of_query(query: Query) -> Iterator[_FoundDemand]:
    """The basic graph patterns of a query, with those of EXISTS outside of its pattern."""
    yield from _of_pattern(query.pattern, ())
    for expression in clause_expressions(query):
        yield from _of_expression(expression)
    for key in query.group_by or ():
        yield from _of_expression(key.expression)


def _of_expression(expression: Expression) -> Iterator[_FoundDemand]:
    """The basic graph patterns of the EXISTS in an expression."""
    parts = list(subexpressions(expression))
    # A sum of distributions that becomes a term may be refused, whether the row is used or not.
    passed_on = [a for part in parts if is_uncertain(part) for a in _arguments(part)]
    if sum(map(_is_sum, parts)) > sum(map(_is_sum, passed_on)):
        raise _Unknown
    for part in parts:
        if isinstance(part, Exists):
            for triples, asked in _of_pattern(part.pattern, ()):
                yield triples, tuple(c for c in asked if not _met_by_blank_nodes(c))


def _met_by_blank_nodes(condition: DemandedCondition) -> bool:
    """Whether a blank node may meet a condition; yes if it has two variables."""
    if len(condition.variables) > 1:
        return True
    try:
        test = compile_test(condition.expression, Frame({condition.variables[0]: 0}))
    except Unsupported:
        return True
    with aside():
        return test((BlankNode("given"),)) is True


def _of_pattern(
    pattern: algebra.Pattern, asked: tuple[DemandedCondition, ...]
) -> Iterator[_FoundDemand]:
    """The basic graph patterns of a pattern, with conditions on all solutions that matter."""
    for expression in conditions(pattern):
        yield from _of_expression(expression)
    match pattern:
        case algebra.BGP(triples):
            if any(not isinstance(triple.predicate, (IRI, Variable)) for triple in triples):
                raise _Unknown
            bound = {part.name for triple in triples for part in _variables(triple)}
            yield triples, tuple(c for c in asked if bound.issuperset(c.variables))
        case algebra.Filter(condition, inner):
            yield from _of_pattern(inner, asked + tuple(_conditions(condition)))
        case algebra.Join(left, right) | algebra.Union(left, right):
            yield from _of_pattern(left, asked)
            yield from _of_pattern(right, asked)
        case algebra.LeftJoin(left, right) | algebra.Minus(left, right):
            yield from _of_pattern(left, asked)
            # A solution of the right side that fails a condition still keeps its left one from
            # standing alone, or from staying.
            yield from _of_pattern(right, ())
        case algebra.SubSelect(query):
            # Solutions that fail a condition outside still count in aggregates and LIMIT inside.
            yield from _of_query(query)
        case algebra.Extend(inner, _, _) | algebra.Graph(_, inner) | algebra.Window(_, inner):
            yield from _of_pattern(inner, asked)
        case algebra.Values():
            return
        case _:
            raise _Unknown


def _variables(triple: algebra.TriplePattern) -> Iterator[Variable]:
    """The variables at the positions of a pattern, without those in quoted patterns."""
    for part in (triple.subject, triple.predicate, triple.object):
        if isinstance(part, Variable):
            yield part


def _conditions(expression: Expression) -> Iterator[DemandedCondition]:
    """The conjuncts of an expression: if it is true, all of them are."""
    if isinstance(expression, Operation) and expression.name == "&&":
        for argument in expression.arguments:
            yield from _conditions(argument)
        return
    parts = list(subexpressions(expression))
    names = tuple(dict.fromkeys(part.name for part in parts if isinstance(part, Variable)))
    other = any(isinstance(part, (algebra.TriplePattern, Exists)) for part in parts)
    # A probability may take as long as the evaluation of everything that it could spare.
    uncertain = any(map(is_uncertain, parts))
    if 0 < len(names) <= MOST_VARIABLES and not other and not uncertain:
        yield DemandedCondition(expression, names)


def _arguments(expression: Expression) -> tuple[Expression, ...]:
    return expression.arguments if isinstance(expression, FunctionCall) else ()


def _is_sum(expression: Expression) -> bool:
    return isinstance(expression, FunctionCall) and function_name(expression) in SUMS
