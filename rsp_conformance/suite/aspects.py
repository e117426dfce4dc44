"""Which cases a property has for an engine, and whether it has any."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from rsp_conformance.judgement.subject import Subject
from rsp_conformance.judgement.telling import tells
from rsp_conformance.model.case import Case
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.profiles import Profile
from rsp_conformance.strategies import applicable, cases
from rsp_conformance.suite.properties import Property


def not_applicable(property: Property, subject: Subject) -> str | None:
    """Why PROPERTY means nothing for SUBJECT, or None."""
    able = applicable(property.focus, subject.features, subject.profile)
    if isinstance(able, str):
        return able
    if property.policies and not _reports_by(property.policies, subject.profile):
        return f"the profile's report policy does not use {' or '.join(property.policies)}"
    return None


def strategy_of(property: Property, subject: Subject) -> SearchStrategy[Case]:
    """The cases of PROPERTY for SUBJECT."""
    return cases(subject.features, subject.profile, focus=property.focus)


def telling(property: Property, subject: Subject, case: Case) -> bool:
    """Whether CASE tells what PROPERTY is about (``judgement.telling``)."""
    return tells(property.tells, case, subject.dials(case))


def _reports_by(strategies: tuple[str, ...], profile: Profile) -> bool:
    turned = [dict(override.dials) for override in profile.overrides]
    policies = [profile.base.report]
    policies += [profile.base.with_dials(dials).report for dials in turned if "report" in dials]
    return any(mentions(policy, *strategies) for policy in policies)
