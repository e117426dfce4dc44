"""A thread beside work that takes long, so that it is never silent for long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Self


class Reminder:
    """Calls a function again and again while something else is done.

    Args:
        remind: says what is being done, and returns the seconds until it is to be called again.
        first: the seconds until the first call.
    """

    def __init__(self, remind: Callable[[], float], first: float) -> None:
        self._remind = remind
        self._first = first
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reminder", daemon=True)

    def _run(self) -> None:
        wait = self._first
        while not self._ended.wait(wait):
            wait = self._remind()

    def start(self) -> Self:
        """Begin to wait for the first call."""
        self._thread.start()
        return self

    def end(self) -> None:
        """End the thread; the function is not called any more."""
        self._ended.set()
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
