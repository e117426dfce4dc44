"""Report strategies at a moment (SECRET; RSP-QL Definition 23; SEMANTICS 3)."""

from __future__ import annotations

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.content import WindowContent
from rsp_conformance.spec.windows import evaluated


def window_close(
    window: SlidingWindow, t0: int | None, t: int, now: WindowContent, dials: Dials
) -> bool:
    """WC (window close): whether an instance of the window closes, or comes into view, at `t`.

    Under ``window = active``, t less the window's lag must be the close of some instance. Under the
    other values, the instance that the query sees must differ from that of the instant before.

    Args:
        window: the window.
        t0: the instant at which its first instance opens; None if the window is never defined.
        t: the instant of the test.
        now: what the query sees of the window at `t`.
        dials: the setting of the dials.
    """
    if now.instance is None:
        return False
    if dials.window == "active":
        # At t = c the earliest instance that has not closed before t is the one that closes.
        return now.instance.closes == t - window.lag
    return now.instance != evaluated(window, t0, t - 1, dials)


def window_close_by_count(now: WindowContent, before: WindowContent, dials: Dials) -> bool:
    """WC of a window by count: whether its instance closes by a unit that has come just now.

    Under ``window = active``, the last unit of the instance must be the last that has come. Under
    the other values, the instance that the query sees must differ from that at the preceding
    moment.

    Args:
        now: what the query sees of the window at the moment of the test.
        before: what it saw at the preceding moment.
        dials: the setting of the dials.
    """
    if now.instance is None:
        return False
    if dials.window == "active":
        return now.instance.closes == now.units and now.units > before.units
    return now.instance != before.instance


def non_empty(now: WindowContent) -> bool:
    """NC (non-empty content): whether the window holds an element."""
    return now.instance is not None and bool(now.elements)


def content_change(now: WindowContent, before: WindowContent, dials: Dials) -> bool:
    """CC (content change): whether the content differs from that at the preceding moment.

    By the dial ``content_change``, under ``insertions`` a new element is required; under ``any``
    every difference counts. An undefined content before counts as empty.

    Args:
        now: the content at the moment of the test.
        before: the content at the preceding moment.
        dials: the setting whose dial ``content_change`` decides.
    """
    if now.instance is None:
        return False
    if dials.content_change == "any":
        return now.elements != before.elements
    return not set(now.elements) <= set(before.elements)


def periodic(start: int | None, t: int, period: int) -> bool:
    """P(n), periodic: whether t > t0 and (t − t0) mod n = 0, whatever the window holds.

    COMPUTED EVERY n is the same with the registration a in place of t0, and bound to no window.
    So is the strategy of a window by count, which has no t0. A lag moves the start of a window.

    Args:
        start: t0 or a; None if the window is never defined.
        t: The instant of the test.
        period: n, in instants.
    """
    return start is not None and t > start and (t - start) % period == 0
