"""Spark as a campaign uses it: units to its workers, and what to do when some of them are lost."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from rsp_conformance.campaigns.unit import EngineSource, Unit, UnitResult
from rsp_conformance.campaigns.worker import UnitWork, probe
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import BadInput, KitError
from rsp_conformance.spark import job
from rsp_conformance.spark.session import (
    SessionStarter,
    SparkHandle,
    SparkUnavailable,
    deepest_cause,
)

W = TypeVar("W")
R = TypeVar("R")


class WorkersLost(KitError):
    """No unit gets through any more."""


class Workers:
    """The workers of the Spark at MASTER; the session starts in the background.

    Raises BadInput where there is no Spark to be had.
    """

    def __init__(self, master: str) -> None:
        self.master = master
        self._stopped = threading.Event()
        self._starter = SessionStarter(master)
        try:
            self._starter.start()
        except SparkUnavailable as error:
            raise BadInput(error.said()) from error

    @property
    def handle(self) -> SparkHandle:
        """The session; waits for it.

        Raises:
            BadInput: Spark does not start.
        """
        try:
            return self._starter.result()
        except SparkUnavailable as error:
            raise BadInput(error.said()) from error

    def check(self, source: EngineSource, subject: EngineUnderTest) -> None:
        """Have every worker say hello to the engine.

        Args:
            source: how the engine is started.
            subject: the engine here; every worker must have its version.

        Raises:
            BadInput: one of them cannot.
        """
        tasks = 2 * self.handle.partitions
        found = self._tried(probe, [source] * tasks)
        if isinstance(found, str):  # A worker may have been killed.
            found = self._tried(probe, [source] * tasks)
        if isinstance(found, str):
            raise BadInput(f"the workers of {self.master} fail: {found}")
        hello = subject.hello
        for met in found:
            where = f"the worker of {self.master} on {met.host}"
            if met.problem:
                raise BadInput(f"{where} cannot run the engine {source.spec}: {met.problem}")
            if (met.engine, met.version) != (hello.engine, hello.version):
                theirs, ours = f"{met.engine} {met.version}", f"{hello.engine} {hello.version}"
                raise BadInput(f"{where} has {theirs}, and this machine {ours}")

    def run(self, work: UnitWork, units: Sequence[Unit]) -> list[UnitResult]:
        """Return the results of units.

        If a job fails it runs again, then in halves: a unit that no worker survives is lost alone.

        Raises:
            WorkersLost: none gets through.
        """
        found = self._run(work, units, again=True)
        if found and all(result.lost for result in found):
            raise WorkersLost(found[0].lost)
        return found

    def _run(self, work: UnitWork, units: Sequence[Unit], *, again: bool) -> list[UnitResult]:
        found = self._tried(work, units)
        if not isinstance(found, str):
            return found
        if again:
            return self._run(work, units, again=False)
        if len(units) == 1:
            return [UnitResult(units[0], [], [], {}, found)]
        half = len(units) // 2
        return [
            *self._run(work, units[:half], again=False),
            *self._run(work, units[half:], again=False),
        ]

    def _tried(self, work: Callable[[list[W]], Sequence[R]], each: Sequence[W]) -> list[R] | str:
        """Return what work makes of each, or why the job failed; a new Spark is started then.

        Raises:
            BadInput: that one does not come.
        """
        handle = self.handle
        try:
            return job.run(handle, work, [[one] for one in each])
        except Exception as error:
            if self._stopped.is_set():
                raise
            said = _last_line(error)
        try:
            handle.session.range(1).count()
        except Exception:
            if self._stopped.is_set():
                raise
            self._starter.stop(now=True)
            self._starter = SessionStarter(self.master).start()
        return said

    def stop(self, *, now: bool = False) -> None:
        """End the session and its workers, with the engines that they have.

        Args:
            now: whether it does not wait.
        """
        self._stopped.set()
        self._starter.stop(now=now)


_OWN = re.compile(
    r"(?!org\.|java\.|py4j\.|pyspark\.)[\w.]+(Error|Exception|Exceeded|Unavailable): ."
)
"""How the last line of a worker's own traceback begins."""


def _last_line(error: Exception) -> str:
    """Return what Spark's error says of its cause: the worker's exception, or Java's deepest."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    own = [line for line in lines if _OWN.match(line)]
    said = own[-1] if own else deepest_cause(lines) or (lines or [type(error).__name__])[0]
    return said[:300]
