"""Engines on drivers that misbehave, and the wire under watch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.builders.drivers import COMMAND, Make, engines_on
from tests.builders.wire import watched

wire = pytest.fixture(autouse=True)(watched)


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes engines on the toy driver and closes them."""
    with engines_on(*COMMAND, time_limit=60.0) as start:
        yield start
