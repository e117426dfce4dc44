"""When the query is evaluated: the report policy at a test point (SEMANTICS 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from math import inf, lcm
from typing import TypeAlias

from rsp_conformance.adapters.reference.due import StreamSets
from rsp_conformance.adapters.reference.window import CountState, WindowState, counting
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    implies,
    is_bound,
    mentions,
    strategies,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import within

_Condition: TypeAlias = Callable[[int, WindowState | None], bool]
"""Whether a policy holds at an instant, for a window where it is bound to none."""


class Reporter:
    """A query's policy over its windows.

    ValueError if the policy does not fit the query: COMPUTED EVERY without a period, a window
    that the query does not declare.
    """

    def __init__(
        self, query: Query, dials: Dials, windows: Sequence[WindowState], registered: int
    ) -> None:
        self.policy = _policy(query, dials)
        self._windows = windows
        self._registered = registered
        self._content_change = dials.content_change
        self._report_windows = dials.report_windows
        self._named = {
            s.window: _position(query, s.window)
            for s in strategies(self.policy)
            if s.window is not None
        }
        self._whole = is_bound(self.policy) or not mentions(self.policy, "WC", "CC", "NC", "P")
        closing = self._closing()
        by_count = counting(closing)
        by_time = [window for window in closing if not isinstance(window, CountState)]
        self.once_an_instant = (
            dials.tick == "time"
            or mentions(self.policy, "P", "COMPUTED EVERY")
            or (bool(closing) and not by_count)
        )
        """Whether an instant has one test point, after its last element."""
        self.waits = bool(by_time) and not self.once_an_instant
        """Whether it matters which of several test points of an instant is the last.

        A window by time closes at the last alone.
        """
        self.is_last = True
        """Whether the test point is the last of its instant, as far as that matters."""
        self.on_closing = bool(closing) and not by_count
        if closing and not by_count and not by_time and implies(self.policy, "WC"):
            raise Unsupported("a report policy that waits for the close of UNBOUNDED windows")
        """Whether evaluations wait for the close of a window by time."""
        self._holds = self._condition(self.policy)
        self._seen_by: dict[int, StreamSets] | None = None if _chooses(self.policy) else {}

    def holds(self, t: int) -> bool:
        """Return whether the query is evaluated now, at t."""
        if self._whole:
            return self._holds(t, None)
        windows = self._windows
        if not windows:
            return False
        if self._report_windows == "first" or len(windows) == 1:
            return self._holds(t, windows[0])
        combine = any if self._report_windows == "any" else all
        return combine(self._holds(t, window) for window in windows)

    def next_instant(self, t: int) -> float:
        """Return the next instant after t of a possible evaluation, if no element comes until then.

        A bound from below: nothing holds before it, and it may hold later only. Infinity for never.
        """
        return self._next(self.policy, t)

    def period(self) -> int:
        """After so many instants without elements all that the policy looks at comes again."""
        periods = [s.period for s in strategies(self.policy) if s.period is not None]
        return lcm(*periods, *(window.window.slide for window in self._windows))

    def _closing(self) -> list[WindowState]:
        """Return the windows of which WC is asked."""
        found: list[WindowState] = []
        for strategy in strategies(self.policy):
            if strategy.kind == "WC" and strategy.window is not None:
                found.append(self._window_of(strategy))
            elif strategy.kind == "WC":
                found += self._windows[: 1 if self._report_windows == "first" else None]
        return found

    def _next(self, policy: Policy, t: int) -> float:
        match policy:
            case Not():
                return t + 1
            case And(left, right):
                return max(self._next(left, t), self._next(right, t))
            case Or(left, right):
                return min(self._next(left, t), self._next(right, t))
            case Strategy("COMPUTED EVERY", period):
                assert period is not None
                past = max(0, t - self._registered)
                return self._registered + past + period - past % period
        named = self._windows if policy.window is None else [self._window_of(policy)]
        return min((self._next_of(policy, window, t) for window in named), default=inf)

    def _next_of(self, strategy: Strategy, window: WindowState, t: int) -> float:
        match strategy.kind:
            case "WC":
                return window.next_closing(t)
            case "NC" if window.non_empty():
                return t + 1
            case "NC" | "CC":
                return window.next_change(t)
        assert strategy.period is not None
        return window.next_period(t, strategy.period)

    def _window_of(self, strategy: Strategy) -> WindowState:
        assert strategy.window is not None
        return self._windows[self._named[strategy.window]]

    def awaited(self, t: int) -> StreamSets:
        """By arrivals on which streams it is seen that the policy holds at t.

        Where it does not, and a mutant has it evaluated all the same, as if each window made it.
        """
        if self._whole:
            return self._awaited(self.policy, t, None)
        windows = self._windows[:1] if self._report_windows == "first" else self._windows
        held = [w for w in windows if self._holds(t, w)] or windows
        each = [self._awaited_for(t, w) for w in held]
        return reduce(_all_of if self._report_windows == "all" else _either_of, each)

    def _awaited_for(self, t: int, window: WindowState) -> StreamSets:
        """By arrivals on which streams it is seen that the policy holds for `window`."""
        if self._seen_by is None:
            return self._awaited(self.policy, t, window)
        if id(window) not in self._seen_by:
            self._seen_by[id(window)] = self._awaited(self.policy, t, window)
        return self._seen_by[id(window)]

    def _awaited(self, policy: Policy, t: int, window: WindowState | None) -> StreamSets:
        match policy:
            case Not(operand):
                return reduce(_all_of, (self._awaited(s, t, window) for s in strategies(operand)))
            case And(left, right):
                return _all_of(self._awaited(left, t, window), self._awaited(right, t, window))
            case Or(left, right):
                sides = [side for side in (left, right) if self._condition(side)(t, window)]
                return reduce(_either_of, (self._awaited(side, t, window) for side in sides))
            case Strategy("COMPUTED EVERY"):
                return (frozenset({None}),)
        named = window if policy.window is None else self._window_of(policy)
        assert named is not None
        return (frozenset({named.window.stream.value}),)

    def _condition(self, policy: Policy) -> _Condition:
        """Return whether `policy` holds, as a function: it is asked at every test point."""
        match policy:
            case Not(operand):
                inner = self._condition(operand)
                return lambda t, window: not inner(t, window)
            case And(left, right):
                one, other = self._condition(left), self._condition(right)
                return lambda t, window: one(t, window) and other(t, window)
            case Or(left, right):
                one, other = self._condition(left), self._condition(right)
                return lambda t, window: one(t, window) or other(t, window)
            case Strategy("COMPUTED EVERY", period):
                assert period is not None
                since = self._registered
                return lambda t, window: t > since and (t - since) % period == 0
        holds = self._strategy(policy)
        if policy.window is not None:
            named = self._window_of(policy)
            return lambda t, window: holds(named)

        def holds_for(t: int, window: WindowState | None) -> bool:
            assert window is not None
            return holds(window)

        return holds_for

    def _strategy(self, strategy: Strategy) -> Callable[[WindowState], bool]:
        """Return whether `strategy` holds for a window."""
        match strategy.kind:
            case "WC":
                return self._closes
            case "NC":
                return lambda window: window.non_empty()
            case "CC" if self._content_change == "insertions":
                return lambda window: window.inserted()
            case "CC":
                return lambda window: window.changed()
        period = strategy.period
        assert period is not None
        return lambda window: window.periodic(period)

    def _closes(self, window: WindowState) -> bool:
        return window.closes() and (self.is_last or isinstance(window, CountState))


@lru_cache(maxsize=64)
def _chooses(policy: Policy) -> bool:
    """Return whether it depends on the instant which part of `policy` holds."""
    return any(isinstance(part, Or) for part in within(policy))


def _all_of(left: StreamSets, right: StreamSets) -> StreamSets:
    return tuple(one | other for one in left for other in right)


def _either_of(left: StreamSets, right: StreamSets) -> StreamSets:
    return left + right


def _policy(query: Query, dials: Dials) -> Policy:
    """Return the query's own COMPUTED EVERY, else the profile's policy (decision 8)."""
    if query.computed_every is not None:
        return Strategy("COMPUTED EVERY", query.period(dials.unit))
    for strategy in strategies(dials.report):
        if strategy.kind == "COMPUTED EVERY" and strategy.period is None:
            raise ValueError("the profile reports on COMPUTED EVERY; the query needs that clause")
    return dials.report


def _position(query: Query, written: str) -> int:
    """Return the window that a strategy names.

    Full IRI, prefixed name or local name (decision 9).
    """
    full = query.expand(written)
    names = [declaration.name for declaration in query.windows]
    if full in names:
        return names.index(full)
    for position, name in enumerate(names):
        if name.value.endswith(tuple(mark + written for mark in "#/:")):
            return position
    raise ValueError(
        f"the report policy names window {written!r}, which the query does not declare"
    )
