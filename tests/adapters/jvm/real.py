"""Where a real engine on the JVM can be driven, and where not."""

from __future__ import annotations

import pytest

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.jvm.java import find_java
from rsp_conformance.protocol import EngineUnavailable


def needs(engine: JvmEngine) -> pytest.MarkDecorator:
    """Skips tests, with the reason, where ENGINE cannot start: jars, JPype or Java are missing."""
    missing = ""
    try:
        engine.connect({}, 1.0)  # nothing starts yet
        find_java(engine.least_java)
    except EngineUnavailable as error:
        missing = error.line
    return pytest.mark.skipif(bool(missing), reason=missing)
