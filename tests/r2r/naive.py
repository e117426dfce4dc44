"""The algebra by its definitions alone: products of everything, then filters.

Solutions are frozensets of pairs, multisets are Counters. Too slow to be used, too plain to be
wrong: SPARQL 1.1, 18.3 (BGP), 18.5 (operators) and 18.6 (GRAPH); SEMANTICS 4 (WINDOW, bags).
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TypeAlias

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import BlankNode, Term, Triple
from rsp_conformance.r2r.dataset import Dataset
from rsp_conformance.r2r.dataset import Graph as Bag
from rsp_conformance.r2r.expressions import Frame, compile_expression, compile_test

Mapping: TypeAlias = frozenset[tuple[str, Term]]
Multiset: TypeAlias = "Counter[Mapping]"


def solve(pattern: Pattern, active: Bag, dataset: Dataset) -> Multiset:
    match pattern:
        case BGP(triples):
            return _bgp(triples, active)
        case Join(left, right):
            return _join(solve(left, active, dataset), solve(right, active, dataset))
        case LeftJoin(left, right, condition):
            return _left_join(
                solve(left, active, dataset), solve(right, active, dataset), condition
            )
        case Union(left, right):
            return solve(left, active, dataset) + solve(right, active, dataset)
        case Filter(condition, inner):
            found = solve(inner, active, dataset)
            return Counter({m: n for m, n in found.items() if _true(condition, m)})
        case Extend(inner, variable, expression):
            out: Multiset = Counter()
            for m, n in solve(inner, active, dataset).items():
                value = _value(expression, m)
                out[m if value is None else m | {(variable.name, value)}] += n
            return out
        case Values(variables, rows):
            return Counter(
                frozenset((v.name, t) for v, t in zip(variables, row, strict=True) if t is not None)
                for row in rows
            )
        case Graph(name, inner):
            graphs = dict(dataset.named)
            ranged = set(graphs)
            for window, contents in dataset.windows.items():
                graphs[window] = contents.default
                if dataset.graph_variable == "windows":
                    ranged.add(window)
            if isinstance(name, Variable):
                out = Counter()
                for graph in ranged:
                    binding = Counter([frozenset([(name.name, graph)])])
                    out += _join(solve(inner, graphs[graph], dataset), binding)
                return out
            return solve(inner, graphs[name], dataset) if name in graphs else Counter()
        case Window(name, inner):
            names = dataset.windows if isinstance(name, Variable) else {name}
            out = Counter()
            for window in names:
                contents = dataset.windows.get(window)
                if contents is None:
                    continue
                found = solve(inner, contents.default, Dataset(contents.default, contents.named))
                if isinstance(name, Variable):
                    found = _join(found, Counter([frozenset([(name.name, window)])]))
                out += found
            return out
    raise AssertionError(pattern)


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


def _join(left: Multiset, right: Multiset) -> Multiset:
    out: Multiset = Counter()
    for (a, n), (b, m) in product(left.items(), right.items()):
        if _compatible(a, b):
            out[a | b] += n * m
    return out


def _left_join(left: Multiset, right: Multiset, condition: Expression | None) -> Multiset:
    out: Multiset = Counter()
    for a, n in left.items():
        partners = [
            (b, m)
            for b, m in right.items()
            if _compatible(a, b) and (condition is None or _true(condition, a | b))
        ]
        for b, m in partners:
            out[a | b] += n * m
        if not partners:
            out[a] += n
    return out


def _row(mapping: Mapping) -> tuple[Frame, tuple[Term, ...]]:
    names = [v for v, _ in mapping]
    return Frame({v: i for i, v in enumerate(names)}), tuple(t for _, t in mapping)


def _true(condition: Expression, mapping: Mapping) -> bool:
    frame, row = _row(mapping)
    return compile_test(condition, frame)(row) is True


def _value(expression: Expression, mapping: Mapping) -> Term | None:
    frame, row = _row(mapping)
    return compile_expression(expression, frame)(row)
