"""The wire under watch."""

from __future__ import annotations

import pytest

from tests.builders.wire import watched

wire = pytest.fixture(autouse=True)(watched)
