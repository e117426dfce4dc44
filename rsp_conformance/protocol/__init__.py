"""The engine protocol, version 1: the kit's side of it.

Requests are built from values of the model. A driver's messages are checked once, as they arrive,
and become values of the model. `ProtocolEngine` talks to a driver process and `InProcessEngine` to
a Python object. Both are an `Engine`, and both return a `Response` for each case: a `Reply` or a
`Failure`.
"""

from rsp_conformance.protocol.client import Log, ProtocolEngine
from rsp_conformance.protocol.engine import Engine, Request
from rsp_conformance.protocol.failures import (
    EngineBroken,
    EngineError,
    EngineUnavailable,
    ProtocolError,
    VersionMismatch,
)
from rsp_conformance.protocol.feed import Feed, FeedLost
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.in_process import InProcessEngine, SpeaksProtocol
from rsp_conformance.protocol.messages import Failure, Reply, Response, read_hello, read_run
from rsp_conformance.protocol.requests import run_request

__all__ = [
    "Engine",
    "EngineBroken",
    "EngineError",
    "EngineUnavailable",
    "Failure",
    "Feed",
    "FeedLost",
    "Hello",
    "InProcessEngine",
    "Log",
    "ProtocolEngine",
    "ProtocolError",
    "Reply",
    "Request",
    "Response",
    "SpeaksProtocol",
    "VersionMismatch",
    "read_hello",
    "read_run",
    "run_request",
]
