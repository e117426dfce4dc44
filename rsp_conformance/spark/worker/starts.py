"""The t0 that a profile leaves open (RSP-QL Definition 26; SEMANTICS 5)."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.dials import T0, FirstElementFloor
from rsp_conformance.model.windows import SlidingWindow

Starts = tuple[int | None, ...]


def window_starts(t0: T0, window: SlidingWindow, a: int, first: int | None) -> Starts:
    """T⁰ of WINDOW: every t0 it may have under the dial T0, registered at instant A.

    FIRST is the instant of the first element of the window's stream, None if there is none; a
    start that is never defined is None.
    """
    alpha, beta = window.width, window.slide
    match t0:
        case "any":
            return tuple(range(a, a + beta))
        case "registration":
            return (a,)
        case "first-element":
            return (first,)
        case FirstElementFloor(multiple):
            return (None if first is None else first - first % multiple,)
        case "aligned-open":
            return (a - a % beta,)
        case "aligned-close":
            return (a - (a + alpha) % beta,)
        case "first-aligned-close":
            return (a - a % beta + beta - alpha,)
        case int():
            return (t0,)
    raise ValueError(f"dial t0={t0!r} is not known")


def compared_from(a: int, starts: Sequence[Starts]) -> int:
    """t_s, the instant from which answers are compared (decision 18)."""
    return max([a, *(t0 for options in starts for t0 in options if t0 is not None)])
