"""Report policies as data: conditions that a plan evaluates, and when they may hold.

A policy becomes a disjunction of conjunctions of literals (strategy of a window, wanted or not).
From the literals that a conjunction wants follows at which instants it can hold at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

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
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import SlidingWindow

EVERY: Literal["COMPUTED EVERY"] = "COMPUTED EVERY"


@dataclass(frozen=True, slots=True, order=True)
class ReportCondition:
    """A strategy of window number ``window`` (−1 for COMPUTED EVERY) that must or must not hold."""

    window: int
    kind: str
    period: int
    wanted: bool


Conjunction: TypeAlias = frozenset[ReportCondition]


@dataclass(frozen=True, slots=True)
class Periodic:
    """Instants ``base + offset + i·period``, i ≥ 0.

    The base is the t0 of window number ``window``, or the registration for −1.
    """

    window: int
    offset: int
    period: int


@dataclass(frozen=True, slots=True)
class Report:
    """A policy ready for the plan.

    ``terms``: it holds if all conditions of one of them hold. ``periodic`` and ``by_content``
    (windows whose elements' arrivals count) say at which instants it can hold. ``stepwise``:
    tested after each element (decision 3). ``on_content``: never holds while every window is
    empty. ``changes``: it looks at CC. ``closing``: it mentions WC.
    """

    terms: tuple[Conjunction, ...]
    periodic: tuple[Periodic, ...]
    by_content: tuple[int, ...]
    stepwise: bool
    on_content: bool
    changes: bool
    closing: bool


EVERY_INSTANT = Periodic(-1, -(2**40), 1)


def compile_report(query: Query, windows: tuple[SlidingWindow, ...], dials: Dials) -> Report:
    """The report policy of QUERY under DIALS (decisions 3 to 9).

    ValueError where a strategy names an unknown window, or a period is missing.
    """
    policy = reported(query, dials)
    terms = _terms(policy, query, windows, dials)
    periodic: dict[Periodic, None] = {}
    by_content: dict[int, None] = {}
    for term in terms:
        _candidates(term, windows, dials, periodic, by_content)
    return Report(
        terms,
        tuple(periodic),
        tuple(by_content),
        stepwise=dials.tick == "tuple" and not mentions(policy, "WC", "P", EVERY),
        on_content=all(any(c.wanted and c.kind in ("NC", "CC") for c in term) for term in terms),
        changes=mentions(policy, "CC"),
        closing=mentions(policy, "WC"),
    )


def reported(query: Query, dials: Dials) -> Policy:
    """The policy that holds: the query's COMPUTED EVERY, else the profile's (decision 8)."""
    period = query.period(dials.unit)
    return dials.report if period is None else Strategy(EVERY, period)


Normal: TypeAlias = "list[Conjunction]"


def _terms(
    policy: Policy, query: Query, windows: tuple[SlidingWindow, ...], dials: Dials
) -> tuple[Conjunction, ...]:
    """POLICY over numbered windows; an unbound one is asked whole, one window at a time."""
    names = [window.name for window in windows]

    def named(strategy: Strategy) -> int:
        return _number(strategy, query, names)

    if is_bound(policy):
        normal = _normal(policy, True, named)
    elif all(strategy.kind == EVERY for strategy in strategies(policy)):
        normal = _normal(policy, True, lambda _: -1)
    else:
        each = [_normal(policy, True, lambda _, n=n: n) for n in range(len(names))]  # type: ignore[misc]
        if dials.report_windows == "first":
            each = each[:1]
        if dials.report_windows == "all" and each:
            normal = each[0]
            for other in each[1:]:
                normal = _both(normal, other)
        else:
            normal = [term for terms in each for term in terms]
    return tuple(sorted(set(normal), key=sorted))


def _normal(policy: Policy, wanted: bool, number: Callable[[Strategy], int]) -> Normal:
    """The disjunctive normal form of POLICY, or of its negation."""
    match policy:
        case Strategy(kind, period, _):
            if kind == EVERY:
                if period is None:
                    raise ValueError(
                        "report policy COMPUTED EVERY: give it a period, or write the clause "
                        "COMPUTED EVERY into the query"
                    )
                return [frozenset({ReportCondition(-1, kind, period, wanted)})]
            return [frozenset({ReportCondition(number(policy), kind, period or 0, wanted)})]
        case Not(operand):
            return _normal(operand, not wanted, number)
        case And(left, right) | Or(left, right):
            one, two = _normal(left, wanted, number), _normal(right, wanted, number)
            return _both(one, two) if isinstance(policy, And) is wanted else one + two


def _both(left: Normal, right: Normal) -> Normal:
    return [joined for a in left for b in right if _possible(joined := a | b)]


def _possible(term: Conjunction) -> bool:
    return not any(replace(c, wanted=not c.wanted) in term for c in term)


def _number(strategy: Strategy, query: Query, names: Sequence[IRI]) -> int:
    """The number of the window that STRATEGY names (decision 9)."""
    written = strategy.window or ""
    full = query.expand(written)
    for number, name in enumerate(names):
        if name == full:
            return number
    for number, name in enumerate(names):
        if re.split("[#/:]", name.value)[-1] == written.removeprefix(":"):
            return number
    known = ", ".join(query.shorten(name) for name in names) or "none"
    raise ValueError(f"report policy names the window {written!r}; the query declares {known}")


def _candidates(
    term: Conjunction,
    windows: tuple[SlidingWindow, ...],
    dials: Dials,
    periodic: dict[Periodic, None],
    by_content: dict[int, None],
) -> None:
    """Add the instants outside which TERM cannot hold, by its most selective condition."""
    cycles = [_cycle(c, windows, dials) for c in term if c.wanted and c.kind in ("WC", "P", EVERY)]
    changing = sorted(c.window for c in term if c.wanted and c.kind == "CC")
    if cycles:
        periodic[max(cycles, key=lambda p: (p.period, p.window))] = None
    elif changing:
        window = windows[changing[0]]
        moved = Periodic(changing[0], window.width + 1, window.slide)
        if dials.window == "last-closed":
            periodic[moved] = None
        else:
            by_content[changing[0]] = None
            if dials.content_change == "any":
                periodic[moved] = None
    else:
        periodic[EVERY_INSTANT] = None


def _cycle(
    condition: ReportCondition, windows: tuple[SlidingWindow, ...], dials: Dials
) -> Periodic:
    if condition.kind == "WC":
        window = windows[condition.window]
        late = 1 if dials.window == "last-closed" else 0
        return Periodic(condition.window, window.width + late, window.slide)
    return Periodic(condition.window, condition.period, condition.period)
