"""What the tests of hostile drivers share: replies, their way through the border, what is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import process_time
from typing import Any

from rsp_conformance.protocol import EngineError
from rsp_conformance.protocol.failures import ProtocolError
from rsp_conformance.protocol.messages import (
    Response,
    decode_line,
    read_run,
)

ESCAPE = "\x1b[31mred\x07\x9b2J\u202e"


def in_seconds() -> Iterator[None]:
    """Within it everything costs a few seconds of processor time at most."""
    start = process_time()
    yield
    assert process_time() - start < 20


def through(message: dict[str, Any] | bytes, elements: int = 2, pacing: str = "burst") -> Response:
    """What becomes of a reply, or of its line, at the border."""
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    return read_run(decode_line(line), elements=elements, pacing=pacing)


def refused(error: EngineError) -> str:
    """What is said of a refusal: one line that is not long and controls no terminal."""
    assert isinstance(error, ProtocolError)
    said = error.message
    assert said.isprintable()
    assert len(said) < 500
    return said


def run(**fields: Any) -> dict[str, Any]:
    """A reply with these fields."""
    return {"op": "run", "id": "c", "answers": [], **fields}


def answer(**fields: Any) -> dict[str, Any]:
    """A reply with one answer of these fields."""
    return run(answers=[{"t": 1, "cause": 0, **fields}])
