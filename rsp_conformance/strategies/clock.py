"""The clock of a case: from which instant it counts, how coarsely, and how much arrives at once.

``(:a :p :b, 1)`` under ``[RANGE 2 STEP 1]`` is enough for most bugs of windows. Some bugs need
more: an engine that keeps instants in 32 bits loses ``(:a :p :b, 1700000000001)``, and an engine
that keeps sixteen windows open loses the seventeenth of ``[RANGE 50 STEP 1]``. So a case is drawn
at small instants, and a ``Clock``, drawn before it, maps these to the case's own times. The plain
clock changes nothing, is by far the most frequent, and is where shrinking leads: a counterexample
keeps an odd clock only if the bug depends on it.

Costly clocks are rare. The ``LARGE`` clocks give widths above 100, more than twenty elements or
fifty open windows, and fewer than one case in fifty has one of them. A coarser clock multiplies
slides, and with them |Z| (Definition 26), so it is used only with a single window or with a profile
that fixes t0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st

from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import FLOORS, Dials
from rsp_conformance.model.policy import Strategy, implies, mentions, negates
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.written import changed

SIGNED_32 = 2**31
"""The first instant that does not fit into a signed integer of 32 bits."""

EPOCH_MILLISECONDS = 1_700_000_000_000
"""An instant of November 2023, in milliseconds since 1970: what engines' own clients send."""

EPOCH_SECONDS = EPOCH_MILLISECONDS // 1000
"""The same instant in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Maps the small instants of a drawn case to the case's own.

    Attributes:
        origin: the instant that 0 becomes.
        scale: how many instants one drawn instant becomes; slides and widths grow with it.
        wider: by how many instants the first window is wider than drawn.
        crowd: how many elements replace each drawn element.
        silence: the length of a silence, as a multiple of the shortest silence that no window
            bridges.
    """

    origin: int = 0
    scale: int = 1
    wider: int = 0
    crowd: int = 1
    silence: int = 1

    def at(self, t: int) -> int:
        """Return the instant that the drawn instant ``t`` becomes.

        Odd drawn instants fall between two multiples of the scale, as real arrivals do. Even ones
        fall on a multiple, so that elements meet the ends of windows as well.
        """
        return self.origin + self.scale * t + (_OFF_GRID * t % self.scale if t % 2 else 0)

    def span(self, length: int) -> int:
        """Return a length of time that was drawn as ``length`` instants."""
        return self.scale * length

    def window(self, declared: WindowDeclaration, *, first: bool) -> WindowDeclaration:
        """Return a drawn window by this clock; ``wider`` applies to the first window alone.

        A window that is not by time is as it was drawn.
        """
        if not declared.is_by_time:
            return declared
        wider = self.wider if first else 0
        if self.scale == 1 and not wider:
            return declared
        assert isinstance(declared.width, int)
        slide, lag = declared.slide, declared.lag
        assert slide is None or isinstance(slide, int)
        assert lag is None or isinstance(lag, int)
        if slide is None and self.scale > 1:
            slide = 1
        return replace(
            declared,
            width=self.span(declared.width) + wider,
            slide=None if slide is None else self.span(slide),
            lag=None if lag is None else self.span(lag),
        )


_OFF_GRID = 31
"""A prime that divides no scale: odd instants fall at different distances from a multiple."""

PLAIN_CLOCK = Clock()
"""The clock that changes nothing."""

LARGE: Final = (
    Clock(wider=98),
    Clock(scale=100),
    Clock(crowd=20, wider=30),
    Clock(wider=50),
    Clock(scale=50, silence=10),
    Clock(scale=1000, origin=EPOCH_MILLISECONDS),
    Clock(crowd=8, wider=9),
    Clock(silence=100),
    Clock(scale=2500),
    Clock(crowd=3),
    Clock(scale=1000),
    Clock(crowd=20, wider=20, origin=SIGNED_32 - 2),
    Clock(wider=200),
    Clock(crowd=20),
    Clock(scale=500, origin=EPOCH_MILLISECONDS),
    Clock(wider=50, crowd=4),
)
"""Clocks whose cases cost many times as much as others: widths up to 10,000, or 240 elements."""

WIDER: Final = (1, 9, 9, 9, 20, 20, 40, 40)
"""By how much the first window of one case in sixteen is wider than drawn.

The least comes first, so a bug that needs two open windows at once shrinks to [RANGE 2 STEP 1].
"""

_WIDE: Final = Clock(wider=WIDER[0])
"""Stands for the clocks of all ``WIDER``: if it is drawn, one of them is drawn next."""

