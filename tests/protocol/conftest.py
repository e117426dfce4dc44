"""Engines on drivers that misbehave, and the wire under watch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rsp_conformance.protocol import ProtocolEngine
from tests.builders.drivers import COMMAND, Make
from tests.builders.wire import watched

wire = pytest.fixture(autouse=True)(watched)


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes engines on the toy driver and closes them."""
    engines: list[ProtocolEngine] = []

    def start(*options: str, time_limit: float = 60.0, **more: Any) -> ProtocolEngine:
        engine = ProtocolEngine((*COMMAND, *options), time_limit=time_limit, **more)
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        engine.close()
