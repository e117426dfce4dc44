"""Members of Z that are alike, and those that an answer's instants leave (decision 54).

Windows of [RANGE 180000 STEP 30000] may start at 30,000 instants, two of them at 900 million pairs.
Nearly all of these give the same answers, some instants sooner or later, and none of those can be
given by an engine that answers at other instants. Two steps leave a few dozen:

**Classes.** What Q_z answers depends on z by comparisons alone: whether a window opens or closes
before an element, a change of the background data, t_s, `until`, or a boundary of another window,
and whether it is evaluated within the tolerance of an answer's stamp. Between two starts at which
such a comparison turns, all starts are alike: equal contents in the same order, all instants on the
same side of everything that they are compared with. So each class is judged by its first member.
With one window the turning points follow from the elements and stamps by arithmetic modulo β. With
several, the comparisons of one window with another bound the differences of their starts, and the
first member of a class solves a system of such bounds: its starts are sums along paths, from a
bound of one window over differences to the others. `_options` follows these paths.

**Bounds.** Under ``answer_time = evaluation`` a stamp that must be met is met only by a z with an
evaluation there, and where evaluations take place is arithmetic, without any pattern. The stamps
that cannot be met are a lower bound of what sets an answer apart from Ans(Q_z)
(`alignment.Comparison.apart`), so who looks for the nearest start takes those with the least bound
first and stops where the bound is above what has been found.

This costs (elements + stamps)·windows per window, and for each further window as much for each
option of those before. A policy that may hold at any instant (``NC``, ``!WC``) has no such classes:
there Z is listed, as it is where it has few members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import ceil, floor, gcd, prod
from typing import Final, NamedTuple, TypeAlias

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import mentions, strategies
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.alignment import answers_given
from rsp_conformance.spec.policies import asks_for, policy_of, window_named
from rsp_conformance.spec.starts import rspql_queries, t_s

FEW: Final = 64
"""So many members of Z are listed as they are: to judge them costs no more than to find classes."""

MOST_WINDOWS: Final = 3
"""With more windows there are more paths among them than members of Z that could be judged."""

Stamp: TypeAlias = "int | Fraction"


class Candidate(NamedTuple):
    """A member of Z, the first of its class; ``apart`` stamps at least it cannot meet."""

    apart: int
    starts: Vector


class _Edge(NamedTuple):
    """The instants t0 + offset + i·period, i ≥ 0, of a window."""

    offset: int
    period: int

    def instants(self, t0: int, until: int, modulo: int) -> range:
        """Those of a window that starts at T0, as far as they differ MODULO a number."""
        first, terms = t0 + self.offset, modulo // gcd(self.period, modulo)
        return range(first, min(until + 1, first + terms * self.period), self.period)


def candidates(case: Case, dials: Dials, observed: Sequence[Observed]) -> Iterator[Candidate]:
    """What Z leaves to be held against OBSERVED, the least ``apart`` first, then in order."""
    start = t_s(case, dials)
    given = answers_given(observed, case, dials, start) if observed else []
    stamps = {g.stamp for g in given if g.stamp is not None}
    required = {g.stamp for g in given if g.stamp is not None and g.required}
    if dials.answers == "rows":
        required = set()  # Those that share a stamp decide together what is required of it.
    return StartClasses(case, dials, stamps).by_bound(required)


def representatives(case: Case, dials: Dials, most: int | None = None) -> list[Vector]:
    """One member of Z for each class, in order, whatever an engine answers; MOST of them.

    Where there are more they are taken from all over Z, at equal distances in its order.
    """
    found = StartClasses(case, dials).members()
    if most is None:
        return list(found)
    known = list(islice(found, _LISTED * most))
    step = -(-len(known) // most)
    return known[:: max(1, step)]


def has_more_classes(case: Case, dials: Dials, number: int) -> bool:
    """Whether Z leaves more than NUMBER members to be looked at."""
    found = StartClasses(case, dials)
    if found.are_listed:
        return found.size > number
    return next(islice(found.members(), number, None), None) is not None


_LISTED: Final = 16
"""So many times as many representatives are listed as are taken; those beyond are not met."""


class StartClasses:
    """The classes of Z for CASE under DIALS, where answers are stamped with STAMPS."""

    def __init__(self, case: Case, dials: Dials, stamps: Iterable[Stamp] = ()) -> None:
        self._case, self._dials = case, dials
        self._windows = case.query.sliding_windows(dials.unit)
        self._policy = policy_of(case.query, dials)
        self._stamps = sorted(stamps) if dials.answer_time == "evaluation" else []
        self._changes = mentions(self._policy, "CC")
        self._at_close = dials.window == "last-closed-inclusive"
        """Whether another instance comes into view as it closes; else that is an instant later."""
        self._edges = [self._edges_of(place, own) for place, own in enumerate(self._windows)]

    @cached_property
    def size(self) -> int:
        """How many members Z has."""
        slides = (window.slide for window in self._windows)
        return prod(slides) if self._dials.t0 == "any" else 1

    @cached_property
    def are_listed(self) -> bool:
        """Whether each member of Z is taken for a class of its own."""
        if self.size <= FEW or sum(window.slide > 1 for window in self._windows) > MOST_WINDOWS:
            return True
        return not asks_for(self._policy, "WC", "P", "COMPUTED EVERY", "CC")

    def members(self) -> Iterator[Vector]:
        """The first member of every class, in order."""
        if self.are_listed:
            yield from rspql_queries(self._case, self._dials)
        else:
            yield from self._members({})

    def by_bound(self, required: Iterable[Stamp]) -> Iterator[Candidate]:
        """The same, those first that can meet most of the REQUIRED stamps."""
        stamps = sorted(required) if self._dials.answer_time == "evaluation" else []
        if self.are_listed or not stamps:
            return (Candidate(0, starts) for starts in self.members())
        met = [self._met(place, stamps) for place in range(len(self._windows))]
        always = self._met_always(stamps)

        def bounded(starts: Vector) -> Candidate:
            mask = always
            for own, t0 in zip(met, starts, strict=True):
                mask |= own.get(t0, 0)
            return Candidate(len(stamps) - mask.bit_count(), starts)

        return iter(sorted(map(bounded, self.members())))

    # --- when the query may be evaluated ---

    def _edges_of(self, place: int, window: SlidingWindow) -> list[_Edge]:
        """The instants at which the query may be evaluated because of the window at PLACE."""
        found = []
        for strategy in strategies(self._policy):
            named = strategy.window
            if named is not None and window_named(self._case.query, named) != place:
                continue
            match strategy.kind:
                case "WC":
                    late = self._dials.window == "last-closed"
                    found.append(_Edge(window.width + late, window.slide))
                case "CC":
                    found.append(_Edge(window.width + (not self._at_close), window.slide))
                    found.append(_Edge(1, window.slide))
                case "P":
                    assert strategy.period is not None
                    found.append(_Edge(strategy.period, strategy.period))
        return list(dict.fromkeys(found))

    def _looks(self, place: int) -> list[_Edge]:
        """The instants at which contents are looked at: CC looks at the one before, too."""
        own = self._edges[place]
        return [*own, *(e._replace(offset=e.offset - 1) for e in own)] if self._changes else own

    def _fixed(self, modulo: int) -> Iterator[int]:
        """The instants at which it may be evaluated wherever windows start, as in `_Edge`."""
        case = self._case
        for strategy in strategies(self._policy):
            if strategy.kind == "COMPUTED EVERY":
                assert strategy.period is not None
                every = _Edge(strategy.period, strategy.period)
                yield from every.instants(case.registered, case.until, modulo)
        if self._changes:
            yield from (e.t for e in case.elements if e.stream in self._read)

    @cached_property
    def _read(self) -> frozenset[object]:
        return frozenset(window.stream for window in self._windows)

    @cached_property
    def _thresholds(self) -> list[int]:
        """The instants x for which it matters whether an evaluation is at x or later."""
        case, dials = self._case, self._dials
        found = {t_s(case, dials), case.until + 1, *case.background.changes()}
        found.update(e.t for e in case.elements if e.stream in self._read)
        if dials.answer_time == "arrival":  # … or up to an instant later, or to two.
            found.update(e.t + late for e in case.elements for late in (0, 1, 2))
        for stamp in self._stamps:
            found.add(ceil(stamp - dials.time_tolerance))
            found.add(floor(stamp + dials.time_tolerance) + 1)
        return sorted(found)

    # --- where comparisons turn ---

    def _turns(self, place: int, at: Iterable[int], period: int | None = None) -> Iterator[int]:
        """The starts of the window at PLACE that are AT modulo PERIOD, its slide if None."""
        a, slide = self._case.registered, self._windows[place].slide
        for instant in at:
            first = a + (instant - a) % (period or slide)
            yield from range(first, a + slide, period or slide)

    def _own_turns(self, place: int) -> set[int]:
        """Where what the window at PLACE has to do with all but other windows turns."""
        window, bounds = self._windows[place], self._dials.bounds
        found = {self._case.registered}
        opens = (e.t + (bounds[0] == "[") for e in self._elements(window))
        closes = (e.t - window.width + (bounds[-1] == ")") for e in self._elements(window))
        found.update(self._turns(place, opens), self._turns(place, closes))
        for t in self._fixed(window.slide):
            found.update(self._chosen(place, t))
            if self._changes:
                found.update(self._chosen(place, t - 1))
        for edge in self._looks(place):
            passed = [t + late for t in self._fixed(edge.period) for late in (0, 1)]
            at = (x - edge.offset for x in (*self._thresholds, *passed))
            found.update(self._turns(place, at, edge.period))
        return found

    def _elements(self, window: SlidingWindow) -> Iterator[StreamElement]:
        return (e for e in self._case.elements if e.stream == window.stream)

    def _chosen(self, place: int, t: int) -> Iterator[int]:
        """Where another instance of the window at PLACE is the one that is evaluated at T."""
        closes = t - self._windows[place].width + self._at_close
        return self._turns(place, (t, closes))

    def _turns_with(self, place: int, other: int, t0: int) -> set[int]:
        """Where what the window at PLACE has to do with the OTHER, started at T0, turns."""
        until, own, theirs = self._case.until, self._windows[place], self._windows[other]
        found: set[int] = set()
        for edge in self._looks(other):
            for t in edge.instants(t0, until, own.slide):
                found.update(self._chosen(place, t))
            for mine in self._looks(place):
                instants = edge.instants(t0, until, mine.period)
                at = (t - mine.offset + late for t in instants for late in (0, 1))
                found.update(self._turns(place, at, mine.period))
        for mine in self._looks(place):
            for late in (1, theirs.width + (not self._at_close)):
                instants = _Edge(late, theirs.slide).instants(t0, until, mine.period)
                at = (t - mine.offset for t in instants)
                found.update(self._turns(place, at, mine.period))
        return found

    def _members(self, chosen: Mapping[int, int]) -> Iterator[Vector]:
        """The first members of classes in which the first windows start as CHOSEN."""
        place = len(chosen)
        if place == len(self._windows):
            yield tuple(chosen.values())
            return
        for t0 in self._options(place, chosen, frozenset(range(place, len(self._windows)))):
            yield from self._members({**chosen, place: t0})

    def _options(
        self, place: int, chosen: Mapping[int, int], free: frozenset[int]
    ) -> Sequence[int]:
        """The starts of the window at PLACE in the first members of classes, ascending.

        The windows CHOSEN have theirs; paths lead over those that are FREE, each once.
        """
        slide, a = self._windows[place].slide, self._case.registered
        found = set(self._bounds[place])
        for other, t0 in chosen.items():
            found |= self._turns_with(place, other, t0)
        for other in free - {place}:
            for t0 in self._options(other, chosen, free - {place}):
                if len(found) == slide:
                    return range(a, a + slide)
                found |= self._turns_with(place, other, t0)
        return sorted(found)

    @cached_property
    def _bounds(self) -> list[set[int]]:
        return [self._own_turns(place) for place in range(len(self._windows))]

    # --- which stamps are met ---

    def _met(self, place: int, stamps: Sequence[Stamp]) -> dict[int | None, int]:
        """Which of STAMPS each start of the window at PLACE meets, as bits; others meet none."""
        found: dict[int | None, int] = {}
        for bit, stamp in enumerate(stamps):
            for edge in self._edges[place]:
                for t in self._near(stamp):
                    for t0 in self._turns(place, (t - edge.offset,), edge.period):
                        if t0 + edge.offset <= t:
                            found[t0] = found.get(t0, 0) | 1 << bit
        return found

    def _met_always(self, stamps: Sequence[Stamp]) -> int:
        """Which of STAMPS are met wherever windows start."""
        fixed = set(self._fixed(self._case.until + 1))
        hits = (bit for bit, s in enumerate(stamps) if not fixed.isdisjoint(self._near(s)))
        return sum(1 << bit for bit in hits)

    def _near(self, stamp: Stamp) -> range:
        """The instants within the tolerance of STAMP."""
        tolerance = self._dials.time_tolerance
        return range(ceil(stamp - tolerance), floor(stamp + tolerance) + 1)
