"""SIGTERM ends a session as Ctrl-C does: whole, with nothing left running."""

from __future__ import annotations

import signal
import threading
from types import FrameType

import pytest


def ending_by_signal(config: pytest.Config) -> None:
    """Have SIGTERM end CONFIG's session, unless somebody else handles it already."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pytest.exit("ended by SIGTERM", returncode=128 + number)

    signal.signal(signal.SIGTERM, end)
    config.add_cleanup(_by_default)


def _by_default() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
