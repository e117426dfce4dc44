"""Mutants of MINUS, EXISTS, subqueries, VALUES, paths, aggregates, functions and quoted triples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from pyoxigraph import Literal as StoredLiteral
from pyoxigraph import NamedNode, Triple

from rsp_conformance.adapters.reference.mutant import (
    ELEMENT,
    PARSED,
    PATTERN,
    QUERY,
    MutatedRun,
    mutant,
)
from rsp_conformance.adapters.reference.oxigraph.terms import from_model, is_quoted, triple_of
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
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
from rsp_conformance.model.walk import rewritten, rewritten_pattern, subexpressions, subpatterns

ZERO: Final = Literal("0", XSD_INTEGER)
ONE: Final = Literal("1", XSD_INTEGER)


@mutant(
    PATTERN,
    "LARS Figure 1: MINUS as negation; engines that rewrite it so",
    needs="minus",
    where="a MINUS that shares no variable, or whose FILTER speaks of one outside",
)
def minus_as_not_exists(pattern: Pattern, run: MutatedRun) -> Pattern:
    """MINUS is evaluated as NOT EXISTS, and removes where nothing is shared."""
    if not isinstance(pattern, Minus):
        return pattern
    return Filter(Exists(pattern.right, negated=True), pattern.left)


@mutant(QUERY, "engines that evaluate EXISTS once and for all solutions", needs="exists")
def exists_uncorrelated(query: Query, run: MutatedRun) -> Query:
    """EXISTS asks whether its pattern has any solution, whatever the solution outside binds."""
    return rewritten(query, _closed, Exists)


@mutant(
    PATTERN,
    "engines that merge a subquery's pattern into the pattern around it",
    needs="subqueries",
    where="a variable that the subquery hides and the query uses, or rows that it makes equal",
)
def subquery_sees_outside(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A subquery's hidden variables are those of the same name outside."""
    if not isinstance(pattern, SubSelect):
        return pattern
    query = pattern.query
    if query != Query(query.pattern, projection=query.projection, distinct=query.distinct):
        return pattern
    if any(projection.expression is not None for projection in query.projection or ()):
        return pattern
    return query.pattern


@mutant(
    PARSED,
    "Kolibrie: a subquery beside WINDOW is parsed and ignored",
    needs="subqueries",
)
def subqueries_ignored(query: Query, run: MutatedRun) -> Query:
    """Subqueries are parsed and never evaluated: the rest of the group is the answer."""
    return rewritten(query, lambda part: BGP() if isinstance(part, SubSelect) else part)


@mutant(PARSED, "Kolibrie: VALUES beside WINDOW is parsed and ignored", needs="values")
def values_ignored(query: Query, run: MutatedRun) -> Query:
    """VALUES is parsed and never applied, neither within WHERE nor behind it."""

    def without(part: Any) -> Any:
        if isinstance(part, Query):
            return part if part.values is None else replace(part, values=None)
        return BGP() if isinstance(part, Values) else part

    return rewritten(query, without)


@mutant(QUERY, "engines that join VALUES by equality", needs="values", where="an UNDEF")
def values_undef_never_matches(query: Query, run: MutatedRun) -> Query:
    """A row of VALUES with an UNDEF agrees with nothing."""
    return rewritten(query, _complete, Exists)


@mutant(
    PATTERN,
    "drafts of SPARQL 1.1, which counted paths (Arenas, Conca, Perez 2012)",
    needs="paths",
    where="two ways between two nodes",
)
def path_bag(pattern: Pattern, run: MutatedRun) -> Pattern:
    """``p+`` and ``p*`` yield two nodes once for every length of a way between them."""
    return BGP(tuple(map(_with_lengths, pattern.triples))) if isinstance(pattern, BGP) else pattern


@mutant(
    QUERY,
    "CQELS 2, and engines that add up what they can",
    needs="aggregates",
    where="a SUM or AVG over a text",
)
def aggregate_skips_errors(query: Query, run: MutatedRun) -> Query:
    """SUM and AVG leave out what is no number, in place of an error."""
    # Zeros are the same for a sum.
    return rewritten(query, _sum_of_numbers, (Aggregate, Exists))


@mutant(
    QUERY,
    "rsp-js, rsp-rs: Comunica and Oxigraph have it so",
    needs="aggregates",
    where="a COUNT over an error or an unbound variable",
    otherwise=(lambda query, run: rewritten(query, _plain_count_of_all, (Aggregate, Exists)),),
)
def count_of_error_unbound(query: Query, run: MutatedRun) -> Query:
    """COUNT has no value if a row has an error or nothing to count, in place of passing it over."""
    return rewritten(query, _count_of_all, (Aggregate, Exists))


