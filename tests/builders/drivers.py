"""Small requests to drivers, and what becomes of them and of their processes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.terms import IRI
from rsp_conformance.protocol import Failure, ProtocolEngine, Reply, Response

DRIVER = Path(__file__).parents[1] / "protocol" / "misbehaving.py"
COMMAND = (sys.executable, "-S", str(DRIVER))

Make = Callable[..., ProtocolEngine]


def request(case: str, **fields: Any) -> dict[str, Any]:
    """A small case under this id."""
    elements = [
        {"stream": "http://ex.org/s", "t": 2, "graph": "<a:a> <a:b> <a:c> .\n"},
        {"stream": "http://ex.org/s", "t": 7, "graph": "<a:a> <a:b> <a:c> .\n"},
    ]
    return {"op": "run", "id": case, "query": "", "elements": elements, **fields}


def failed(response: Response, kind: str) -> Failure:
    """The response, which must be a failure of this kind."""
    assert isinstance(response, Failure), response
    assert response.kind == kind, response
    assert response.message
    assert response.hint
    return response


def good(response: Response, case: str) -> None:
    """The response must be the good reply to this case."""
    assert isinstance(response, Reply), response
    assert response.id == case
    assert response.answers[0].content == Rows(("x",), ((IRI(f"http://ex.org/{case}"),),))


def gone(pid: int) -> bool:
    """Whether a process has ended; a corpse that its new parent has not buried yet counts."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def ended(pid: int) -> bool:
    """Whether a process that has been killed is gone soon: a signal takes its time to arrive."""
    deadline = time.monotonic() + 30
    while not gone(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return gone(pid)
