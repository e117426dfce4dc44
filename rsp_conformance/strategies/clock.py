"""The clock of a case: from which instant it counts, how coarsely, and how much comes at once.

``(:a :p :b, 1)`` under ``[RANGE 2 STEP 1]`` says all that most bugs of windows need. Some bugs need
more: an engine that keeps instants in 32 bits loses ``(:a :p :b, 1700000000001)``, an engine that
keeps sixteen windows open loses the seventeenth of ``[RANGE 50 STEP 1]``. So a case is drawn at
small instants, and a ``Clock`` that was drawn before it says where these lie in the case's own
time. The plain clock changes nothing, is by far the most frequent, and is where shrinking leads:
a counterexample keeps an odd clock only if the bug depends on it.

What costs much is rare: ``LARGE`` clocks give widths above 100, more than twenty elements or
fifty open windows, and less than one case in fifty has one of them. A coarser clock multiplies
slides, and |Z| (Definition 26) with them, so it comes with one window or with a profile that fixes
t0.
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
"""The first instant that a signed integer of 32 bits does not hold."""

EPOCH_MILLISECONDS = 1_700_000_000_000
"""An instant of November 2023, in milliseconds since 1970: what engines' own clients send."""

EPOCH_SECONDS = EPOCH_MILLISECONDS // 1000


@dataclass(frozen=True, slots=True)
class Clock:
    """How the small instants of a drawn case become the case's own.

    Attributes:
        origin: what instant 0 becomes.
        scale: how many instants one drawn instant becomes; slides and widths grow with it.
        wider: by how many instants the first window is wider than drawn.
        crowd: how many elements come in place of each one drawn.
        silence: how many times as long a silence is as the shortest one that no window bridges.
    """

    origin: int = 0
    scale: int = 1
    wider: int = 0
    crowd: int = 1
    silence: int = 1

    def at(self, t: int) -> int:
        """The instant that the drawn instant T stands for.

        Every other drawn instant falls between two multiples of the scale, as arrivals do in
        nature; even ones fall on a multiple, so that elements meet the ends of windows as well.
        """
        return self.origin + self.scale * t + (_OFF_GRID * t % self.scale if t % 2 else 0)

    def span(self, length: int) -> int:
        """A length of time of LENGTH drawn instants."""
        return self.scale * length

    def window(self, declared: WindowDeclaration, *, first: bool) -> WindowDeclaration:
        """DECLARED by this clock; ``wider`` is for the FIRST window alone."""
        wider = self.wider if first else 0
        if self.scale == 1 and not wider:
            return declared
        assert isinstance(declared.width, int)
        slide = declared.slide
        assert slide is None or isinstance(slide, int)
        if slide is None and self.scale > 1:
            slide = 1
        return replace(
            declared,
            width=self.span(declared.width) + wider,
            slide=None if slide is None else self.span(slide),
        )


_OFF_GRID = 31
"""A prime that divides no scale: odd instants fall at different places between multiples."""

PLAIN_CLOCK = Clock()

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
"""Clocks whose cases cost many times as much as others: widths up to 10,000, 240 elements."""

WIDER: Final = (1, 9, 9, 9, 20, 20, 40, 40)
"""By how much the first window of a case in sixteen is wider than it was drawn.

The least comes first, so a bug that needs two windows open at once is shrunk to [RANGE 2 STEP 1].
"""

_WIDE: Final = Clock(wider=WIDER[0])

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
"""Each clock and how many of 128 cases have it; what is left over is LARGE."""

CLOCKS: Final[tuple[Clock | None, ...]] = tuple(
    clock for clock, share in _SHARES for _ in range(share)
) + (None,) * (128 - sum(share for _, share in _SHARES))
"""What a case draws its clock from; None stands for one of LARGE.

128, so that one byte decides. Three quarters are plain, so that bugs that have nothing to do with
clocks are found as soon as without them.
"""

ORIGINS: Final[tuple[Clock | None, ...]] = tuple(
    clock if clock is not None and clock == Clock(origin=clock.origin) else PLAIN_CLOCK
    for clock in CLOCKS
)
"""The clocks that only count from elsewhere: Z stays as it is drawn."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What an engine and its profile leave of clocks.

    Attributes:
        options: what a case draws from; None stands for one of LARGE.
        fixed_starts: whether each window has one t0, so that slides multiply no |Z|.
        numbered_starts: whether a number says where windows start: then time begins at 0.
        scalable: whether all times may be multiplied.
        long_windows: whether the engine takes windows and silences of any length.
        bags: whether windows count equal triples: then a crowd multiplies itself in each join.
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
        """CLOCK for NUMBER of windows: at the drawn scale, if their t0 multiply."""
        return clock if number == 1 or self.fixed_starts else replace(clock, scale=1)


def not_scalable(dials: Dials) -> str | None:
    """Why the same case at other times, all multiplied, is another one under DIALS; None if not."""
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
    """CASE with each of its instants at another TIME; SINCE is that of a graph's first instant."""
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
