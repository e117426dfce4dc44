"""A naive oracle to measure against: rdflib, one graph and one SPARQL query a window evaluation.

It is spared everything but that: what every window holds is given to it. Two processes share the
work, as Spark has two cores. For comparison it can also parse a case's query only once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from rsp_conformance.model.algebra import Extend as Bind
from rsp_conformance.model.algebra import Filter, Graph, Join, LeftJoin, Pattern, Union, Window
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

Contents = tuple[tuple[IRI | None, tuple[Triple, ...]], ...]
"""What the query sees at an instant: graphs by name, None for the default graph."""


@dataclass(frozen=True)
class Work:
    """A case for the naive oracle: SPARQL text, and the contents of every window evaluation."""

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


def seconds(work: Sequence[Work], *, parse_once: bool = False, processes: int = 2) -> float:
    """Wall-clock seconds that PROCESSES processes take for WORK, their start excluded."""
    evaluate = _evaluate_prepared if parse_once else _evaluate
    shares = [list(work[share::processes]) for share in range(processes)]
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        list(pool.map(evaluate, [share[:1] for share in shares]))
        started = time.perf_counter()
        list(pool.map(evaluate, shares))
        return time.perf_counter() - started


def _evaluate(work: Sequence[Work]) -> int:
    """Solutions of every evaluation of WORK, by one query text each."""
    return sum(_solutions(case.sparql, contents) for case in work for contents in case.evaluations)


def _evaluate_prepared(work: Sequence[Work]) -> int:
    """Solutions of every evaluation of WORK, the query of a case parsed once."""
    from rdflib.plugins.sparql import prepareQuery

    found = 0
    for case in work:
        query = prepareQuery(case.sparql)
        found += sum(_solutions(query, contents) for contents in case.evaluations)
    return found


def _solutions(query: Any, contents: Contents) -> int:
    import rdflib

    dataset = rdflib.Dataset()
    for name, triples in contents:
        graph = dataset.default_graph if name is None else dataset.graph(_rdflib(name))
        for triple in triples:
            graph.add(tuple(_rdflib(part) for part in triple))
    return sum(1 for _ in dataset.query(query))


def _rdflib(term: Term) -> Any:
    import rdflib

    if isinstance(term, IRI):
        return rdflib.URIRef(term.value)
    if isinstance(term, BlankNode):
        return rdflib.BNode(term.label)
    if isinstance(term, Literal):
        if term.language:
            return rdflib.Literal(term.lexical, lang=term.language)
        return rdflib.Literal(term.lexical, datatype=rdflib.URIRef(term.datatype))
    raise TypeError(f"rdflib has no quoted triple such as {term!r}")
