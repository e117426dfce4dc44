"""What these tests share: they leave nothing in Hypothesis' database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings


@pytest.fixture(autouse=True)
def no_database() -> Iterator[None]:
    """Keep what these engines get wrong out of the example database."""
    before = settings.get_current_profile_name()
    settings.register_profile("causes-tests", settings.default, database=None)
    settings.load_profile("causes-tests")
    yield
    settings.load_profile(before)
