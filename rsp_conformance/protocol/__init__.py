"""The engine protocol, version 1: the kit's side of it.

Requests are built from the model; what a driver says is checked once and becomes values of the
model. `ProtocolEngine` speaks to a driver process, `InProcessEngine` to a Python object; both are
an `Engine`, and both give for each case an `Outcome`: a `Reply` or a `Failure`.
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
from rsp_conformance.protocol.messages import Failure, Outcome, Reply, read_hello, read_run
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
    "Outcome",
    "ProtocolEngine",
    "ProtocolError",
    "Reply",
    "Request",
    "SpeaksProtocol",
    "VersionMismatch",
    "read_hello",
    "read_run",
    "run_request",
]
