"""Set functions over the values of a group (SPARQL 1.1, 18.5.1.1 to 18.5.1.8).

The values are a multiset, in which None is an error (ListEvalE). An error makes SUM, AVG and
GROUP_CONCAT errors, COUNT passes it over, and MIN and MAX order it, as ORDER BY does, before
everything. Where SPARQL leaves the value open, the choice depends on the values alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.terms import XSD_STRING, Literal, Term
from rsp_conformance.sparql import undetermined
from rsp_conformance.sparql.functions.numbers import add, divide
from rsp_conformance.sparql.order import arbitrary_key, ranking
from rsp_conformance.sparql.values import (
    Number,
    literal_of,
    number_of,
    single,
    string,
    to_double,
)
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Multiset

Values: TypeAlias = "Counter[Term | None]"
Note: TypeAlias = Callable[[str], None]


def aggregated(aggregate: Aggregate, members: Multiset, expressions: Expressions) -> Term | None:
    """AGGREGATE over the solutions MEMBERS of one group; None for an error."""
    if aggregate.argument is None:  # COUNT(*) counts solutions
        return literal_of(len(members) if aggregate.distinct else members.total())
    values: Values = Counter()
    for mu, count in members.items():
        values[expressions.value(aggregate.argument, mu)] += count
    if aggregate.distinct:
        values = Counter(dict.fromkeys(values, 1))
    note = expressions.note
    match aggregate.name:
        case "COUNT":
            return literal_of(values.total() - values[None])
        case "SUM":
            return _literal(_sum(values))
        case "AVG":
            return _average(values, note)
        case "MIN" | "MAX":
            return _extreme(aggregate.name, values, note)
        case "SAMPLE":
            return _sample(values, note)
        case _:
            separator = " " if aggregate.separator is None else aggregate.separator
            return _group_concat(separator, values, note)


def _literal(number: Number | None) -> Term | None:
    return None if number is None else literal_of(number)


def _sum(values: Values) -> Number | None:
    """Sum: op:numeric-add over the values, 0 for nothing (18.5.1.3).

    Doubles are added without rounding between, so that their order does not matter.
    """
    numbers: list[Number] = []
    for value in values.elements():
        number = number_of(value)
        if number is None:
            return None
        numbers.append(number)
    kinds = {type(number) for number in numbers}
    if kinds <= {int, Decimal}:
        total: Number = 0
        for number in numbers:
            total = add(total, number) or 0
        return total
    if float in kinds:
        return _rounded_once([to_double(number) for number in numbers])
    return single(_rounded_once([single(to_double(number)) for number in numbers]))


def _rounded_once(numbers: list[float]) -> float:
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):  # too great on the way, or INF and -INF
        return sum(numbers)


def _average(values: Values, note: Note) -> Term | None:
    """Avg: Sum / Count, and 0 where Count is 0 (18.5.1.4), so also for errors alone."""
    if not any(value is not None for value in values):
        if values:
            note(undetermined.MEAN_OF_ERRORS)
        return literal_of(0)
    total = _sum(values)
    return None if total is None else _literal(divide(total, values.total()))


def _extreme(name: str, values: Values, note: Note) -> Term | None:
    """Min and Max, by the order of ORDER BY (18.5.1.5 and 18.5.1.6)."""
    if len(values) < 2:
        return next(iter(values), None)
    if name == "MAX" and None in values:
        note(undetermined.MAX_OF_ERROR)
    order = ranking(values)
    if order is None:
        note(undetermined.UNORDERED.format(name=name))
        return None if name == "MIN" and None in values else _any_of(values)
    ranks = [order.ranks[value] for value in values]
    best = min(ranks) if name == "MIN" else max(ranks)
    candidates = Counter({value: 1 for value in values if order.ranks[value] == best})
    if len(candidates) > 1 and any(number_of(value) is None for value in candidates):
        note(undetermined.TIED.format(name=name))
    return _any_of(candidates)


def _sample(values: Values, note: Note) -> Term | None:
    """Sample: any of the values, an error among them (18.5.1.8)."""
    if len(values) > 1:
        note(undetermined.SAMPLED)
    return _any_of(values)


def _any_of(values: Values) -> Term | None:
    """Always the same of VALUES, an error for nothing."""
    return min((value for value in values if value is not None), key=arbitrary_key, default=None)


def _group_concat(separator: str, values: Values, note: Note) -> Term | None:
    """GroupConcat of the strings, in no particular order (18.5.1.7)."""
    texts: list[str] = []
    for value in values.elements():
        if not isinstance(value, Literal):
            return None
        if value.datatype != XSD_STRING and value.language is None:
            return None
        texts.append(value.lexical)
    if len(set(texts)) > 1:
        note(undetermined.CONCATENATED)
    return string(separator.join(sorted(texts)))
