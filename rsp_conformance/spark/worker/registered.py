"""A query registered under a profile: all of a case but its elements, ready to be evaluated."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import (
    FLOORS,
    N0,
    T0,
    Dials,
    FirstElementCloseFloor,
    FirstElementFloor,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Aggregate, Operation
from rsp_conformance.model.policy import (
    Strategy,
    StrategyKind,
    implies,
    is_bound,
    mentions,
    strategies,
)
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.streams import Stamp
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.walk import rewritten, subpatterns
from rsp_conformance.model.windows import (
    AnyWindow,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
    by_time,
)
from rsp_conformance.spark.wire import ArrivedElement
from rsp_conformance.spark.worker.plan import QueryPlan
from rsp_conformance.sparql.canonical import canonical
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.values import literal_of

ZERO = literal_of(0)
FAR = 100_000
"""What starts so many instants before the registration is not walked from its start."""
Starts: TypeAlias = Sequence[int | None]


class Registration(NamedTuple):
    """All of a case but its elements, and its dials; ``streams`` are all that there are."""

    query: Query
    dials: Dials
    background: Background
    registered: int
    until: int
    streams: tuple[IRI, ...]
    stamp: Stamp

    @staticmethod
    def of(case: Case, dials: Dials) -> Registration:
        """Register the query of a case; it and the background data are as the dials read them."""
        query, background = case.query, case.background
        if dials.literals == "canonical":
            query, background = canonical(query), canonical(background)
        if dials.empty_group == "none":
            query = rewritten(query, _without_empty_group)
        return Registration(
            query, dials, background, case.registered, case.until, case.streams, case.stamp
        )


class RegisteredQuery:
    """A query with all that its evaluations share, whatever comes.

    Args:
        registration: all of a case but its elements.
        plan: the compiled query, if it is there.

    Raises:
        Unsupported: the query goes beyond the evaluator or the profile.
        ValueError: query and dials do not fit together.
    """

    def __init__(self, registration: Registration, plan: QueryPlan | None = None) -> None:
        self.registration = registration
        self.query, self.dials = query, dials = registration.query, registration.dials
        self.plan = plan or QueryPlan(query)
        self._check()
        self.windows = query.resolved_windows(dials)
        self._timed = by_time(self.windows)
        self.letter = query.operator.letter if query.operator else ""
        self.differs = self.letter in ("I", "D")
        """Whether an answer depends on the evaluation before."""
        self.by_elements = self.differs and dials.r2s == "elements"
        """Whether it depends on the contents of that one, too."""
        self.keeps_empty = dials.empty_answers or query.form is Form.ASK
        self.arrival = dials.answer_time == "arrival"
        self.own_clocks = self.arrival and dials.clock == "own"
        """Whether arrivals trigger what windows of their own stream report, and nothing else."""
        self.apart = [window.named and dials.windows_in == "named" for window in self.windows]
        self._bags = dials.window_content == "bag"
        self._changes = registration.background.changes()
        period = query.period(dials.unit)
        every = None if period is None else Strategy("COMPUTED EVERY", period)
        self.policy = every or dials.report
        """The policy in force: the query's COMPUTED EVERY, else the profile's (decision 8)."""
        self.asked_once = is_bound(self.policy) or all(
            strategy.kind == "COMPUTED EVERY" for strategy in strategies(self.policy)
        )
        """Whether the policy is asked of all windows together, else window by window."""
        closing = self._asked("WC")
        self.closes_by_count = any(isinstance(window, CountWindow) for window in closing)
        """Whether WC is asked of a window by count."""
        self.closes_always = any(isinstance(window, NowWindow) for window in closing)
        """Whether it is asked of NOW, which closes at every instant."""
        self.mixes_closes = self.closes_by_count and (self.closes_always or bool(by_time(closing)))
        """Whether it is asked of windows by count and of others."""
        asked = self._asked("WC", "NC", "CC", "P") if self.own_clocks else ()
        self.clocks = frozenset([window.stream for window in asked])
        """The streams whose arrivals show that the policy holds, where windows have own clocks."""
        never = bool(closing) and all(isinstance(own, UnboundedWindow) for own in closing)
        if never and implies(self.policy, "WC"):
            raise Unsupported("a report policy by the close of windows that are UNBOUNDED")
        once = mentions(self.policy, "P", "COMPUTED EVERY")
        once = once or (mentions(self.policy, "WC") and not self.closes_by_count)
        self.stepwise = dials.tick == "tuple" and not once
        """Whether the policy is tested after every element (decision 3)."""
        self.delay = 0
        """An evaluation at t is stamped with the first arrival at t plus this (decision 21)."""
        if self.arrival and mentions(self.policy, "WC") and not self.closes_by_count:
            self.delay = (dials.window != "last-closed") - (dials.trigger == ">=")

    def _asked(self, *kinds: StrategyKind) -> list[AnyWindow]:
        """The windows that the policy's strategies of some kinds look at."""
        found: list[AnyWindow] = []
        for one in strategies(self.policy):
            if one.kind in kinds and one.window is not None:
                found.append(self.windows[window_number(one.window, self.query)])
            elif one.kind in kinds:
                found += self.windows[: 1 if self.dials.report_windows == "first" else None]
        return found

    def _check(self) -> None:
        """Raise Unsupported if the profile does not take the query."""
        operator = self.query.operator
        if operator is not None and operator.letter not in self.dials.stream_operators:
            raise Unsupported(f"{operator.value} under this profile")
        if self.dials.windows_in == "default" and any(
            isinstance(part, Window) for part in subpatterns(self.query.pattern)
        ):
            raise Unsupported("WINDOW under a profile that merges windows into the default graph")

    def stamp(self, t: int, moments: Sequence[int]) -> int:
        """The timestamp of an evaluation; under ``arrival`` the first arrival that triggers it.

        Args:
            t: the instant of the evaluation.
            moments: the instants at which something came.
        """
        if not self.arrival:
            return t
        place = bisect_left(moments, t + self.delay)
        last = self.registration.until
        return min(last, moments[place]) if place < len(moments) else last

    def starts(self, first: Mapping[IRI, int], last: int = 0) -> tuple[Starts, ...]:
        """T⁰ of every window.

        Args:
            first: the instant of each stream's first element.
            last: the instant of the last element. Elements that the kit appends do not come before
                it: if nothing else comes, they start what they start by ``until``.
        """
        until, t0 = self.registration.until, self.dials.t0
        if isinstance(t0, FirstElementCloseFloor) and first:
            first = dict.fromkeys(self.query.streams(), min(first.values()))
        found: list[Starts] = []
        for window in self.windows:
            if isinstance(window, CountWindow):
                found.append(_first_units(self.dials.n0, window))
                continue
            if not isinstance(window, SlidingWindow):
                found.append((0,))
                continue
            known = first.get(window.stream)
            starts = _window_starts(t0, window, self.registration.registered, known)
            if starts == (None,) and self.dials.advances == "elements":
                later = _window_starts(t0, window, 0, max(last, until + 1))
                starts = tuple([s for s in later if s is not None and s <= until]) or (None,)
            found.append(starts)
        return tuple(found)

    def walked_from(self, z: Vector, first_units: Sequence[int] = ()) -> int:
        """The first instant of Q_z that is looked at.

        Long before the registration nothing has come, so what is evaluated repeats: of that one
        round is enough, the last, and its end is what the next evaluation may be compared with.

        Args:
            z: the starts of the windows.
            first_units: when the first units came of windows by count: one that comes as the query
                is registered is new then.
        """
        registered = self.registration.registered
        started = self._by_time(z)
        first = min([registered, *started, *[t - 1 for t in first_units]]) + 1
        if registered - first <= FAR:
            return first
        periods = [one.period for one in strategies(self.policy) if one.period is not None]
        round_trip = lcm(*[window.slide for window in self._timed], *periods)
        longest = max([window.reach for window in self._timed], default=0)
        return max(first, registered - round_trip - longest - 1)

    def compared_from(self, starts: Sequence[Starts]) -> int:
        """t_s, the instant from which answers are compared (decision 18)."""
        last = [options[-1] for options in starts]  # They ascend.
        return max([self.registration.registered, *self._by_time(last)])

    def latest(self, last: int) -> int:
        """The last instant that an answer may be stamped with (decision 50).

        Args:
            last: the instant of the last element.
        """
        steps = [window.reach for window in self._timed]
        policies = strategies(self.policy), strategies(self.dials.report)
        steps += [one.period or 0 for policy in policies for one in policy]
        latest = max(self.registration.until + 1, last)
        return latest + max([*steps, self.dials.time_tolerance])

    def _by_time(self, starts: Sequence[int | None]) -> list[int]:
        """Those starts that are instants; there is one for each window."""
        windows = zip(self.windows, starts, strict=True)
        return [t0 for own, t0 in windows if t0 is not None and isinstance(own, SlidingWindow)]

    def version(self, t: int) -> int:
        """The number of the version of the background data that holds at an instant."""
        return bisect_right(self._changes, t)

    def window_dataset(self, held: Sequence[Triple | ArrivedElement]) -> WindowDataset:
        """DS(w) of a window with these triples and named elements (SEMANTICS 4; RSP-QL* 6)."""
        default: list[Triple] = []
        named: dict[GraphName, list[Triple]] = {}
        for one in held:
            if isinstance(one, Triple):
                default.append(one)
            elif one.name is not None:
                default.append(self.registration.stamp.triple(one.name, one.t, self.dials.unit))
                named.setdefault(one.name, []).extend(one.graph)
        return WindowDataset(
            self._graph(default), {name: self._graph(graph) for name, graph in named.items()}
        )

    def _graph(self, triples: list[Triple]) -> GraphBag:
        return GraphBag(triples) if self._bags else GraphBag(dict.fromkeys(triples, 1))

    def dataset(self, version: int, contents: Sequence[WindowDataset]) -> Dataset:
        """The dataset of the query.

        Args:
            version: the number of the version of the background data.
            contents: what each window holds.
        """
        default, named = self._versions[version]
        windows: dict[IRI, WindowDataset] = {}
        for window, apart, content in zip(self.windows, self.apart, contents, strict=True):
            if apart:
                windows[window.name] = content
            elif default.counts:
                default = default.merged(content.default, add=self._bags)
            else:
                default = content.default
        return Dataset(default, named, windows, self.dials.graph_variable, self._bags)

    @cached_property
    def _versions(self) -> list[tuple[GraphBag, dict[GraphName, GraphBag]]]:
        """The background before its first change and after each (decision 11)."""
        instants = [self._changes[0] - 1, *self._changes] if self._changes else [0]
        return [self._background(t) for t in instants]

    def _background(self, t: int) -> tuple[GraphBag, dict[GraphName, GraphBag]]:
        default, named = self.registration.background.at(t)
        query = self.query
        if query.default_graphs or query.named_graphs:
            chosen = [named.get(name, frozenset()) for name in query.default_graphs]
            default = frozenset().union(*chosen)
            named = {name: named.get(name, frozenset()) for name in query.named_graphs}
        return GraphBag(default), {name: GraphBag(graph) for name, graph in named.items()}


