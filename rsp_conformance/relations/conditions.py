"""Conditions on dials under which a relation holds.

Each condition returns the reason why a relation does not hold under some dials, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import Dials, starts_with_an_element
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.policy import is_bound, mentions, strategies

DialCondition = Callable[[Dials], str | None]
"""Returns why a relation does not hold under some dials, or None."""


def settings(subject: EngineUnderTest) -> tuple[Dials, ...]:
    """Return the dials of the engine's profile: without overrides, and with each override."""
    return subject.profile.settings()


def first_reason(
    subject: EngineUnderTest, conditions: Iterable[DialCondition], *features: str
) -> str | None:
    """Return the first missing feature or unsatisfied condition as a reason, or None."""
    if missing := [feature for feature in features if feature not in subject.features]:
        return MissingFeatures(*missing)
    for dials in settings(subject):
        for condition in (exact, *conditions):
            reason = condition(dials)
            if reason is not None:
                return reason
    return None


def exact(dials: Dials) -> str | None:
    """Require that answers are compared at their exact instants."""
    return "the profile lets instants differ (time_tolerance)" if dials.time_tolerance else None


def at_evaluations(dials: Dials) -> str | None:
    """Require that answers carry the instants of their evaluations."""
    if dials.answer_time == "evaluation":
        return None
    return f"answers do not say of which instant they are (answer_time {dials.answer_time})"


def stamped(dials: Dials) -> str | None:
    """Require that answers carry their instants."""
    return "answers carry no instants (answer_time none)" if dials.answer_time == "none" else None


def clocked_together(dials: Dials) -> str | None:
    """Require that an arrival on one stream advances the windows over all streams."""
    if dials.clock == "own" and dials.answer_time == "arrival":
        return "windows have clocks of their own"
    return None


def closing(dials: Dials) -> str | None:
    """Require that only window closes, periods and COMPUTED EVERY decide when to answer."""
    if mentions(dials.report, "CC", "NC"):
        return "the report policy asks for content"
    return None


def unbound(dials: Dials) -> str | None:
    """Require that the report policy names no window."""
    return "the report policy names windows" if is_bound(dials.report) else None


def by_declaration(dials: Dials) -> str | None:
    """Require that the start of windows does not depend on the elements."""
    if starts_with_an_element(dials.t0):
        return "windows start with the first element"
    return None


def once_an_instant(dials: Dials) -> str | None:
    """Require that the policy is tested once per instant, after its last element (decision 3)."""
    if dials.tick == "time" or mentions(dials.report, "WC", "P", "COMPUTED EVERY"):
        return None
    return "the profile evaluates after each element (tick tuple)"


def periods(dials: Dials) -> list[int]:
    """Return the periods of P and COMPUTED EVERY in the profile's policy."""
    return [s.period for s in strategies(dials.report) if s.period is not None]
