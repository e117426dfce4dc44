"""The reference engine as the registry knows it."""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.adapters.entry import EngineEntry
from rsp_conformance.adapters.protocol import Engine, InProcessEngine, Log
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import OPTIONS, read_options


def connect(options: Mapping[str, str], time_limit: float, log: Log | None = None, /) -> Engine:
    """The engine in this process; what it computes is its own, so no time limit is needed.

    Raises:
        ValueError: an option, a dial, a profile or a fault that there is not.
    """
    chosen = read_options(options)
    return InProcessEngine(lambda: ReferenceEngine(chosen))


ENGINE = EngineEntry(
    name="reference",
    summary="the kit's own streaming engine: any profile, patterns by pyoxigraph, seeded faults",
    connect=connect,
    options=OPTIONS,
)
