"""Resident memory and latency while the stream lasts, and whether they grow.

Growing is no wrong answer: it is a finding of a kind of its own, about performance. What rises at
first and levels off is no finding, because caches fill and heaps settle; only a rise to the end is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

import psutil

MB: Final = 1_000_000

MEMORY: Final = "growing memory"
LATENCY: Final = "growing latency"

WORK: Final = "work"
WALL: Final = "wall"
"""The clocks of latency: processor time of the engine's processes, and time."""

LEAST_SAMPLES: Final = 20
"""Fewer samples after the warm-up say nothing of a trend."""

WARM_UP: Final = 0.2
"""This share of the stream is left out of the trends: the engine fills caches and compiles."""

_POINTS = 40
_CONFIDENCE = 0.99
_TAU = 0.6
_STEADY = 0.3


@dataclass(frozen=True, slots=True)
class PushMeasure:
    """One push: ``pushed`` elements, with which ``answers`` came, and ``elements`` in all by then.

    ``wall`` and ``work`` are the seconds that it took, on the clock and of the processors by the
    engine's processes; ``memory`` their resident bytes. Without processes both are
    ``None``.
    """

    elements: int
    pushed: int
    answers: int
    wall: float
    work: float | None = None
    memory: int | None = None

    def seconds(self, clock: str) -> float | None:
        """Return the seconds that the push took by a clock; None if they are not known."""
        return self.work if clock == WORK else self.wall


@dataclass(frozen=True, slots=True)
class Growth:
    """A trend over the stream after the warm-up.

    ``start`` and ``end`` are the trend's values at both ends, ``each`` what every element adds: in
    bytes for memory, in seconds per element for latency. ``clock`` says which seconds, ``work`` or
    ``wall``; ``control`` is what a fresh engine took.
    """

    kind: str
    start: float
    end: float
    each: float
    clock: str = ""
    control: float | None = None

    def text(self) -> str:
        """The growth in one sentence."""
        if self.kind == MEMORY:
            return (
                f"resident memory grows from {self.start / MB:,.0f} to {self.end / MB:,.0f} MB, "
                f"by {self.each:,.0f} bytes an element, and does not level off"
            )
        control = ""
        if self.control is not None:
            control = f"; a fresh engine takes {self.control * 1e6:,.0f} µs for the last of them"
        what = "the time" if self.clock == WALL else "the processor time"
        return (
            f"{what} for an element grows from {self.start * 1e6:,.0f} to "
            f"{self.end * 1e6:,.0f} µs, by {self.each * 1e12:,.0f} µs every million elements"
            f"{control}"
        )


def growing_memory(samples: Sequence[PushMeasure]) -> Growth | None:
    """Memory that rises to the end, by a tenth and 6 MB at least; None where it does not."""
    points = [(s.elements, float(s.memory)) for s in samples if s.memory]
    return _growth(MEMORY, points, ratio=1.1, least=6.0 * MB)


def growing_latency(samples: Sequence[PushMeasure]) -> Growth | None:
    """Latency that rises to the end, by half at least; None where it does not.

    In processor time, on which other processes have little influence, or else on the clock, where
    waiting shows.
    """
    for clock in (WORK, WALL):
        growth = _growth(LATENCY, _evened(samples, clock), ratio=1.5, least=0.0)
        if growth is not None:
            return replace(growth, clock=clock)
    return None


def _evened(samples: Sequence[PushMeasure], clock: str) -> list[tuple[int, float]]:
    """Seconds per element, by element, as if all pushes had brought equally many answers.

    Bursts bring few answers for an element and silences many. What an element costs and what an
    answer does are estimated over all samples (least squares, neither below zero); a sample is then
    so much above the mean as it is above what its elements and answers would cost.
    """
    from scipy.optimize import nnls

    taken = [(s, spent) for s in samples if (spent := s.seconds(clock)) is not None]
    if len(taken) < LEAST_SAMPLES:
        return []
    costs, _ = nnls([[s.pushed, s.answers] for s, _ in taken], [spent for _, spent in taken])
    mean = sum(spent for _, spent in taken) / sum(s.pushed for s, _ in taken)
    expected = [costs[0] * s.pushed + costs[1] * s.answers for s, _ in taken]
    return [
        (s.elements, mean * spent / usual)
        for (s, spent), usual in zip(taken, expected, strict=True)
        if usual > 0
    ]


def _growth(
    kind: str, points: Sequence[tuple[int, float]], *, ratio: float, least: float
) -> Growth | None:
    """Return the trend of points if it is beyond doubt and at least as great as asked for.

    The slope is Theil and Sen's (the median over all pairs, which outliers do not move), its 99 %
    confidence interval must lie above zero, and Kendall's τ, on which the Mann-Kendall test
    rests, must say that most pairs agree. The later half must still rise, at a good part of the
    whole trend's slope.
    """
    from scipy.stats import kendalltau, theilslopes

    warm = [p for p in points if p[0] > WARM_UP * points[-1][0]]
    if len(warm) < LEAST_SAMPLES:
        return None
    x, y = _medians(warm)
    trend = theilslopes(y, x, _CONFIDENCE)
    later = theilslopes(y[len(y) // 2 :], x[len(x) // 2 :], _CONFIDENCE)
    start, end = (float(trend.intercept + trend.slope * at) for at in (x[0], x[-1]))
    start = max(start, min(y))  # a line through a curve may begin below everything measured
    rises = trend.low_slope > 0 and kendalltau(x, y).statistic >= _TAU
    goes_on = later.slope >= _STEADY * trend.slope
    if rises and goes_on and end >= ratio * start and end - start >= least:
        return Growth(kind, start, end, float(trend.slope))
    return None


def _medians(points: Sequence[tuple[int, float]]) -> tuple[list[float], list[float]]:
    """Return points in at most `_POINTS` groups of neighbours, by their medians."""
    size = -(-len(points) // _POINTS)
    groups = [points[i : i + size] for i in range(0, len(points), size)]
    return (
        [float(median(x for x, _ in group)) for group in groups],
        [float(median(y for _, y in group)) for group in groups],
    )


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and all that it started take: resident bytes, seconds of processors so far.

    Pages that several processes share count for each. Children that have ended count with the
    process that waited for them.
    """

    memory: int
    work: float


def usage(pid: int, *, without: int | None = None) -> Usage:
    """Return what a process takes with its family.

    Args:
        pid: the number of the process.
        without: a process whose family does not count.

    Returns:
        The usage; 0 once the process is gone.
    """
    left_out = set() if without is None else {process.pid for process in _family(without)}
    memory, work = 0, 0.0
    for process in _family(pid):
        if process.pid in left_out:
            continue
        try:
            memory += process.memory_info().rss
            times = process.cpu_times()
        except psutil.Error:
            continue  # ended meanwhile
        # Not every system counts a process's children.
        ended = getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
        work += times.user + times.system + ended
    return Usage(memory, work)


def _family(pid: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


@dataclass
class Peak:
    """The most memory that the kit takes, looked at every so often while the context lasts.

    The kit is this process with all that it started (JVM, Python workers) but the engine, whose
    process ``engine`` names.
    """

    engine: Callable[[], int | None]
    interval: float = 0.5
    bytes: int = 0
    _done: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Peak:
        self._thread = threading.Thread(target=self._watch, name="burnin-memory", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        assert self._thread is not None
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.bytes = max(self.bytes, usage(os.getpid(), without=self.engine()).memory)
            if self._done.wait(self.interval):
                return
