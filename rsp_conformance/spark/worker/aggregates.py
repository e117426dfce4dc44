"""Aggregates over the values of a group (SPARQL 1.1, 18.5.1).

``values`` are the argument's values for the solutions of the group, None for an error. COUNT passes
errors over. MIN and MAX order values as ORDER BY does, in which an error comes first: so it is the
MIN, which is then an error, and the MAX only if there is nothing else. An error makes SUM, AVG (but
for errors alone) and GROUP_CONCAT errors. SAMPLE may choose any value, also an error.

If SPARQL leaves the value open, the choice here depends on the values alone and not on their order,
and the point is recorded (`readings.leave_open`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.terms import Term
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.arithmetic import divide, float_sum, watch_sum
from rsp_conformance.sparql.extensions import joined_text
from rsp_conformance.sparql.order import arbitrary_key, ranking
from rsp_conformance.sparql.readings import leave_open, reading
from rsp_conformance.sparql.values import (
    ARITHMETIC,
    Float,
    Number,
    kept,
    literal_of,
    number_of,
    single,
    string,
    to_double,
)

TermCounts: TypeAlias = Sequence[Term | None]
SetFunction: TypeAlias = Callable[[TermCounts], Term | None]


def set_function(aggregate: Aggregate) -> SetFunction:
    """The function that an aggregate applies to the values of a group."""
    function = _FUNCTIONS.get(aggregate.name)
    if function is None:
        separator = " " if aggregate.separator is None else aggregate.separator
        function = _group_concat(separator)
    if not aggregate.distinct:
        return function
    return lambda values: function(list(dict.fromkeys(values)))


def count(values: TermCounts) -> Term:
    """COUNT: the number of values that are no error."""
    return literal_of(sum(value is not None for value in values))


def total(values: TermCounts) -> Term | None:
    """SUM: 0 for no values."""
    number = _sum(values)
    return None if number is None else literal_of(number)


def average(values: TermCounts) -> Term | None:
    """AVG: 0 if COUNT is 0 (18.5.1.4), so also for errors alone."""
    if all(value is None for value in values):
        if values:
            leave_open(open_points.MEAN_OF_ERRORS)
        return literal_of(0)
    number = _sum(values)
    mean = None if number is None else divide(number, len(values))
    return None if mean is None else literal_of(mean)


def _sum(values: TermCounts) -> Number | None:
    """The sum, promoted to the widest type among the values."""
    numbers: list[Number] = []
    for value in values:
        number = number_of(value)
        if number is None:
            return None
        numbers.append(number)
    watch_sum(numbers)
    kinds = {type(number) for number in numbers}
    if float in kinds:
        return float_sum([to_double(number) for number in numbers], singles=False)
    if Float in kinds:
        return float_sum([single(to_double(number)) for number in numbers], singles=True)
    if Decimal in kinds:
        result = Decimal(0)
        for number in numbers:
            result = ARITHMETIC.add(result, Decimal(number))
        return kept(result)
    whole: Number = sum(numbers)
    return kept(whole)


def _extreme(name: str, choose: Callable[[Sequence[int]], int]) -> SetFunction:
    def function(values: TermCounts) -> Term | None:
        distinct = dict.fromkeys(values)
        if len(distinct) < 2:
            return next(iter(distinct), None)
        if name == "MAX" and None in distinct:
            leave_open(open_points.MAX_OF_ERROR)
        order = ranking(distinct)
        if order is None:
            leave_open(open_points.UNORDERED)
            if name == "MIN" and None in distinct:
                return None
            return min((t for t in distinct if t is not None), key=arbitrary_key)
        best = choose([order.ranks[term] for term in distinct])
        candidates = [term for term in distinct if order.ranks[term] == best]
        if len(candidates) > 1:
            if number_of(candidates[0]) is None:
                leave_open(open_points.TIED)
            elif reading(open_points.EXTREME_NUMBERS, "first", "last") == "last":
                return max(candidates, key=arbitrary_key)
        return min(candidates, key=arbitrary_key)

    return function


def sample(values: TermCounts) -> Term | None:
    """SAMPLE: an error for no values."""
    distinct = dict.fromkeys(values)
    if len(distinct) > 1:
        leave_open(open_points.SAMPLED)
    return min((t for t in distinct if t is not None), key=arbitrary_key, default=None)


def _group_concat(separator: str) -> SetFunction:
    def function(values: TermCounts) -> Term | None:
        texts: list[str] = []
        for value in values:
            text = joined_text(value)
            if text is None:
                return None
            texts.append(text)
        if len(set(texts)) > 1:
            leave_open(open_points.CONCATENATED)
        return string(separator.join(sorted(texts)))

    return function


_FUNCTIONS: dict[str, SetFunction] = {
    "COUNT": count,
    "SUM": total,
    "AVG": average,
    "MIN": _extreme("MIN", min),
    "MAX": _extreme("MAX", max),
    "SAMPLE": sample,
}
