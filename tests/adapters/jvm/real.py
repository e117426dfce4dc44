"""Where a real engine on the JVM can be driven, and where not; and what it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.jvm.java import find_java
from rsp_conformance.protocol import EngineUnavailable
from tests.builders.wire import run_of

STREAM = "http://ex.org/s1"
"""The one stream of the cases."""


def needs(engine: JvmEngine) -> pytest.MarkDecorator:
    """Skips tests, with the reason, where ENGINE cannot start: jars, JPype or Java are missing."""
    missing = ""
    try:
        engine.connect({}, 1.0)  # nothing starts yet
        find_java(engine.least_java)
    except EngineUnavailable as error:
        missing = error.line
    return pytest.mark.skipif(bool(missing), reason=missing)


def request(query: str, *written: tuple[int, str], **more: Any) -> dict[str, Any]:
    """A case: each element is an instant and the names of a triple's terms."""
    elements = [
        {
            "stream": STREAM,
            "t": t,
            "graph": " ".join(f"<urn:{one}>" for one in graph.split()) + " .\n",
        }
        for t, graph in written
    ]
    return run_of(query, *elements, **{"streams": [STREAM], **more})
