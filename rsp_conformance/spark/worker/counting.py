"""Counts solutions without making them: COUNT(*) over joins and products.

**What is sought.** The number of solutions of each group, of which there may be millions.

**How.** The number of solutions of a join is a sum of products of cardinalities (SPARQL 1.1, 18.5).
So after each triple pattern the rows lose the variables that nothing asks for any more, and rows
that are then alike become one row with a weight.

**What it guarantees.** The counts are those of making all solutions. A query that wants more of a
group than the number of its solutions, or whose pattern is no join of triple patterns, is left to
`grouping`.

**What it costs.** A product of n by m triples takes n + m steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import repeat
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from rsp_conformance.model.algebra import BGP, Graph, Join, Pattern, Window
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import certain, group_aggregates, in_scope, unaggregated
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.bgp import Parts, Step, compile_step, order, slots_of
from rsp_conformance.spark.worker.exists import PatternEvaluation
from rsp_conformance.spark.worker.expressions import Frame
from rsp_conformance.spark.worker.patterns import PatternCompiler
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.values import literal_of

Locate: TypeAlias = Callable[[ActiveDataset], "ActiveDataset | None"]
"""Gives the dataset inside GRAPH and WINDOW; None if nothing has the name."""


class _Stage(NamedTuple):
    """A triple pattern in its place.

    Attributes:
        place: gives the dataset inside GRAPH and WINDOW.
        step: matches the pattern.
        pick: gives the terms of a row that are asked for later.
        merges: whether the pattern, or one before it, binds variables that are not asked for later.
    """

    place: Locate
    step: Step
    pick: Callable[[Row], Any]
    merges: bool


def compile_counting(
    query: Query, compiler: PatternCompiler
) -> tuple[PatternEvaluation, Frame] | None:
    """Compile the groups of a query by counting.

    Returns:
        The groups, and the frame for the expressions that follow. None if the query wants more of a
        group than the number of its solutions, or if its pattern is anything but a join of triple
        patterns, each in a graph or window with a name.
    """
    leaves = list(_leaves(query.pattern, _here))
    aggregates = group_aggregates(query)
    keys = [key.expression for key in query.group_by or () if key.variable is None]
    names = [key.name for key in keys if isinstance(key, Variable)]
    others = {*unaggregated(query)} & {*in_scope(query.pattern)} - {*names}
    if None in leaves or others or len(names) < len(query.group_by or ()):
        return None
    if not all(_counts(aggregate, query.pattern) for aggregate in aggregates):
        return None
    places: dict[int, Locate] = {}
    triples: list[Parts] = []
    for leaf in leaves:
        assert leaf is not None
        for parts in compiler.bgp(leaf[1]).triples:
            triples.append(parts)
            places[id(parts)] = leaf[0]
    if len(triples) < 2:
        return None
    key_slots = [compiler.slot(name) for name in dict.fromkeys(names)]
    slots = {aggregate: compiler.hidden() for aggregate in aggregates}
    used = frozenset().union(*map(slots_of, triples))
    stages: dict[frozenset[int], list[_Stage]] = {}

    def count(dataset: ActiveDataset) -> list[Row]:
        start: Row = dataset.given or (None,) * compiler.width
        known = frozenset([slot for slot in used if start[slot] is not None])
        if known not in stages:
            stages[known] = list(_stages(triples, places, key_slots, known))
        weighted = _weighted(stages[known], dataset, start)
        groups: Counter[tuple[Any, ...]] = Counter()
        for row, weight in weighted:
            groups[tuple([row[slot] for slot in key_slots])] += weight
        if query.group_by is None and not groups:
            groups[()] = 0
        out: list[Row] = []
        for key, number in groups.items():
            result = list(start)
            for slot, term in zip(key_slots, key, strict=True):
                result[slot] = term
            for slot in slots.values():
                result[slot] = literal_of(number)
            out.append(tuple(result))
        return out

    return count, Frame(compiler.slots, compiler.base, slots)


def _counts(aggregate: Aggregate, pattern: Pattern) -> bool:
    """Whether an aggregate is the number of a pattern's solutions in a group."""
    if aggregate.name != "COUNT" or aggregate.distinct:
        return False
    argument = aggregate.argument
    return argument is None or (
        isinstance(argument, Variable) and argument.name in certain(pattern)
    )


def _leaves(pattern: Pattern, place: Locate) -> Iterator[tuple[Locate, BGP] | None]:
    """The basic graph patterns that a pattern joins, each in its place; None for anything else."""
    match pattern:
        case BGP():
            yield place, pattern
        case Join(left, right):
            yield from _leaves(left, place)
            yield from _leaves(right, place)
        case Graph(IRI() as name, inner):
            yield from _leaves(inner, lambda dataset: _in_graph(place(dataset), name))
        case Window(IRI() as name, inner):
            yield from _leaves(inner, lambda dataset: _in_window(place(dataset), name))
        case _:
            yield None


def _here(dataset: ActiveDataset) -> ActiveDataset:
    return dataset


def _in_graph(dataset: ActiveDataset | None, name: IRI) -> ActiveDataset | None:
    return dataset.in_graph(name) if dataset is not None and name in dataset.graphs else None


def _in_window(dataset: ActiveDataset | None, name: IRI) -> ActiveDataset | None:
    return None if dataset is None else dataset.in_window(name)


def _stages(
    triples: list[Parts], places: dict[int, Locate], keys: list[int], known: frozenset[int]
) -> Iterator[_Stage]:
    ordered = list(order(triples, known))
    merges = False
    for number, (parts, bound) in enumerate(ordered):
        needed = frozenset(keys).union(*(slots_of(later) for later, _ in ordered[number + 1 :]))
        after = bound | slots_of(parts)
        merges = merges or not after <= needed | known
        asked = sorted(after & needed)
        pick = itemgetter(*asked) if asked else lambda row: ()
        yield _Stage(places[id(parts)], compile_step(parts, bound, known), pick, merges)


def _weighted(
    stages: list[_Stage], dataset: ActiveDataset, start: Row
) -> Iterator[tuple[Row, int]]:
    """Rows that stand for all solutions, each with their number; other variables have any value."""
    rows: list[Row] = [start]
    weights: list[int] | None = None
    for stage in stages:
        inside = stage.place(dataset)
        if inside is None:
            return iter(())
        counts: dict[Any, int]
        if weights is None:
            rows = stage.step(inside, rows)
            if not stage.merges:
                continue
            found = list(map(stage.pick, rows))
            counts = Counter(found)
            if len(counts) == len(rows):
                continue
            kept = dict(zip(found, rows, strict=True))
        else:
            counts, kept = {}, {}
            for row, weight in zip(rows, weights, strict=True):
                for new in stage.step(inside, [row]):
                    key = stage.pick(new)
                    counts[key] = counts.get(key, 0) + weight
                    kept[key] = new
        rows, weights = list(kept.values()), [counts[key] for key in kept]
    return zip(rows, repeat(1) if weights is None else weights, strict=False)
