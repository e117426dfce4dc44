"""Ans(Q) and Definition 26 for a batch of tasks, on Spark."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from rsp_conformance import limits
from rsp_conformance.model.background import Background
from rsp_conformance.model.dials import Literals
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Literal
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.model.walk import within
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.job import run, shares_of
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.wire import PackedElement, pack_answers, pack_elements
from rsp_conformance.spark.worker.judge import (
    AnswersByVector,
    CaseResult,
    Refusal,
    ShippedCase,
    judge_share,
)
from rsp_conformance.spark.worker.registered import Registration

_NOTHING = Background()


@dataclass(frozen=True)
class Stats:
    """The numbers of the last batch.

    Attributes:
        cases: the cases.
        vectors: the members of Z that were traced, over all cases.
        evaluations: the evaluations: each case, t0 vector and instant that was looked at.
        distinct: the contents that differ within their case: the most for which patterns are
            evaluated.
    """

    cases: int = 0
    vectors: int = 0
    evaluations: int = 0
    distinct: int = 0


class SparkSemantics:
    """The semantics over a Spark session; each case may take as long as `limits` allow here."""

    def __init__(self, spark: SparkHandle) -> None:
        self.spark = spark
        self.stats = Stats()

    def answers(self, tasks: Iterable[Task]) -> dict[str, AnswersByVector | Refusal]:
        """Ans(Q_z) of every task for every z of Z, or for the task's own t0 vector.

        The range of an answer is all of Q_z's, from its first evaluation to ``until``.
        """
        return cast("dict[str, AnswersByVector | Refusal]", self._found(tasks, judged=False))

    def judge(self, tasks: Iterable[Task]) -> dict[str, Verdict | Refusal]:
        """Definition 26 for every task, each with its ``observed`` answers."""
        return cast("dict[str, Verdict | Refusal]", self._found(tasks, judged=True))

    def _found(self, tasks: Iterable[Task], *, judged: bool) -> dict[str, object]:
        shipped: dict[str, ShippedCase] = {}
        shipment = Shipment()
        for task in tasks:
            if task.key in shipped:
                raise ValueError(f"two tasks have the key {task.key!r}")
            shipped[task.key] = shipment.case(task, judged=judged)
        work = list(shipped.values())
        share = partial(judge_share, seconds=limits.seconds())
        found = run(self.spark, share, shares_of(work, self.spark.partitions))
        self.stats = _counted(found)
        return {key: judged.found for key, judged in zip(shipped, found, strict=True)}


class Shipment:
    """Cases on their way; those of one stream share its elements, and equal queries are one."""

    def __init__(self) -> None:
        self._packed: dict[tuple[int, Literals], tuple[object, list[PackedElement]]] = {}
        self._queries: dict[Hashable, Query | None] = {}
        self._others: dict[Any, Any] = {}

    def case(self, task: Task, *, judged: bool) -> ShippedCase:
        """Pack a task.

        Args:
            task: the task.
            judged: whether it is judged, so that its answers are needed.
        """
        elements = task.case.elements
        # By identity: what is kept keeps its identity, though its task may be gone.
        key = id(elements), task.dials.literals
        if key not in self._packed:
            self._packed[key] = elements, pack_elements(elements, task.dials)
        registration = Registration.of(task.case, task.dials)
        return ShippedCase(
            registration._replace(
                query=self._query(registration.query),
                dials=self._others.setdefault(registration.dials, registration.dials),
                background=registration.background or _NOTHING,
            ),
            self._packed[key][1],
            pack_answers(task.observed or ()) if judged else None,
            task.t0,
        )

    def _query(self, query: Query) -> Query:
        """The first query equal to this one, unless tags may be written differently in the two."""
        key = query, query.prefixes, query.base
        known = self._queries.setdefault(key, query)
        if known is query and known is not None:
            tagged = any(isinstance(p, Literal) and p.language for p in within(query))
            self._queries[key] = None if tagged else query
        return known or query


def _counted(found: Iterable[CaseResult]) -> Stats:
    counts = [one[1:] for one in found]
    judged = sum(vectors > 0 for vectors, _, _ in counts)
    return Stats(judged, *[sum(column) for column in zip(*counts, strict=True)])
