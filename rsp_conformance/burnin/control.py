"""A control for latency: has the engine grown slower, or has the machine grown busier?

Latency that rises while the stream lasts may be the machine's doing. So the last pushes are given
to a fresh engine as well, while nothing is judged either time: only where the old engine is slower
than the fresh one on the same elements has it grown slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rsp_conformance.burnin.feeding import Feeding
from rsp_conformance.burnin.metrics import Growth, Sample, growing_latency, seconds
from rsp_conformance.burnin.session import Course, timed_push
from rsp_conformance.protocol import EngineError, FeedLost

SLOWER: Final = 1.5
"""So many times as long an element takes at least, where latency has grown."""


def latency_grown(course: Course) -> Growth | None:
    """The growth of latency over the whole course, where a fresh engine bears it out."""
    growth = growing_latency(course.samples)
    if growth is None or not course.whole:
        return None
    count = course.order.compared_pushes
    old = _latency(course.samples[-count:], growth.clock)
    new = _latency(_fresh(course, count), growth.clock)
    if old is None or new is None or old < SLOWER * new:
        return None
    return replace(growth, control=new)


def _latency(samples: Sequence[Sample], clock: str) -> float | None:
    """Seconds an element over all SAMPLES; None where they are not known."""
    spent = [seconds(sample, clock) for sample in samples]
    known = [s for s in spent if s is not None]
    pushed = sum(sample.pushed for sample in samples)
    return sum(known) / pushed if pushed and len(known) == len(samples) else None


def _fresh(course: Course, count: int) -> Sequence[Sample]:
    """The last COUNT pushes on a fresh engine, which has warmed up on as many."""
    order, source, engine = course.order, course.source, course.subject.engine
    start = max(0, order.size - 2 * count * order.push)
    registered = source.elements(start, start + 1)[0].t
    case = replace(course.case, registered=registered)
    found = []
    try:
        engine.restart()
        with Feeding(course.subject, case, course.dials, id="control") as feeding:
            for at in range(start, order.size, order.push):
                elements = source.elements(at, at + order.push)
                found.append(timed_push(feeding, elements, engine)[1])
    except (FeedLost, EngineError):
        return ()
    return found[-count:]
