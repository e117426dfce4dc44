"""CSRBench's seven queries on copies of its stream: the kit against naive oracles.

Both sides are given the answers of an engine that started at the last of the legal t0, and judge
them by Definition 26: they compute the answers for every z and compare. So neither can stop early,
and nothing serves twice, because every copy says something else.
"""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rsp_conformance.corpora.csrbench.queries import all_queries
from rsp_conformance.files.files import FileError
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.batch.judge import Shipment, SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.wire import Unpacker
from rsp_conformance.spark.worker.prefilter import Prefilter
from tools.bench import csrbench_naive
from tools.bench.csrbench_copies import Copies
from tools.bench.csrbench_naive import Asked, Outcome, Question
from tools.progress import report

UNTIL = 33
"""The last instant of the stream; instants are seconds."""

COPIES = 100
ROUNDS = 2
SAMPLED = 2
"""Copies that rdflib judges, one a process; its time for the others is extrapolated."""

WARMING = 20
"""The session meets so many copies of its own first: its start is not what is measured."""


def folder_of(given: Path | None) -> Path:
    """CSRBench's folder: GIVEN, else of the variable CSRBENCH, else beside the project.

    FileError where it has no data; it says how the folder is given.
    """
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "csrbench"
    folder = given or Path(os.environ.get("CSRBENCH") or beside)
    if not (folder / "data").is_dir():
        raise FileError(
            folder / "data", "is no folder; give CSRBench's by --csrbench DIR or as CSRBENCH"
        )
    return folder


@dataclass(frozen=True)
class Part:
    """What judging some copies took: seconds on Spark and naively, and how much there was."""

    copies: int
    evaluations: int
    distinct: int
    """Window evaluations, and how many of them differ."""
    triples: int
    sent: int
    """Triples of the streams that the tasks read, and how many of them reach windows."""
    spark: float
    oxigraph: float
    rdflib: float


@dataclass(frozen=True)
class Peers:
    """The single published stream, and the copies; of these rdflib judged a sample."""

    single: Part
    many: Part
    sampled: int

    def to_json(self) -> dict[str, Any]:
        """All figures, for ``build/bench.json``."""
        return asdict(self)


def measure(folder: Path, semantics: SparkSemantics, number: int = COPIES) -> Peers:
    """Judge the published stream and NUMBER copies of it by all; two cores each.

    Spark and pyoxigraph judge NUMBER copies in turns, in every round others, and of each the
    quicker round counts: what else the machine does must not decide. RuntimeError where one of
    them does not find every answer correct.
    """
    bench = _Bench(folder / "data", semantics)
    warming = bench.tasks(range(-WARMING, 0))
    for _ in range(2):
        bench.by_spark(warming)
    rounds = []
    for first in (1 + number * done for done in range(ROUNDS)):
        many = bench.tasks(range(first, first + number))
        rounds.append((bench.by_spark(many), bench.naively("pyoxigraph", many)))
    sampled = [task for task in many if _copy_of(task) < first + SAMPLED]
    rdflib = bench.naively("rdflib", sampled).seconds * number / SAMPLED
    spark = min(seconds for seconds, _ in rounds)
    oxigraph = min((outcome for _, outcome in rounds), key=lambda outcome: outcome.seconds)
    found = bench.part(many, spark, oxigraph, rdflib)
    single = bench.tasks([0])
    least = min(bench.by_spark(single) for _ in range(3))
    naive = [bench.naively(library, single) for library in ("pyoxigraph", "rdflib")]
    return Peers(bench.part(single, least, naive[0], naive[1].seconds), found, SAMPLED)


