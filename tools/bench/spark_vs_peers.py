"""Judging a batch of cases on Spark, against naive oracles and against the reference model.

All get the same cases and two cores. A naive oracle is given what windows hold and compares
nothing, and its time counts by window evaluation; the reference model judges what Spark judges.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import median

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.dataset import dataset
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.printer.rspql import print_query
from tools.bench.naive import Contents, Work, as_sparql, is_read, seconds
from tools.bench.processors import Spent, spent
from tools.progress import report

SAMPLE = 200
"""Of so many cases the naive oracles get those that rdflib reads; time counts by evaluation."""

ROUNDS = 3
PROCESSES = 2


@dataclass(frozen=True)
class Compared:
    """What judging a batch takes, and how many times longer its peers do.

    ``spark`` and ``specification`` are seconds for the batch; ``each`` milliseconds on the clock
    for one of the ``evaluations``, by who evaluates, and ``prepared`` the same of a peer for whom
    everything but the evaluation is done beforehand; ``distinct`` is the share of them whose
    contents differ within their case.
    """

    spark: Spent
    specification: Spent
    each: dict[str, float]
    prepared: dict[str, float]
    cases: int
    evaluations: int
    distinct: float

    def ratio(self, peer: str) -> float:
        """How many times as long PEER takes as Spark."""
        return self.each[peer] / self.each["spark"]


def measure(cases: Sequence[tuple[Case, Dials]], semantics: SparkSemantics) -> Compared:
    """Judge CASES, answered as a correct engine would, by all."""
    tasks = answered(cases)
    work = [*filter(is_read, (_work(task.case, task.dials) for task in tasks[:SAMPLE]))]
    sampled = sum(len(one.evaluations) for one in work)
    each: dict[str, float] = {}
    prepared: dict[str, float] = {}
    for library in ("rdflib", "pyoxigraph"):
        report(f"{sampled} window evaluations by {library}")
        for figures, ready in ((each, False), (prepared, True)):
            least = min(seconds(library, work, prepared=ready) for _ in range(ROUNDS))
            figures[library] = 1000 * least / sampled
    # The JVM compiles what it meets often: the start of a session is not what is measured here.
    semantics.judge(tasks[:100])
    semantics.judge(tasks)
    rounds: list[tuple[Spent, Spent]] = []
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        shares = [tasks[share::PROCESSES] for share in range(PROCESSES)]
        # Who judges has the cases already, and has met some.
        list(pool.map(_judged, [share[:100] for share in shares]))
        for number in range(ROUNDS):
            report(
                f"{len(tasks)} cases by Spark and by the reference model, {number + 1} of {ROUNDS}"
            )
            by_spark = spent(lambda: semantics.judge(tasks))
            started = time.perf_counter()
            work_of = list(pool.map(_judged, shares))
            rounds.append((by_spark, Spent(time.perf_counter() - started, sum(work_of))))
    evaluations = semantics.stats.evaluations
    spark, specification = (
        Spent(median(one.wall for one in side), median(one.work for one in side))
        for side in zip(*rounds, strict=True)
    )
    each["spark"] = 1000 * spark.wall / evaluations
    each["specification"] = 1000 * specification.wall / evaluations
    return Compared(
        spark,
        specification,
        each,
        prepared,
        len(tasks),
        evaluations,
        semantics.stats.distinct / evaluations,
    )


def _judged(tasks: Sequence[Task]) -> float:
    """The processor seconds that the reference model takes to judge TASKS.

    One whose answer the texts leave open takes it as much time, and has no verdict.
    """
    started = time.process_time()
    for task in tasks:
        with suppress(LeftOpen):
            judge(task.case, task.dials, task.observed or ())
    return time.process_time() - started


def answered(cases: Sequence[tuple[Case, Dials]]) -> list[Task]:
    """Those of CASES that can be answered, as a correct engine would."""
    report("answering the cases")
    tasks: list[Task] = []
    for case, dials in cases:
        try:
            tasks.append(_task(str(len(tasks)), case, dials))
        except (Unsupported, ValueError):
            continue
    return tasks


def _task(key: str, case: Case, dials: Dials) -> Task:
    """CASE answered by an engine that started at the last z, so that nobody can stop early."""
    *_, last = rspql_queries(case, dials)
    answer = Expectation(case, dials).answer(last)
    return Task(key, case, dials, tuple(Observed(e.t, e.content) for e in answer))


def _work(case: Case, dials: Dials) -> Work:
    """Every window evaluation of CASE, for every t0 vector."""
    evaluations: list[Contents] = []
    for vector in rspql_queries(case, dials):
        for moment, contents, _ in Reporter(case, dials, vector).evaluations():
            seen = dataset(case, dials, moment.t, contents)
            graphs: list[tuple[IRI | None, tuple[Triple, ...]]] = [(None, tuple(seen.default))]
            graphs += [(n, tuple(graph)) for n, graph in seen.named.items() if isinstance(n, IRI)]
            graphs += [(name, tuple(held.default)) for name, held in seen.windows.items()]
            evaluations.append(tuple(graphs))
    return Work(print_query(as_sparql(case.query)), tuple(evaluations))
