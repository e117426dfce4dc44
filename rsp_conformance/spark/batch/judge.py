"""Ans(Q) and Definition 26 for a batch of tasks, on Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from rsp_conformance.model.answers import Content, Evaluation, Rows, Triples, Truth
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.spark.batch.coverage import not_judged
from rsp_conformance.spark.batch.encode import Batch, Described, table
from rsp_conformance.spark.batch.observed import GIVEN_FIELDS, given_row
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.codec import decode_row, decode_triple
from rsp_conformance.spark.plan.comparison import compared
from rsp_conformance.spark.plan.evaluations import evaluations, relations
from rsp_conformance.spark.plan.r2s import answers
from rsp_conformance.spark.session import SparkHandle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Refusal: TypeAlias = Unsupported | ValueError
"""Why a task was not judged; one task's refusal does not lose the batch."""

Answers: TypeAlias = dict[Vector, tuple[Evaluation, ...]]


@dataclass(frozen=True)
class Stats:
    """What the last batch held.

    ``evaluations`` counts every (case, t0 vector, instant); ``distinct`` the contents that differ
    within their case: what the evaluator of patterns is asked at most.
    """

    cases: int = 0
    vectors: int = 0
    evaluations: int = 0
    distinct: int = 0


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
        found = {row["task"]: row for row in self._answered(batch.table()).toArrow().to_pylist()}
        for number, task in numbered.items():
            row = found[number]
            refused = [one["refused"] for one in row["expected"] if one["refused"]]
            out[task.key] = (
                Unsupported(refused[0])
                if refused
                else _answers(row, list(product(*batch.described[number].starts)), task)
            )
        self._count(batch, list(found.values()))
        return out

    def judge(self, tasks: Iterable[Task]) -> dict[str, Verdict | Refusal]:
        """Definition 26 for every task (each with its ``observed`` answers)."""
        asked = list(tasks)
        refused = {task.key: why for task in asked if (why := not_judged(task.case, task.dials))}
        batch, numbered, results = self._batch([t for t in asked if t.key not in refused])
        out: dict[str, Verdict | Refusal] = {**refused, **results}
        if not numbered:
            return out
        given = table(
            [given_row(n, task, batch.described[n]) for n, task in numbered.items()], GIVEN_FIELDS
        )
        pieces = batch.table()
        for name in given.column_names[1:]:
            pieces = pieces.append_column(name, given[name])
        found = compared(self._answered(pieces)).toArrow().to_pylist()
        for row in found:
            number = row["task"]
            out[numbered[number].key] = _verdict(
                row, batch.described[number], numbered[number].case.until
            )
        self._count(batch, found)
        return out

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

    def _answered(self, pieces: pa.Table) -> DataFrame:
        frame = self.spark.session.createDataFrame(pieces)
        return answers(relations(evaluations(frame)))

    def _count(self, batch: Batch, rows: Sequence[Mapping[str, Any]]) -> None:
        self.stats = Stats(
            len(batch.described),
            sum(_vectors(described) for described in batch.described.values()),
            sum(row["evaluations"] for row in rows),
            sum(row["distinct"] for row in rows),
        )


def _vectors(described: Described) -> int:
    """|Z|."""
    return prod(len(options) for options in described.starts)


def _answers(row: Mapping[str, Any], vectors: Sequence[Vector], task: Task) -> Answers:
    """Ans(Q_z) by z, of a row of ``plan.r2s.answers``."""
    variables = tuple(row["variables"].split("\t")) if row["variables"] else ()
    form = task.case.query.form
    contents = {c["hash"]: _content(c, variables, form) for c in row["answers"]}
    return {
        vectors[one["z"]]: tuple(
            [Evaluation(due["t"], contents[due["hash"]]) for due in one["due"]]
        )
        for one in row["expected"]
    }


def _content(content: Mapping[str, Any], variables: tuple[str, ...], form: Form) -> Content:
    answer: Sequence[str] = content["answer"]
    if form is Form.ASK:
        return Truth(answer == ["true"])
    if form is Form.CONSTRUCT:
        return Triples(frozenset([decode_triple(text) for text in answer]))
    solutions = [decode_row(text) for text in answer]
    ties = content["ties"]
    return Rows(
        variables,
        tuple([tuple([solution.get(v) for v in variables]) for solution in solutions]),
        None if ties is None else tuple(ties),
    )


def _verdict(row: Mapping[str, Any], described: Described, until: int) -> Verdict | Refusal:
    """The verdict on a task: some z must be right."""
    flags = {flag["z"]: flag for flag in row["flags"]}
    outcomes = {outcome["z"]: outcome for outcome in row["outcomes"]}
    vectors = list(product(*described.starts))
    for z, vector in enumerate(vectors):
        if z in flags:
            return refusal(flags[z])
        if z in outcomes and outcomes[z]["right"]:
            return Verdict(True, vector, described.t_s)

    def rank(z: int) -> tuple[int, int, int]:
        t = outcomes[z]["t"]
        return until + 1 if t is None else t, outcomes[z]["agreed"], -z

    nearest = max(outcomes, key=rank)
    outcome = outcomes[nearest]
    divergence = Divergence(Kind(outcome["kind"]), outcome["t"], None, None)
    return Verdict(False, vectors[nearest], described.t_s, divergence)


def refusal(flag: Mapping[str, Any]) -> Unsupported:
    """Why nothing is said of a z whose answer is not to be had, or not determined."""
    if flag["refused"] is not None:
        return Unsupported(flag["refused"])
    return Unsupported(f"judging an answer that SPARQL leaves open ({flag['open']})")
