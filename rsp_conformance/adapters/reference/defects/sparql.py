"""Defects of MINUS, EXISTS, subqueries, VALUES, paths, aggregates, functions and quoted triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

from pyoxigraph import Literal as StoredLiteral
from pyoxigraph import NamedNode, Triple

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.defects.patterns import Rewriting
from rsp_conformance.adapters.reference.oxigraph.terms import from_model, is_quoted, triple_of
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Values,
)
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    Operation,
    Variable,
)
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal
from rsp_conformance.model.walk import rewritten_expression, subexpressions

_ZERO = Literal("0", XSD_INTEGER)


class MinusAsNotExists(Rewriting):
    """MINUS is evaluated as NOT EXISTS, and removes where nothing is shared."""

    def change(self, pattern: Pattern) -> Pattern:
        """A filter in place of the difference."""
        if not isinstance(pattern, Minus):
            return pattern
        return Filter(Exists(pattern.right, negated=True), pattern.left)


class ExistsUncorrelated(Rewriting):
    """EXISTS asks whether its pattern has any solution, whatever the solution outside binds."""

    def change(self, pattern: Pattern) -> Pattern:
        """Hide the variables of every EXISTS in a subquery."""
        if isinstance(pattern, Filter):
            return replace(pattern, condition=rewritten_expression(pattern.condition, _closed))
        if isinstance(pattern, Extend):
            return replace(pattern, expression=rewritten_expression(pattern.expression, _closed))
        return pattern


class SubquerySeesOutside(Rewriting):
    """A subquery's hidden variables are those of the same name outside."""

    def change(self, pattern: Pattern) -> Pattern:
        """Let a subquery that only projects show everything."""
        if not isinstance(pattern, SubSelect):
            return pattern
        query = pattern.query
        if query != Query(query.pattern, projection=query.projection, distinct=query.distinct):
            return pattern
        if any(projection.expression is not None for projection in query.projection or ()):
            return pattern
        return query.pattern


class ValuesUndefNeverMatches(Rewriting):
    """A row of VALUES with an UNDEF agrees with nothing."""

    def rewritten(self) -> Query:
        """Drop such rows, at the end of the query too."""
        query = super().rewritten()
        return query if query.values is None else replace(query, values=_complete(query.values))

    def change(self, pattern: Pattern) -> Pattern:
        """Drop such rows."""
        return _complete(pattern) if isinstance(pattern, Values) else pattern


class PathBag(Rewriting):
    """``p+`` and ``p*`` yield two nodes once for every length of a way between them."""

    def change(self, pattern: Pattern) -> Pattern:
        """Ways of up to three steps, each an alternative."""
        if not isinstance(pattern, BGP):
            return pattern
        return BGP(tuple(map(_with_lengths, pattern.triples)))


class AggregateSkipsErrors(Behaviour):
    """SUM leaves out what is no number, in place of an error."""

    def rewritten(self) -> Query:
        """Zeros in place of errors, which is the same for a sum."""
        query = self.query
        return replace(
            query,
            projection=None
            if query.projection is None
            else tuple(
                p
                if p.expression is None
                else Projection(p.variable, rewritten_expression(p.expression, _sum_of_numbers))
                for p in query.projection
            ),
            having=tuple(
                rewritten_expression(condition, _sum_of_numbers) for condition in query.having
            ),
        )


class ErrorAsEmptyText(Rewriting):
    """A value that cannot be computed is the empty text, in place of none."""

    def rewritten(self) -> Query:
        """Compute so in SELECT too, where nothing is grouped."""
        query = super().rewritten()
        if query.projection is None or query.group_by is not None:
            return query
        return replace(query, projection=tuple(map(_with_text, query.projection)))

    def change(self, pattern: Pattern) -> Pattern:
        """Fall back on a text."""
        if not isinstance(pattern, Extend):
            return pattern
        return replace(pattern, expression=_or_text(pattern.expression))


class QuotedAsserted(Behaviour):
    """A triple that another one quotes counts as asserted."""

    def element(self, arrival: Arrival) -> Arrival:
        """Add the quoted triples to the element's own."""
        return arrival._replace(
            triples=_with_quoted(arrival.triples), graph=_with_quoted(arrival.graph)
        )


def _closed(expression: Expression) -> Expression:
    if not isinstance(expression, Exists):
        return expression
    nothing = (Projection(Variable("rsp_closed"), _ZERO),)
    return replace(expression, pattern=SubSelect(Query(expression.pattern, projection=nothing)))


def _complete(values: Values) -> Values:
    return replace(values, rows=tuple(row for row in values.rows if None not in row))


def _with_lengths(triple: TriplePattern) -> TriplePattern:
    if isinstance(triple.predicate, Variable):
        return triple
    return replace(triple, predicate=_lengths(triple.predicate))


def _lengths(path: PathElement) -> PathElement:
    match path:
        case IRI() | NegatedPropertySet():
            return path
        case InversePath(inner):
            return InversePath(_lengths(inner))
        case SequencePath(left, right) | AlternativePath(left, right):
            return replace(path, left=_lengths(left), right=_lengths(right))
        case RepeatedPath(inner, "?"):
            return RepeatedPath(_lengths(inner), "?")
        case RepeatedPath(inner, modifier):
            step = _lengths(inner)
            first = step if modifier == "+" else RepeatedPath(step, "?")
            two = SequencePath(step, step)
            return reduce(AlternativePath, (first, two, SequencePath(two, step)))


def _sum_of_numbers(expression: Expression) -> Expression:
    if not isinstance(expression, Aggregate) or expression.name != "SUM":
        return expression
    argument = expression.argument
    assert argument is not None
    number = Operation("IF", (Operation("ISNUMERIC", (argument,)), argument, _ZERO))
    return replace(expression, argument=Operation("COALESCE", (number, _ZERO)))


def _or_text(expression: Expression) -> Expression:
    return Operation("COALESCE", (expression, Literal("")))


def _with_text(projection: Projection) -> Projection:
    expression = projection.expression
    if expression is None or any(isinstance(p, Aggregate) for p in subexpressions(expression)):
        return projection
    return replace(projection, expression=_or_text(expression))


def _with_quoted(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    known = tuple(triples)
    return tuple(dict.fromkeys((*known, *(inner for t in known for inner in _quoted(t)))))


def _quoted(triple: Triple) -> Iterator[Triple]:
    for part in (triple.subject, triple.object):
        if isinstance(part, NamedNode) and is_quoted(part.value):
            subject, predicate, value = map(from_model, triple_of(part.value))
            assert isinstance(predicate, NamedNode)
            assert not isinstance(subject, (StoredLiteral, Triple))
            yield Triple(subject, predicate, value)
