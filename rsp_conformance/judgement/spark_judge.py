"""Verdicts in batches, by the Spark plan, in the background."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from rsp_conformance.judgement.failures import KitDisagreement
from rsp_conformance.judgement.subject import Exchange
from rsp_conformance.model.verdict import Verdict

if TYPE_CHECKING:
    from rsp_conformance.spark.judge import SparkSemantics
    from rsp_conformance.spark.session import SessionStarter


class SparkJudge:
    """The second opinion: the same exchanges, judged by the other implementation.

    One thread talks to Spark; the session starts in the background when this is made. ``seconds``
    is the time spent in jobs, ``start_seconds`` what the first of them waited for the session.
    """

    def __init__(self, starter: SessionStarter) -> None:
        self._starter = starter
        self._pool = ThreadPoolExecutor(1, "rsp-spark")
        self._semantics: SparkSemantics | None = None
        self.seconds = 0.0
        self.start_seconds = 0.0
        self.cases = 0
        self._first = self._pool.submit(self._ready)

    @property
    def ready(self) -> bool:
        """Whether the session has come up (or failed to)."""
        return self._first.done()

    def submit(self, exchanges: Sequence[Exchange]) -> Future[list[Verdict | None]]:
        """Judge EXCHANGES in one job; verdicts in their order, None where there is none."""
        return self._pool.submit(self._judge, list(exchanges))

    def close(self) -> None:
        """Drop what is waiting and stop the session."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._starter.stop()

    def _ready(self) -> SparkSemantics:
        if self._semantics is None:
            from rsp_conformance.spark.judge import SparkSemantics

            started = time.perf_counter()
            self._semantics = SparkSemantics(self._starter.result())
            self.start_seconds = time.perf_counter() - started
        return self._semantics

    def _judge(self, exchanges: list[Exchange]) -> list[Verdict | None]:
        from rsp_conformance.spark.tasks import Task

        semantics = self._ready()
        tasks = [
            Task(str(index), e.sample.case, e.dials, e.observed)
            for index, e in enumerate(exchanges)
            if e.failure is None and e.unsupported is None
        ]
        if not tasks:
            return [None] * len(exchanges)
        started = time.perf_counter()
        verdicts = semantics.judge(tasks)
        self.seconds += time.perf_counter() - started
        self.cases += len(tasks)
        found = (verdicts.get(str(index)) for index in range(len(exchanges)))
        # What Spark refuses as unsupported is not judged, by the specification no more than here.
        return [verdict if isinstance(verdict, Verdict) else None for verdict in found]


def must_agree(
    exchange: Exchange, by_specification: Verdict | None, by_spark: Verdict | None
) -> None:
    """Raise KitDisagreement where the two implementations judge EXCHANGE differently."""
    left = None if by_specification is None else by_specification.correct
    right = None if by_spark is None else by_spark.correct
    if left != right:
        words = {True: "correct", False: "wrong", None: "not to be judged"}
        raise KitDisagreement(
            f"the specification says {words[left]} and Spark says {words[right]}: a bug of "
            f"rsp-conformance, please report it.\n{exchange.query_text}\n"
            f"elements: {exchange.sample.case.elements!r}\nanswers: {exchange.observed!r}\n"
            f"dials: {exchange.dials!r}\nuntil {exchange.sample.case.until}, "
            f"registered at {exchange.sample.case.registered}, "
            f"background {exchange.sample.case.background!r}"
        )
