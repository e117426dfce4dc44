"""Where engine packages import `EngineEntry` from; it stands in `protocol.entry`."""

from rsp_conformance.protocol.entry import Connect, EngineEntry

__all__ = ["Connect", "EngineEntry"]
