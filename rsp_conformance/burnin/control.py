"""A control for latency: has the engine grown slower, or has the machine grown busier?

Latency that rises while the stream lasts may be the machine's doing. So the last pushes are given
to a fresh engine as well, while nothing is judged either time: only where the old engine is slower
than the fresh one on the same elements has it grown slower.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from rsp_conformance.adapters.protocol import FeedLost
from rsp_conformance.burnin.course import Course
from rsp_conformance.burnin.feeding import Feeding
from rsp_conformance.burnin.watch import Growth, growing_latency

SLOWER: Final = 1.5
"""So many times as long an element takes at least, by the median, where latency has grown."""


def latency_grown(course: Course) -> Growth | None:
    """The growth of latency over the whole course, where a fresh engine bears it out."""
    growth = growing_latency(course.samples)
    if growth is None or not course.whole:
        return None
    count = course.order.compared_pushes
    fresh = _fresh_latencies(course, count)
    if not fresh:
        return None
    old = median(sample.latency for sample in course.samples[-count:])
    new = median(fresh)
    if old < SLOWER * new:
        return None
    return replace(growth, control=new)


def _fresh_latencies(course: Course, count: int) -> Sequence[float]:
    """Seconds an element for the last COUNT pushes on a fresh engine, which warms up on as many."""
    order, source = course.order, course.source
    start = max(0, order.size - 2 * count * order.push)
    registered = source.elements(start, start + 1)[0].t
    case = replace(course.case, registered=registered)
    course.subject.engine.restart()
    found = []
    try:
        with Feeding(course.subject, case, course.dials, id="control") as feeding:
            for at in range(start, order.size, order.push):
                elements = source.elements(at, at + order.push)
                began = time.perf_counter()
                feeding.push(elements)
                found.append((time.perf_counter() - began) / len(elements))
    except FeedLost:
        return ()
    return found[-count:]
