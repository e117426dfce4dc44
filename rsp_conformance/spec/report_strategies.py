"""Report strategies at a moment (SECRET; RSP-QL Definition 23; SEMANTICS 3)."""

from __future__ import annotations

from typing import NamedTuple

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.content import Content, Moment
from rsp_conformance.spec.windows import evaluated


class Seen(NamedTuple):
    """What a strategy may look at: one window, its start, now and at the preceding moment."""

    window: SlidingWindow
    t0: int | None
    moment: Moment
    now: Content
    before: Content


def window_close(seen: Seen, dials: Dials) -> bool:
    """WC. ``active``: t is the close of some instance. ``last-closed``: the chosen one is new."""
    if seen.now.instance is None:
        return False
    if dials.window == "active":
        # At t = c the earliest instance that has not closed before t is the one that closes.
        return seen.now.instance.closes == seen.moment.t
    return seen.now.instance != evaluated(seen.window, seen.t0, seen.moment.t - 1, dials)


def non_empty(seen: Seen) -> bool:
    """NC: the content is not empty."""
    return seen.now.instance is not None and bool(seen.now.elements)


def content_change(seen: Seen, dials: Dials) -> bool:
    """CC: against the preceding moment; an undefined content there counts as empty.

    ``insertions``: there is an element that was not there; ``any``: the collections differ.
    """
    if seen.now.instance is None:
        return False
    if dials.content_change == "any":
        return seen.now.elements != seen.before.elements
    return not set(seen.now.elements) <= set(seen.before.elements)


def periodic(seen: Seen, period: int) -> bool:
    """P(n): t > t0 and (t − t0) mod n = 0; it does not ask for content."""
    return (
        seen.t0 is not None and seen.moment.t > seen.t0 and (seen.moment.t - seen.t0) % period == 0
    )


def computed_every(moment: Moment, registered: int, period: int) -> bool:
    """COMPUTED EVERY n: t > a and (t − a) mod n = 0; bound to no window."""
    return moment.t > registered and (moment.t - registered) % period == 0
