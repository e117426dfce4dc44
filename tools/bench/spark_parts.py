"""Where the processor time of a batch on Spark goes: the same work, part by part, in one process.

Spark itself (JVM, Arrow, its workers' loop) is not in it. Compiling queries and evaluating contents
are parts of judging; with packing and pickling they are a floor under any judge in Python that
compiles each query once and evaluates each content once.
"""

from __future__ import annotations

import gc
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from rsp_conformance import limits
from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.job import shares_of
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spark.worker.plan import QueryPlan

CORES = 2


def measure(tasks: Sequence[Task]) -> dict[str, float]:
    """Processor seconds by part; ``judge`` holds ``compile`` and ``evaluate``."""
    _judge(tasks[:100], {})
    spent: dict[str, float] = {}
    gc.collect()
    _judge(tasks, spent)
    spent["all"] = sum(spent[part] for part in ("pack", "pickle", "unpickle", "judge"))
    return spent


def _judge(tasks: Sequence[Task], spent: dict[str, float]) -> None:
    with (
        unhurried_garbage(),
        _timed(QueryPlan, "__init__", "compile", spent),
        _timed(QueryPlan, "solutions", "evaluate", spent),
    ):
        shipment = Shipment()
        started = time.process_time()
        packed = [shipment.case(task, judged=True) for task in tasks]
        spent["pack"] = time.process_time() - started
        spent["pickle"] = spent["unpickle"] = spent["judge"] = 0.0
        for share in shares_of(packed, CORES):
            times = [time.process_time()]
            pickled = pickle.dumps(list(share), protocol=5)
            times.append(time.process_time())
            arrived = pickle.loads(pickled)
            times.append(time.process_time())
            judge_share(arrived, limits.seconds())
            times.append(time.process_time())
            for part, begun, ended in zip(
                ("pickle", "unpickle", "judge"), times, times[1:], strict=False
            ):
                spent[part] += ended - begun


@contextmanager
def _timed(owner: type, name: str, part: str, spent: dict[str, float]) -> Iterator[None]:
    """Add to SPENT what calls of OWNER's method NAME take."""
    method: Callable[..., Any] = getattr(owner, name)
    spent[part] = 0.0

    def timed(*arguments: Any) -> Any:
        started = time.process_time()
        try:
            return method(*arguments)
        finally:
            spent[part] += time.process_time() - started

    with mock.patch.object(owner, name, timed):
        yield
