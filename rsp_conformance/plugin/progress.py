"""The progress of a run, for people who wait at a terminal or read a log.

A terminal shows a few words behind pytest's own line, which are taken back before pytest writes on.
A log, and a run in several processes, gets a line of its own after a minute, then after two, four
and so on: of a long run few lines are left to read. With ``-q`` there is nothing. A line comes with
an event, and nothing runs beside the tests; but a controller of xdist, which runs no tests and
hears of one only when it begins and ends, has a thread that wakes for each line.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterable

import pytest
from rich.cells import cell_len

from rsp_conformance.explain.render.layout import cut
from rsp_conformance.plugin.failures import begin_line, uncaptured
from rsp_conformance.plugin.options import PREFIX, is_controller, worker_input
from rsp_conformance.reminder import Reminder
from rsp_conformance.run.events import Working

INTERVAL = 0.2
"""The seconds between two changes of the terminal."""
LOGGED = 60.0
"""The seconds until the first line of a log, and then twice as many each time."""
LONGEST = 300.0
"""The most seconds between two lines: some services end a job that says nothing for ten minutes."""
FEWEST = 3
"""An estimate is made after so many tests that took time."""
SHORT = 0.05
"""A test of so few seconds, such as a skipped one, says nothing about others."""


class Estimate:
    """An estimate of how long the remaining tests take.

    Args:
        total: the number of all tests.
        noun: the name of a test.
    """

    def __init__(self, total: int = 0, noun: str = "properties") -> None:
        self.total = total
        self._noun = noun
        self.done = 0
        self._counted = 0
        self._since: float | None = None

    def add(self, seconds: float, now: float) -> None:
        """Count a test that has ended.

        Args:
            seconds: how long it took.
            now: the time of a clock.
        """
        self.done += 1
        if self._since is None:
            # The first one's time is that of prefetched cases, too.
            self._since = now if seconds > SHORT else None
        else:
            self._counted += 1

    def left(self, now: float) -> float | None:
        """The seconds that the others may take; None if too few are done to say."""
        if self._since is None or self._counted < FEWEST or self.done >= self.total:
            return None
        return (now - self._since) / self._counted * (self.total - self.done)

    def said(self, now: float) -> str:
        """The estimate in words: ``12 of 45 properties, about 50 s left``."""
        left = self.left(now)
        return f"{self.done} of {self.total} {self._noun}" + (
            "" if left is None else f", about {_rounded(left)} left"
        )


def _rounded(seconds: float) -> str:
    """A number of seconds, no more exact than an estimate is."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 10) * 10} s" if seconds < 95 else f"{round(seconds / 60)} min"


class ProgressLine:
    """Shows how far the run is; ``clear`` takes it off the terminal again."""

    def __init__(self, config: pytest.Config, noun: str = "properties") -> None:
        self._config = config
        self._estimate = Estimate(noun=noun)
        self.lines = 0
        """The lines that a log has for it: its own, and those that pytest begins behind them."""
        self._shown = 0
        self._next = 0.0
        self._wait = LOGGED
        self._next_line = time.monotonic() + self._wait
        self._running: list[str] = []
        self._doing = ""
        self._writing = threading.RLock()
        self._reminder: Reminder | None = None

    def __call__(self, event: Working) -> None:
        """Show the present work, as far as there is room for it."""
        share = f" {event.done:,} of {event.total:,}" if event.total else ""
        self._doing = ": ".join(filter(None, (event.property, f"{event.doing}{share}")))
        self._show(self._doing)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the tests of the run."""
        self.expect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Count the tests that workers have collected (a hook of xdist)."""
        self.expect(ids)
        if self._reminder is None and self._terminal() is not None:
            self._reminder = Reminder(self.tick, LOGGED).start()

    def expect(self, ids: Iterable[str]) -> None:
        """Count the tests of the suite among the ids of all tests."""
        self._estimate.total = sum(id.startswith(PREFIX) for id in ids)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test is being run, here or by a worker."""
        self._running.append(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Forget it. The test of a worker that was lost may end without a beginning."""
        if nodeid in self._running:
            self._running.remove(nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(
        self, report: pytest.TestReport
    ) -> Generator[None, object, object]:
        """Count a test; meanwhile no line of ours is written into the display of its report."""
        with self._writing:
            self.count(report)
            return (yield)

    def count(self, report: pytest.TestReport) -> None:
        """Count a report, if it decides on a property."""
        skipped = report.when == "setup" and not report.passed
        if report.nodeid.startswith(PREFIX) and (report.when == "call" or skipped):
            self._estimate.add(report.duration, time.monotonic())

    def end(self) -> None:
        """Say nothing any more: causes are named now, and pytest sums up."""
        if self._reminder is not None:
            self._reminder.end()

    def tick(self) -> float:
        """Say how far the workers of xdist are, and which tests they run; when to say it again."""
        with self._writing:
            names = (id.removeprefix(f"{PREFIX}test_") for id in self._running)
            # When no worker runs any, this process still names causes.
            self._show(", ".join(names) or self._doing)
            return max(INTERVAL, self._next_line - time.monotonic())

    def _show(self, doing: str) -> None:
        terminal, now = self._terminal(), time.monotonic()
        if terminal is None:
            return
        said = self._estimate.said(now) if self._estimate.total > 1 else ""
        if not terminal.isatty() or is_controller(self._config):
            if now >= self._next_line:
                self._wait = min(2 * self._wait, LONGEST)
                self._next_line = now + self._wait
                self._log(terminal, " · ".join(filter(None, (said, doing))))
        elif now >= self._next:
            self._next = now + INTERVAL
            self.clear()
            with uncaptured(self._config):  # Within it the width is that of the terminal.
                room = terminal._tw.fullwidth - terminal._tw.width_of_current_line - 3
            whole = " · ".join(filter(None, (doing, said)))
            shown = cut(f"  {whole if cell_len(whole) + 2 <= room else doing}", max(room, 0))
            self._write(terminal, shown)
            self._shown = cell_len(shown)

    def _log(self, terminal: pytest.TerminalReporter, text: str) -> None:
        """Write a line of our own; pytest goes on with its own on the next line."""
        with uncaptured(self._config):
            begin_line(terminal)
            terminal._tw.line(f"rsp-conformance: {text}")
            terminal.flush()
        self.lines += 2

    def clear(self) -> None:
        """Take the progress off the terminal."""
        terminal = self._terminal()
        if self._shown and terminal is not None:
            self._write(terminal, "\b" * self._shown + "\x1b[K")
            self._shown = 0

    def _terminal(self) -> pytest.TerminalReporter | None:
        """The terminal reporter, if somebody may want to read how far the run is."""
        if worker_input(self._config) or self._config.option.verbose < 0:
            return None
        plugin = self._config.pluginmanager.get_plugin("terminalreporter")
        return plugin if isinstance(plugin, pytest.TerminalReporter) else None

    def _write(self, terminal: pytest.TerminalReporter, text: str) -> None:
        with uncaptured(self._config):
            # pytest's writer would take what is written through it for a part of its line.
            terminal._tw._file.write(text)
            terminal._tw._file.flush()
