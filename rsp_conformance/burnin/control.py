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
from rsp_conformance.burnin.metrics import Growth, PushMeasure, growing_latency
from rsp_conformance.burnin.session import BurnInSession
from rsp_conformance.protocol import EngineError, FeedLost

SLOWER: Final = 1.5
"""So many times as long an element takes at least, where latency has grown."""


def latency_grown(session: BurnInSession) -> Growth | None:
    """The growth of latency over the whole session, where a fresh engine bears it out."""
    growth = growing_latency(session.samples)
    if growth is None or not session.feeding.whole:
        return None
    count = session.config.compared_pushes
    old = _latency(session.samples[-count:], growth.clock)
    new = _latency(_fresh(session, count), growth.clock)
    if old is None or new is None or old < SLOWER * new:
        return None
    return replace(growth, control=new)


def _latency(samples: Sequence[PushMeasure], clock: str) -> float | None:
    """Seconds an element over all SAMPLES; None where they are not known."""
    spent = [sample.seconds(clock) for sample in samples]
    known = [s for s in spent if s is not None]
    pushed = sum(sample.pushed for sample in samples)
    return sum(known) / pushed if pushed and len(known) == len(samples) else None


def _fresh(session: BurnInSession, count: int) -> Sequence[PushMeasure]:
    """The last COUNT pushes on a fresh engine, which has warmed up on as many."""
    config, source = session.config, session.source
    start = max(0, config.size - 2 * count * config.push)
    case = replace(session.case, registered=source.elements(start, start + 1)[0].t)
    try:
        session.subject.engine.restart()
        with Feeding(session.subject, case, session.dials, id="control") as feeding:
            found = [feeding.push(elements) for elements in source.chunks(config.push, start)]
    except (FeedLost, EngineError):
        return ()
    return found[-count:]
