"""Faults that only a long stream shows: a burn-in finds them, the properties do not."""

from __future__ import annotations

from rsp_conformance.adapters.reference.defects import late
from rsp_conformance.adapters.reference.fault import Fault

TABLE = (
    Fault(
        "lost-late",
        "engines that drop what does not fit a full buffer",
        late.LostLate,
        where="as many answers as the option says",
        count="every",
    ),
    Fault(
        "misaligned-after-pause",
        "engines that go on counting from the element that ends a silence",
        late.MisalignedAfterPause,
        where="a pause longer than the width, and a slide of at least 2",
    ),
    Fault(
        "leaking",
        "CQELS 1: elements that expired are never purged",
        late.Leaking,
        where="resident memory watched over many elements; its answers are right",
    ),
    Fault(
        "slowing",
        "engines that look for what has expired among all that ever came",
        late.Slowing,
        where="latency watched over many elements; its answers are right",
    ),
    Fault(
        "dies-late",
        "engines that run out of memory",
        late.DiesLate,
        where="as many elements as the option says, and a process of the engine's own",
        count="after",
        fatal=True,
    ),
)
