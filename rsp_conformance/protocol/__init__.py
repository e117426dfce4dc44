"""The engine protocol, version 1: the kit's side of it.

Deals in protocol messages only. `ProtocolEngine` speaks to a driver process, `InProcessEngine`
to a Python object; both are an `Engine`, and both give for each case an `Outcome`: a `Reply`
or a `Failure`.
"""

from rsp_conformance.protocol.bindings import Solution, Term
from rsp_conformance.protocol.client import Log, ProtocolEngine
from rsp_conformance.protocol.engine import Engine, Request
from rsp_conformance.protocol.failures import (
    DriverDied,
    DriverTimedOut,
    EngineBroken,
    EngineError,
    EngineUnavailable,
    ProtocolError,
    VersionMismatch,
)
from rsp_conformance.protocol.features import FEATURES
from rsp_conformance.protocol.feed import Feed, FeedLost
from rsp_conformance.protocol.in_process import InProcessEngine, SpeaksProtocol
from rsp_conformance.protocol.messages import (
    LANGUAGES,
    PROTOCOL,
    Answer,
    Cause,
    Hello,
    Reply,
    RunError,
    hello_request,
    read_hello,
    read_run,
)
from rsp_conformance.protocol.outcomes import Failure, FailureKind, Outcome
from rsp_conformance.protocol.rows import merge_rows

__all__ = [
    "FEATURES",
    "LANGUAGES",
    "PROTOCOL",
    "Answer",
    "Cause",
    "DriverDied",
    "DriverTimedOut",
    "Engine",
    "EngineBroken",
    "EngineError",
    "EngineUnavailable",
    "Failure",
    "FailureKind",
    "Feed",
    "FeedLost",
    "Hello",
    "InProcessEngine",
    "Log",
    "Outcome",
    "ProtocolEngine",
    "ProtocolError",
    "Reply",
    "Request",
    "RunError",
    "Solution",
    "SpeaksProtocol",
    "Term",
    "VersionMismatch",
    "hello_request",
    "merge_rows",
    "read_hello",
    "read_run",
]