class _Bench:
    """The queries, the copies and the session, ready to judge."""

    def __init__(self, data: Path, semantics: SparkSemantics) -> None:
        self._data = data
        self._copies = Copies(data)
        self._semantics = semantics
        self._dials = bundled_profile("c-sparql-papers").resolve(frozenset())
        self._queries = all_queries()
        self._parsed = {n: query.rspql() for n, query in self._queries.items()}

    def tasks(self, copies: Sequence[int]) -> list[Task]:
        """Every query over every one of COPIES, with the answers of the last legal t0."""
        report(f"answers to CSRBench's queries over {len(copies)} copies")
        asked = []
        for copy in copies:
            elements = self._copies.copy(copy)
            for number, query in self._queries.items():
                last = (query.slide // self._dials.unit - 1,)
                case = Case(self._parsed[number], elements, until=UNTIL)
                asked.append(Task(f"{copy} {number}", case, self._dials, t0=last))
        answered = self._semantics.answers(asked)
        tasks = []
        for task in asked:
            answers = answered[task.key]
            assert isinstance(answers, dict), answers
            assert task.t0 is not None
            observed = tuple(Observed(e.t, e.content) for e in answers[task.t0])
            tasks.append(replace(task, observed=observed, t0=None))
        return tasks

    def by_spark(self, tasks: Sequence[Task]) -> float:
        """Seconds to judge TASKS on Spark."""
        report(f"{len(tasks)} answers to CSRBench by Spark")
        # The streams are not garbage to be looked for; the naive oracle does the same.
        gc.collect()
        gc.freeze()
        started = time.perf_counter()
        verdicts = self._semantics.judge(tasks)
        seconds = time.perf_counter() - started
        gc.unfreeze()
        for key, verdict in verdicts.items():
            if not isinstance(verdict, Verdict) or not verdict.correct:
                raise RuntimeError(f"copy and query {key}: Spark finds {verdict}")
        return seconds

    def naively(self, library: str, tasks: Sequence[Task]) -> Outcome:
        """TASKS judged by a naive oracle."""
        report(f"{len(tasks)} answers to CSRBench by {library}")
        asked = [self._asked(task) for task in tasks]
        found = csrbench_naive.judge(library, self._data, asked, UNTIL)
        if found.correct != len(asked):
            raise RuntimeError(f"{library} finds {found.correct} of {len(asked)} answers correct")
        return found

    def _asked(self, task: Task) -> Asked:
        query, unit = self._queries[_number_of(task)], self._dials.unit
        return Asked(
            _copy_of(task),
            Question(query.sparql, query.width // unit, query.slide // unit),
            {
                int(answer.t): _cells(answer)
                for answer in task.observed or ()
                if answer.t is not None
            },
        )

    def part(self, tasks: Sequence[Task], spark: float, oxigraph: Outcome, rdflib: float) -> Part:
        """The figures of TASKS."""
        counted = self._semantics.stats
        if counted.evaluations != oxigraph.evaluations:
            raise RuntimeError(
                f"{counted.evaluations} window evaluations here, {oxigraph.evaluations} naively"
            )
        shipment = Shipment()
        shipped = [shipment.case(task, judged=True) for task in tasks]
        prefilter = Prefilter(Unpacker())
        useful = [prefilter.arrivals(s.elements, s.registration) for s in shipped]
        return Part(
            len({_copy_of(task) for task in tasks}),
            counted.evaluations,
            counted.distinct,
            sum(len(element.graph) for task in tasks for element in task.case.elements),
            sum(len(arrival.graph) for arrivals in useful for arrival in arrivals),
            spark,
            oxigraph.seconds,
            rdflib,
        )


def _copy_of(task: Task) -> int:
    return int(task.key.split()[0])


def _number_of(task: Task) -> int:
    return int(task.key.split()[1])


def _cells(answer: Observed) -> csrbench_naive.Answer:
    """The rows of ANSWER as the naive oracle compares them."""
    content = answer.content
    assert isinstance(content, Rows)
    return Counter(
        [tuple([_cell(term) for term in row if term is not None]) for row in content.rows]
    )


def _cell(term: Term) -> str | float:
    if isinstance(term, Literal):
        return csrbench_naive.cell(term.lexical, term.datatype)
    assert isinstance(term, IRI)
    return csrbench_naive.cell(term.value, None)


__all__ = ["COPIES", "Part", "Peers", "folder_of", "measure"]
