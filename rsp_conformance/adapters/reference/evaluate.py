"""Relation to relation, by pyoxigraph: the solutions of a query over the dataset at an instant."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property, lru_cache
from typing import TypeAlias

import pyoxigraph as ox

from rsp_conformance.adapters.reference.dataset import BackgroundVersion, Layout, StoredDataset
from rsp_conformance.adapters.reference.oxigraph.callbacks import Callbacks
from rsp_conformance.adapters.reference.oxigraph.functions import FUNCTIONS, Aggregates, Functions
from rsp_conformance.adapters.reference.oxigraph.iris import refuse_relative
from rsp_conformance.adapters.reference.oxigraph.names import Names
from rsp_conformance.adapters.reference.oxigraph.terms import CALLS
from rsp_conformance.adapters.reference.oxigraph.translate import Translation, columns
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.text.printer.rspql import print_query

_Key: TypeAlias = tuple[object, ...]

REMEMBERED = 64
"""The number of contents whose solutions are cached: an old content does not come again, because
time passes. It bounds the memory for long streams."""
QUERIES = 2048
"""The number of queries whose solutions are cached: several times the number of cases about which
the search for causes tries its settings."""


@lru_cache(maxsize=QUERIES)
def cached_solutions(_: object) -> dict[_Key, tuple[Row, ...]]:
    """Return the solutions at hand of all evaluators of one query over one background."""
    return {}


@lru_cache(maxsize=QUERIES)
def _written(
    query: Query, base: str | None, names: Names, library: str | None
) -> tuple[str, Aggregates]:
    """Return the text of a query over the graphs in `names`, and the aggregates that it calls.

    Equal queries may have another `base`, which IRI() asks for.
    """
    translation = Translation(query, names, library)
    return print_query(translation.query), translation.aggregates


class QueryEvaluator:
    """Evaluates one query again and again.

    The query's text depends only on what names mean; it is written once for each meaning. A
    content that was seen just before, at whatever time, has its solutions at hand.

    Args:
        query: the query.
        dials: the setting of the dials.
        functions: the extension functions that queries may call.
        library: the point that is left as pyoxigraph reads it by itself; None for none.
        case: stands for the background data; evaluators of the same query with an equal case share
            their solutions. None shares nothing.
    """

    def __init__(
        self,
        query: Query,
        dials: Dials,
        functions: Functions = FUNCTIONS,
        library: str | None = None,
        case: object = None,
    ) -> None:
        self._query = query
        self._layout = layout = Layout.of(dials)
        self._callbacks = callbacks = Callbacks()
        self._functions = functions
        self.columns = columns(query)
        self._solutions: dict[_Key, tuple[Row, ...]] = (
            {} if case is None else cached_solutions((query, query.base, layout, library, case))
        )

        @lru_cache(maxsize=REMEMBERED)
        def translated(names: Names) -> tuple[str, Aggregates]:
            text, aggregates = _written(query, query.base, names, library)
            return text, {name: callbacks.aggregate(make) for name, make in aggregates.items()}

        self._translated = translated

    def solutions(
        self, background: BackgroundVersion, contents: Sequence[Sequence[Arrival]]
    ) -> tuple[Row, ...]:
        """Return the rows over ``columns``, after solution modifiers; in order under ORDER BY."""
        key = (background.version, *(tuple(map(_held, content)) for content in contents))
        found = self._solutions.get(key)
        if found is None:
            if len(self._solutions) == REMEMBERED:
                self._solutions.clear()
            found = self._solutions[key] = self._evaluate(background, contents)
        return found

    @cached_property
    def _guarded(self) -> Functions:
        return {name: self._callbacks.function(own) for name, own in self._functions.items()}

    def _evaluate(
        self, background: BackgroundVersion, contents: Sequence[Sequence[Arrival]]
    ) -> tuple[Row, ...]:
        dataset = StoredDataset(self._query, self._layout, background, contents)
        text, aggregates = self._translated(dataset.names)
        # A new store costs less than to find what has changed, and holds no term for longer.
        store = ox.Store()
        store.extend(dataset.quads)
        # Where nothing is called back nothing can be lost, and watching takes its time.
        calls = CALLS in text
        with self._callbacks.raising() if calls else nullcontext():
            try:
                results = store.query(
                    text,
                    custom_functions=self._guarded if calls else {},
                    custom_aggregate_functions=aggregates,
                )
            except SyntaxError:
                refuse_relative(self._query)
                raise
            assert isinstance(results, ox.QuerySolutions)
            places = range(len(self.columns))
            found = self._callbacks.solutions(results)
            return tuple(tuple([solution[place] for place in places]) for solution in found)


def _held(arrival: Arrival) -> tuple[object, ...]:
    """Return the content that an element adds to a dataset, at any instant."""
    return arrival.triples, arrival.name, arrival.graph
