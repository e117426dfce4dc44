"""Relation to relation, by pyoxigraph: the solutions of a query over the dataset at an instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from rsp_conformance.adapters.reference.dataset import Background, DatasetMaker
from rsp_conformance.adapters.reference.oxigraph.functions import FUNCTIONS, Aggregates, Functions
from rsp_conformance.adapters.reference.oxigraph.names import (
    GRAPH_TERMS,
    KNOWN_AS,
    GraphTerm,
    Names,
    StoredGraph,
)
from rsp_conformance.adapters.reference.oxigraph.translate import Translation, columns
from rsp_conformance.adapters.reference.oxigraph.uncertainty import refusals_raised
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.text.printer.rspql import print_query


class _Prepared(NamedTuple):
    text: str
    width: int
    aggregates: Aggregates


_Key: TypeAlias = tuple[object, ...]

REMEMBERED = 16
"""How many contents' solutions are kept at hand: time passes, and old ones do not come again."""

RENEWED = 10_000
"""After so many triples put into the store it is made anew: it never forgets a term it has seen."""


class Evaluator:
    """Evaluates one query again and again, over one store that changes by what has changed.

    The query's text depends only on what names mean; it is written once for each meaning. A
    content that was seen just before has its solutions at hand.
    """

    def __init__(
        self,
        query: Query,
        dials: Dials,
        functions: Functions = FUNCTIONS,
        library: str | None = None,
    ) -> None:
        self._functions = functions
        self._library = library
        self.columns = columns(query)
        self._query = query
        self._maker = DatasetMaker(query, dials)
        self._renew()
        self._solutions: dict[_Key, tuple[Row, ...]] = {}

    def solutions(
        self, background: Background, contents: Sequence[Sequence[Arrival]]
    ) -> tuple[Row, ...]:
        """The rows over ``columns``, after solution modifiers; in order under ORDER BY."""
        key = (background.version, *(tuple(a.position for a in content) for content in contents))
        found = self._solutions.get(key)
        if found is None:
            if len(self._solutions) == REMEMBERED:
                self._solutions.clear()
            found = self._solutions[key] = self._evaluate(background, contents)
        return found

    def _renew(self) -> None:
        """Begin with an empty store, and forget all names: those of named elements pass too."""
        self._store = ox.Store()
        self._stored: dict[str, frozenset[ox.Triple]] = {}
        self._prepared: dict[Names, _Prepared] = {}
        self._maker.forget()
        self._put = 0
        self._renewed_at = RENEWED

    def _evaluate(
        self, background: Background, contents: Sequence[Sequence[Arrival]]
    ) -> tuple[Row, ...]:
        if self._put >= self._renewed_at:
            self._renew()
        dataset = self._maker.make(background, contents)
        self._update(dataset.layers)
        prepared = self._prepared.get(dataset.names)
        if prepared is None:
            prepared = self._prepared[dataset.names] = self._prepare(dataset.names)
        with refusals_raised():
            results = self._store.query(
                prepared.text,
                custom_functions=self._functions,
                custom_aggregate_functions=prepared.aggregates,
            )
            assert isinstance(results, ox.QuerySolutions)
            places = range(prepared.width)
            return tuple(tuple([solution[place] for place in places]) for solution in results)

    def _prepare(self, names: Names) -> _Prepared:
        translation = Translation(self._query, names, self._library)
        for term, graph in _blank_names(names):
            self._put += 1
            self._store.add(
                ox.Quad(
                    ox.NamedNode(graph.names()[0]),
                    ox.NamedNode(KNOWN_AS),
                    term,
                    ox.NamedNode(GRAPH_TERMS),
                )
            )
        text = print_query(translation.query)
        return _Prepared(text, len(self.columns), translation.aggregates)

    def _update(self, layers: Mapping[str, frozenset[ox.Triple]]) -> None:
        """Make the store hold LAYERS, by the difference to what it holds."""
        nothing: frozenset[ox.Triple] = frozenset()
        for name in self._stored.keys() | layers.keys():
            before, now = self._stored.get(name, nothing), layers.get(name, nothing)
            if before is now or before == now:
                continue
            graph = ox.NamedNode(name)
            new = now - before
            self._store.extend([_quad(triple, graph) for triple in new])
            for triple in before - now:
                self._store.remove(_quad(triple, graph))
            self._put += len(new)
        if not self._stored:
            # What a renewal has to put in again is paid for by ten times as much that is new.
            self._renewed_at = max(RENEWED, 10 * self._put)
        self._stored = dict(layers)


def _blank_names(names: Names) -> list[tuple[GraphTerm, StoredGraph]]:
    scopes = [names, *(inside for _, inside in names.windows)]
    return [
        (term, graph)
        for scope in scopes
        for term, graph in scope.graphs
        if isinstance(term, ox.BlankNode)
    ]


def _quad(triple: ox.Triple, graph: ox.NamedNode) -> ox.Quad:
    return ox.Quad(triple.subject, triple.predicate, triple.object, graph)
