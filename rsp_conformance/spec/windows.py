"""Which window is evaluated at an instant (RSP-QL Definition 13; SEMANTICS 2).

A window with width α, slide β and start t0 has instances i ≥ 0. Instance i opens at o = t0 + iβ and
closes at c = o + α. RSP-QL and its relatives choose different instances at an instant t: the dial
``window`` names the choice.

A window by count is the same with numbers of units in place of instants, as SECRET has it with
tuple-ids: the instance that opens at o and closes at c holds the units after the first o, up to the
c-th, and n, how many have come, takes the place of t.

A window in the past has a lag δ: at t it is what it would be without one at t − δ.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rsp_conformance.model.dials import Bounds, Dials
from rsp_conformance.model.windows import CountWindow, SlidingWindow

Moving: TypeAlias = SlidingWindow | CountWindow
"""A window whose instances open one after another."""


class Instance(NamedTuple):
    """One instance of a window; if it is by time, the dial ``bounds`` says which ends belong to it.

    ``opens`` and ``closes`` are instants, or numbers of units for a window by count.
    """

    opens: int
    closes: int

    def holds(self, t: int, bounds: Bounds) -> bool:
        """Whether an element at `t` lies within the instance."""
        first, last = self.span(bounds)
        return first <= t <= last

    def span(self, bounds: Bounds) -> tuple[int, int]:
        """The first and the last instant within the instance; it is empty if first > last."""
        first = self.opens if bounds[0] == "[" else self.opens + 1
        last = self.closes if bounds[-1] == "]" else self.closes - 1
        return first, last

    def text(self, bounds: Bounds) -> str:
        """The interval as the papers write it, for example ``(5,10]``."""
        return f"{bounds[0]}{self.opens},{self.closes}{bounds[-1]}"


class CountedInstance(Instance):
    """One instance of a window by count: the units after the first ``opens``, to the ``closes``-th.

    It is equal to the pair of the two numbers, as any instance is.
    """

    __slots__ = ()

    def text(self, bounds: Bounds) -> str:
        """The numbers of its first and last unit, for example ``#2-#3``, whatever the bounds."""
        first, last = max(1, self.opens + 1), self.closes
        if last < first:
            return "none yet"
        return f"#{first}" if first == last else f"#{first}-#{last}"


class NowInstance(Instance):
    """The instance of NOW at an instant, which is both of its ends, whatever the bounds."""

    __slots__ = ()

    def span(self, bounds: Bounds) -> tuple[int, int]:
        """The instant, as the first and the last."""
        return self.opens, self.closes

    def text(self, bounds: Bounds) -> str:
        """The instant as an interval, for example ``[4,4]``."""
        return f"[{self.opens},{self.closes}]"


def instance(window: Moving, t0: int, index: int) -> Instance:
    """The instance with a number (Definition 13).

    Args:
        window: the window.
        t0: the instant at which its first instance opens.
        index: the number of the instance, from 0.
    """
    opens = t0 + index * window.slide
    return Instance(opens, opens + window.width)


def active(window: Moving, t0: int, t: int) -> Instance | None:
    """SECRET's active window: the instance with o < t ≤ c that opened first, or None.

    Definition 13's own sentence ("most recent opening time") contradicts the paper's Examples 7
    and 10; this reading reproduces both.

    Args:
        window: the window.
        t0: the instant at which its first instance opens.
        t: the instant of the evaluation.
    """
    # The first instance that has not closed before t: the least i with t0 + iβ + α ≥ t.
    index = max(0, -((t0 + window.width - t) // window.slide))
    candidate = instance(window, t0, index)
    return candidate if candidate.opens < t <= candidate.closes else None


def last_closed(window: SlidingWindow, t0: int, t: int) -> Instance | None:
    """The instance that closed last, strictly before `t`, or None (RSP-QL* Definition 15).

    Args:
        window: the window.
        t0: the instant at which its first instance opens.
        t: the instant of the evaluation, at which a close does not count yet.
    """
    return last_closed_inclusive(window, t0, t - 1)


def last_closed_inclusive(window: Moving, t0: int, t: int) -> Instance | None:
    """The instance that closed last, at `t` or before, or None.

    Source: the Semantics document of W3C's RSP community group. There the instance closes at
    t' = ⌊t/d⌋·d, because windows close at the multiples of the slide d.

    Args:
        window: the window.
        t0: the instant at which its first instance opens.
        t: the instant of the evaluation, at which a close counts already.
    """
    index = (t - t0 - window.width) // window.slide
    return instance(window, t0, index) if index >= 0 else None


def evaluated(window: SlidingWindow, t0: int | None, t: int, dials: Dials) -> Instance | None:
    """The instance that the query sees at `t`, chosen by the dial ``window``.

    Args:
        window: The window with its width and slide.
        t0: Its start; None if it is never defined (the first element starts it, and the stream is
            empty).
        t: The instant of the evaluation.
        dials: The semantics of the engine.

    Returns:
        The instance; None if the window is undefined at `t`.
    """
    if t0 is None:
        return None
    t -= window.lag
    match dials.window:
        case "active":
            return active(window, t0, t)
        case "last-closed":
            return last_closed(window, t0, t)
        case "last-closed-inclusive":
            return last_closed_inclusive(window, t0, t)


def evaluated_by_count(
    window: CountWindow, n0: int, n: int, dials: Dials
) -> CountedInstance | None:
    """The instance of a window by count that the query sees after `n` units of its stream.

    Nothing can enter an instance after its last unit, so the one that closed last is in view at
    once, under both values of the dial ``window`` that look at closed ones.

    Args:
        window: The window with its width and slide in units.
        n0: The number of units after which its first instance opens.
        n: The number of units that have come.
        dials: The semantics of the engine.

    Returns:
        The instance; None if the window is undefined.
    """
    choose = active if dials.window == "active" else last_closed_inclusive
    found = choose(window, n0, n)
    return None if found is None else CountedInstance(*found)
