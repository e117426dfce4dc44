"""Where engine packages import `EngineEntry` from; it stands in `protocol.registry`."""

from rsp_conformance.protocol.registry import Connect, EngineEntry

__all__ = ["Connect", "EngineEntry"]
