"""Mutants of pattern evaluation and of query optimisers: another pattern than was asked.

Optimisers rewrite patterns by what is no law, or lose parts on the way.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from rsp_conformance.adapters.reference.mutant import CONDITION, PATTERN, QUERY, MutatedRun, mutant
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
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
from rsp_conformance.model.expressions import Exists, Expression, Operation, Variable
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import (
    children,
    mentioned,
    rewritten,
    subexpressions,
    subpatterns,
    with_children,
    within,
)

_TRUE = Literal("true", XSD_BOOLEAN)
_FALSE = Literal("false", XSD_BOOLEAN)
_COMPARISONS = frozenset(("=", "!=", "<", ">", "<=", ">="))


@mutant(PATTERN, "RSP-QL Definition 16 item 9, as our copy prints it", needs="optional")
def optional_as_join(pattern: Pattern, run: MutatedRun) -> Pattern:
    """OPTIONAL leaves out solutions without a match."""
    if not isinstance(pattern, LeftJoin):
        return pattern
    joined = Join(pattern.left, pattern.right)
    return joined if pattern.condition is None else Filter(pattern.condition, joined)


@mutant(CONDITION, "engines that catch errors around a filter", needs="filter")
def filter_error_true(condition: Expression, run: MutatedRun) -> Expression:
    """A FILTER that errs lets the solution pass."""
    return Operation("COALESCE", (condition, _TRUE))


@mutant(
    QUERY,
    "CQELS 2: what cannot be compared is false, and not an error",
    needs="filter|bind|aggregates|order|having",
    where="a literal compared with one of another kind, negated or by !=",
)
def incomparable_unequal(query: Query, run: MutatedRun) -> Query:
    """Literals that cannot be compared are unequal, neither less nor greater, and no error."""
    return rewritten(query, _compared)


@mutant(PATTERN, "engines with set semantics inside", needs="union")
def union_dedup(pattern: Pattern, run: MutatedRun) -> Pattern:
    """UNION drops the solutions that both sides have."""
    if not isinstance(pattern, Union):
        return pattern
    variables = tuple(Projection(Variable(name)) for name in sorted(in_scope(pattern)))
    return SubSelect(Query(pattern, projection=variables, distinct=True))


@mutant(PATTERN, "RSP-QL Definition 16, as printed", needs="window-variable")
def window_variable_unbound(pattern: Pattern, run: MutatedRun) -> Pattern:
    """``WINDOW ?x`` ranges over the windows and leaves ?x unbound, as the paper prints it."""
    if not isinstance(pattern, Window) or not isinstance(pattern.name, Variable):
        return pattern
    branches: list[Pattern] = [
        Window(window.name, pattern.pattern) for window in run.query.windows if window.named
    ]
    return reduce(Union, branches) if branches else pattern


@mutant(
    PATTERN,
    "optimisers that push filters without FLPush's condition",
    needs="filter optional",
    where="a FILTER behind OPTIONAL, in one group",
    relation="law[FLPush]",
)
def filter_into_optional(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A FILTER of a group that ends with OPTIONAL is pushed into the OPTIONAL."""
    match pattern:
        case Filter(condition, LeftJoin(_, right) as optional):
            return replace(optional, right=Filter(condition, right))
        case _:
            return pattern


