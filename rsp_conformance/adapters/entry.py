"""The place from which engine packages import `EngineEntry` (see `protocol.registry`)."""

from rsp_conformance.protocol.registry import Connect, EngineEntry

__all__ = ["Connect", "EngineEntry"]
