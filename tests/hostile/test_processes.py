"""Drivers that misbehave as processes: a case ends soon, in little memory; nothing lives on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from rsp_conformance.judge.flood import FLOOD
from rsp_conformance.protocol import (
    Failure,
    ProtocolEngine,
    leader,
    process,
    supervisor,
)
from tests.builders.drivers import COMMAND, DRIVER, Make, ended, engines_on, request


@pytest.fixture
def start() -> Iterator[Make]:
    """Starts the driver, and ends it."""
    with engines_on(*COMMAND, time_limit=60.0) as begin:
        yield begin


def failure(engine: ProtocolEngine, **fields: Any) -> Failure:
    """How a case ends on it, in one line."""
    response = engine.run(request("c", **fields))
    assert isinstance(response, Failure)
    assert response.message.isprintable()
    assert len(response.message) < 500
    assert all(line.isprintable() and len(line) < 1_000 for line in response.stderr)
    return response


@pytest.mark.parametrize(
    ("deed", "kind", "said"),
    [
        ("empty-rows", FLOOD, "2,000,000 are the most"),
        ("long-row", FLOOD, "2,000,000 are the most"),
        ("bytes", "protocol-error", "a line of"),
        ("endless-number", "protocol-error", "67108864 bytes"),
        ("no-pipes", "died", "closed its standard output"),
    ],
)
def test_what_a_driver_does_ends_the_case(start: Make, deed: str, kind: str, said: str) -> None:
    used = psutil.Process().memory_info().rss
    found = failure(start(deed))
    assert found.kind == kind
    assert said in found.message
    assert psutil.Process().memory_info().rss - used < 400 * 1024 * 1024


@pytest.mark.parametrize("deed", ["stderr", "stubborn", "hang --deaf"])
def test_what_never_answers_ends_at_the_limit(start: Make, deed: str) -> None:
    engine = start(*deed.split(), time_limit=1.0)
    engine.hello()
    pid = engine.pid()
    assert pid is not None
    began = time.monotonic()
    # More than a pipe holds, so that a driver that never reads blocks whoever writes to it.
    assert failure(engine, query="x" * 1_000_000).kind == "timeout"
    assert time.monotonic() - began < 30
    assert ended(pid)


@pytest.mark.parametrize(("deed", "kind"), [("breeds", "timeout"), ("leaves", "died")])
def test_children_in_sessions_of_their_own_are_ended(
    start: Make, tmp_path: Path, deed: str, kind: str
) -> None:
    pids = tmp_path / "pids"
    engine = start(deed, "--pids", str(pids), time_limit=3.0)
    engine.hello()
    assert failure(engine).kind == kind
    children = [int(pid) for pid in pids.read_text().split()]
    assert len(children) > (3 if sys.platform == "linux" else 1)
    assert all(map(ended, children))


@pytest.mark.skipif(sys.platform != "linux", reason="a driver's parent is the kit itself")
@pytest.mark.parametrize("deed", ["kills-parent", "stops-parent"])
def test_a_driver_that_does_away_with_its_supervisor_is_ended(
    start: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    monkeypatch.setattr(leader, "_END_GRACE", 0.2)
    monkeypatch.setattr(process, "_TERM_GRACE", 0.1)
    pids = tmp_path / "pids"
    engine = start(deed, "--pids", str(pids), time_limit=1.0)
    engine.hello()
    driver = engine.pid()
    assert driver is not None
    assert failure(engine).kind in {"timeout", "died"}
    assert all(map(ended, [driver, *map(int, pids.read_text().split())]))
    assert [p for p in psutil.Process().children() if str(DRIVER) in p.cmdline()] == []


KIT = """
import sys
from rsp_conformance.protocol import ProtocolEngine
engine = ProtocolEngine(sys.argv[1:])
engine.hello()
print(engine.pid(), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="nobody else is left to do it")
def test_a_driver_and_its_children_end_with_a_kit_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    driver = (*COMMAND, "keeps", "--at-once", "--pids", str(pids))
    kit = subprocess.Popen(
        [sys.executable, "-c", KIT, *driver], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with kit:
        assert kit.stdout is not None
        started = int(kit.stdout.readline())
        kit.kill()
    assert all(map(ended, [started, *map(int, pids.read_text().split())]))


def test_a_child_that_ends_while_the_others_are_killed_saves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a driver does whose input ends with the kit; its supervisor reaps it at any moment."""
    command = (sys.executable, "-S", "-c", "input()")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as first:
        pass
    with subprocess.Popen(command, stdin=subprocess.PIPE) as second:
        found = iter([[first.pid, second.pid]])
        monkeypatch.setattr(supervisor, "_children", lambda: next(found, []))
        monkeypatch.setattr(os, "_exit", sys.exit)
        ours, theirs = os.pipe()
        os.close(theirs)
        with pytest.raises(SystemExit):
            supervisor._end_with(ours)
        os.close(ours)
        assert second.wait(20) == -signal.SIGKILL


def test_children_of_a_driver_that_is_closed_are_ended(start: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = start("keeps", "--at-once", "--pids", str(pids))
    engine.hello()
    engine.close()
    assert all(ended(int(pid)) for pid in pids.read_text().split())