def _without_empty_group(part: Any) -> Any:
    """A query that aggregates without GROUP BY: of no solution it makes no group."""
    if isinstance(part, Query) and part.group_by is None and is_grouped(part):
        return replace(
            part, having=(*part.having, Operation(">", (Aggregate("COUNT", None), ZERO)))
        )
    return part


def _window_starts(t0: T0, window: SlidingWindow, a: int, first: int | None) -> Starts:
    """T⁰ of a window: every start that it may have; one that is never defined is None.

    Args:
        t0: the dial.
        window: the window.
        a: the instant of the registration.
        first: the instant of the first element that decides; None if there is none.

    Raises:
        ValueError: the dial has an unknown value.
    """
    alpha, beta = window.width, window.slide
    match t0:
        case "any":
            return range(a, a + beta)
        case "registration":
            return (a,)
        case (
            "first-element" | "first-element-close" | FirstElementFloor() | FirstElementCloseFloor()
        ):
            if first is None:
                return (None,)
            if isinstance(t0, FLOORS):
                first = first // t0.multiple * t0.multiple
            closes = t0 == "first-element-close" or isinstance(t0, FirstElementCloseFloor)
            return (first - alpha + beta if closes else first,)
        case "aligned-open":
            return (a - a % beta,)
        case "aligned-close":
            return (a - (a + alpha) % beta,)
        case "first-aligned-open":
            return (a - alpha + (alpha - a) % beta,)
        case "first-aligned-close":
            return (a - a % beta + beta - alpha,)
        case int():
            return (t0,)
    raise ValueError(f"dial t0={t0!r} is not known")


def _first_units(n0: N0, window: CountWindow) -> Starts:
    """N⁰ of a window: after how many units it may begin under the dial ``n0``."""
    match n0:
        case "any":
            return range(window.slide)
        case "fill":
            return (window.slide - window.width,)
        case int():
            return (n0,)


def window_number(written: str, query: Query) -> int:
    """The number of the window that a strategy names (decision 9).

    Raises:
        ValueError: the query declares no such window.
    """
    names = [window.name for window in query.windows]
    full = query.expand(written)
    if full in names:
        return names.index(full)
    local = [re.split("[#/:]", name.value)[-1] for name in names]
    if (short := written.removeprefix(":")) in local:
        return local.index(short)
    known = ", ".join(map(query.shorten, names)) or "none"
    raise ValueError(f"report policy names the window {written!r}; the query declares {known}")
