"""The algebra by its definitions alone: products of everything, then filters.

Solutions are frozensets of pairs, multisets are Counters. Too slow to be used, too plain to be
wrong: SPARQL 1.1, 18.3 (BGP), 18.5 (operators) and 18.6 (GRAPH, EXISTS); SEMANTICS 4 (WINDOW,
bags). What EXISTS tests is a solution that every leaf of its pattern is joined with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import TypeAlias

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
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import BlankNode, Term, Triple
from rsp_conformance.model.variables import selected
from rsp_conformance.spark.worker.expressions import Frame, Test, compile_expression, compile_test
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.dataset import GraphBag as Bag
from rsp_conformance.sparql.values import literal_of

Mapping: TypeAlias = frozenset[tuple[str, Term]]
Multiset = Counter[Mapping]

NOTHING_GIVEN: Mapping = frozenset()


def solve(
    pattern: Pattern, active: Bag, dataset: Dataset, given: Mapping = NOTHING_GIVEN
) -> Multiset:
    """The solutions of PATTERN; GIVEN is what an EXISTS around it tests."""

    def inside(inner: Pattern) -> Multiset:
        return solve(inner, active, dataset, given)

    def holds(condition: Expression, mapping: Mapping) -> bool:
        frame, row = _row(mapping, active, dataset)
        return compile_test(condition, frame)(row) is True

    match pattern:
        case BGP(triples):
            return join(_bgp(triples, active), Counter([given]))
        case Join(left, right):
            return join(inside(left), inside(right))
        case LeftJoin(left, right, condition):
            return _left_join(inside(left), inside(right), condition, holds)
        case Union(left, right):
            return inside(left) + inside(right)
        case Minus(left, right):
            return _minus(inside(left), inside(right))
        case Filter(condition, inner):
            return Counter({m: n for m, n in inside(inner).items() if holds(condition, m)})
        case Extend(inner):
            return _extended(inside(inner), pattern, active, dataset)
        case Values(variables, rows):
            data = Counter(
                frozenset((v.name, t) for v, t in zip(variables, row, strict=True) if t is not None)
                for row in rows
            )
            return join(data, Counter([given]))
        case SubSelect(query):
            return join(_subquery(query, inside(query.pattern), given), Counter([given]))
        case Graph():
            return _in_graphs(pattern, dataset, given)
        case Window():
            return _in_windows(pattern, dataset, given)
    raise AssertionError(pattern)


def _minus(found: Multiset, others: Multiset) -> Multiset:
    return Counter(
        {
            m: n
            for m, n in found.items()
            if not any(_compatible(m, o) and dict(m).keys() & dict(o) for o in others)
        }
    )


def _extended(found: Multiset, pattern: Extend, active: Bag, dataset: Dataset) -> Multiset:
    name, out = pattern.variable.name, Multiset()
    for m, n in found.items():
        frame, row = _row(m, active, dataset)
        value = compile_expression(pattern.expression, frame)(row)
        if value is None:
            out[m] += n
        elif dict(m).get(name, value) == value:
            out[m | {(name, value)}] += n
    return out


def _in_graphs(pattern: Graph, dataset: Dataset, given: Mapping) -> Multiset:
    """GRAPH, which knows windows by their names, and by a variable where the dial says so."""
    graphs = dict(dataset.named)
    ranged = set(graphs)
    for window, contents in dataset.windows.items():
        graphs[window] = contents.default
        if dataset.graph_variable == "windows":
            ranged.add(window)
    name, out = pattern.name, Multiset()
    if isinstance(name, Variable):
        for graph in ranged:
            found = solve(pattern.pattern, graphs[graph], dataset, given)
            out += join(found, Counter([frozenset([(name.name, graph)])]))
    elif name in graphs:
        out = solve(pattern.pattern, graphs[name], dataset, given)
    return out


def _in_windows(pattern: Window, dataset: Dataset, given: Mapping) -> Multiset:
    name, out = pattern.name, Multiset()
    for window in dataset.windows if isinstance(name, Variable) else {name}:
        contents = dataset.windows.get(window)
        if contents is None:
            continue
        alone = Dataset(contents.default, contents.named)
        found = solve(pattern.pattern, contents.default, alone, given)
        if isinstance(name, Variable):
            found = join(found, Counter([frozenset([(name.name, window)])]))
        out += found
    return out


def _subquery(query: Query, found: Multiset, given: Mapping) -> Multiset:
    """Projection, DISTINCT, VALUES, and COUNT by variables with HAVING: what generators write."""
    counts = [p for p in query.projection or () if p.expression is not None]
    if counts:
        groups: dict[Mapping, Multiset] = {} if query.group_by else {frozenset(): found}
        keys = {key.expression.name for key in query.group_by or ()}  # type: ignore[union-attr]
        for m, n in found.items() if query.group_by else ():
            key = frozenset(pair for pair in m if pair[0] in keys)
            groups.setdefault(key, Counter())[m] += n
        found = Counter()
        for key, members in groups.items():
            (column,) = counts
            assert isinstance(column.expression, Aggregate)
            number = _count(column.expression, members)
            if not query.having or number > 1:
                found[key | {(column.variable.name, literal_of(number))}] += 1
    if query.values is not None:
        found = join(found, solve(query.values, Bag(), Dataset(), given))
    names = set(selected(query))
    projected: Multiset = Counter()
    for m, n in found.items():
        projected[frozenset(pair for pair in m if pair[0] in names)] += n
    return Counter(dict.fromkeys(projected, 1)) if query.distinct else projected


def _count(aggregate: Aggregate, members: Multiset) -> int:
    if aggregate.argument is None:
        return len(members) if aggregate.distinct else members.total()
    assert isinstance(aggregate.argument, Variable)
    values: Counter[Term] = Counter()
    for m, n in members.items():
        value = dict(m).get(aggregate.argument.name)
        if value is not None:
            values[value] += n
    return len(values) if aggregate.distinct else values.total()


def _bgp(triples: tuple[TriplePattern, ...], active: Bag) -> Multiset:
    out: Multiset = Counter()
    for choice in product(active.counts.items(), repeat=len(triples)):
        binding: dict[object, Term] = {}
        count = 1
        if all(_matches(p, t, binding) for p, (t, _) in zip(triples, choice, strict=True)):
            for _, n in choice:
                count *= n
            out[frozenset((k.name, v) for k, v in binding.items() if isinstance(k, Variable))] += (
                count
            )
    return out


def _matches(pattern: TriplePattern, found: Triple, binding: dict[object, Term]) -> bool:
    parts = zip((pattern.subject, pattern.predicate, pattern.object), found, strict=True)
    return all(_part(part, value, binding) for part, value in parts)


def _part(part: object, value: Term, binding: dict[object, Term]) -> bool:
    if isinstance(part, (Variable, BlankNode)):
        return binding.setdefault(part, value) == value
    if isinstance(part, TriplePattern):
        return isinstance(value, Triple) and _matches(part, value, binding)
    return part == value


def _compatible(a: Mapping, b: Mapping) -> bool:
    other = dict(b)
    return all(other.get(v, t) == t for v, t in a)


def join(left: Multiset, right: Multiset) -> Multiset:
    out: Multiset = Counter()
    for (a, n), (b, m) in product(left.items(), right.items()):
        if _compatible(a, b):
            out[a | b] += n * m
    return out


def _left_join(
    left: Multiset,
    right: Multiset,
    condition: Expression | None,
    holds: Callable[[Expression, Mapping], bool],
) -> Multiset:
    out: Multiset = Counter()
    for a, n in left.items():
        partners = [
            (b, m)
            for b, m in right.items()
            if _compatible(a, b) and (condition is None or holds(condition, a | b))
        ]
        for b, m in partners:
            out[a | b] += n * m
        if not partners:
            out[a] += n
    return out


def _row(mapping: Mapping, active: Bag, dataset: Dataset) -> tuple[Frame, tuple[Term, ...]]:
    def exists(expression: Exists) -> Test:
        found = bool(solve(expression.pattern, active, dataset, mapping))
        return lambda row: found is not expression.negated

    names = [v for v, _ in mapping]
    frame = Frame({v: i for i, v in enumerate(names)}, exists=exists)
    return frame, tuple(t for _, t in mapping)
