"""A command that takes minutes is never silent for long."""

from __future__ import annotations

import threading

import pytest

from tools import progress


def test_what_takes_long_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    twice = threading.Event()

    def listen(text: str) -> None:
        said.append(text)
        if sum(line.startswith("still ") for line in said) == 2:
            twice.set()

    monkeypatch.setattr(progress, "_say", listen)
    with progress.never_silent(0.01):
        progress.report("measuring")
        assert twice.wait(10)
    assert said[0] == "measuring"
    assert said[1].startswith("still measuring, for ")


def test_nothing_is_said_again_where_enough_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(progress, "_say", said.append)
    with progress.never_silent(3600):
        for number in range(3):
            progress.report(f"step {number}")
    assert said == ["step 0", "step 1", "step 2"]


def test_the_reminder_ends_with_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError), progress.never_silent(3600):
        raise KeyError
    assert not [t for t in threading.enumerate() if t.name == "reminder"]
