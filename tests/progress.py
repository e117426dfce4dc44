"""What a command that takes minutes says while it runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_START = time.monotonic()


def report(doing: str) -> None:
    """A line on standard error: the seconds since the start, and what comes next."""
    print(f"{time.monotonic() - _START:6.0f} s  {doing}", file=sys.stderr, flush=True)


def reported(doing: str, items: Sequence[Item], names: Sequence[str]) -> Iterator[Item]:
    """ITEMS one by one, each announced by its place and name."""
    for number, (item, name) in enumerate(zip(items, names, strict=True), 1):
        report(f"{doing} {number}/{len(items)}: {name}")
        yield item
