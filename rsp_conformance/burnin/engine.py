"""Engines as processes of their own, so that memory and death are theirs alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from rsp_conformance.protocol import Engine, ProtocolEngine, registry

REFERENCE = "reference"


def connect(spec: str, options: Mapping[str, str], time_limit: float) -> Engine:
    """The engine SPEC under OPTIONS, with TIME_LIMIT seconds for a piece of the stream.

    The kit's own engine, which elsewhere runs in process, runs as its stdio driver. Other engines
    run as their registration says; one in process shares the kit's memory and its fate.

    Raises:
        EngineSpecError, EngineUnavailable: as ``registry.connect`` does.
    """
    connected = registry.connect(spec, options, time_limit)
    if spec != REFERENCE:
        return connected
    command = [sys.executable, "-m", "rsp_conformance.adapters.reference"]
    written = [f"{name}={value}" for name, value in options.items()]
    return ProtocolEngine([*command, *written], time_limit=time_limit)
