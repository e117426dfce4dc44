"""One judge for several processes, whose other ends stand in this one."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.shared_judge import LOOPBACK, JudgeServer, SharedJudge
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import registry
from rsp_conformance.spark.session import SparkUnavailable
from rsp_conformance.spark.worker.judge import InternalError
from tests.judge.test_crashfile import VERSION_1

RIGHT = Verdict(True, (0,), 0)


class Slow:
    """Stands in for Spark: judges when it is told to."""

    def __init__(self) -> None:
        self.submitted: queue.Queue[tuple[Sequence[Observation], Future[Any]]] = queue.Queue()
        self.hurried = threading.Event()

    def submit(self, observations: Sequence[Observation]) -> Future[Any]:
        future: Future[Any] = Future()
        self.submitted.put((observations, future))
        return future

    def hurry(self) -> None:
        self.hurried.set()


@pytest.fixture
def judge() -> Slow:
    return Slow()


@pytest.fixture
def server(judge: Slow) -> Iterator[JudgeServer]:
    server = JudgeServer(judge)  # type: ignore[arg-type]
    yield server
    server.close()


@pytest.fixture
def observation() -> Observation:
    with registry.connect("reference") as engine:
        return EngineUnderTest.meet(engine).ask(*read(VERSION_1).stimuli)


def test_each_worker_gets_its_own_verdicts(
    judge: Slow, server: JudgeServer, observation: Observation
) -> None:
    workers = [SharedJudge(server.place) for _ in range(2)]
    futures, asked = [], []
    for number, worker in enumerate(workers, 1):
        futures.append(worker.submit([observation] * number))
        asked.append(judge.submitted.get(timeout=20))
    assert [len(given) for given, _ in asked] == [1, 2]
    assert all(own == observation for given, _ in asked for own in given)
    assert all(worker.is_starting for worker in workers)
    verdicts = [[RIGHT], [InternalError("of the kit"), LimitExceeded("took long")]]
    for (_, future), own in zip(reversed(asked), reversed(verdicts), strict=True):
        future.set_result(own)
    assert [repr(future.result(20)) for future in futures] == [*map(repr, verdicts)]
    assert not any(worker.is_starting for worker in workers)
    workers[1].hurry()
    assert judge.hurried.wait(20)
    for worker in workers:
        worker.close()
        worker.close()


@pytest.mark.parametrize("error", [SparkUnavailable("no Java", "install it"), OSError(lambda: 0)])
def test_what_the_judge_raises_is_said_where_somebody_waits(
    judge: Slow, server: JudgeServer, observation: Observation, error: Exception
) -> None:
    worker = SharedJudge(server.place)
    future = worker.submit([observation])
    judge.submitted.get(timeout=20)[1].set_exception(error)
    found = future.exception(20)
    assert str(error) in str(found)
    assert isinstance(found, KitError) == isinstance(error, KitError)
    worker.close()


def test_who_waits_for_a_judge_that_is_gone_is_told_so(
    judge: Slow, server: JudgeServer, observation: Observation
) -> None:
    worker = SharedJudge(server.place)
    before = worker.submit([observation])
    _, asked = judge.submitted.get(timeout=20)
    server.close()
    server.close()
    asked.cancel()
    later = worker.submit([observation])
    for future in (before, later):
        with pytest.raises(KitError, match="did not come: the controller is gone"):
            future.result(20)
    worker.hurry()


def test_nobody_is_heard_without_the_key(
    judge: Slow, server: JudgeServer, observation: Observation
) -> None:
    port, key = server.place
    with pytest.raises(Exception, match="digest"):
        SharedJudge((port, key[::-1]))
    with socket.create_connection((LOOPBACK, port)) as stranger:
        # One that says nothing keeps nobody waiting.
        worker = SharedJudge(server.place)
        worker.submit([observation])
        judge.submitted.get(timeout=20)
        stranger.sendall(b"\0\0\0\3(1)")
    assert judge.submitted.empty()
    worker.close()
