"""SIGTERM ends a session as Ctrl-C does: whole, with nothing left running."""

from __future__ import annotations

import signal
import threading

import pytest


def ending_by_signal(config: pytest.Config) -> None:
    """Have SIGTERM interrupt CONFIG's session, unless somebody else handles it already."""
    mine = threading.current_thread() is threading.main_thread()
    if mine and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        config.add_cleanup(_by_default)


def _by_default() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
