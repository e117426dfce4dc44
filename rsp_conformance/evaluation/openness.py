"""Where SPARQL leaves the solutions of a query open, found out with a library's help.

A library answers with one legal choice and does not say that there were others. So the values
behind each group are asked for, and judged by the definitions' set functions; and each subquery
that may be open is evaluated by itself over every active graph that it can stand in, which tells
the same because subqueries are evaluated before what surrounds them (SPARQL 1.1, 12).
"""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.evaluation.asking import Ask, Solve
from rsp_conformance.evaluation.core import implicit_samples, probe_of
from rsp_conformance.library.expressions import DIFFERING
from rsp_conformance.model.algebra import BGP, Graph, Pattern, SubSelect, TriplePattern, Window
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    SequencePath,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.model.walk import children, conditions, subexpressions, subpatterns
from rsp_conformance.r2r.aggregates import set_function
from rsp_conformance.r2r.grouping import is_grouped, query_aggregates
from rsp_conformance.r2r.identity_cache import Remembered
from rsp_conformance.r2r.scope import outermost
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.undetermined import SEVERAL_PROPERTIES

_NEVER_OPEN = frozenset(("COUNT", "SUM"))


def open_points(query: Query, dataset: Dataset, ask: Ask, solve: Solve) -> Iterator[str]:
    """Why the solutions of QUERY over DATASET are one choice of many, its modifiers aside.

    ASK is the library, SOLVE evaluates subqueries by it.
    """
    for name in _differing.of(query):
        yield f"{name}, whose value differs from call to call"
    for negated in _negated.of(query):
        yield from _several(negated, dataset)
    aggregates, may_be_open = _parts.of(query)
    if aggregates:
        yield from _groups(query, aggregates, dataset, ask)
    if may_be_open:
        yield from _within(query.pattern, [dataset], solve)
        for expression in _expressions(query):
            yield from _in_exists(expression)


def _differing_of(query: Query) -> tuple[str, ...]:
    """The functions in QUERY whose value SPARQL does not determine, by name."""
    expressions: list[Expression] = []
    for one in (query, *_subqueries(query)):
        expressions += _expressions(one)
        patterns = [one.pattern]
        for expression in _expressions(one):
            patterns += [p.pattern for p in subexpressions(expression) if isinstance(p, Exists)]
        for pattern in patterns:
            expressions += [e for part in subpatterns(pattern) for e in conditions(part)]
    parts = [part for expression in expressions for part in subexpressions(expression)]
    names = [part.name for part in parts if isinstance(part, Operation) and part.name in DIFFERING]
    return tuple(dict.fromkeys(names))


_differing = Remembered(_differing_of)


def _negated_of(query: Query) -> tuple[NegatedPropertySet, ...]:
    """The negated property sets of QUERY whose solutions count."""
    patterns = [query.pattern]
    # EXISTS does not count, but a subquery inside it may.
    patterns += [one.pattern for one in _subqueries(query)]
    triples = [triple for pattern in patterns for triple in _triples(pattern)]
    return tuple(dict.fromkeys(n for triple in triples for n in _counted(triple.predicate)))


def _triples(pattern: Pattern) -> Iterator[TriplePattern]:
    """The triple patterns of PATTERN, those of EXISTS aside."""
    if isinstance(pattern, BGP):
        yield from pattern.triples
    for child in children(pattern):
        yield from _triples(child)


_negated = Remembered(_negated_of)


def _counted(path: object) -> Iterator[NegatedPropertySet]:
    """The negated property sets of PATH outside of what is repeated."""
    match path:
        case NegatedPropertySet():
            yield path
        case InversePath(inner):
            yield from _counted(inner)
        case SequencePath(left, right) | AlternativePath(left, right):
            yield from _counted(left)
            yield from _counted(right)


def _several(negated: NegatedPropertySet, dataset: Dataset) -> Iterator[str]:
    """Whether two nodes of a graph are joined by several properties that NEGATED allows.

    18.4 defines its solutions as a set, so that they count once; engines count the triples.
    """
    graphs = [dataset.default, *dataset.named.values()]
    for window in dataset.windows.values():
        graphs += [window.default, *window.named.values()]
    for graph in graphs:
        for excluded in [s for s in (negated.forward, negated.backward) if s] or [()]:
            pairs: set[tuple[Term, Term]] = set()
            for triple, number in graph.counts.items():
                if triple.predicate not in excluded:
                    pair = (triple.subject, triple.object)
                    if number > 1 or pair in pairs:
                        yield SEVERAL_PROPERTIES
                        return
                    pairs.add(pair)


