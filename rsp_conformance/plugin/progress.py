"""What is going on, for somebody who waits at a terminal.

A word or two behind pytest's own line, taken back before pytest writes on. Nothing where the
output is no terminal, under ``-q``, or in one of several processes.
"""

from __future__ import annotations

import shutil
import time
from contextlib import nullcontext

import pytest

from rsp_conformance.plugin.options import is_controller, worker_input
from rsp_conformance.suite.events import Working

INTERVAL = 0.2
"""Seconds between two changes of what is shown."""


class ProgressLine:
    """Shows texts on the terminal; ``clear`` takes back what stands there."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._shown = 0
        self._next = 0.0

    def __call__(self, event: Working) -> None:
        """Show EVENT, cut to what is left of the line."""
        now = time.monotonic()
        terminal = self._terminal()
        if terminal is None or now < self._next:
            return
        self._next = now + INTERVAL
        self.clear()
        width = terminal._tw.width_of_current_line
        room = shutil.get_terminal_size().columns - width - 3
        share = f" {event.done:,} of {event.total:,}" if event.total else ""
        shown = f"  {event.property}: {event.doing}{share}"[:room] if room > 0 else ""
        self._write(terminal, shown)
        self._shown = len(shown)

    def clear(self) -> None:
        """Take back what is shown."""
        terminal = self._terminal()
        if self._shown and terminal is not None:
            self._write(terminal, "\b" * self._shown + "\x1b[K")
            self._shown = 0

    def _terminal(self) -> pytest.TerminalReporter | None:
        """Where pytest writes to somebody who can see it, and nobody else writes."""
        if worker_input(self._config) or is_controller(self._config):
            return None
        plugin = self._config.pluginmanager.get_plugin("terminalreporter")
        visible = isinstance(plugin, pytest.TerminalReporter) and plugin.isatty()
        return plugin if visible and self._config.option.verbose >= 0 else None

    def _write(self, terminal: pytest.TerminalReporter, text: str) -> None:
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        # While a test runs its output is captured, and ours would be.
        around = capture.global_and_fixture_disabled() if capture is not None else nullcontext()
        with around:
            # pytest's writer would take what is written through it for a part of its line.
            terminal._tw._file.write(text)
            terminal._tw._file.flush()
