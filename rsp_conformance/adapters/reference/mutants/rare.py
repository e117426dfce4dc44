"""Mutants that properties find by chance alone, in more than 200 cases: causes may name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

from rsp_conformance.adapters.reference.mutant import (
    PATTERN,
    QUERY,
    REPORTS,
    MutatedRun,
    mutant,
)
from rsp_conformance.adapters.reference.mutants.answers import null_if_empty
from rsp_conformance.adapters.reference.mutants.optimisers import equated, flat
from rsp_conformance.adapters.reference.mutants.sparql import ONE, ZERO, joined_by_size
from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation, Variable
from rsp_conformance.model.paths import RepeatedPath
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import group_aggregates, in_scope, is_grouped
from rsp_conformance.model.walk import children, mentioned, rewritten, with_children
from rsp_conformance.text.escapes import escape

_TRUE = Literal("true", XSD_BOOLEAN)
_FALSE = Literal("false", XSD_BOOLEAN)


_LOCAL_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
"""The end of an IRI that is an XML name by itself."""


@mutant(
    QUERY,
    "C-SPARQL: Jena 2.13 takes the pattern of EXISTS for all that there is",
    needs="exists filter",
    where="a FILTER within EXISTS that compares with a variable from outside",
)
def exists_equality_blind(query: Query, run: MutatedRun) -> Query:
    """An equality in a FILTER within EXISTS never holds for a variable from outside."""
    # Outside of EXISTS such a variable is unbound, and the equality an error.
    return rewritten(query, _without_outside)


@mutant(
    QUERY,
    "C-SPARQL: so Jena 2.13 has it",
    needs="aggregates",
    where="GROUP_CONCAT(DISTINCT …) in an evaluation without solutions",
)
def distinct_concatenation_unbound(query: Query, run: MutatedRun) -> Query:
    """GROUP_CONCAT with DISTINCT is unbound over nothing, in place of the empty text."""

    def of_nothing(part: Any) -> Any:
        if isinstance(part, Aggregate) and part.name == "GROUP_CONCAT" and part.distinct:
            return null_if_empty(part)
        return part

    return rewritten(query, of_nothing, (Aggregate, Exists))


@mutant(
    REPORTS,
    "C-SPARQL: Jena 2.13 refuses such a predicate, and Esper swallows the exception",
    where="a predicate such as :0",
)
def predicate_silences(reports: bool, run: MutatedRun) -> bool:
    """A window that holds a predicate whose local name begins with a digit is not answered."""
    return reports and all(
        _LOCAL_NAME.search(triple.predicate.value)
        for window in run.windows
        for arrival in window.content
        for triple in arrival.triples
    )


@mutant(
    QUERY,
    "rsp-js: Comunica filters what its left join gives",
    needs="optional filter",
    where="a FILTER that ends an OPTIONAL, also in a group of its own there",
)
def optional_filter_drops(query: Query, run: MutatedRun) -> Query:
    """A solution that OPTIONAL extends and its FILTER rejects is dropped, not kept as it was."""
    return replace(query, pattern=_filtered_late(query.pattern))


@mutant(
    QUERY,
    "rsp-js: Comunica has it so",
    needs="functions",
    where='langMatches with "*", and a string without a language',
)
def any_language_matches_none(query: Query, run: MutatedRun) -> Query:
    """The range "*" of langMatches fits the empty tag, of a string without a language, too."""
    return rewritten(query, _matched_by_any)


@mutant(
    QUERY,
    "CQELS 1: background data are asked for their solutions at the registration",
    needs="static-data",
    where="two solutions of background data that differ in a variable that nothing else reads",
)
def background_rows_once(query: Query, run: MutatedRun) -> Query:
    """Solutions of background data are cut to the variables that are read, and come once each."""
    everywhere = Counter(mentioned(query))

    def once(part: Any) -> Any:
        if not isinstance(part, BGP) or not part.triples:
            return part
        own = Counter(mentioned(part))
        read = [name for name in own if query.projection is None or everywhere[name] > own[name]]
        shown = [Projection(Variable(name)) for name in read]
        shown = shown or [Projection(Variable("rsp_any"), _TRUE)]
        return SubSelect(Query(part, projection=tuple(shown), distinct=True))

    return rewritten(query, once, (Window, Exists))


@mutant(
    PATTERN,
    "rsp-js: Comunica takes the size of what is aggregated for that of the result",
    needs="subqueries aggregates",
    where="an aggregate over nothing in a subquery, within a join",
)
def join_with_aggregate_of_nothing(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A join is empty if an operand is a subquery that aggregates nothing."""
    return joined_by_size(
        pattern, lambda part: isinstance(part, SubSelect) and is_grouped(part.query)
    )


@mutant(
    QUERY,
    "rsp-js: Comunica remembers the solutions that DISTINCT has met for all aggregates together",
    needs="aggregates distinct",
    where="two aggregates with DISTINCT over two values",
    otherwise=(lambda query, run: rewritten(query, _starved("MAX"), (Aggregate, Exists)),),
)
def distinct_aggregates_starve(query: Query, run: MutatedRun) -> Query:
    """Of several aggregates with DISTINCT the later ones miss what the first one has met."""
    # Which one that is nothing says; of two values it is the least or the greatest.
    return rewritten(query, _starved("MIN"), (Aggregate, Exists))


