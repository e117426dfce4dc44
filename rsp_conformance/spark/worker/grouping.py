"""GROUP BY: from solutions to one solution for each group (SPARQL 1.1, 18.2.4.1 and 18.5.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.model.variables import group_aggregates, unaggregated
from rsp_conformance.spark.worker.active_dataset import ActiveDataset
from rsp_conformance.spark.worker.aggregates import set_function
from rsp_conformance.spark.worker.exists import LateEvaluator, PatternEvaluation
from rsp_conformance.spark.worker.expressions import Frame
from rsp_conformance.spark.worker.patterns import PatternCompiler
from rsp_conformance.sparql.relation import Row
from rsp_conformance.sparql.values import literal_of


def compile_grouping(query: Query, compiler: PatternCompiler) -> tuple[PatternEvaluation, Frame]:
    """Compile the groups of a query to one row each; return them with the frame that follows.

    A variable that is neither a key nor aggregated stands for SAMPLE of it (18.2.4.1).
    """
    pattern = compiler.compile(query.pattern)
    late_keys: list[LateEvaluator] = []
    key_slots: list[int | None] = []
    for key in query.group_by or ():
        late_keys.append(compiler.expression(key.expression))
        name = key.variable or key.expression
        key_slots.append(compiler.slot(name.name) if isinstance(name, Variable) else None)
    aggregates = {a: compiler.hidden() for a in group_aggregates(query)}
    plans = [(slot, _over_group(a, compiler)) for a, slot in aggregates.items()]
    kept = {slot for slot in key_slots if slot is not None}
    sampled = {compiler.slots[name] for name in unaggregated(query) if name in compiler.slots}
    plans += [(slot, _sample_of(slot)) for slot in sorted(sampled - kept)]
    explicit = query.group_by is not None

    def group(dataset: ActiveDataset) -> list[Row]:
        rows = pattern(dataset)
        keys = [key(dataset) for key in late_keys]
        functions = [(slot, plan(dataset)) for slot, plan in plans]
        start = dataset.given or (None,) * compiler.width
        groups: dict[tuple[Term | None, ...], list[Row]] = {}
        if not explicit:
            groups[()] = rows
        elif keys:
            for row in rows:
                groups.setdefault(tuple([key(row) for key in keys]), []).append(row)
        out: list[Row] = []
        for key_terms, members in groups.items():
            result = list(start)
            for slot, term in zip(key_slots, key_terms, strict=True) if explicit else ():
                if slot is not None:
                    result[slot] = term
            for slot_, function in functions:
                result[slot_] = function(members)
            out.append(tuple(result))
        return out

    return group, Frame(compiler.slots, compiler.base, aggregates)


_OverGroup: TypeAlias = Callable[[ActiveDataset], "Callable[[list[Row]], Term | None]"]
"""Makes, from a dataset, a function from the rows of a group to a term."""


def _over_group(aggregate: Aggregate, compiler: PatternCompiler) -> _OverGroup:
    if aggregate.argument is None:
        slots = tuple(compiler.slots.values())
        if aggregate.distinct:
            return lambda dataset: (
                lambda rows: literal_of(len({tuple([row[slot] for slot in slots]) for row in rows}))
            )
        return lambda dataset: lambda rows: literal_of(len(rows))
    function = set_function(aggregate)
    late = compiler.expression(aggregate.argument)

    def over_group(dataset: ActiveDataset) -> Callable[[list[Row]], Term | None]:
        argument = late(dataset)
        return lambda rows: function([argument(row) for row in rows])

    return over_group


def _sample_of(slot: int) -> _OverGroup:
    function = set_function(Aggregate("SAMPLE", Variable("")))

    def sample(dataset: ActiveDataset) -> Callable[[list[Row]], Term | None]:
        given = dataset.given
        if given is not None and given[slot] is not None:
            return lambda rows: given[slot]
        return lambda rows: function([row[slot] for row in rows])

    return sample
