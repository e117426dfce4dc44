"""What the tests of runs share."""

from __future__ import annotations

import pytest

from rsp_conformance.run import diagnosis


@pytest.fixture(autouse=True)
def little_time_for_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these engines are wrong in a way that no search explains, however long it takes."""
    monkeypatch.setattr(diagnosis, "SEARCHING_BRIEFLY", 500)
    monkeypatch.setattr(diagnosis, "SEARCHING", 1_500)
    monkeypatch.setattr(diagnosis, "LEAST", 1_000)
