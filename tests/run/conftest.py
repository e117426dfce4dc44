"""What the tests of runs share."""

from __future__ import annotations

import pytest

from rsp_conformance.run import diagnosis


@pytest.fixture(autouse=True)
def little_time_for_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these engines are wrong in a way that no search explains, however long it takes.

    Seconds are counted by predictions, so that what is found does not depend on the machine.
    """
    monkeypatch.setattr(diagnosis, "SEARCHING_BRIEFLY", 1.0)
    monkeypatch.setattr(diagnosis, "SEARCHING", 3.0)
    monkeypatch.setattr(diagnosis, "LEAST", 2.0)
