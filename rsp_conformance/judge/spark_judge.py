"""Verdicts in batches, by Spark, in the background.

**What is sought.** The second verdict on every answer of a run, without making the run wait for it.
The cost of a Spark job hardly depends on the number of its cases, and the first job waits for a
session to start.

**How.** One thread talks to Spark. All that was submitted while a job ran makes the next job. A job
begins once enough cases wait, or as soon as somebody needs a verdict (`SparkJudge.hurry`). Before
the first job even more cases gather, so that a run that fails at once can say so before a session
is paid for; the run takes back what Spark does not confirm (docs/judging.md).

**What it guarantees.** Every submitted observation gets its verdict, or its future an exception;
closing cancels the futures that still wait. An evaluator that fails on one case loses no verdict on
another.

**What was tried.** Each worker of pytest-xdist once had a session of its own, which cost a run with
two workers 20 s of processor time. Now all workers send their records to the controller's.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from rsp_conformance import limits
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict

if TYPE_CHECKING:
    from rsp_conformance.spark.batch.judge import SparkSemantics
    from rsp_conformance.spark.session import SessionStarter
    from rsp_conformance.spark.worker.judge import InternalError

Verdicts = list["Verdict | InternalError | LimitExceeded | None"]

FIRST = 200
"""The number of cases that gather before Spark is started. Starting Spark and the first job took
three quarters of the processor time until the first failure was shown."""
BATCH = 1_000
"""The number of cases that gather before each job in a run with workers."""
PATIENCE = 30.0
"""The seconds for which closing waits for a running job before it ends the session."""


class SparkJudge:
    """The second opinion: the same observations, judged by the other implementation.

    Args:
        starter: starts the session, in the background.
        at_least: the number of cases with which a job begins, unless somebody hurries.
        first: the same for the first job.

    Attributes:
        seconds: the time that all jobs took.
        start_seconds: how long the first job waited for the session.
        cases: the number of cases that were judged.
        jobs: the number of jobs.
    """

    def __init__(self, starter: SessionStarter, at_least: int = 1, first: int = 1) -> None:
        self._starter = starter
        self._at_least = at_least
        self._first = first
        self._is_begun = False
        self._hurried = False
        self._waiting: deque[tuple[list[Observation], Future[Verdicts]]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._limit = limits.seconds()
        self.seconds = 0.0
        self.start_seconds = 0.0
        self.cases = 0
        self.jobs = 0
        self._thread = threading.Thread(target=self._work, name="rsp-spark", daemon=True)
        self._thread.start()

    def submit(self, observations: Sequence[Observation]) -> Future[Verdicts]:
        """Judge observations with one of the next jobs.

        Returns:
            A future of the verdicts, in the order of the observations. In place of a verdict stands
            None if there is none, InternalError if Spark's evaluator failed on the case, and
            LimitExceeded if the case took more than it may. The future raises SparkUnavailable if
            the session did not start.

        Raises:
            RuntimeError: the judge has been closed.
        """
        future: Future[Verdicts] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("this judge has been closed")
            self._waiting.append((list(observations), future))
            self._changed.notify()
        return future

    @property
    def is_starting(self) -> bool:
        """Whether no job has ended yet, successfully or not."""
        return not self._is_begun

    def hurry(self) -> None:
        """Judge now what has been submitted, however little it is."""
        with self._changed:
            self._hurried = True
            self._changed.notify()

    def close(self, patience: float = PATIENCE) -> None:
        """Drop what is waiting and stop the session. Closing twice does no harm.

        Args:
            patience: the seconds for which to wait for a running job.
        """
        with self._changed:
            if self._closed:
                return
            self._closed = True
            for _, future in self._waiting:
                future.cancel()
            self._waiting.clear()
            self._changed.notify()
        self._thread.join(patience)
        self._starter.stop(now=not patience)
        self._thread.join(PATIENCE)

    def _work(self) -> None:
        limits.allow(self._limit)  # which a thread does not inherit
        semantics: SparkSemantics | None = None
        while (batch := self._next_batch()) is not None:
            observations = [observation for own, _ in batch for observation in own]
            try:
                if semantics is None:
                    semantics = self._ready()
                verdicts = iter(self._judge(semantics, observations))
            except BaseException as error:  # handed to whoever waits for the verdicts
                self._is_begun = True
                for _, future in batch:
                    future.set_exception(error)
            else:
                self._is_begun = True
                for own, future in batch:
                    future.set_result([next(verdicts) for _ in own])

    def _next_batch(self) -> list[tuple[list[Observation], Future[Verdicts]]] | None:
        """All that is waiting, as soon as it is enough; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._enough())
            if self._closed:
                return None
            batch = list(self._waiting)
            self._waiting.clear()
            self._hurried = False
            return batch

    def _enough(self) -> bool:
        waiting = sum(len(own) for own, _ in self._waiting)
        least = max(self._at_least, 0 if self._is_begun else self._first)
        return waiting >= (1 if self._hurried else least)

    def _ready(self) -> SparkSemantics:
        from rsp_conformance.spark.batch.judge import SparkSemantics

        started = time.perf_counter()
        handle = self._starter.result()
        self.start_seconds = time.perf_counter() - started
        return SparkSemantics(handle)

    def _judge(self, semantics: SparkSemantics, observations: Sequence[Observation]) -> Verdicts:
        from rsp_conformance.spark.batch.tasks import Task
        from rsp_conformance.spark.worker.judge import InternalError

        tasks = [
            Task(str(index), e.stimulus.case, e.dials, e.observed)
            for index, e in enumerate(observations)
            if e.is_answered
        ]
        if not tasks:
            return [None] * len(observations)
        started = time.perf_counter()
        verdicts = semantics.judge(tasks)
        self.seconds += time.perf_counter() - started
        self.cases += len(tasks)
        self.jobs += 1
        found = (verdicts.get(str(index)) for index in range(len(observations)))
        # What Spark refuses as unsupported is not judged, by the reference model no more than here.
        kept = (Verdict, InternalError, LimitExceeded)
        return [verdict if isinstance(verdict, kept) else None for verdict in found]


def must_agree(
    observation: Observation,
    by_specification: bool | None,
    by_spark: Verdict | InternalError | LimitExceeded | None,
) -> None:
    """Make sure that both implementations judge an observation alike.

    An evaluator of Spark's that fails is a disagreement too. A case that Spark did not finish
    within its limits is not one, nor is a case on which the reference model has no verdict: Spark
    does not evaluate what cannot change a solution, such as an EXISTS of a row that another FILTER
    drops, so it may judge a case although the reference model has met an open point on such a row.

    Args:
        observation: the observation.
        by_specification: whether it is correct by the reference model; None without a verdict.
        by_spark: Spark's verdict, or its substitute (`SparkJudge.submit`).

    Raises:
        KitDisagreement: they judge it differently.
    """
    if isinstance(by_spark, LimitExceeded):
        return
    if isinstance(by_spark, Exception):
        raise KitDisagreement(str(by_spark), observation)
    if observation.dials.answers == "rows":
        return  # Spark compares evaluations; single rows are the reference model's alone.
    if by_specification is None:
        return
    left = by_specification
    right = None if by_spark is None else by_spark.correct
    if left != right:
        words = {True: "correct", False: "wrong", None: "not to be judged"}
        raise KitDisagreement(
            f"the reference model says {words[left]} and Spark says {words[right]}", observation
        )
