"""Naive oracles to measure against: one store and one SPARQL query a window evaluation.

They are spared windows, reports, streaming operators and comparison: what every window holds is
given to them. They start, as Spark does, from the model's triples, and end with rows of the model's
terms, which could be compared; each term is converted once a case. rdflib parses a case's query
once; pyoxigraph prepares no queries. ``prepared`` says what they take where all this is done before
the time is taken, and rows are counted only. Two processes share the work, as Spark has two cores.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

from rsp_conformance.model.algebra import Extend as Bind
from rsp_conformance.model.algebra import Filter, Graph, Join, LeftJoin, Pattern, Union, Window
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Term, Triple
from tools.jury.oxigraph_terms import from_oxigraph, to_oxigraph
from tools.jury.rdflib_terms import from_rdflib, to_rdflib

Row = tuple[Term | None, ...]
Contents = tuple[tuple[IRI | None, tuple[Triple, ...]], ...]
"""What the query sees at an instant: graphs by name, None for the default graph."""


@dataclass(frozen=True)
class Work:
    """A case for a naive oracle: SPARQL text, and the contents of every window evaluation."""

    sparql: str
    evaluations: tuple[Contents, ...]


def as_sparql(query: Query) -> Query:
    """QUERY without its windows: WINDOW becomes GRAPH."""
    return replace(
        query,
        pattern=_graphs(query.pattern),
        windows=(),
        operator=None,
        name=None,
        computed_every=None,
    )


def _graphs(pattern: Pattern) -> Pattern:
    match pattern:
        case Window(name, inner):
            return Graph(name, _graphs(inner))
        case Graph(name, inner):
            return Graph(name, _graphs(inner))
        case Join() | LeftJoin() | Union():
            return replace(pattern, left=_graphs(pattern.left), right=_graphs(pattern.right))
        case Filter() | Bind():
            return replace(pattern, pattern=_graphs(pattern.pattern))
        case _:
            return pattern


def seconds(library: str, work: Sequence[Work], *, prepared: bool, processes: int = 2) -> float:
    """Wall-clock seconds that PROCESSES processes take for WORK by LIBRARY.

    Their start is no part of it. With PREPARED, neither is what comes before the evaluation of a
    query over triples of the library's own, and what comes after.
    """
    context = get_context("spawn")
    pools = [ProcessPoolExecutor(1, mp_context=context) for _ in range(processes)]
    try:
        for ready in [
            pool.submit(_prepare, library, work[share::processes], prepared=prepared)
            for share, pool in enumerate(pools)
        ]:
            ready.result()
        started = time.perf_counter()
        for done in [pool.submit(_evaluate) for pool in pools]:
            done.result()
        return time.perf_counter() - started
    finally:
        for pool in pools:
            pool.shutdown()


_ready: list[Callable[[], int]] = []
"""What evaluates one case: filled before the time is taken."""


def _prepare(library: str, work: Sequence[Work], *, prepared: bool) -> None:
    by = {"rdflib": _by_rdflib, "pyoxigraph": _by_oxigraph}[library]
    if prepared:
        _ready[:] = [partial(_counted, by(case)) for case in work]
    else:
        _ready[:] = [partial(_from_values, by, case) for case in work]
        # The library itself is loaded, and has met a query.
        _from_values(by, work[0])
    gc.collect()
    gc.freeze()


def _evaluate() -> int:
    """How many solutions all evaluations have."""
    return sum(evaluate() for evaluate in _ready)


@dataclass(frozen=True)
class _Ready:
    """A case whose triples are a library's own, one of ``loaded`` an evaluation.

    ``ask`` gives the answer over one, ``read`` an answer's rows in the model's terms.
    """

    loaded: Iterable[Any]
    ask: Callable[[Any], Any]
    read: Callable[[Any], list[Row]]


def _counted(case: _Ready) -> int:
    return sum(sum(1 for _ in answer) for answer in map(case.ask, case.loaded))


def _from_values(by: Callable[[Work], _Ready], work: Work) -> int:
    case = by(work)
    return sum(len(case.read(answer)) for answer in map(case.ask, case.loaded))


def is_read(case: Work) -> bool:
    """Whether rdflib reads the query: of an expression with ``-0.5`` it says *Not a number*."""
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql import prepareQuery

    try:
        prepareQuery(case.sparql)
    except (ParseBaseException, TypeError):
        return False
    return True


def _by_rdflib(case: Work) -> _Ready:
    """CASE by rdflib: its query parsed, its triples rdflib's; every evaluation has a dataset."""
    import rdflib
    from rdflib.plugins.sparql import prepareQuery
    from rdflib.plugins.sparql.sparql import SPARQLError

    query = prepareQuery(case.sparql)
    term, back = cache(to_rdflib), cache(from_rdflib)
    loaded: list[list[tuple[Any, list[Any]]]] = [
        [
            (None if name is None else term(name), [tuple(map(term, t)) for t in triples])
            for name, triples in contents
        ]
        for contents in case.evaluations
    ]

    def ask(contents: list[tuple[Any, list[Any]]]) -> Any:
        dataset = rdflib.Dataset()
        for name, triples in contents:
            graph = dataset.default_graph if name is None else dataset.graph(name)
            for triple in triples:
                graph.add(triple)
        try:
            answer = dataset.query(query)
            return [()] * bool(answer) if answer.type == "ASK" else [*answer]
        # rdflib raises where an aggregate or an expression fails, and should leave it unbound.
        except (SPARQLError, TypeError):
            return []

    def read(answer: Any) -> list[Row]:
        return [tuple([t if t is None else back(t) for t in row]) for row in answer]

    return _Ready(loaded, ask, read)


def _by_oxigraph(case: Work) -> _Ready:
    """CASE by pyoxigraph: every evaluation has a store."""
    from pyoxigraph import DefaultGraph, Quad, QueryBoolean, Store

    term: Callable[[Term], Any] = cache(to_oxigraph)
    back = cache(from_oxigraph)
    loaded = [
        [
            Quad(
                term(triple.subject),
                term(triple.predicate),
                term(triple.object),
                DefaultGraph() if name is None else term(name),
            )
            for name, triples in contents
            for triple in triples
        ]
        for contents in case.evaluations
    ]

    def ask(quads: list[Any]) -> Any:
        store = Store()
        store.extend(quads)
        answer: Any = store.query(case.sparql)
        return [()] * bool(answer) if isinstance(answer, QueryBoolean) else answer

    def read(answer: Any) -> list[Row]:
        return [tuple([t if t is None else back(t) for t in row]) for row in answer]

    return _Ready(loaded, ask, read)
