"""Progress: how far a command is. A bar on a terminal, and a line every so often in a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rsp_conformance.reminder import Reminder

if TYPE_CHECKING:
    from rich.progress import Progress

QUICK: Final = 2.0
"""Seconds after which a command says what it does, so that it is not taken for one that hangs."""
LOGGED: Final = 60.0
"""The most seconds between two lines of a log, as of a run of pytest."""
SOONER: Final = 5.0
"""Until then the next line of a log comes after so many times what has passed: with 5 the lines
follow after 2, 12 and 72 seconds, so that a command of half a minute says what it does last."""
BAR: Final = 20
"""Columns of the bar."""


class Doing:
    """What a command does, to be called with what it does next."""

    def __init__(self, bar: Progress, first: str) -> None:
        self._bar = bar
        self._task = bar.add_task(first, total=None, share="")

    def __call__(
        self, doing: str, done: float | None = None, total: float | None = None, *, share: str = ""
    ) -> None:
        """Show what is done now.

        Args:
            doing: what it is.
            done: how much of it is done; None if that is not known.
            total: how much it is in all.
            share: `done` and `total` in words, by default ``12 of 45``.
        """
        known = done is not None and total is not None
        share = share or (f"{done:,} of {total:,}" if known else "")
        self._bar.update(
            self._task,
            description=doing,
            completed=done if done is not None and known else 0,
            total=total,
            share=share,
        )

    def line(self) -> str:
        """Return the line of a log."""
        task = self._bar.tasks[0]
        parts = (task.description, task.fields["share"])
        return f"{task.elapsed or 0:,.0f} s: {', '.join(filter(None, parts))}"


@contextmanager
def progress(doing: str) -> Iterator[Doing]:
    """Show what a command does, how far it is, and for how long, if it is not `QUICK`.

    Args:
        doing: what it does first.

    Returns:
        A context that gives a function, which is called with what the command does next.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    is_terminal = sys.stderr.isatty()
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(BAR),
        TextColumn("{task.fields[share]}", markup=False),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not is_terminal)
    shown = Doing(bar, doing)
    if not is_terminal:
        with _logged(shown):
            yield shown
        return
    late = threading.Timer(QUICK, bar.start)
    late.daemon = True
    late.start()
    try:
        yield shown
    finally:
        late.cancel()
        late.join()
        if bar.live.is_started:
            bar.stop()


@contextmanager
def _logged(shown: Doing) -> Iterator[None]:
    """Print lines on standard error while the command works; if there are any, also a last one."""
    lines, began = 0, time.monotonic()

    def write() -> float:
        nonlocal lines
        _print(shown.line())
        lines += 1
        return min(LOGGED, SOONER * (time.monotonic() - began))

    with Reminder(write, QUICK):
        yield
    if lines:
        _print(f"{shown.line()}: ended")


def _print(line: str) -> None:
    print(f"rsp-conformance: {line}", file=sys.stderr, flush=True)
