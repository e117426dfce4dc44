"""From what a library answers to the relation of a query: the solution modifiers (SPARQL 1.1, 15).

The modifiers are those of ``r2r``, so that a relation says the same of ties and of what SPARQL
leaves open whoever evaluated the pattern.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import itemgetter

from rsp_conformance.evaluation.asking import Ask
from rsp_conformance.evaluation.core import Core, core_of
from rsp_conformance.evaluation.openness import open_points
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Way
from rsp_conformance.r2r.expressions import Evaluator
from rsp_conformance.r2r.identity_cache import Remembered
from rsp_conformance.r2r.modifiers import Sorter, compile_order, modified
from rsp_conformance.r2r.scope import Scope, outermost
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

cores: Remembered[Core] = Remembered(core_of)


def solved(query: Query, dataset: Dataset, ask: Ask, way: Way = "library") -> Relation:
    """QUERY over DATASET, its pattern, groups and projection by ASK."""
    core = cores.of(query)
    notes = list(open_points(query, dataset, ask, partial(solved, ask=ask, way=way)))
    rows = ask(core.query, dataset)
    width = len(core.variables)
    keys = None
    if core.keys:
        keys = _sorter(core)(rows, outermost(dataset))
    found = modified(
        query, core.variables, rows, keys, project=lambda row: row[:width], notes=notes
    )
    return replace(found, way=way)


def _sorter(core: Core) -> Sorter:
    """ORDER BY over the columns of the library's rows."""

    def column(name: str) -> Callable[[Scope], Evaluator]:
        place = core.columns.index(name)
        return lambda scope: itemgetter(place)

    return compile_order([(column(name), descending) for name, descending in core.keys])