@mutant(
    QUERY,
    "engines that have no word for an unbound value",
    needs="bind",
    where="an expression that is an error",
)
def error_as_empty_text(query: Query, run: MutatedRun) -> Query:
    """A value that cannot be computed is the empty text, in place of none."""

    def assigned(pattern: Pattern) -> Pattern:
        if not isinstance(pattern, Extend):
            return pattern
        return replace(pattern, expression=_or_text(pattern.expression))

    query = replace(query, pattern=rewritten_pattern(query.pattern, assigned))
    if query.projection is None or query.group_by is not None:
        return query
    return replace(query, projection=tuple(map(_with_text, query.projection)))


@mutant(
    PATTERN,
    "rsp-js: Comunica takes an OPTIONAL's size for a product, and joins with size 0 for empty",
    needs="optional",
    where="an OPTIONAL within a join, whose optional pattern matches nothing at all",
)
def join_with_unmatched_optional(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A join is empty if an operand is an OPTIONAL whose optional pattern matches nothing."""
    return joined_by_size(pattern, lambda part: isinstance(part, LeftJoin))


def joined_by_size(pattern: Pattern, misjudged: Callable[[Pattern], bool]) -> Pattern:
    """Return a join that is empty if an operand with such a part has the guessed size 0."""
    if not isinstance(pattern, Join):
        return pattern
    found: Pattern = pattern
    for operand in (pattern.left, pattern.right):
        if any(map(misjudged, subpatterns(operand))):
            found = Filter(_size(operand, lambda inside: inside), found)
    return found


def _size(pattern: Pattern, where: Callable[[Pattern], Pattern]) -> Expression:
    """Return whether the size of a pattern is guessed above 0, in the graph of `where`."""
    match pattern:
        case Join(left, right) | LeftJoin(left, right):
            return Operation("&&", (_size(left, where), _size(right, where)))
        case Union(left, right):
            return Operation("||", (_size(left, where), _size(right, where)))
        case Filter(_, inside) | Extend(inside) | Minus(inside):
            return _size(inside, where)
        case SubSelect(query):
            return _size(query.pattern, where)
        case Window() | Graph():
            return _size(pattern.pattern, lambda inside: where(replace(pattern, pattern=inside)))
        case BGP(triples) if triples:
            there: list[Expression] = [_closed(Exists(where(BGP((t,))))) for t in triples]
            return reduce(lambda one, other: Operation("&&", (one, other)), there)
        case _:
            return ONE


@mutant(
    ELEMENT,
    "RDF-star's early mode in which an annotation asserts its triple",
    needs="rdf-star",
    where="a quoted triple whose statement is asked for too",
)
def quoted_asserted(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple that another one quotes counts as asserted."""
    return arrival._replace(
        triples=_with_quoted(arrival.triples), graph=_with_quoted(arrival.graph)
    )


def _closed(expression: Any) -> Any:
    if not isinstance(expression, Exists):
        return expression
    nothing = (Projection(Variable("rsp_closed"), ZERO),)
    return replace(expression, pattern=SubSelect(Query(expression.pattern, projection=nothing)))


def _complete(part: Any) -> Any:
    if not isinstance(part, Values):
        return part
    return replace(part, rows=tuple(row for row in part.rows if None not in row))


def _with_lengths(triple: TriplePattern) -> TriplePattern:
    if isinstance(triple.predicate, Variable):
        return triple
    return replace(triple, predicate=_lengths(triple.predicate))


def _lengths(path: PathElement) -> PathElement:
    """`path` with ways of up to three steps, each an alternative."""
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


def _sum_of_numbers(expression: Any) -> Any:
    if not isinstance(expression, Aggregate) or expression.name not in ("SUM", "AVG"):
        return expression
    argument = expression.argument
    assert argument is not None
    is_number = Operation("ISNUMERIC", (argument,))

    def total(number: Expression) -> Aggregate:
        known = Operation("IF", (is_number, number, ZERO))
        return replace(expression, name="SUM", argument=Operation("COALESCE", (known, ZERO)))

    if expression.name == "SUM":
        return total(argument)
    if expression.distinct:
        return expression
    return Operation("/", (total(argument), total(ONE)))


def _count_of_all(part: Any) -> Any:
    if not isinstance(part, Aggregate) or part.name != "COUNT" or part.argument is None:
        return part
    all_counted = Operation("=", (replace(part, distinct=False), Aggregate("COUNT", None)))
    return Operation("IF", (all_counted, part, Operation("/", (ZERO, ZERO))))


def _plain_count_of_all(part: Any) -> Any:
    return part if isinstance(part, Aggregate) and part.distinct else _count_of_all(part)


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
