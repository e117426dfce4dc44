"""rsp-rs under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.adapters.rsp_rs.install import driver, install, installed, releases
from rsp_conformance.protocol import Engine, Log, ProtocolEngine
from rsp_conformance.protocol.registry import EngineEntry

FEEDS: Final = {"window": (), "threads": ("--threads",)}
"""The arguments of the driver for each value of the option `feed`."""


def connect(options: Mapping[str, str], time_limit: float, log: Log | None = None) -> Engine:
    """Return the driver that was built for this user.

    Args:
        options: the option ``feed``, if it is set.
        time_limit: the seconds that each case may take.
        log: called with each line that is sent or received; None for no log.

    Raises:
        ValueError: an option has a value that it does not take.
    """
    feed = options.get("feed", "window")
    if feed not in FEEDS:
        raise ValueError(f"feed is one of {', '.join(FEEDS)}, not {feed!r}")
    return ProtocolEngine([str(driver()), *FEEDS[feed]], time_limit=time_limit, log=log)


ENGINE: Final = EngineEntry(
    name="rsp-rs",
    summary="RSP-QL engine in Rust, from crates.io; built with cargo",
    connect=connect,
    options={
        "feed": "window adds elements to the engine's windows one after another (the default), "
        "threads pushes a burst through its streams, whose threads answer when they like"
    },
    harmless=("feed",),
    installed=installed,
    install=install,
    releases=releases,
)