@mutant(
    PATTERN,
    "engines that compile the inside of WINDOW alone",
    needs="filter",
    where="a FILTER behind WINDOW",
    relation="law[FWPush]",
)
def window_filter_forgotten(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A FILTER that stands right behind WINDOW, outside of it, is forgotten."""
    match pattern:
        case Filter(_, Window() as inside):
            return inside
        case _:
            return pattern


@mutant(
    PATTERN,
    "rsp-js: Comunica carries GRAPH into filters, and not into what BIND computes",
    needs="bind exists",
    where="an EXISTS in a BIND within WINDOW, that something in the window matches",
)
def bind_outside_window(pattern: Pattern, run: MutatedRun) -> Pattern:
    """EXISTS in a BIND is asked of the default graph, not of the window around it."""
    if not isinstance(pattern, (Window, Graph)) or isinstance(pattern.name, Variable):
        return pattern
    binds = (part for part in subpatterns(pattern) if isinstance(part, Extend))
    asking = any(isinstance(p, Exists) for bind in binds for p in subexpressions(bind.expression))
    return _carried_in(pattern.pattern, pattern) if asking else pattern


@mutant(
    PATTERN,
    "rsp-js: Comunica writes GRAPH into triple patterns, the innermost one alone",
    needs="named-graphs",
    where="a GRAPH in which nothing but another GRAPH or VALUES asks for triples",
)
def outer_graph_dropped(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A GRAPH around another GRAPH binds nothing, and its pattern is evaluated once."""
    if not isinstance(pattern, Graph):
        return pattern
    asks = any(
        isinstance(part, BGP) and part.triples for part in within(pattern.pattern, (Graph, Window))
    )
    return pattern if asks else pattern.pattern


@mutant(
    PATTERN,
    "CQELS 1: a FILTER over what BIND binds is ignored",
    needs="filter bind",
    where="a FILTER over a variable that BIND binds",
    relation="law[Lazy]",
)
def filter_over_bind_forgotten(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A FILTER that reads a variable that BIND binds is forgotten."""
    if not isinstance(pattern, Filter):
        return pattern
    bound = {part.variable for part in subpatterns(pattern.pattern) if isinstance(part, Extend)}
    return pattern if bound.isdisjoint(within(pattern.condition)) else pattern.pattern


@mutant(
    QUERY,
    "CQELS 1: a group within the group, beside another STREAM, silences its query",
    where="a join whose second operand is a join, in a group of its own",
    relation="law[JAss]",
)
def grouped_join_silent(query: Query, run: MutatedRun) -> Query:
    """A query has no solutions if the second operand of a join is a join."""
    for part in subpatterns(run.query.pattern):
        match part:
            case Join(_, Join()):
                return replace(query, pattern=Filter(_FALSE, query.pattern))
    return query


@mutant(
    PATTERN,
    "planners that keep one condition a group",
    needs="filter",
    where="two FILTERs in one group",
    relation="law[FDecompI]",
)
def last_filter_only(pattern: Pattern, run: MutatedRun) -> Pattern:
    """Of several FILTERs of one group the last one alone is applied."""
    match pattern:
        case Filter(condition, Filter(_, inside)):
            return Filter(condition, inside)
        case _:
            return pattern


@mutant(
    CONDITION,
    "engines with two-valued logic and exceptions",
    needs="filter",
    where="a disjunction whose first operand is an error",
    relation="law[FReordII]",
)
def disjunction_error_first(condition: Expression, run: MutatedRun) -> Expression:
    """A disjunction whose first operand is an error is an error, whatever the second one is."""
    return _from_the_left(condition)


@mutant(
    PATTERN,
    "planners whose nested loops keep the outer rows once they have swapped them",
    where="two triple patterns, of which the second has fewer variables",
    relation="law[H1]",
)
def outer_join_when_reordered(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A triple pattern with fewer variables goes before its neighbour, which is then optional."""
    match pattern:
        case BGP((first, second)) if len({*mentioned(second)}) < len({*mentioned(first)}):
            return LeftJoin(BGP((second,)), BGP((first,)))
        case _:
            return pattern


@mutant(
    PATTERN,
    "planners that take a UNION for binary",
    needs="union",
    where="a UNION within the second branch of a UNION",
    relation="law[UAss]",
)
def inner_union_lost(pattern: Pattern, run: MutatedRun) -> Pattern:
    """Of a UNION whose second branch is a UNION again the last branch is lost."""
    match pattern:
        case Union(first, Union(second, _)):
            return Union(first, second)
        case _:
            return pattern


@mutant(
    QUERY,
    "YASPER: without FROM there is no default graph to be asked",
    where="a pattern outside WINDOW, and no background data",
)
def outside_skipped_without_data(query: Query, run: MutatedRun) -> Query:
    """Without background data patterns outside WINDOW are skipped, their FILTERs too."""
    parts = _parts(query.pattern)
    windows: list[Pattern] = [part for part in parts if isinstance(part, Window)]
    if not windows or not all(isinstance(part, (Window, BGP)) for part in parts):
        return query
    if len(windows) == len(parts):
        return query
    anything = BGP((TriplePattern(*map(Variable, ("rsp_s", "rsp_p", "rsp_o"))),))
    return replace(
        query,
        pattern=Union(
            Filter(Exists(anything), query.pattern),
            Filter(Exists(anything, negated=True), reduce(Join, windows)),
        ),
    )


@mutant(
    QUERY,
    "YASPER: it keeps one pattern a window",
    where="WINDOW twice for one window",
    relation="law[JAss]",
)
def repeated_window_forgotten(query: Query, run: MutatedRun) -> Query:
    """Of several WINDOWs of one name only the last one is evaluated."""
    # The last one of each name, in the order of the text.
    kept = {p.name: p for p in subpatterns(run.query.pattern) if isinstance(p, Window)}
    return rewritten(
        query,
        lambda part: (
            BGP(()) if isinstance(part, Window) and part != kept.get(part.name, part) else part
        ),
    )


def _carried_in(pattern: Pattern, around: Window | Graph) -> Pattern:
    """`pattern` with `around` about each of its BGPs, but for those that a BIND asks."""

    def asked(part: Any) -> Any:
        if not isinstance(part, Exists):
            return part
        return replace(part, pattern=_carried_in(part.pattern, around))

    match pattern:
        case Window() | Graph():
            return pattern
        case BGP():
            return replace(around, pattern=pattern)
        case Filter(condition, inside):
            return Filter(rewritten(condition, asked, Exists), _carried_in(inside, around))
        case _:
            operands = tuple(_carried_in(child, around) for child in children(pattern))
            return with_children(pattern, operands)


def _parts(pattern: Pattern) -> list[Pattern]:
    """Return the operands of the joins in a pattern, without FILTERs."""
    match pattern:
        case Join(left, right):
            return _parts(left) + _parts(right)
        case Filter(_, inside):
            return _parts(inside)
        case _:
            return [pattern]


def _from_the_left(condition: Expression) -> Expression:
    if not isinstance(condition, Operation):
        return condition
    arguments = tuple(_from_the_left(argument) for argument in condition.arguments)
    if condition.name != "||":
        return Operation(condition.name, arguments)
    return Operation("IF", (arguments[0], _TRUE, arguments[1]))


def _compared(part: Any) -> Any:
    if not isinstance(part, Operation) or part.name not in _COMPARISONS:
        return part
    both = [Operation("ISLITERAL", (side,)) for side in part.arguments]
    otherwise = _TRUE if part.name == "!=" else _FALSE
    return Operation(
        "IF", (Operation("&&", tuple(both)), Operation("COALESCE", (part, otherwise)), part)
    )
