"""What a campaign costs: cases per second, processor time by phase, and memory."""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import psutil

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.campaigns.campaign import CampaignConfig, CampaignProgress, fuzz
from rsp_conformance.campaigns.choice import Choice
from rsp_conformance.campaigns.report import CampaignResult, read_result
from rsp_conformance.campaigns.unit import EngineSource, foci_of
from rsp_conformance.campaigns.worker import UnitWork
from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.run.budget import Budget
from tools.bench.processors import work_so_far

SOURCE = EngineSource("reference")
PHASES = {"generation": ("drawing",), "plan": ("planning",)}


@dataclass(frozen=True)
class CaseTime:
    """Milliseconds of the kit's own processor time for a case, by phase; ``engine`` is not of it.

    ``request`` is writing the query and the messages, reading the answers, and judging them.
    """

    phases: dict[str, float]
    engine: float
    cases: int

    @property
    def kit(self) -> float:
        """All phases together."""
        return sum(self.phases.values())

    @property
    def all(self) -> float:
        """The phases and the engine."""
        return self.kit + self.engine


def by_phase(units: int = 60, size: int = 40) -> CaseTime:
    """The time of UNITS of SIZE cases, in this process; the first ten are not counted."""
    subject = SOURCE.meet()
    work, seconds, cases = UnitWork(SOURCE), Counter[str](), 0
    with _engine_timed() as engine:
        for unit in Choice(foci_of(subject), "bench").units(1, [size] * units):
            with unhurried_garbage():
                (result,) = work([unit])
            if unit.number == 10:
                engine[0] = 0.0
            if unit.number > 10:
                seconds.update(result.seconds)
                cases += len(result.rows)
    each = {phase: 1000 * spent / cases for phase, spent in seconds.items()}
    phases = {name: sum(each[own] for own in owns) for name, owns in PHASES.items()}
    asked = 1000 * engine[0] / cases
    phases["request"] = each["asking"] - asked
    phases["rows"] = each["writing"] + each["explaining"]
    return CaseTime(phases, asked, cases)


def ceiling(alone: CaseTime) -> float:
    """How much more two processes do than one that is ALONE, without Spark and on a core each.

    Less than two, as they share memory, caches and clock: no campaign can do better.
    """
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        both = [one.result() for one in [pool.submit(by_phase) for _ in range(2)]]
    return sum(alone.all / one.all for one in both)


@contextmanager
def _engine_timed() -> Iterator[list[float]]:
    """Within it the processor time of the engine itself is added up."""
    spent, run = [0.0], ReferenceEngine.run

    def timed(*args: Any) -> Any:
        started = time.process_time()
        try:
            return run(*args)
        finally:
            spent[0] += time.process_time() - started

    with patch.object(ReferenceEngine, "run", timed):
        yield spent


@dataclass(frozen=True)
class Rate:
    """Cases per second on the clock, and milliseconds of all processors, Spark's too, per case."""

    clock: float
    work: float


def rate(workers: int, examples: int) -> Rate:
    """The rate with so many WORKERS; the first third of the EXAMPLES is not counted."""
    marks: list[tuple[int, float, float]] = []

    def tell(at: CampaignProgress) -> None:
        if not marks or at.cases > marks[-1][0]:
            marks.append((at.cases, time.monotonic(), work_so_far()))

    campaign(workers, examples, tell)
    (first, began, before), (last, ended, after) = (
        next(mark for mark in marks if mark[0] >= examples // 3),
        marks[-1],
    )
    asked = last - first
    return Rate(asked / (ended - began), 1000 * (after - before) / asked)


def campaign(
    workers: int, examples: int, tell: Callable[[CampaignProgress], None] = lambda _: None
) -> CampaignResult:
    """A campaign of so many EXAMPLES; nothing is to be found."""
    with tempfile.TemporaryDirectory() as folder:
        config = CampaignConfig(
            SOURCE, Path(folder) / "out", f"local[{workers}]", "1", Budget(examples)
        )
        store, number = fuzz(config, tell)
        found = read_result(store, number)
    assert not found.causes and not found.disagreements, "a false finding"
    return found


def memory(examples: int) -> dict[int, float]:
    """Megabytes of the Spark driver and Spark's workers together, as the cases go by."""
    seen: list[tuple[float, float]] = []
    over = threading.Event()

    def watch() -> None:
        own = psutil.Process()
        while not over.wait(5.0):
            total = own.memory_info().rss
            for child in own.children(recursive=True):
                try:
                    if "java" not in child.name():
                        total += child.memory_info().rss
                except psutil.Error:
                    continue
            seen.append((time.monotonic(), total / 1e6))

    thread, started = threading.Thread(target=watch, daemon=True), time.monotonic()
    thread.start()
    found = campaign(2, examples)
    over.set()
    thread.join()
    sizes: dict[int, float] = {}
    asked, ends = 0, time.monotonic() - found.seconds
    for batch in found.batches:
        asked += batch.asked
        near = [mb for at, mb in seen if abs(at - max(started, ends + batch.wall)) < 30]
        if near:
            sizes[asked] = median(near)
    return sizes
