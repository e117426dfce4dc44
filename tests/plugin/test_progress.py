"""How far a run is: behind pytest's line at a terminal, in a few lines of a log."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rsp_conformance.plugin import progress
from rsp_conformance.plugin.progress import Estimate, ProgressLine
from rsp_conformance.run.events import Working
from tests.plugin.test_failures import FIRST, terminal_of

IDS = ["t.py::test_own", *(f"rsp::test_{number}" for number in range(12))]
ASKING = Working("windows", "asking", 40, 100)


class Clock:
    """A clock that goes on when it is told to."""

    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def line_of(*options: str, tty: bool) -> tuple[ProgressLine, Any]:
    terminal, written = terminal_of(*options)
    terminal.isatty = lambda: tty
    line = ProgressLine(terminal.config)
    line.expect(IDS)
    terminal._tw.write("rsp F.")
    terminal.currentfspath = "rsp"
    return line, written


def test_a_log_has_a_line_after_a_minute_two_four_and_then_every_five(clock: Clock) -> None:
    line, written = line_of(tty=False)
    begun, said_at, said = clock.now, [], 0
    for _ in range(1_300):
        clock.now += 1
        line(ASKING)
        if written.getvalue().count("rsp-conformance: ") > said:
            said += 1
            said_at.append(clock.now - begun)
    assert said_at == [60, 180, 420, 720, 1_020]
    shown = "rsp-conformance: 0 of 12 properties · windows: asking 40 of 100\n"
    assert written.getvalue() == f"rsp F.\n{shown * 5}"


def test_a_terminal_has_it_behind_the_line_and_takes_it_back(clock: Clock) -> None:
    line, written = line_of(tty=True)
    line(ASKING)
    line(ASKING)  # too soon to be seen
    shown = "  windows: asking 40 of 100 · 0 of 12 properties"
    assert written.getvalue() == f"rsp F.{shown}"
    line.clear()
    assert written.getvalue().endswith("\b" * len(shown) + "\x1b[K")
    clock.now += 1
    line.count(FIRST)
    line(Working("windows", "asking " + "x" * 60))
    said = written.getvalue().rpartition("\x1b[K")[2]
    assert said == f"  windows: asking {'x' * 52}…" and len("rsp F." + said) < 80


@pytest.mark.parametrize("tty", [True, False])
def test_nothing_where_quiet_is_asked_for(clock: Clock, tty: bool) -> None:
    line, written = line_of("-q", tty=tty)
    clock.now += 100
    line(ASKING)
    line.clear()
    assert written.getvalue() == "rsp F."


def test_a_controller_says_what_its_workers_run(clock: Clock) -> None:
    line, written = line_of("-n", "2", tty=False)
    for name in ("windows", "t0", "gaps"):
        line.pytest_runtest_logstart(f"rsp::test_{name}")
    line.count(FIRST)
    line.pytest_runtest_logfinish("rsp::test_windows")
    line.pytest_runtest_logfinish("rsp::test_never_begun")
    clock.now += 61
    line.tick()
    assert written.getvalue() == "rsp F.\nrsp-conformance: 1 of 12 properties · t0, gaps\n"
    # When they run none, it is this process that goes on.
    for name in ("t0", "gaps"):
        line.pytest_runtest_logfinish(f"rsp::test_{name}")
    line(Working("gaps", "shrinking a counterexample"))
    clock.now += 121
    line.tick()
    assert written.getvalue().endswith(" 1 of 12 properties · gaps: shrinking a counterexample\n")


def test_work_for_no_property_is_named_alone(clock: Clock) -> None:
    line, written = line_of(tty=True)
    line(Working("", "looking behind what nothing explains"))
    assert written.getvalue().startswith("rsp F.  looking behind what nothing explains · ")


def test_while_no_test_ends_a_controller_wakes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOGGED", 0.001)
    line, _ = line_of(tty=False)
    ticks = threading.Semaphore(0)
    monkeypatch.setattr(line, "tick", lambda: ticks.release() or 0.001)
    line.pytest_xdist_node_collection_finished(IDS)
    line.pytest_xdist_node_collection_finished(IDS)  # of the other worker
    assert ticks.acquire(timeout=30) and ticks.acquire(timeout=30)
    (thread,) = (one for one in threading.enumerate() if one.name == "reminder")
    line.end()
    assert not thread.is_alive()


@pytest.mark.parametrize("tty", [True, False])
def test_where_quiet_is_asked_for_nothing_wakes(tty: bool) -> None:
    line, _ = line_of("-q", tty=tty)
    line.pytest_xdist_node_collection_finished(IDS)
    assert not [one for one in threading.enumerate() if one.name == "reminder"]
    line.end()


def test_an_estimate_comes_from_what_is_done_after_the_first() -> None:
    estimate = Estimate(45)
    assert estimate.said(0.0) == "0 of 45 properties"
    estimate.add(0.0, 1.0)  # skipped
    estimate.add(60.0, 61.0)  # all was asked ahead
    for second in (63.0, 65.0, 67.0):
        assert "left" not in estimate.said(second)
        estimate.add(2.0, second)
    assert estimate.said(67.0) == "5 of 45 properties, about 80 s left"
    assert estimate.said(167.0) == "5 of 45 properties, about 24 min left"
    estimate.total = 5
    assert estimate.said(67.0) == "5 of 5 properties"
