"""What a command that takes minutes says while it runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rsp_conformance.reminder import Reminder

Item = TypeVar("Item")

SILENCE = 20.0
"""Seconds after which a command that is still at the same thing says so."""

_START = time.monotonic()
_said = [(_START, "starting")]
"""When something was said, and what has been done since."""


def report(doing: str) -> None:
    """A line on standard error: the seconds since the start, and what comes next."""
    _said.append((time.monotonic(), doing))
    _say(doing)


def reported(doing: str, items: Sequence[Item], names: Sequence[str]) -> Iterator[Item]:
    """ITEMS one by one, each announced by its place and name."""
    for number, (item, name) in enumerate(zip(items, names, strict=True), 1):
        report(f"{doing} {number}/{len(items)}: {name}")
        yield item


@contextmanager
def never_silent(seconds: float = SILENCE) -> Iterator[None]:
    """Within, what is being done is said again whenever nothing has been said for SECONDS."""
    spoken = time.monotonic()

    def remind() -> float:
        nonlocal spoken
        since, doing = _said[-1]
        if since > spoken:
            spoken = since
        else:
            spoken = time.monotonic()
            _say(f"still {doing}, for {spoken - since:.0f} s now")
        return max(0.0, seconds - (time.monotonic() - spoken))

    with Reminder(remind, seconds):
        yield


def _say(text: str) -> None:
    print(f"{time.monotonic() - _START:6.0f} s  {text}", file=sys.stderr, flush=True)
