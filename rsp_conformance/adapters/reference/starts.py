"""When the windows of a registered query start (SEMANTICS 5; the dial ``t0``)."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.adapters.reference.window import Kept
from rsp_conformance.model.dials import FLOORS, T0, FirstElementCloseFloor

Choice: TypeAlias = Callable[[int, Kept], int]
"""How many instants after the registration a window starts, by its place in the query."""


def choice(written: str, text: str, seed: int) -> Choice:
    """Return how the engine chooses a start that the dial leaves open (``t0 = any``).

    Args:
        written: ``hash`` chooses by the query's text and the seed, so that queries differ and a
            query always has the same starts; or ``first``, ``last``, or one offset per window, such
            as ``0,3``.
        text: the query's text.
        seed: the seed.

    Raises:
        ValueError: `written` is something else.
    """
    if written == "first":
        return lambda index, window: 0
    if written == "last":
        return lambda index, window: window.slide - 1
    if written == "hash":
        return lambda index, window: zlib.crc32(f"{seed}/{index}/{text}".encode()) % window.slide
    try:
        offsets = [int(part) for part in written.split(",")]
    except ValueError:
        offsets = []
    if not offsets or min(offsets) < 0:
        raise ValueError(f"option t0={written}: expected hash, first, last or offsets such as 0,3")
    return lambda index, window: offsets[min(index, len(offsets) - 1)] % window.slide


def start(dial: T0, window: Kept, registered: int, chosen: int) -> int | None:
    """Return the t0 of a window by time; None if a first element decides.

    Args:
        dial: the dial ``t0``.
        window: the window.
        registered: the instant of the registration.
        chosen: how many instants after it the window starts, if the dial leaves that open.
    """
    match dial:
        case "any":
            return registered + chosen
        case "registration":
            return registered
        case "aligned-open":
            return registered // window.slide * window.slide
        case "aligned-close":
            return (registered + window.width) // window.slide * window.slide - window.width
        case "first-aligned-open":
            return -((window.width - registered) // window.slide) * window.slide
        case "first-aligned-close":
            return (registered // window.slide + 1) * window.slide - window.width
        case int():
            return dial
        case _:
            return None


def start_at_first_element(dial: T0, window: Kept, t: int) -> int:
    """Return the t0 of a window by time whose start the first element decides.

    Args:
        dial: the dial ``t0``.
        window: the window.
        t: the instant of the first element.
    """
    if isinstance(dial, FLOORS):
        t -= t % dial.multiple
    closes = dial == "first-element-close" or isinstance(dial, FirstElementCloseFloor)
    return t + window.slide - window.width if closes else t


def looks_back(dial: T0) -> bool:
    """Return whether a first element may start its window before its own instant."""
    if isinstance(dial, FirstElementCloseFloor):
        return True
    return dial == "first-element-close" or (isinstance(dial, FLOORS) and dial.multiple > 1)


def any_stream(dial: T0) -> bool:
    """Return whether the first element of any stream starts all windows."""
    return isinstance(dial, FirstElementCloseFloor)