def _parts_of(query: Query) -> tuple[tuple[Aggregate, ...], bool]:
    """The aggregates of QUERY whose value may be open, and whether a subquery may be."""
    aggregates: tuple[Aggregate, ...] = ()
    if is_grouped(query):
        own = dict.fromkeys(query_aggregates(query))
        aggregates = (
            *(a for a in own if a.name not in _NEVER_OPEN and a.argument is not None),
            *implicit_samples(query),
        )
    return aggregates, any(_may_be_open(inner) for inner in _subqueries(query))


_parts = Remembered(_parts_of)


def _may_be_open(query: Query) -> bool:
    cut = query.limit is not None or bool(query.offset)
    aggregates, within = _parts_of(query)
    return cut or query.reduced or bool(aggregates) or within


def _subqueries(query: Query) -> Iterator[Query]:
    """The subqueries of QUERY's pattern and expressions, EXISTS included, at any depth."""
    patterns = [query.pattern]
    for expression in _expressions(query):
        patterns += [p.pattern for p in subexpressions(expression) if isinstance(p, Exists)]
    for pattern in patterns:
        for part in subpatterns(pattern):
            if isinstance(part, SubSelect):
                yield part.query
                yield from _subqueries(part.query)


def _expressions(query: Query) -> Iterator[Expression]:
    yield from (p.expression for p in query.projection or () if p.expression is not None)
    yield from (key.expression for key in query.group_by or ())
    yield from query.having
    yield from (key.expression for key in query.order_by)


def _groups(
    query: Query, aggregates: tuple[Aggregate, ...], dataset: Dataset, ask: Ask
) -> Iterator[str]:
    keys = len(query.group_by or ())
    groups: dict[tuple[Term | None, ...], list[tuple[Term | None, ...]]] = {}
    for row in ask(_probes.of(query), dataset):
        groups.setdefault(row[:keys], []).append(row[keys:])
    notes: list[str] = []
    for members in groups.values():
        for place, aggregate in enumerate(aggregates):
            set_function(aggregate)([member[place] for member in members], notes)
    yield from dict.fromkeys(notes)


_probes = Remembered(lambda query: probe_of(query, _parts.of(query)[0]))


def _within(pattern: Pattern, places: list[Dataset], solve: Solve) -> Iterator[str]:
    """The open points of subqueries in PATTERN, whose active graph is the default one of PLACES."""
    for expression in conditions(pattern):
        yield from _in_exists(expression)
    match pattern:
        case SubSelect(query):
            if _may_be_open(query):
                for dataset in places:
                    yield from solve(query, dataset).undetermined
        case Graph(name, inner):
            yield from _within(inner, [p for d in places for p in _in_graph(d, name)], solve)
        case Window(name, inner):
            yield from _within(inner, [p for d in places for p in _in_window(d, name)], solve)
        case _:
            for child in children(pattern):
                yield from _within(child, places, solve)


def _in_exists(expression: Expression) -> Iterator[str]:
    """EXISTS asks its pattern anew for every solution: what may be open there counts as open."""
    for part in subexpressions(expression):
        if isinstance(part, Exists):
            inner = [p.query for p in subpatterns(part.pattern) if isinstance(p, SubSelect)]
            if any(map(_may_be_open, inner)):
                yield "a subquery within EXISTS, whose solutions may be a choice"


def _in_graph(dataset: Dataset, name: object) -> Iterator[Dataset]:
    around = outermost(dataset).around
    graphs = list(around.ranged.values())
    if isinstance(name, IRI):
        graphs = [around.graphs[name]] if name in around.graphs else []
    for graph in graphs:
        yield Dataset(graph, dataset.named, dataset.windows, dataset.graph_variable, dataset.bags)


def _in_window(dataset: Dataset, name: object) -> Iterator[Dataset]:
    for window, content in dataset.windows.items():
        if not isinstance(name, IRI) or name == window:
            yield Dataset(content.default, content.named, bags=dataset.bags)
