"""What becomes of a driver's process in the end, and of those that it started."""

from __future__ import annotations

import os
import textwrap
import threading
import time
from pathlib import Path

import pytest

from rsp_conformance.protocol import process
from tests.builders.command_line import python
from tests.builders.drivers import COMMAND, Make, ended, failed, good, request


def test_closing_ends_a_good_driver_at_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_END_GRACE", 60.0)
    engine = make()
    engine.hello()
    start = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - start < 30.0
    good(engine.run(request("again")), "again")


def test_a_driver_that_outlives_its_input_is_killed(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_END_GRACE", 0.5)
    pids = tmp_path / "pids"
    engine = make("--immortal", "--grandchild", str(pids))
    engine.hello()
    start = time.monotonic()
    engine.close()
    assert time.monotonic() - start > 0.4
    assert all(ended(int(pid)) for pid in pids.read_text().split())


def test_restart_meets_a_new_process(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = make("--grandchild", str(pids))
    engine.hello()
    before = pids.read_text()
    engine.restart()
    engine.hello()
    assert pids.read_text() != before
    assert all(ended(int(pid)) for pid in before.split())


def descriptors() -> int:
    """How many files this process has open."""
    return len(os.listdir("/dev/fd"))


def test_nothing_leaks(make: Make) -> None:
    engine = make()
    engine.hello()
    engine.close()
    files, threads = descriptors(), threading.active_count()
    for number in range(5):
        failed(engine.run(request(f"die.{number}")), "died")
        engine.restart()
        good(engine.run(request("c")), "c")
    engine.close()
    assert descriptors() == files
    assert threading.active_count() == threads


def test_an_interpreter_that_forgets_to_close_leaves_nothing(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = f"""
        from rsp_conformance.protocol import ProtocolEngine
        engine = ProtocolEngine({[*COMMAND, "--immortal", "--grandchild", str(pids)]!r})
        engine.hello()
    """
    assert python("-c", textwrap.dedent(program)).status == 0
    assert all(ended(int(pid)) for pid in pids.read_text().split())
