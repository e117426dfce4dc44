"""Groups and aggregates (SPARQL 1.1, 11, 18.2.4.1 and 18.5.1).

The values of a group are a multiset, in which None is an error (ListEvalE). An error makes SUM, AVG
and GROUP_CONCAT errors, COUNT skips it, and MIN and MAX order it before everything else, as ORDER
BY does. If SPARQL leaves a value open, the choice made here depends only on the values.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import group_aggregates, group_variables, unaggregated
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.arithmetic import divide, float_sum, sum_of, watch_sum
from rsp_conformance.sparql.extensions import joined_text
from rsp_conformance.sparql.order import arbitrary_key, ranking
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.values import (
    Number,
    kept,
    literal_of,
    number_of,
    single,
    string,
    to_double,
)
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Multiset, Solution

TermCounts: TypeAlias = "Counter[Term | None]"
"""The values of a group with their counts; None is an error."""


def grouped(
    query: Query, solutions: Multiset, given: Solution, expressions: Expressions
) -> Multiset:
    """AggregateJoin of the groups of a query: one solution per group (18.5.1).

    A solution binds the variables of GROUP BY, and every aggregate with the aggregate itself as the
    key. A variable that is neither a key nor aggregated gets the value of SAMPLE (18.2.4.1).
    Without GROUP BY all solutions are one group, even if there is no solution.

    Args:
        query: The query with its GROUP BY and its aggregates.
        solutions: The solutions of its pattern.
        given: The solution that an EXISTS around the query tests; every result extends it.
        expressions: Evaluates keys and arguments.
    """
    groups: dict[tuple[Term | None, ...], Multiset] = {}
    if query.group_by is None:
        groups[()] = solutions
    for mu, count in solutions.items() if query.group_by else ():  # Group(exprlist, Ω)
        key = tuple([expressions.value(k.expression, mu) for k in query.group_by or ()])
        groups.setdefault(key, Counter())[mu] = count
    out: Multiset = Counter()
    for key, members in groups.items():
        mu = given
        for condition, term in zip(query.group_by or (), key, strict=True):
            variable = condition.variable or condition.expression
            if isinstance(variable, Variable):
                mu = mu.binding(variable.name, term)
        for aggregate in group_aggregates(query):
            mu = mu.binding(aggregate, aggregated(aggregate, members, expressions))
        for name in unaggregated(query):
            if name not in given and name not in group_variables(query):
                sample = Aggregate("SAMPLE", Variable(name))
                mu = mu.binding(name, aggregated(sample, members, expressions))
        out[mu] += 1
    return out


def aggregated(aggregate: Aggregate, members: Multiset, expressions: Expressions) -> Term | None:
    """The value of an aggregate over the solutions `members` of one group; None for an error.

    Args:
        aggregate: the aggregate; COUNT(*) has no argument.
        members: the solutions of the group, with their counts.
        expressions: evaluates the argument.
    """
    if aggregate.argument is None:  # COUNT(*) counts solutions
        return literal_of(len(members) if aggregate.distinct else members.total())
    values: TermCounts = Counter()
    for mu, count in members.items():
        values[expressions.value(aggregate.argument, mu)] += count
    if expressions.listener is not None:
        expressions.listener.aggregated(aggregate, values)
    if aggregate.distinct:
        values = Counter(dict.fromkeys(values, 1))
    match aggregate.name:
        case "COUNT":  # 18.5.1.2
            return literal_of(values.total() - values[None])
        case "SUM":
            total = _sum(values)
            return None if total is None else literal_of(total)
        case "AVG":
            return _average(values)
        case "MIN" | "MAX":
            return _extreme(aggregate.name, values)
        case "SAMPLE":  # 18.5.1.8: any of the values, an error among them
            if len(values) > 1:
                leave_open(open_points.SAMPLED)
            return _any_of(values)
        case _:
            separator = " " if aggregate.separator is None else aggregate.separator
            return _group_concat(separator, values)


def _sum(values: TermCounts) -> Number | None:
    """Sum: op:numeric-add over the values, 0 for no values (18.5.1.3)."""
    numbers: list[Number] = []
    for value in values.elements():
        number = number_of(value)
        if number is None:
            return None
        numbers.append(number)
    watch_sum(numbers)
    kinds = {type(number) for number in numbers}
    if kinds <= {int, Decimal}:
        total: Number = 0
        for number in numbers:
            total = sum_of(total, number)
        return kept(total)
    if float in kinds:
        return float_sum([to_double(n) for n in numbers], singles=False)
    return float_sum([single(to_double(n)) for n in numbers], singles=True)


def _average(values: TermCounts) -> Term | None:
    """Avg: Sum / Count, and 0 if Count is 0 (18.5.1.4), so also if all values are errors."""
    if values.keys() <= {None}:
        if values:
            leave_open(open_points.MEAN_OF_ERRORS)
        return literal_of(0)
    total = _sum(values)
    mean = None if total is None else divide(total, values.total())
    return None if mean is None else literal_of(mean)


def _extreme(name: str, values: TermCounts) -> Term | None:
    """Min and Max, by the order of ORDER BY (18.5.1.5 and 18.5.1.6)."""
    if len(values) < 2:
        return next(iter(values), None)
    if name == "MAX" and None in values:
        leave_open(open_points.MAX_OF_ERROR)
    order = ranking(values)
    if order is None:
        leave_open(open_points.UNORDERED)
        return None if name == "MIN" and None in values else _any_of(values)
    ranks = [order.ranks[value] for value in values]
    best = min(ranks) if name == "MIN" else max(ranks)
    candidates = Counter([value for value in values if order.ranks[value] == best])
    if len(candidates) > 1:
        if any(number_of(value) is None for value in candidates):
            leave_open(open_points.TIED)
        elif reading(open_points.EXTREME_NUMBERS, "first", "last") == "last":
            return max(candidates, key=arbitrary_key)
    return _any_of(candidates)


def _group_concat(separator: str, values: TermCounts) -> Term | None:
    """GroupConcat of the strings, in no particular order (18.5.1.7)."""
    texts: list[str] = []
    for value in values.elements():
        text = joined_text(value)
        if text is None:
            return None
        texts.append(text)
    if len(set(texts)) > 1:
        leave_open(open_points.CONCATENATED)
    return string(separator.join(sorted(texts)))


def _any_of(values: TermCounts) -> Term | None:
    """The same member of equal values each time; an error only if all values are errors."""
    return min((value for value in values if value is not None), key=arbitrary_key, default=None)
