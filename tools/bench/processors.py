"""Time on the clock, and of the processors, which a busy machine blurs less."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Spent:
    """Seconds: on the clock, and of all processors by this process and its children."""

    wall: float
    work: float

    def __str__(self) -> str:
        return f"{self.wall:.1f} s ({self.work:.1f} s of the processors)"


def spent(do: Callable[[], object]) -> Spent:
    """What it takes to DO it once.

    Raises RuntimeError where a process ended meanwhile that nobody waited for, Spark's workers for
    example: what it had used before is then missing, and what is left may be less than nothing.
    """
    work, wall = work_so_far(), time.perf_counter()
    do()
    found = Spent(time.perf_counter() - wall, work_so_far() - work)
    if found.work < 0:
        raise RuntimeError("a process ended meanwhile, and its processor time is lost")
    return found


def work_so_far() -> float:
    """Processor seconds so far, with those of children that have ended and were waited for."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            used = process.cpu_times()
        except psutil.Error:
            continue  # It has just ended.
        total += used.user + used.system + used.children_user + used.children_system
    return total
