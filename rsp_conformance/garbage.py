"""Python's collector of cyclic garbage, kept from going through what stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SELDOM: Final = 20_000
"""So many new objects there are before they are looked at."""


@contextmanager
def unhurried_garbage() -> Iterator[None]:
    """Without the collector, which looks at every new object again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def seldom_garbage() -> Iterator[None]:
    """With a collector that looks seldom: cases make many objects that last, and few in cycles."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def leave_in_peace(*, at_once: bool = False) -> None:
    """Have the collector go no more through what is there by now, once it has been through.

    AT_ONCE leaves that out, where hardly any of it is garbage.
    """
    if not at_once:
        gc.collect()
    gc.freeze()
