"""Naive oracles to measure against: one store and one SPARQL query a window evaluation.

They are spared everything but that: what every window holds is given to them, in the library's own
terms, and rdflib's query is prepared once a case. Two processes share the work, as Spark has two
cores.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from typing import Any

from rsp_conformance.model.algebra import Extend as Bind
from rsp_conformance.model.algebra import Filter, Graph, Join, LeftJoin, Pattern, Union, Window
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from tests.oracles.rdflib_terms import to_rdflib

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


def seconds(library: str, work: Sequence[Work], processes: int = 2) -> float:
    """Wall-clock seconds that PROCESSES processes take for WORK by LIBRARY.

    Their start is no part of it, nor is turning triples into the library's own.
    """
    context = get_context("spawn")
    pools = [ProcessPoolExecutor(1, mp_context=context) for _ in range(processes)]
    try:
        for ready in [
            pool.submit(_prepare, library, work[share::processes])
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


def _prepare(library: str, work: Sequence[Work]) -> None:
    prepare = {"rdflib": _by_rdflib, "pyoxigraph": _by_oxigraph}[library]
    _ready[:] = [prepare(case) for case in work]
    gc.collect()
    gc.freeze()


def _evaluate() -> int:
    """How many solutions all evaluations have."""
    return sum(evaluate() for evaluate in _ready)


def _by_rdflib(case: Work) -> Callable[[], int]:
    """CASE by rdflib: the query is prepared once, and every evaluation has a dataset of its own."""
    import rdflib
    from rdflib.plugins.sparql import prepareQuery

    query = prepareQuery(case.sparql)
    term = cache(to_rdflib)
    evaluations: list[list[tuple[Any, list[Any]]]] = [
        [
            (None if name is None else term(name), [tuple(map(term, t)) for t in triples])
            for name, triples in contents
        ]
        for contents in case.evaluations
    ]

    def evaluate() -> int:
        found = 0
        for contents in evaluations:
            dataset = rdflib.Dataset()
            for name, triples in contents:
                graph = dataset.default_graph if name is None else dataset.graph(name)
                for triple in triples:
                    graph.add(triple)
            found += sum(1 for _ in dataset.query(query))
        return found

    return evaluate


def _by_oxigraph(case: Work) -> Callable[[], int]:
    """CASE by pyoxigraph, which prepares no query: every evaluation has a store."""
    from pyoxigraph import DefaultGraph, Quad, QueryBoolean, Store

    term = cache(_oxigraph_term)
    evaluations = [
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

    def evaluate() -> int:
        found = 0
        for quads in evaluations:
            store = Store()
            store.extend(quads)
            answer: Any = store.query(case.sparql)
            found += bool(answer) if isinstance(answer, QueryBoolean) else sum(1 for _ in answer)
        return found

    return evaluate


def _oxigraph_term(term: Term) -> Any:
    from pyoxigraph import BlankNode as OxBlankNode
    from pyoxigraph import Literal as OxLiteral
    from pyoxigraph import NamedNode

    if isinstance(term, IRI):
        return NamedNode(term.value)
    if isinstance(term, BlankNode):
        return OxBlankNode(term.label)
    assert isinstance(term, Literal)
    if term.language:
        return OxLiteral(term.lexical, language=term.language)
    return OxLiteral(term.lexical, datatype=NamedNode(term.datatype))
