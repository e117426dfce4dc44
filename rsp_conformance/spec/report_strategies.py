"""Report strategies at a moment (SECRET; RSP-QL Definition 23; SEMANTICS 3)."""

from __future__ import annotations

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.content import WindowContent
from rsp_conformance.spec.windows import evaluated


def window_close(
    window: SlidingWindow, t0: int | None, t: int, now: WindowContent, dials: Dials
) -> bool:
    """WC. ``active``: t is the close of some instance. Else: the chosen one is new."""
    if now.instance is None:
        return False
    if dials.window == "active":
        # At t = c the earliest instance that has not closed before t is the one that closes.
        return now.instance.closes == t
    return now.instance != evaluated(window, t0, t - 1, dials)


def non_empty(now: WindowContent) -> bool:
    """NC: the content is not empty."""
    return now.instance is not None and bool(now.elements)


def content_change(now: WindowContent, before: WindowContent, dials: Dials) -> bool:
    """CC: against the preceding moment; an undefined content there counts as empty.

    ``insertions``: there is an element that was not there; ``any``: the collections differ.
    """
    if now.instance is None:
        return False
    if dials.content_change == "any":
        return now.elements != before.elements
    return not set(now.elements) <= set(before.elements)


def periodic(start: int | None, t: int, period: int) -> bool:
    """P(n), from t0 on: t > t0 and (t − t0) mod n = 0; it does not ask for content.

    COMPUTED EVERY n is the same from a on, and bound to no window.
    """
    return start is not None and t > start and (t - start) % period == 0
