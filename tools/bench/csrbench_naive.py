"""A naive oracle of csrbench-oracle's design: for every t0 and every window, one store, one query.

It is written as one would who knows the library: triples are parsed and made the library's own
before the time is taken, a store takes a window's triples in one call, and a prepared query is
used where there is such a thing. Each of two processes has its share of the copies.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from rsp_conformance.model.terms import IRI, NUMERIC_DATATYPES, Literal, Term
from tools.bench.csrbench_copies import Copies
from tools.jury.rdflib_terms import to_rdflib

Cells: TypeAlias = "tuple[str | float, ...]"
Answer: TypeAlias = "Counter[Cells]"
"""The rows of an instant: IRIs and numbers, by the order of their variables."""


@dataclass(frozen=True)
class Question:
    """A query and its window (width and slide in instants), as the naive oracle takes it."""

    sparql: str
    width: int
    slide: int


@dataclass(frozen=True)
class Asked:
    """What an engine answered to a question over a copy, by instant."""

    copy: int
    question: Question
    answers: Mapping[int, Answer]


@dataclass(frozen=True)
class Outcome:
    """Seconds of both processes together, window evaluations, and who was found correct."""

    seconds: float
    evaluations: int
    correct: int


def cell(text: str, datatype: str | None) -> str | float:
    """What a term is compared by: a number's value, to the digits that any order of a sum gives."""
    return float(f"{float(text):.12g}") if datatype in NUMERIC_DATATYPES else text


def judge(
    library: str, data: Path, asked: Sequence[Asked], until: int, processes: int = 2
) -> Outcome:
    """Judge ASKED by LIBRARY, ``rdflib`` or ``pyoxigraph``, with PROCESSES processes.

    Their start, and reading the stream from DATA, is no part of the time.
    """
    shares = [[one for one in asked if one.copy % processes == share] for share in range(processes)]
    context = get_context("spawn")
    pools = [ProcessPoolExecutor(1, mp_context=context) for _ in shares]
    try:
        for ready in [
            pool.submit(_prepare, library, data, share)
            for pool, share in zip(pools, shares, strict=True)
        ]:
            ready.result()
        started = time.perf_counter()
        found = [
            future.result()
            for future in [
                pool.submit(_judge, library, share, until)
                for pool, share in zip(pools, shares, strict=True)
            ]
        ]
        seconds = time.perf_counter() - started
    finally:
        for pool in pools:
            pool.shutdown()
    return Outcome(seconds, sum(n for n, _ in found), sum(right for _, right in found))


_streams: dict[int, dict[int, list[Any]]] = {}
"""By copy and instant, the library's own triples: filled before the time is taken."""


def _prepare(library: str, data: Path, asked: Sequence[Asked]) -> None:
    copies = Copies(data)
    convert = {"rdflib": _rdflib_triples, "pyoxigraph": _oxigraph_quads}[library]
    for number in dict.fromkeys(one.copy for one in asked):
        _streams[number] = convert(copies, number)
    gc.collect()
    gc.freeze()


def _judge(library: str, asked: Sequence[Asked], until: int) -> tuple[int, int]:
    """How many windows were evaluated, and how many of ASKED are correct."""
    evaluate = {"rdflib": _by_rdflib, "pyoxigraph": _by_oxigraph}[library]
    evaluations = correct = 0
    for one in asked:
        question, stream = one.question, _streams[one.copy]
        first = question.slide - 1
        answer = evaluate(question)
        right = False
        for t0 in range(question.slide):
            agrees = True
            for opens in range(t0, until - question.width + 1, question.slide):
                closes = opens + question.width
                held = [x for t in range(opens + 1, closes + 1) for x in stream.get(t, ())]
                if not held:
                    continue
                evaluations += 1
                rows = answer(held)
                if closes >= first:
                    agrees = agrees and rows == one.answers.get(closes)
            closing = range(t0 + question.width, until + 1, question.slide)
            agrees = agrees and all(t in closing for t in one.answers)
            right = right or agrees
        correct += right
    return evaluations, correct


def _oxigraph_quads(copies: Copies, number: int) -> dict[int, list[Any]]:
    from pyoxigraph import Literal as OxLiteral
    from pyoxigraph import NamedNode, Quad

    @cache
    def term(one: Term) -> Any:
        if isinstance(one, Literal):
            return OxLiteral(one.lexical, datatype=NamedNode(one.datatype))
        assert isinstance(one, IRI)
        return NamedNode(one.value)

    return {
        e.t: [Quad(*[term(part) for part in triple]) for triple in e.graph]
        for e in copies.copy(number)
    }


def _rdflib_triples(copies: Copies, number: int) -> dict[int, list[Any]]:
    term = cache(to_rdflib)
    return {
        e.t: [tuple([term(part) for part in triple]) for triple in e.graph]
        for e in copies.copy(number)
    }


def _by_oxigraph(question: Question) -> Callable[[list[Any]], Answer]:
    from pyoxigraph import Literal as OxLiteral
    from pyoxigraph import QuerySolutions, Store

    def compared(term: Any) -> str | float:
        return cell(term.value, term.datatype.value if isinstance(term, OxLiteral) else None)

    def answer(held: list[Any]) -> Answer:
        store = Store()
        store.extend(held)
        found = store.query(question.sparql)
        assert isinstance(found, QuerySolutions)
        return Counter([tuple([compared(term) for term in row]) for row in found])

    return answer


def _by_rdflib(question: Question) -> Callable[[list[Any]], Answer]:
    import rdflib
    from rdflib.plugins.sparql import prepareQuery

    prepared = prepareQuery(question.sparql)

    def compared(term: Any) -> str | float:
        return cell(str(term), str(term.datatype) if isinstance(term, rdflib.Literal) else None)

    def answer(held: list[Any]) -> Answer:
        graph = rdflib.Graph()
        for triple in held:
            graph.add(triple)
        rows: Iterable[Any] = graph.query(prepared)
        return Counter([tuple([compared(term) for term in row]) for row in rows])

    return answer
