"""What the tests of runs share."""

from __future__ import annotations

import pytest

from rsp_conformance.diagnosis import seam


@pytest.fixture(autouse=True)
def little_time_for_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these engines are wrong in a way that no search explains, however long it takes."""
    monkeypatch.setattr(seam, "SEARCHING_BRIEFLY", 500)
    monkeypatch.setattr(seam, "SEARCHING", 1_500)
    monkeypatch.setattr(seam, "LEAST", 1_000)
