"""Progress: a line that changes on a terminal, a line a minute in a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rsp_conformance.cli.tables import progress

LOGGED: Final = 60.0
"""Seconds between two lines of a log, as of a run of pytest."""
QUICK: Final = 2.0
"""Seconds after which a command says at a terminal what it does."""


@contextmanager
def logged(said: Callable[[], str]) -> Iterator[None]:
    """Print a line on standard error every `LOGGED` seconds, if that is not a terminal.

    Args:
        said: returns the line; it is called by a thread of its own.
    """
    if sys.stderr.isatty():
        yield
        return
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(LOGGED):
            print(said(), file=sys.stderr, flush=True)

    writer = threading.Thread(target=write, name="log", daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()


@contextmanager
def waiting(doing: str) -> Iterator[Callable[[str], None]]:
    """Show what a command does, and for how long, if it is not `QUICK`.

    Args:
        doing: what it does first.

    Returns:
        A context that gives a function, which is called with what the command does next.
    """
    from rich.progress import TextColumn, TimeElapsedColumn

    bar = progress(TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    task = bar.add_task(doing, total=None)
    began = time.monotonic()

    def line() -> str:
        return f"{bar.tasks[0].description}, {time.monotonic() - began:,.0f} s"

    late = threading.Timer(QUICK, bar.start)
    late.daemon = True
    late.start()
    try:
        with logged(line):
            yield lambda text: bar.update(task, description=text)
    finally:
        late.cancel()
        late.join()
        if bar.live.is_started:
            bar.stop()
