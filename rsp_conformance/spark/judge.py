"""Ans(Q) and Definition 26 for a batch of tasks, on Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows, Triples, Truth
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.spark import compare, plan
from rsp_conformance.spark.codec import decode_row, decode_triple
from rsp_conformance.spark.coverage import not_judged
from rsp_conformance.spark.encode import Batch, Described, table
from rsp_conformance.spark.given import GIVEN_FIELDS, given_rows
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream import Cut, LongStream, cut
from rsp_conformance.spark.tasks import Task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Refusal: TypeAlias = Unsupported | ValueError
"""Why a task was not judged; one task's refusal does not lose the batch."""

Answers: TypeAlias = dict[Vector, tuple[Evaluation, ...]]


@dataclass(frozen=True)
class Stats:
    """What the last batch held.

    ``evaluations`` counts every (case, t0 vector, instant); ``distinct`` what the evaluator of
    patterns was asked, contents that repeat being asked once. None where it was not counted.
    """

    cases: int = 0
    vectors: int = 0
    evaluations: int = 0
    distinct: int | None = None


class SparkSemantics:
    """The semantics over a Spark session."""

    def __init__(self, spark: SparkHandle) -> None:
        self.spark = spark
        self.stats = Stats()

    def answers(self, tasks: Iterable[Task]) -> dict[str, Answers | Refusal]:
        """Ans(Q_z) of every task for every z of Z, or for the task's own t0 vector.

        The range of an answer is all of Q_z's, from its first evaluation to ``until``.
        """
        batch, numbered, results = self._batch(tasks)
        out: dict[str, Answers | Refusal] = dict(results)
        if not numbered:
            return out
        found = {
            (row["task"], row["z"]): row
            for row in self._by_vector(batch, numbered).toArrow().to_pylist()
        }
        for number, task in numbered.items():
            described = batch.described[number]
            vectors = list(product(*described.starts))
            rows = [found.get((number, z)) for z in range(len(vectors))]
            refused = [row["refused"] for row in rows if row is not None and row["refused"]]
            out[task.key] = (
                Unsupported(refused[0])
                if refused
                else {
                    vector: () if row is None else _evaluations(row, task.case.query.form)
                    for vector, row in zip(vectors, rows, strict=True)
                }
            )
        self._count(batch, sum(row["evaluations"] for row in found.values()))
        return out

    def judge(self, tasks: Iterable[Task]) -> dict[str, Verdict | Refusal]:
        """Definition 26 for every task (each with its ``observed`` answers)."""
        asked = list(tasks)
        refused = {task.key: why for task in asked if (why := not_judged(task.case, task.dials))}
        batch, numbered, results = self._batch([t for t in asked if t.key not in refused])
        out: dict[str, Verdict | Refusal] = {**refused, **results}
        if not numbered:
            return out
        rows = [
            row
            for number, task in numbered.items()
            for row in given_rows(number, task, batch.described[number])
        ]
        given = self._frame(table(rows, GIVEN_FIELDS))
        vectors = self._by_vector(batch, numbered)
        found = compare.compared(vectors, given).toArrow().to_pylist()
        for row in found:
            number = row["task"]
            out[numbered[number].key] = _verdict(
                [row], batch.described[number], numbered[number].case.until
            )
        self._count(batch, sum(row["evaluations"] for row in found))
        return out

    def stream_answers(self, stream: LongStream) -> DataFrame:
        """Ans(Q_z) of a long stream for every z: a DataFrame, one row an evaluation.

        Columns: ``z`` (the place of the t0 vector in Z), ``t``, ``s`` (the step within the
        instant), ``stamp``, ``kept`` (false where the profile drops an empty answer), ``answer``
        (rows, a truth value or triples as ``codec`` writes them) and ``hash``, ``open`` and
        ``refused`` (why the answer is not determined, or not to be had).
        """
        columns = ("z", "t", "s", "stamp", "kept", "variables", "answer", "ties", "hash")
        answered, _ = self._stream(stream)
        return answered.select(*columns, "open", "refused")

    def judge_stream(self, stream: LongStream, observed: tuple[Observed, ...]) -> Verdict | Refusal:
        """Definition 26 for a long stream, piece by piece.

        Takes ``answer_time`` evaluation without time tolerance: only then does every answer
        belong to one piece, whatever comes before and after.
        """
        dials = stream.dials
        if dials.answer_time != "evaluation" or dials.time_tolerance:
            return Unsupported("a stream in pieces judged other than by exact instants")
        try:
            answered, made = self._stream(stream)
        except (Unsupported, ValueError) as refusal:
            return refusal
        task = Task("stream", stream.case, dials, observed, t0=stream.t0)
        given = self._frame(table(given_rows(0, task, made.described), GIVEN_FIELDS))
        vectors = compare.by_vector(answered, made.partitions)
        found = compare.compared(vectors, given).toArrow().to_pylist()
        self.stats = Stats(1, _vectors(made.described), sum(row["evaluations"] for row in found))
        return _verdict(found, made.described, stream.case.until)

    def _stream(self, stream: LongStream) -> tuple[DataFrame, Cut]:
        made = cut(stream, self.spark)
        operator = stream.case.query.operator
        shape = plan.Shape(
            made.partitions,
            differences=operator is not None and operator.letter in "ID",
            pieces=made.count > 1,
        )
        return plan.answers(made.pieces, made.contents, shape), made

    def count_distinct(self, tasks: Iterable[Task]) -> Stats:
        """The batch's statistics with ``distinct``, by a job of its own."""
        batch, numbered, _ = self._batch(tasks)
        if not numbered:
            return Stats()
        pieces, _ = batch.tables()
        keys = plan.evaluations(self._frame(pieces)).selectExpr(
            "count(*) AS evaluations", "count(DISTINCT key) AS distinct"
        )
        row = keys.toArrow().to_pylist()[0]
        self._count(batch, row["evaluations"])
        self.stats = replace(self.stats, distinct=row["distinct"])
        return self.stats

    def _batch(self, tasks: Iterable[Task]) -> tuple[Batch, dict[int, Task], dict[str, Refusal]]:
        batch = Batch()
        numbered: dict[int, Task] = {}
        refused: dict[str, Refusal] = {}
        keys: set[str] = set()
        for number, task in enumerate(tasks):
            if task.key in keys:
                raise ValueError(f"two tasks have the key {task.key!r}")
            keys.add(task.key)
            try:
                batch.add(number, task)
            except (Unsupported, ValueError) as refusal:
                refused[task.key] = refusal
            else:
                numbered[number] = task
        return batch, numbered, refused

    def _by_vector(self, batch: Batch, numbered: Mapping[int, Task]) -> DataFrame:
        pieces, contents = batch.tables()
        shape = plan.Shape(
            self.spark.partitions,
            differences=any(case["operator"] in ("I", "D") for case in batch.cases),
            pieces=False,
        )
        answered = plan.answers(self._frame(pieces), self._frame(contents), shape)
        return compare.by_vector(answered, self.spark.partitions)

    def _frame(self, rows: pa.Table) -> DataFrame:
        return self.spark.session.createDataFrame(rows)

    def _count(self, batch: Batch, evaluations: int) -> None:
        vectors = sum(_vectors(described) for described in batch.described.values())
        self.stats = Stats(len(batch.described), vectors, evaluations)


