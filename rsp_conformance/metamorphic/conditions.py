"""Under which dials a relation holds: reasons why it does not, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import Dials, starts_with_an_element
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.policy import is_bound, mentions, strategies

DialCondition = Callable[[Dials], str | None]


def settings(subject: EngineUnderTest) -> tuple[Dials, ...]:
    """The dials of SUBJECT's profile, without any override and with each."""
    return subject.profile.settings()


def first_reason(
    subject: EngineUnderTest, conditions: Iterable[DialCondition], *features: str
) -> str | None:
    """Why SUBJECT lacks one of FEATURES or fails one of CONDITIONS, or None."""
    if missing := [feature for feature in features if feature not in subject.features]:
        return MissingFeatures(*missing)
    for dials in settings(subject):
        for condition in (exact, *conditions):
            reason = condition(dials)
            if reason is not None:
                return reason
    return None


def exact(dials: Dials) -> str | None:
    """Answers are compared at their instants."""
    return "the profile lets instants differ (time_tolerance)" if dials.time_tolerance else None


def stamped(dials: Dials) -> str | None:
    """Answers say when they are."""
    return "answers carry no instants (answer_time none)" if dials.answer_time == "none" else None


def clocked_together(dials: Dials) -> str | None:
    """What arrives on one stream makes time pass for the windows over another."""
    if dials.clock == "own" and dials.answer_time == "arrival":
        return "windows have clocks of their own"
    return None


def closing(dials: Dials) -> str | None:
    """Nothing but closes, periods and COMPUTED EVERY decides when to answer."""
    if mentions(dials.report, "CC", "NC"):
        return "the report policy asks for content"
    return None


def unbound(dials: Dials) -> str | None:
    """The report policy names no window."""
    return "the report policy names windows" if is_bound(dials.report) else None


def by_declaration(dials: Dials) -> str | None:
    """Where windows start does not depend on the elements."""
    if starts_with_an_element(dials.t0):
        return "windows start with the first element"
    return None


def tested_once(dials: Dials) -> bool:
    """Whether the policy is tested once an instant, after its last element (decision 3)."""
    return dials.tick == "time" or mentions(dials.report, "WC", "P", "COMPUTED EVERY")


def periods(dials: Dials) -> list[int]:
    """The periods of P and COMPUTED EVERY in the profile's policy."""
    return [s.period for s in strategies(dials.report) if s.period is not None]