_SHARES: Final = (
    (PLAIN_CLOCK, 91),
    (Clock(origin=SIGNED_32 - 3), 5),
    (Clock(origin=EPOCH_MILLISECONDS), 5),
    (_WIDE, 8),
    (Clock(origin=40), 2),
    (Clock(scale=5), 2),
    (Clock(origin=EPOCH_SECONDS), 2),
    (Clock(scale=10), 2),
    (Clock(origin=2**40), 2),
    (Clock(silence=10), 2),
    (Clock(origin=5_000), 2),
    (Clock(scale=20), 1),
    (Clock(origin=10**8), 2),
)
"""Each clock and how many of 128 cases have it; the remaining cases have one of LARGE."""

CLOCKS: Final[tuple[Clock | None, ...]] = tuple(
    clock for clock, share in _SHARES for _ in range(share)
) + (None,) * (128 - sum(share for _, share in _SHARES))
"""The clocks that a case draws from; None is one of LARGE.

There are 128, so that one byte decides. Nearly three quarters are plain, so that bugs without any
relation to clocks are found about as soon as without clocks.
"""

ORIGINS: Final[tuple[Clock | None, ...]] = tuple(
    clock if clock is not None and clock == Clock(origin=clock.origin) else PLAIN_CLOCK
    for clock in CLOCKS
)
"""The clocks that only move the origin, and plain ones for the others: Z stays as drawn."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks that an engine and its profile allow.

    Attributes:
        options: the clocks that a case draws from; None is one of ``LARGE``.
        fixed_starts: whether each window has a single t0, so that slides do not multiply |Z|.
        numbered_starts: whether t0 is a number; then time begins at 0.
        scalable: whether all times may be multiplied.
        long_windows: whether the engine takes windows and silences of any length.
        bags: whether windows count equal triples; then each join multiplies a crowd.
        crowds: whether a case may have more elements than were drawn.
    """

    options: tuple[Clock | None, ...] = CLOCKS
    fixed_starts: bool = False
    numbered_starts: bool = False
    scalable: bool = True
    long_windows: bool = True
    bags: bool = False
    crowds: bool = True

    def draw(self, draw: st.DrawFn) -> Clock:
        """Draw a clock."""
        clock = pick(draw, self.options)
        if clock == _WIDE:
            clock = replace(_WIDE, wider=pick(draw, WIDER))
        if clock is None:
            clock = pick(draw, LARGE)
        if self.numbered_starts:
            clock = replace(clock, origin=0)
        if not (self.scalable and self.long_windows):
            clock = replace(clock, scale=1)
        if not self.long_windows:
            clock = replace(clock, wider=0, silence=1)
        most = 1 if not self.crowds else 3 if self.bags else clock.crowd
        return replace(clock, crowd=min(clock.crowd, most))

    def of_windows(self, clock: Clock, number: int) -> Clock:
        """Return the clock for this number of windows: at scale 1 if their starts multiply |Z|."""
        return clock if number == 1 or self.fixed_starts else replace(clock, scale=1)


def not_scalable(dials: Dials) -> str | None:
    """Return why a case with all its times multiplied is a different case under these dials.

    Returns:
        The reason, or None if the times may be multiplied.
    """
    policy = dials.report
    if isinstance(dials.t0, FLOORS) or (isinstance(dials.t0, int) and dials.t0):
        return "the profile says in instants where windows start"
    if mentions(policy, "P") or (isinstance(policy, Strategy) and policy.period is not None):
        return "the profile says in instants when to report"
    if implies(policy, "COMPUTED EVERY"):
        return None
    if mentions(policy, "CC", "COMPUTED EVERY") or negates(policy) or not implies(policy, "WC"):
        return "the report policy looks at every instant, and there are more of them"
    return None


def retimed(
    case: Case, time: Callable[[int], int], since: Callable[[int], int] | None = None
) -> Case:
    """Return a case with each of its instants moved.

    Args:
        case: the case.
        time: the new instant for each instant.
        since: the same for the first instant of a background graph; None for ``time``.
    """
    begin = since or time
    entries = tuple(
        replace(
            entry,
            since=None if entry.since is None else begin(entry.since),
            until=None if entry.until is None else time(entry.until),
        )
        for entry in case.background
    )
    return changed(
        case,
        elements=tuple(replace(element, t=time(element.t)) for element in case.elements),
        background=Background(entries),
        registered=time(case.registered),
        until=time(case.until),
    )