@mutant(
    PATTERN,
    "rsp-js: Comunica looks for nodes among the triples whose subject is their object",
    needs="paths",
    where="a path ``p?`` between two variables",
)
def nodes_without_themselves(pattern: Pattern, run: MutatedRun) -> Pattern:
    """``?x p? ?y`` has a node by itself only where a triple joins the node to itself."""
    if not isinstance(pattern, BGP):
        return pattern
    paths = [triple for triple in pattern.triples if _is_optional_step(triple)]
    others: Pattern = BGP(tuple(triple for triple in pattern.triples if triple not in paths))
    return reduce(Join, map(_step_or_loop, paths), others) if paths else pattern


def _without_outside(part: Any) -> Any:
    if not isinstance(part, Filter):
        return part
    known = set(in_scope(part.pattern))
    for condition in flat("&&", part.condition):
        names = equated(condition)
        if names and not names <= known:
            return Filter(_FALSE, part.pattern)
    return part


def _filtered_late(pattern: Pattern) -> Pattern:
    if not isinstance(pattern, LeftJoin):
        return with_children(pattern, tuple(map(_filtered_late, children(pattern))))
    condition, right = pattern.condition, pattern.right
    if condition is None:
        condition, right = _last_filter(right)
    joined = LeftJoin(_filtered_late(pattern.left), _filtered_late(right))
    if condition is None:
        return joined
    # What is not extended, or not in all its variables, is not asked.
    for name in in_scope(right):
        bound = Operation("BOUND", (Variable(name),))
        condition = Operation("IF", (bound, condition, _TRUE))
    return Filter(condition, joined)


def _last_filter(pattern: Pattern) -> tuple[Expression | None, Pattern]:
    match pattern:
        case Filter(condition, inside):
            return condition, inside
        case Window() | Graph() if not isinstance(pattern.name, Variable):
            found, inside = _last_filter(pattern.pattern)
            return found, replace(pattern, pattern=inside)
        case _:
            return None, pattern


def _matched_by_any(part: Any) -> Any:
    match part:
        case Operation("LANGMATCHES", (tag, Literal(lexical="*"))):
            return Operation("=", (tag, tag))
        case _:
            return part


def _starved(which: str) -> Callable[[Any], Any]:
    def starved(part: Any) -> Any:
        if not isinstance(part, Query):
            return part
        late = [own for own in group_aggregates(part) if own.distinct][1:]

        def of_one(own: Any) -> Any:
            return _of_one(own, which) if own in late else own

        clauses = rewritten(replace(part, pattern=BGP(())), of_one, Exists)
        return replace(clauses, pattern=part.pattern)

    return starved


def _of_one(aggregate: Aggregate, which: str) -> Expression:
    """`aggregate` over the least or the greatest value of a group alone."""
    value = Aggregate(which, aggregate.argument)
    match aggregate.name:
        case "COUNT":
            counted = replace(aggregate, distinct=False)
            return Operation("IF", (Operation(">", (counted, ZERO)), ONE, ZERO))
        case "SUM" | "AVG":
            some, found = Operation("+", (value, ZERO)), ZERO
        case "GROUP_CONCAT":
            some, found = Operation("STR", (value,)), Literal("")
        case _:
            return value
    empty = Operation("=", (Aggregate("COUNT", None), ZERO))
    return Operation("IF", (empty, found, some))


def _is_optional_step(triple: TriplePattern) -> bool:
    path, ends = triple.predicate, (triple.subject, triple.object)
    is_optional = isinstance(path, RepeatedPath) and path.modifier == "?"
    return is_optional and all(isinstance(end, Variable) for end in ends)


def _step_or_loop(triple: TriplePattern) -> Pattern:
    assert isinstance(triple.predicate, RepeatedPath)
    ends = [end for end in (triple.subject, triple.object) if isinstance(end, Variable)]
    step = BGP((replace(triple, predicate=triple.predicate.path),))
    any_triple = BGP((replace(triple, predicate=Variable("rsp_loop")),))
    loop = Filter(Operation("=", tuple(ends)), any_triple)
    columns = tuple(map(Projection, dict.fromkeys(ends)))
    return SubSelect(Query(Union(step, loop), projection=columns, distinct=True))


@mutant(
    PATTERN,
    "CQELS 2: a constant is stored as the query writes it",
    where="a literal with a quote, a backslash or a line end in a triple pattern",
)
def pattern_escapes_kept(pattern: Pattern, run: MutatedRun) -> Pattern:
    """The escapes of a literal in a triple pattern are not undone: a quote is two characters."""
    if not isinstance(pattern, BGP):
        return pattern

    def kept(triple: TriplePattern) -> TriplePattern:
        if not isinstance(written := triple.object, Literal):
            return triple
        text = Literal(escape(written.lexical), written.datatype, written.language)
        return replace(triple, object=text)

    return BGP(tuple(map(kept, pattern.triples)))


@mutant(
    QUERY,
    "Comunica: REPLACE takes its third argument as JavaScript does",
    needs="functions",
    where="a replacement with a backslash",
)
def replacement_as_written(query: Query, run: MutatedRun) -> Query:
    """A backslash in the replacement of REPLACE is no escape: it comes out with what follows it."""

    def change(part: Any) -> Any:
        if not isinstance(part, Operation) or part.name != "REPLACE":
            return part
        text, pattern, given, *flags = part.arguments
        if not isinstance(given, Literal) or "\\" not in given.lexical:
            return part
        kept = re.sub(r"\\(.)", r"\\\\\\\1", given.lexical, flags=re.DOTALL)
        return replace(part, arguments=(text, pattern, Literal(kept), *flags))

    return rewritten(query, change)
