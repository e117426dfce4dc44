"""When the windows of a registered query start (SEMANTICS 5; dial ``t0``)."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TypeAlias

from rsp_conformance.model.dials import T0, FirstElementFloor
from rsp_conformance.model.windows import SlidingWindow

Choice: TypeAlias = Callable[[int, SlidingWindow], int]
"""How many instants after the registration a window starts, by its place in the query."""


def choice(written: str, text: str, seed: int) -> Choice:
    """How the engine chooses where the dial leaves the start open (``t0 = any``).

    WRITTEN is ``hash``: by the query's TEXT and SEED, so that queries differ and a query meets
    itself again; ``first``, ``last``, or one offset a window, such as ``0,3``. ValueError
    otherwise.
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


def start(
    dial: T0, index: int, window: SlidingWindow, registered: int, chosen: Choice
) -> int | None:
    """t0 of the window at INDEX; None where its stream's first element decides."""
    match dial:
        case "any":
            return registered + chosen(index, window)
        case "registration":
            return registered
        case "aligned-open":
            return registered // window.slide * window.slide
        case "aligned-close":
            return (registered + window.width) // window.slide * window.slide - window.width
        case "first-aligned-close":
            return (registered // window.slide + 1) * window.slide - window.width
        case int():
            return dial
        case _:
            return None


def start_at_first_element(dial: T0, t: int) -> int:
    """t0 of a window whose stream begins with an element at T."""
    return t // dial.multiple * dial.multiple if isinstance(dial, FirstElementFloor) else t


def looks_back(dial: T0) -> bool:
    """Whether a first element may start its window before its own instant."""
    return isinstance(dial, FirstElementFloor) and dial.multiple > 1
