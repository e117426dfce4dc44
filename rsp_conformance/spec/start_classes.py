"""Find the few window starts z that have to be judged, among the millions in Z (decision 54).

A window of [RANGE 180000 STEP 30000] may start at 30,000 instants, two such windows at 900 million
pairs. Nearly all of these starts give the same answers, some instants earlier or later, and most of
them do not fit the instants of the engine's answers. Two steps leave a few dozen:

**Classes.** The answer of Q_z depends on z only through comparisons: whether a window opens or
closes before an element, a change of the background data, t_s, `until`, or a boundary of another
window, and whether it is evaluated within the tolerance of an answer's stamp. Between two starts at
which such a comparison changes, all starts are alike: equal contents in the same order, and all
instants on the same side of everything that they are compared with. So one member of each class is
judged, the first. What appended elements trigger is compared, too, if an answer may be theirs; then
also comparisons with these elements count, up to the last instant that an answer may mean. With one
window, the starts at which a comparison changes (turning points) follow from the elements and
stamps by arithmetic modulo β. With several windows, the comparisons of one window with another
bound the differences of their starts, and the first member of a class solves a system of such
bounds: its starts are sums along paths, from a bound of one window over differences to the others.
`_options` follows these paths.

**Bounds.** Under ``answer_time = evaluation``, a required stamp is met only if z has an evaluation
there, and arithmetic finds the evaluations of a z without evaluating any pattern. The number of
stamps that cannot be met is a lower bound of the distance between the answer and Ans(Q_z)
(`alignment.Comparison.apart`). So a search for the nearest start takes the members with the least
bound first, and stops as soon as the bound exceeds the distance that it has found.

The cost is (elements + stamps)·windows per window, and for each further window as much for each
option of the windows before. A policy that may hold at any instant (``NC``, ``!WC``) has no such
classes; then all of Z is listed, as it is if Z has few members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import ceil, floor, gcd
from typing import Final, NamedTuple, TypeAlias

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import mentions, strategies
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import AnyWindow, NowWindow, Reach, SlidingWindow, by_time
from rsp_conformance.spec.alignment import received_answers
from rsp_conformance.spec.alignment_stamps import ended
from rsp_conformance.spec.policies import (
    asks_for,
    closes_by_count,
    looked_at,
    policy_of,
    window_named,
)
from rsp_conformance.spec.starts import legal_starts, number_of_queries, rspql_queries, t_s

FEW: Final = 64
"""Up to this number, all members of Z are judged: finding classes would cost as much."""

MOST_WINDOWS: Final = 3
"""With more windows than this, there are more paths among them than members of Z that could be
judged."""

Stamp: TypeAlias = "int | Fraction"
"""The instant at which an answer is compared."""


class Candidate(NamedTuple):
    """A member of Z, the first of its class; it leaves at least ``apart`` stamps unmet."""

    apart: int
    starts: Vector


class _Edge(NamedTuple):
    """The instants t0 + offset + i·period, i ≥ 0, of a window."""

    offset: int
    period: int

    def instants(self, t0: int, until: int, modulo: int) -> range:
        """These instants of a window that starts at `t0`, each residue class of `modulo` once.

        Args:
            t0: the instant at which the window's first instance opens.
            until: the last instant that is returned.
            modulo: instants with equal remainders by this number are one class.
        """
        first, terms = t0 + self.offset, modulo // gcd(self.period, modulo)
        return range(first, min(until + 1, first + terms * self.period), self.period)


def candidates(case: Case, dials: Dials, observed: Sequence[Observed]) -> Iterator[Candidate]:
    """Yield the members of Z to compare an answer with, the least ``apart`` first, then in order.

    Args:
        case: The case that was asked.
        dials: The semantics of the engine.
        observed: The answers of the engine; with none, all classes have the bound 0.
    """
    start = t_s(case, dials)
    given = received_answers(observed, case, dials, start) if observed else []
    stamps = {g.stamp for g in given if g.stamp is not None}
    required = {g.stamp for g in given if g.stamp is not None and g.required}
    if dials.answers == "rows":
        required = set()  # Answers that share a stamp decide together whether it is required.
    late = dials.advances != "clock" and any(g.late for g in given)
    return StartClasses(case, dials, stamps, to_the_end=late).by_bound(required)


def representatives(case: Case, dials: Dials, most: int | None = None) -> list[Vector]:
    """One member of Z for each class, in order, without regard to any answer.

    Args:
        case: The case.
        dials: The semantics of the engine.
        most: The greatest number of members to return; None for all. If there are more classes,
            members are taken at equal distances among the first `_LISTED`·`most` classes.
    """
    found = StartClasses(case, dials).members()
    if most is None:
        return list(found)
    known = list(islice(found, _LISTED * most))
    step = -(-len(known) // most)
    return known[:: max(1, step)]


def has_more_classes(case: Case, dials: Dials, number: int) -> bool:
    """Whether more than `number` members of Z have to be judged.

    Args:
        case: the query and its data.
        dials: the setting of the dials; ``t0`` decides what Z is.
        number: the limit; finding out costs more, the greater it is.
    """
    found = StartClasses(case, dials)
    if found.are_listed:
        return found.size > number
    return next(islice(found.members(), number, None), None) is not None


def _with_the_end(case: Case, dials: Dials) -> Case:
    """The case with the appended elements; the case itself if no instant is left for them.

    Then it is not known what is due after ``until`` (`trace.Expectation.later`), nor compared.
    """
    try:
        return ended(case, dials)
    except ValueError:
        return case


_LISTED: Final = 16
"""For each representative that is returned, this number of classes is listed to choose from; the
classes beyond are never listed."""


class StartClasses:
    """The classes of Z for a case.

    Args:
        case: The case.
        dials: The semantics of the engine.
        stamps: The stamps of the answers to judge.
        to_the_end: Whether members of a class must also be alike after ``until``, when the kit has
            appended its elements (decision 22).
    """

    def __init__(
        self, case: Case, dials: Dials, stamps: Iterable[Stamp] = (), *, to_the_end: bool = False
    ) -> None:
        self._case, self._dials = case, dials
        self._seen = _with_the_end(case, dials) if to_the_end else case
        """The case with the elements and the end up to which members of a class are alike."""
        self._windows = case.query.resolved_windows(dials)
        self._policy = policy_of(case.query, dials)
        self._stamps = sorted(stamps) if dials.answer_time == "evaluation" else []
        self._changes = mentions(self._policy, "CC")
        self._at_close = dials.window == "last-closed-inclusive"
        """Whether an instance comes into view when it closes; else it does an instant later."""
        self._edges = [self._edges_of(place, own) for place, own in enumerate(self._windows)]

    @cached_property
    def size(self) -> int:
        """The number of members of Z."""
        return number_of_queries(self._case, self._dials)

    @cached_property
    def are_listed(self) -> bool:
        """Whether every member of Z is treated as a class of its own."""
        sliding = sum(window.slide > 1 for window in by_time(self._windows))
        if self.size <= FEW or sliding > MOST_WINDOWS:
            return True
        if self._closes_always or (by_time(self._windows) and self._dials.t0 != "any"):
            # What turns the starts of windows by time is known only if all of a slide are open.
            return True
        return not asks_for(self._policy, "WC", "P", "COMPUTED EVERY", "CC")

    @property
    def _closes_always(self) -> bool:
        """Whether WC looks at NOW, and so holds at every instant."""
        seen = looked_at(self._case.query, self._policy, self._dials, "WC")
        return any(own.width is Reach.NOW for own in seen)

    def members(self) -> Iterator[Vector]:
        """Yield the first member of every class, in order."""
        if self.are_listed:
            yield from rspql_queries(self._case, self._dials)
        else:
            yield from self._members({})

    def by_bound(self, required: Iterable[Stamp]) -> Iterator[Candidate]:
        """Yield the same members, first those that can meet most of the required stamps."""
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

    def _edges_of(self, place: int, window: AnyWindow) -> list[_Edge]:
        """The instants at which the query may be evaluated because of the start of a window."""
        found: list[_Edge] = []
        if not isinstance(window, SlidingWindow):
            return found
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
        later = (edge._replace(offset=edge.offset + window.lag) for edge in found)
        return list(dict.fromkeys(later))

    def _looks(self, place: int) -> list[_Edge]:
        """The instants at which contents are compared; CC needs the instant before, too."""
        own = self._edges[place]
        return [*own, *(e._replace(offset=e.offset - 1) for e in own)] if self._changes else own

    def _fixed(self, modulo: int) -> Iterator[int]:
        """The instants of possible evaluations that do not depend on starts, as in `_Edge`."""
        case = self._case
        for strategy in strategies(self._policy):
            by_count = strategy.kind == "P" and self._counts(strategy.window)
            if strategy.kind == "COMPUTED EVERY" or by_count:
                assert strategy.period is not None
                every = _Edge(strategy.period, strategy.period)
                yield from every.instants(case.registered, self._seen.until, modulo)
        if self._changes or closes_by_count(case.query, self._policy, self._dials):
            yield from self._entries
        now = {own.stream for own in self._windows if isinstance(own, NowWindow)}
        if self._changes:
            yield from (e.t + 1 for e in self._seen.elements if e.stream in now)

    def _counts(self, named: str | None) -> bool:
        """Whether a strategy looks at a window without a t0."""
        only = None if named is None else window_named(self._case.query, named)
        return any(
            not isinstance(window, SlidingWindow) and only in (None, place)
            for place, window in enumerate(self._windows)
        )

    @cached_property
    def _entries(self) -> frozenset[int]:
        """The instants at which elements enter windows: as they arrive, or a lag later."""
        return frozenset(
            element.t + window.lag for window in self._windows for element in self._elements(window)
        )

    @cached_property
    def _thresholds(self) -> list[int]:
        """The instants x for which it matters whether an evaluation is at x or later."""
        case, dials = self._case, self._dials
        ends = case.until + 1, self._seen.until + 1
        found = {t_s(case, dials), *ends, *case.background.changes()}
        found.update(self._entries)
        if dials.answer_time == "arrival":  # … or up to an instant later, or to two.
            found.update(e.t + late for e in self._seen.elements for late in (0, 1, 2))
        for stamp in self._stamps:
            found.add(ceil(stamp - dials.time_tolerance))
            found.add(floor(stamp + dials.time_tolerance) + 1)
        return sorted(found)

    # --- turning points ---

    def _turns(self, place: int, at: Iterable[int], period: int | None = None) -> Iterator[int]:
        """The starts of a window that equal an instant of `at` modulo `period` (or its slide)."""
        window, a = self._windows[place], self._case.registered
        assert isinstance(window, SlidingWindow)
        slide = window.slide
        for instant in at:
            first = a + (instant - a) % (period or slide)
            yield from range(first, a + slide, period or slide)

    def _own_turns(self, place: int) -> set[int]:
        """The turning points of a window that do not depend on other windows."""
        window, bounds = self._windows[place], self._dials.bounds
        if not isinstance(window, SlidingWindow):
            # One that opens after the last unit is never defined, so the first such stands for all.
            units = sum(max(1, len(e.graph)) for e in self._elements(window))
            starts = legal_starts(window, self._case, self._dials)[: units + 1]
            return {start for start in starts if start is not None}
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

    def _elements(self, window: AnyWindow) -> Iterator[StreamElement]:
        return (e for e in self._seen.elements if e.stream == window.stream)

    def _chosen(self, place: int, t: int) -> Iterator[int]:
        """The turning points at which another instance of a window is the one evaluated at `t`."""
        window = self._windows[place]
        assert isinstance(window, SlidingWindow)
        seen = t - window.lag
        return self._turns(place, (seen, seen - window.width + self._at_close))

    def _turns_with(self, place: int, other: int, t0: int) -> set[int]:
        """The turning points of a window that depend on the `other` one, which starts at `t0`."""
        until, own, theirs = self._seen.until, self._windows[place], self._windows[other]
        found: set[int] = set()
        if not isinstance(own, SlidingWindow) or not isinstance(theirs, SlidingWindow):
            return found
        for edge in self._looks(other):
            for t in edge.instants(t0, until, own.slide):
                found.update(self._chosen(place, t))
            for mine in self._looks(place):
                instants = edge.instants(t0, until, mine.period)
                at = (t - mine.offset + late for t in instants for late in (0, 1))
                found.update(self._turns(place, at, mine.period))
        for mine in self._looks(place):
            for late in (1, theirs.width + (not self._at_close)):
                shown = _Edge(late + theirs.lag, theirs.slide)
                instants = shown.instants(t0, until, mine.period)
                at = (t - mine.offset for t in instants)
                found.update(self._turns(place, at, mine.period))
        return found

    def _members(self, chosen: Mapping[int, int]) -> Iterator[Vector]:
        """Yield the first members of classes whose first windows have the starts `chosen`."""
        place = len(chosen)
        if place == len(self._windows):
            yield tuple(chosen.values())
            return
        for t0 in self._options(place, chosen, frozenset(range(place, len(self._windows)))):
            yield from self._members({**chosen, place: t0})

    def _options(
        self, place: int, chosen: Mapping[int, int], free: frozenset[int]
    ) -> Sequence[int]:
        """The starts of the window at `place` in the first members of classes, ascending.

        The windows in `chosen` have their starts; paths lead over the windows in `free`, each once.
        """
        window, a = self._windows[place], self._case.registered
        found = set(self._bounds[place])
        if not isinstance(window, SlidingWindow):
            return sorted(found)
        slide = window.slide
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
        """The stamps that each start of a window meets, as bits; starts not listed meet none."""
        found: dict[int | None, int] = {}
        for bit, stamp in enumerate(stamps):
            for edge in self._edges[place]:
                for t in self._near(stamp):
                    for t0 in self._turns(place, (t - edge.offset,), edge.period):
                        if t0 + edge.offset <= t:
                            found[t0] = found.get(t0, 0) | 1 << bit
        return found

    def _met_always(self, stamps: Sequence[Stamp]) -> int:
        """The stamps that are met wherever windows start, as bits."""
        fixed = set(self._fixed(self._case.until + 1))
        hits = (bit for bit, s in enumerate(stamps) if not fixed.isdisjoint(self._near(s)))
        return sum(1 << bit for bit in hits)

    def _near(self, stamp: Stamp) -> range:
        """The instants within the tolerance of a stamp."""
        tolerance = self._dials.time_tolerance
        return range(ceil(stamp - tolerance), floor(stamp + tolerance) + 1)
