"""Spark's plan against the naive oracle, on the same window evaluations and the same two cores."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.tasks import Task
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.dataset import dataset
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.printer.rspql import print_query
from tests.bench.naive import Contents, Work, as_sparql, seconds

SAMPLE = 200
"""The naive oracle judges so many cases, and its time counts a window evaluation."""


@dataclass(frozen=True)
class Ratio:
    """How many times faster; milliseconds a window evaluation; what was evaluated."""

    ratio: float
    spark_ms: float
    naive_ms: float
    prepared_ms: float
    """The naive oracle's, were it to parse a case's query only once."""
    cases: int
    evaluations: int
    distinct: float
    """The share of distinct contents."""


def measure(cases: Sequence[tuple[Case, Dials]], semantics: SparkSemantics) -> Ratio:
    """Judge CASES on Spark, answered as a correct engine would; and a sample of them naively."""
    tasks: list[Task] = []
    work: list[Work] = []
    naive_evaluations = 0
    for case, dials in cases:
        try:
            tasks.append(_task(str(len(tasks)), case, dials))
        except (Unsupported, ValueError):
            continue
        if len(work) < SAMPLE:
            work.append(_work(case, dials))
            naive_evaluations += len(work[-1].evaluations)
    naive_ms = 1000 * seconds(work) / naive_evaluations
    prepared_ms = 1000 * seconds(work, parse_once=True) / naive_evaluations
    # The JVM compiles what it meets often: the start of a session is not what is measured here.
    semantics.judge(tasks[:100])
    semantics.judge(tasks)
    times = []
    for _ in range(3):
        started = time.perf_counter()
        semantics.judge(tasks)
        times.append(time.perf_counter() - started)
    counted = semantics.count_distinct(tasks)
    spark_ms = 1000 * sorted(times)[1] / counted.evaluations
    return Ratio(
        naive_ms / spark_ms,
        spark_ms,
        naive_ms,
        prepared_ms,
        len(tasks),
        counted.evaluations,
        (counted.distinct or 0) / counted.evaluations,
    )


def _task(key: str, case: Case, dials: Dials) -> Task:
    vectors = list(rspql_queries(case, dials))
    answer = Expectation(case, dials).answer(vectors[len(vectors) // 2])
    return Task(key, case, dials, tuple(Observed(e.t, e.content) for e in answer))


def _work(case: Case, dials: Dials) -> Work:
    """Every window evaluation of CASE, for every t0 vector."""
    evaluations: list[Contents] = []
    for vector in rspql_queries(case, dials):
        for moment, contents in Reporter(case, dials, vector).evaluations():
            seen = dataset(case, dials, moment.t, contents)
            graphs: list[tuple[IRI | None, tuple[Triple, ...]]] = [(None, tuple(seen.default))]
            graphs += [(n, tuple(graph)) for n, graph in seen.named.items() if isinstance(n, IRI)]
            graphs += [(name, tuple(held.default)) for name, held in seen.windows.items()]
            evaluations.append(tuple(graphs))
    return Work(print_query(as_sparql(case.query)), tuple(evaluations))
