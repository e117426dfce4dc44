"""What the suite's tests share: they leave nothing in Hypothesis' database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from rsp_conformance.suite import findings


@pytest.fixture(autouse=True)
def little_time_for_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these engines are wrong in a way that no search explains, however long it takes."""
    monkeypatch.setattr(findings, "SEARCHING_BRIEFLY", 1.0)


@pytest.fixture(autouse=True)
def no_database() -> Iterator[None]:
    """Keep what these engines get wrong out of the example database."""
    before = settings.get_current_profile_name()
    settings.register_profile("suite-tests", settings.default, database=None)
    settings.load_profile("suite-tests")
    yield
    settings.load_profile(before)
