"""What is going on, for somebody who waits at a terminal.

A word or two behind pytest's own line, taken back before pytest writes on. Nothing where the
output is no terminal, under ``-q``, or in one of several processes.
"""

from __future__ import annotations

import shutil
import time
from typing import IO, Any

import pytest

from rsp_conformance.plugin import workers

INTERVAL = 0.2
"""Seconds between two changes of what is shown."""


class Progress:
    """Writes to the terminal behind pytest's back; ``clear`` takes back what stands there."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._shown = 0
        self._next = 0.0

    def __call__(self, text: str) -> None:
        """Show TEXT, cut to what is left of the line."""
        now = time.monotonic()
        writer = self._writer()
        if writer is None or now < self._next:
            return
        self._next = now + INTERVAL
        self.clear()
        room = shutil.get_terminal_size().columns - writer.width_of_current_line - 3
        shown = f"  {text}"[:room] if room > 0 else ""
        self._write(shown)
        self._shown = len(shown)

    def clear(self) -> None:
        """Take back what is shown."""
        if self._shown:
            self._write("\b" * self._shown + "\x1b[K")
            self._shown = 0

    def _write(self, text: str) -> None:
        file = self._file()
        if file is not None:
            file.write(text)
            file.flush()

    def _writer(self) -> Any:
        """The terminal writer of pytest, where somebody can see it."""
        if workers.is_worker(self._config) or workers.is_controller(self._config):
            return None
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or self._config.option.verbose < 0 or not reporter.isatty():
            return None
        return reporter._tw

    def _file(self) -> IO[str] | None:
        # pytest's writer would take what is written through it for a part of its line.
        return getattr(self._writer(), "_file", None)
