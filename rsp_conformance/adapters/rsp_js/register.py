"""rsp-js under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.adapters.rsp_js.install import (
    HERE,
    check_node,
    install,
    installed,
    modules,
    releases,
)
from rsp_conformance.protocol import Engine, Log, ProtocolEngine
from rsp_conformance.protocol.registry import EngineEntry

_V8: Final = ("--single-threaded-gc",)
"""Each evaluation makes a Comunica anew. Where workers run on all cores, threads that collect its
garbage only get in their way: without them Node takes a fourteenth less processor time."""


def connect(options: Mapping[str, str], time_limit: float, log: Log | None = None) -> Engine:
    """Return the driver in Node, with the packages of this user.

    Args:
        options: not used; the engine has none.
        time_limit: the seconds that each case may take.
        log: called with each line that is sent or received; None for no log.

    Raises:
        EngineUnavailable: Node is missing or too old.
    """
    command = [check_node(), *_V8, str(HERE / "driver.js"), "--modules", str(modules())]
    return ProtocolEngine(command, time_limit=time_limit, log=log)


ENGINE: Final = EngineEntry(
    name="rsp-js",
    summary="RSP-QL engine in JavaScript, from npm",
    connect=connect,
    installed=installed,
    install=install,
    releases=releases,
)
