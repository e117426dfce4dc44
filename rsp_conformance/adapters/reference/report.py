"""When the query is evaluated: the report policy at a test point (SEMANTICS 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rsp_conformance.adapters.reference.due import StreamSets
from rsp_conformance.adapters.reference.window import WindowState
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    is_bound,
    mentions,
    strategies,
)
from rsp_conformance.model.query import Query


class Reporter:
    """A query's policy over its windows.

    ValueError where the policy does not fit the query: COMPUTED EVERY without a period, a window
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
        self.once_an_instant = dials.tick == "time" or mentions(
            self.policy, "WC", "P", "COMPUTED EVERY"
        )
        """Whether an instant has one test point, after its last element."""
        self.on_closing = mentions(self.policy, "WC")

    def holds(self, t: int) -> bool:
        """Whether the query is evaluated now, at T."""
        if self._whole:
            return self._holds(self.policy, t, None)
        windows = self._windows
        if not windows:
            return False
        if self._report_windows == "first":
            return self._holds(self.policy, t, windows[0])
        combine = any if self._report_windows == "any" else all
        return combine(self._holds(self.policy, t, window) for window in windows)

    def awaited(self, t: int) -> StreamSets:
        """By arrivals on which streams it is seen that the policy holds at T.

        Where it does not, and a fault has it evaluated all the same, as if each window made it.
        """
        if self._whole:
            return self._awaited(self.policy, t, None)
        windows = self._windows[:1] if self._report_windows == "first" else self._windows
        held = [w for w in windows if self._holds(self.policy, t, w)] or windows
        each = [self._awaited(self.policy, t, w) for w in held]
        return reduce(_all_of if self._report_windows == "all" else _either_of, each)

    def _awaited(self, policy: Policy, t: int, window: WindowState | None) -> StreamSets:
        match policy:
            case Not(operand):
                return reduce(_all_of, (self._awaited(s, t, window) for s in strategies(operand)))
            case And(left, right):
                return _all_of(self._awaited(left, t, window), self._awaited(right, t, window))
            case Or(left, right):
                sides = [side for side in (left, right) if self._holds(side, t, window)]
                return reduce(_either_of, (self._awaited(side, t, window) for side in sides))
            case Strategy("COMPUTED EVERY"):
                return (frozenset({None}),)
        named = window if policy.window is None else self._windows[self._named[policy.window]]
        assert named is not None
        return (frozenset({named.window.stream.value}),)

    def _holds(self, policy: Policy, t: int, window: WindowState | None) -> bool:
        match policy:
            case Not(operand):
                return not self._holds(operand, t, window)
            case And(left, right):
                return self._holds(left, t, window) and self._holds(right, t, window)
            case Or(left, right):
                return self._holds(left, t, window) or self._holds(right, t, window)
            case Strategy("COMPUTED EVERY", period):
                assert period is not None
                return t > self._registered and (t - self._registered) % period == 0
        if policy.window is not None:
            window = self._windows[self._named[policy.window]]
        assert window is not None
        match policy.kind:
            case "WC":
                return window.closes()
            case "NC":
                return window.non_empty()
            case "CC":
                return (
                    window.inserted() if self._content_change == "insertions" else window.changed()
                )
            case _:
                assert policy.period is not None
                return window.periodic(policy.period)


def _all_of(left: StreamSets, right: StreamSets) -> StreamSets:
    return tuple(one | other for one in left for other in right)


def _either_of(left: StreamSets, right: StreamSets) -> StreamSets:
    return left + right


def _policy(query: Query, dials: Dials) -> Policy:
    """The query's own COMPUTED EVERY, else the profile's policy (decision 8)."""
    if query.computed_every is not None:
        return Strategy("COMPUTED EVERY", query.period(dials.unit))
    for strategy in strategies(dials.report):
        if strategy.kind == "COMPUTED EVERY" and strategy.period is None:
            raise ValueError("the profile reports on COMPUTED EVERY; the query needs that clause")
    return dials.report


def _position(query: Query, written: str) -> int:
    """The window that a strategy names: full IRI, prefixed name or local name (decision 9)."""
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