def _vectors(described: Described) -> int:
    """|Z|."""
    return prod(len(options) for options in described.starts)


def _evaluations(row: Mapping[str, Any], form: Form) -> tuple[Evaluation, ...]:
    contents = {c["hash"]: _content(c, form) for c in row["contents"]}
    return tuple([Evaluation(due["t"], contents[due["hash"]]) for due in row["due"]])


def _content(content: Mapping[str, Any], form: Form) -> Content:
    answer: Sequence[str] = content["answer"]
    if form is Form.ASK:
        return Truth(answer == ["true"])
    if form is Form.CONSTRUCT:
        return Triples(frozenset([decode_triple(text) for text in answer]))
    variables = tuple(content["variables"].split("\t")) if content["variables"] else ()
    solutions = [decode_row(text) for text in answer]
    ties = content["ties"]
    return Rows(
        variables,
        tuple([tuple([solution.get(v) for v in variables]) for solution in solutions]),
        tuple(ties) if ties and ties[0] >= 0 else None,
    )


def _verdict(
    segments: Sequence[Mapping[str, Any]], described: Described, until: int
) -> Verdict | Refusal:
    """The verdict over all segments of a task: some z must be right in every one."""
    flags = {flag["z"]: flag for segment in segments for flag in segment["flags"]}
    right: dict[int, int] = {}
    worst: dict[int, tuple[int, int, Mapping[str, Any]]] = {}
    for segment in segments:
        for outcome in segment["outcomes"]:
            z = outcome["z"]
            if outcome["right"]:
                right[z] = right.get(z, 0) + 1
                continue
            t = until + 1 if outcome["t"] is None else outcome["t"]
            place = (t, outcome["agreed"], outcome)
            if z not in worst or place[0] < worst[z][0]:
                worst[z] = place
    vectors = list(product(*described.starts))
    for z, vector in enumerate(vectors):
        flag = flags.get(z)
        if flag is not None and flag["refused"] is not None:
            return Unsupported(flag["refused"])
        if flag is not None and flag["open"] is not None:
            return Unsupported(f"judging an answer that SPARQL leaves open ({flag['open']})")
        if right.get(z, 0) == len(segments):
            return Verdict(True, vector, described.t_s)
    nearest = max(worst, key=lambda z: (worst[z][0], worst[z][1], -z))
    outcome = worst[nearest][2]
    divergence = Divergence(Kind(outcome["kind"]), outcome["t"], None, None)
    return Verdict(False, vectors[nearest], described.t_s, divergence)
