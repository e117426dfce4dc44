"""The report policy in force, and the strategies it depends on (RSP-QL Definition 23)."""

from __future__ import annotations

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, StrategyKind, strategies
from rsp_conformance.model.query import Query
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration


def policy_of(query: Query, dials: Dials) -> Policy:
    """The policy in force: the query's COMPUTED EVERY, else the profile's policy (decision 8).

    Raises:
        ValueError: The profile reports on COMPUTED EVERY and neither it nor the query names a
            period, or a strategy names a window that the query does not declare.
    """
    period = query.period(dials.unit)
    if period is not None:
        return Strategy("COMPUTED EVERY", period)
    for strategy in strategies(dials.report):
        if strategy.kind == "COMPUTED EVERY" and strategy.period is None:
            raise ValueError(
                "the profile reports on COMPUTED EVERY, and the query has no such clause"
            )
        if strategy.window is not None:
            window_named(query, strategy.window)
    return dials.report


def window_named(query: Query, written: str) -> int:
    """The position of the window that a strategy names by its IRI, prefixed name or local name.

    Raises:
        ValueError: The query declares no such window.
    """
    iri = query.expand(written)
    for position, declaration in enumerate(query.windows):
        value = declaration.name.value
        if iri == declaration.name or value.endswith((f"#{written}", f"/{written}", f":{written}")):
            return position
    declared = ", ".join(query.shorten(w.name) for w in query.windows) or "none"
    raise ValueError(f"the report policy names window {written!r}; the query declares {declared}")


def looked_at(
    query: Query, policy: Policy, dials: Dials, *kinds: StrategyKind
) -> tuple[WindowDeclaration, ...]:
    """The windows that strategies of a policy look at, in the order of the declarations.

    Args:
        query: the query.
        policy: its report policy.
        dials: the setting of the dials; ``report_windows`` says which windows a policy without
            names looks at.
        kinds: the kinds of strategies that count.
    """
    looking = [s for s in strategies(policy) if s.kind in kinds]
    unnamed = query.windows[:1] if dials.report_windows == "first" else query.windows
    found: set[WindowDeclaration] = set()
    for strategy in looking:
        named = strategy.window
        found.update(unnamed if named is None else [query.windows[window_named(query, named)]])
    return tuple(window for window in query.windows if window in found)


def closes_by_count(query: Query, policy: Policy, dials: Dials) -> bool:
    """Whether a window by count is among those that the WC of a policy looks at."""
    return any(isinstance(own.width, Count) for own in looked_at(query, policy, dials, "WC"))


def closes_by_time(query: Query, policy: Policy, dials: Dials) -> bool:
    """Whether a window by time, or NOW, is among those that the WC of a policy looks at."""
    return any(
        own.is_by_time or own.width is Reach.NOW for own in looked_at(query, policy, dials, "WC")
    )


def waits_for_unbounded(query: Query, policy: Policy, dials: Dials) -> bool:
    """Whether a policy can hold only if an UNBOUNDED window closes, which none does."""
    seen = looked_at(query, policy, dials, "WC")
    never = all(own.width is Reach.UNBOUNDED for own in seen)
    return bool(seen) and never and asks_for(policy, "WC")


def asks_for(policy: Policy, *kinds: StrategyKind) -> bool:
    """Whether a policy can hold only when a strategy of these kinds holds for some window."""
    match policy:
        case Strategy(kind):
            return kind in kinds
        case And(left, right):
            return asks_for(left, *kinds) or asks_for(right, *kinds)
        case Or(left, right):
            return asks_for(left, *kinds) and asks_for(right, *kinds)
        case Not():
            return False
